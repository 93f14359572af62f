"""Streams: the same name gives the same numbers, another name other ones."""

from __future__ import annotations

import numpy as np

from scandl.seeds import stream, torch_seed


def test_a_stream_is_its_names() -> None:
    assert stream(1, "a", 2).integers(1 << 30) == stream(1, "a", 2).integers(1 << 30)
    draws = {
        tuple(stream(*key).integers(1 << 62, size=2))
        for key in [(1, "a"), (1, "b"), (2, "a"), (1, "a", 0), (1,)]
    }
    assert len(draws) == 5


def test_parts_of_a_name_do_not_run_together() -> None:
    assert stream(1, "ab", "c").integers(1 << 62) != stream(1, "a", "bc").integers(1 << 62)


def test_neighbouring_streams_are_independent() -> None:
    draws = np.array([stream(7, "sentence", i).standard_normal(200) for i in range(200)])
    correlations = np.corrcoef(draws)[np.triu_indices(200, 1)]
    assert abs(correlations.mean()) < 0.005
    assert abs(draws.mean()) < 0.02


def test_torch_seeds_fit_into_63_bits() -> None:
    assert 0 <= torch_seed(3, "noise") < 2**63
