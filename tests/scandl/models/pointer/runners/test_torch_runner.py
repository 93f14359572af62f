from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scandl.models.pointer.path_batch import TextBatch
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.words import word_features

Make = Callable[..., PointerModel]


def test_padding_does_not_change_what_is_read(make_model: Make) -> None:
    """A short text beside a long one is read as by itself."""
    runner = make_model("autoregressive").runner
    short, long = (
        word_features(tuple(text.split())) for text in ("The cat sat.", "Well, it fell down 3 times.")
    )
    conditions = np.zeros((2, 1), np.float32)
    both = TextBatch.of([short, long], conditions).read(runner)
    alone = TextBatch.of([short], conditions[:1]).read(runner)
    np.testing.assert_allclose(both.keys[0, :3], alone.keys[0], atol=1e-5)
    np.testing.assert_allclose(both.gist[0], alone.gist[0], atol=1e-5)
    assert both.inside[0].tolist() == [True] * 3 + [False] * 3


def test_later_places_with_the_past_are_those_of_all_at_once(make_model: Make) -> None:
    model = make_model("autoregressive")
    network = model.runner.network  # type: ignore[attr-defined]
    rng = np.random.default_rng(3)
    tokens = rng.random((2, 4, network.tokens.in_features)).astype(np.float32)
    condition = rng.random((2, network.condition.in_features)).astype(np.float32)
    visible = np.tril(np.ones((4, 4), dtype=bool))[None]
    whole, _ = model.runner.places(tokens, condition, visible)
    first, past = model.runner.places(tokens[:, :3], condition, visible[:, :3, :3])
    last, _ = model.runner.places(tokens[:, 3:], condition, visible[:, 3:], past)
    np.testing.assert_allclose(first, whole[:, :3], atol=1e-5)
    np.testing.assert_allclose(last, whole[:, 3:], atol=1e-5)
