"""Packed batches: the same numbers as the slow definition, each sentence once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from scandl.models.eyettention.eyettention_inputs import collate

TEXT = "An owl sat on it."

PATHS = [(0, 1, 2, 1, 4), (), (3,), (2, 2, 0, 0, 1, 4, 3, 2), (4, 0)]


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"renormalise_window": True},
        {"window": 0},
        {"window": 3, "sigma": 2.0},
        {"reader_embedding": True},
        {"positions": 2},
        {"word_layers": 1, "fixation_layers": 1},
    ],
)
def test_packed_batches_equal_the_slow_definition(builder, tiny, change):
    follow = builder(replace(tiny.config, **change))
    paths = [
        follow.path(text, words, reader)
        for text, words, reader in zip(
            [TEXT, TEXT, "One word more than before, here.", TEXT, "We do not know."],
            PATHS,
            ["r1", "r2", "r1", "nobody", "r2"],
            strict=True,
        )
        if max(words, default=0) < len(text.split())
    ]
    assert len(paths) >= 4
    batch = collate(paths, torch.float64)
    with torch.no_grad():
        logits = follow.network(batch).numpy()
    for n, path in enumerate(paths):
        own = logits[(batch.fixations.packing.member == n).numpy()]
        np.testing.assert_allclose(own, follow.slow_logits(path), rtol=1e-9, atol=1e-12)


def test_a_sentence_is_in_a_batch_once(tiny):
    batch = collate([tiny.path(TEXT, words) for words in PATHS])
    assert len(batch.sentences.last) == 1
    assert batch.sentences.last.tolist() == [6]
    assert len(batch.fixations.at) == sum(len(words) + 1 for words in PATHS)
