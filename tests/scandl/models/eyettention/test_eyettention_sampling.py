"""Generation by hand-made networks that always make the same saccade."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from scandl.models.eyettention.eyettention_sampling import Sampler, sample_paths
from scandl.models.eyettention.saccade_classes import SaccadeClasses
from scandl.records import Sentence

CLASSES = SaccadeClasses(24)


def always(follow, chosen: int) -> None:
    """Let the network be all but sure of one class."""
    with torch.no_grad():
        last = follow.network.decoder[-1]
        last.weight.zero_()
        last.bias.zero_()
        last.bias[chosen] = 50.0


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (1, (0, 1, 2, 3, 4, 5)),
        (2, (1, 3, 5)),
        (4, (3,)),
        (7, ()),  # beyond the last word at once
        (22, ()),
        (0, (0,) * 59),  # from CLS to before the first word: on it, and on and on
        (-3, (0,) * 59),
        (None, ()),  # END
    ],
)
def test_clipping_end_and_the_limit(builder, tiny, step, expected):
    follow = builder(replace(tiny.config, max_words=24))
    always(follow, CLASSES.end if step is None else step + 21)
    inputs = [follow.maker.sentence(Sentence("s", "We saw the end of it."))] * 3
    uniforms = torch.full((3, 59), 0.5, dtype=torch.float64)
    assert sample_paths(follow.network, inputs, [0, 1, 2], uniforms, CLASSES) == [expected] * 3


def test_each_path_reads_its_own_sentence(builder, tiny):
    follow = builder(replace(tiny.config, max_words=24))
    always(follow, 22)
    texts = ["One.", "We saw it.", "One.", "And then we saw it all."]
    inputs = [follow.maker.sentence(Sentence(text, text)) for text in texts]
    uniforms = torch.from_numpy(np.random.default_rng(1).uniform(0.1, 0.9, (4, 59)))
    found = sample_paths(follow.network, inputs, [0] * 4, uniforms, CLASSES)
    assert found == [tuple(range(len(text.split()))) for text in texts]


def batch(follow, n: int):
    texts = ["We saw it.", "And then we saw it all again.", "One."]
    inputs = [follow.maker.sentence(Sentence(text, text)) for text in texts]
    uniforms = torch.from_numpy(np.random.default_rng(7).random((n, 59)))
    return [inputs[k % 3] for k in range(n)], [k % 2 for k in range(n)], uniforms


@pytest.mark.parametrize("reader_embedding", [False, True])
def test_paths_that_come_the_same_way_are_as_if_followed_alone(builder, tiny, reader_embedding):
    follow = builder(replace(tiny.config, reader_embedding=reader_embedding))
    classes = SaccadeClasses(follow.config.max_words)
    inputs, readers, uniforms = batch(follow, 60)
    together = sample_paths(follow.network, inputs, readers, uniforms, classes)
    alone = [
        sample_paths(follow.network, [inputs[k]], [readers[k]], uniforms[k : k + 1], classes)[0]
        for k in range(60)
    ]
    assert together == alone
    assert len(set(together)) > 5


@pytest.mark.parametrize("margin", [0.5, 0.01, 1e-6])
def test_what_is_in_doubt_is_drawn_in_double_precision(builder, tiny, margin):
    exact = builder(tiny.config)
    rounded = builder(tiny.config).network.float()
    classes = SaccadeClasses(exact.config.max_words)
    drawn = batch(exact, 300)
    reference = sample_paths(exact.network, *drawn, classes)
    certain = sample_paths(rounded, *drawn, classes, margin=margin)
    assert (None in certain) == (margin >= 0.01)  # few random numbers fall near a border
    assert Sampler(rounded, exact.network, classes, margin).sample(*drawn) == reference


def test_a_network_that_rounds_badly_is_in_doubt_where_it_errs(builder, tiny):
    """A coarse network stands for rounding: within its margin it may decide otherwise, outside never."""
    exact, coarse = builder(tiny.config), builder(tiny.config)
    with torch.no_grad():
        coarse.network.decoder[-1].bias += 1e-3
        coarse.network.decoder[-1].bias[0] -= 3e-3
    classes = SaccadeClasses(exact.config.max_words)
    drawn = batch(exact, 600)
    reference = sample_paths(exact.network, *drawn, classes)
    assert sample_paths(coarse.network, *drawn, classes) != reference
    certain = sample_paths(coarse.network, *drawn, classes, margin=0.005)
    assert all(path in (None, right) for path, right in zip(certain, reference, strict=True))
    assert Sampler(coarse.network, exact.network, classes, 0.005).sample(*drawn) == reference
