"""Streams: the same name gives the same numbers, another name other ones."""

from __future__ import annotations

import numpy as np

from scandl.seeds import stream, torch_seed, uniforms


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


def test_uniform_numbers_are_those_of_their_names() -> None:
    names = [("s", i) for i in range(300)]
    drawn = uniforms(3, names, 40)
    np.testing.assert_array_equal(uniforms(3, names[::-1], 40), drawn[::-1])
    assert (uniforms(4, names, 40) != drawn).all()
    assert 0.0 <= drawn.min() < 0.001
    assert 0.999 < drawn.max() < 1.0
    assert abs(np.histogram(drawn, bins=10)[0] / 1200 - 1).max() < 0.12  # four standard errors
    assert abs(np.corrcoef(drawn)[np.triu_indices(300, 1)].mean()) < 0.005
    assert uniforms(3, [], 40).shape == (0, 40)
