"""Filling gaps, against the posterior over all paths by enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.pointer.given import fill, pointer_model
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

TWO = Sentence("two", "Dogs bark.")


@pytest.fixture
def model(make_model: Callable[..., PointerModel]) -> PointerModel:
    """Return a model that nearly guesses: what it draws in one way is not improbable in another."""
    model = make_model()
    model.network.weights = {
        name: 0.3 * value if name.startswith(("quer", "by_distance", "keys", "length.2")) else value
        for name, value in model.network.weights.items()
    }
    return model


def test_what_is_given_stays_and_what_is_drawn_has_a_duration(model: PointerModel) -> None:
    sentence = Sentence("s", "One two three four five.")
    found = fill(model, sentence, [0, None, 3, None, 1], 20, 1)
    assert all((p.positions[0], p.positions[2], p.positions[4]) == (0, 3, 1) for p in found)
    assert len({p.positions for p in found}) > 1
    assert all(p.durations is not None and len(p.durations) == 5 for p in found)
    assert found == fill(model, sentence, [0, None, 3, None, 1], 20, 1)
    assert found[7:] != fill(model, sentence, [0, None, 3, None, 1], 20, 2)[7:]


def test_candidates_are_taken_by_their_probability_as_a_whole(model: PointerModel) -> None:
    """Of any network, also one that was not trained to fill: the exact conditional distribution."""
    paths = [(a, 1, b, 0) for a, b in product((0, 1), repeat=2)]
    log_probs = model.log_probs([TWO] * 4, [Scanpath("", "two", path) for path in paths])
    expected = np.exp(log_probs) / np.exp(log_probs).sum()
    drawn = Counter(p.positions for p in fill(model, TWO, [None, 1, None, 0], 250, 1, candidates=20))
    assert [drawn[path] / 250 for path in paths] == pytest.approx(expected, abs=0.1)


def test_a_stretch_of_unknown_length_is_as_long_as_is_probable(model: PointerModel) -> None:
    given = [0, ..., 1]
    by_length = {}
    for n in range(5):  # at most three fixations per word
        paths = [(0, *between, 1) for between in product((0, 1), repeat=n)]
        by_length[n + 2] = np.exp(
            model.log_probs([TWO] * len(paths), [Scanpath("", "two", path) for path in paths])
        ).sum()
    found = fill(model, TWO, given, 200, 1, candidates=20)
    assert all(p.positions[0] == 0 and p.positions[-1] == 1 for p in found)
    lengths = Counter(p.n_fixations for p in found)
    for n, probability in by_length.items():
        assert lengths[n] / 200 == pytest.approx(probability / sum(by_length.values()), abs=0.1)


def test_stretches_may_stand_anywhere_and_be_empty(model: PointerModel) -> None:
    found = {p.positions for p in fill(model, TWO, [..., 1, ...], 60, 3)}
    assert (1,) in found
    assert any(len(path) > 1 for path in found)
    assert all(1 in path for path in found)


def test_what_cannot_be_filled_is_refused(model: PointerModel) -> None:
    with pytest.raises(ScandlError, match="found word 2, expected 0 to 1"):
        fill(model, TWO, [0, 2, None])
    with pytest.raises(ScandlError, match="sentence 'two': found an empty path"):
        fill(model, TWO, [])
    with pytest.raises(ScandlError, match="model 'uniform' cannot complete a path"):
        pointer_model(open_model("uniform"))
