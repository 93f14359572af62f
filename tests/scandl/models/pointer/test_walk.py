"""What is known before each fixation, against a definition that looks at the path alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest

from scandl.models.model import Request
from scandl.models.pointer.path_batch import MOST_VISITS
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.walk import N_SCALARS, walked
from scandl.records import Scanpath, Sentence


@pytest.mark.parametrize("seed", range(5))
def test_states_are_those_of_the_path_so_far(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_words = rng.integers(1, 9, 4)
    paths = [tuple(rng.integers(0, m, rng.integers(1, 12)).tolist()) for m in n_words]
    states = walked(paths, n_words, int(n_words.max()))
    assert states.scalars.shape == (4, max(map(len, paths)) + 1, N_SCALARS)
    for b, path in enumerate(paths):
        for t in range(len(path) + 1):
            seen = path[:t]
            last, previous = [*(-1, -1), *seen][-1], [*(-1, -1), *seen][-2]
            assert states.references[b, t].tolist() == [last, previous, max(seen, default=-1)]
            expected = [min(seen.count(word), MOST_VISITS) for word in range(int(n_words.max()))]
            assert states.counts[b, t].tolist() == expected
            regressions = sum(y < x for x, y in pairwise(seen))
            assert states.scalars[b, t, 2] == pytest.approx(regressions / max(t, 1))
            never = 1 - len(set(seen)) / (max(seen) + 1) if seen else 1.0
            assert states.scalars[b, t, 4] == pytest.approx(never)


def test_a_state_in_the_middle_does_not_depend_on_the_length_of_the_text() -> None:
    """Only what is a share of the text may differ between texts of 100 and 200 words."""
    path = tuple(range(40, 60))
    short, long = (walked([path], np.array([m]), m).scalars[0, -1] for m in (100, 200))
    differs = np.flatnonzero(np.abs(short - long) > 0.01)
    assert set(differs.tolist()) <= {1, 5}  # fixations per word, share reached


def test_the_window_has_no_words_beyond_the_text() -> None:
    states = walked([(0, 2)], np.array([3]), 3)
    assert states.window[0].tolist() == [[3, 3, 3, 0, 1, 2], [3, 3, 0, 1, 2, 3], [0, 1, 2, 3, 3, 3]]


MakeModel = Callable[..., PointerModel]
TWO = Sentence("two", "Dogs bark.")


def probability(model: PointerModel, path: tuple[int, ...]) -> float:
    return float(np.exp(model.log_probs([TWO], [Scanpath("a", "two", path)])[0]))


def test_short_paths_and_all_longer_ones_have_probability_one(make_model: MakeModel) -> None:
    """The paths of up to n fixations have what those of n fixations, and longer, do not."""
    model = make_model("autoregressive")
    ended = [sum(probability(model, p) for p in product((0, 1), repeat=n)) for n in range(1, 9)]
    assert all(value > 0 for value in ended)
    assert sum(ended) < 1.0
    paths = model.read([Request(TWO, "a", k) for k in range(4000)], seed=1)
    lengths = Counter(path.n_fixations for path in paths)
    for n, expected in enumerate(ended[:4], start=1):
        assert lengths[n] / 4000 == pytest.approx(expected, abs=0.03)


def test_paths_are_drawn_as_often_as_their_probability(make_model: MakeModel) -> None:
    model = make_model("autoregressive")
    drawn = Counter(p.positions for p in model.read([Request(TWO, "a", k) for k in range(4000)], seed=2))
    for path in [(0,), (1,), (0, 1), (1, 0), (1, 1), (0, 0)]:
        assert drawn[path] / 4000 == pytest.approx(probability(model, path), abs=0.03)


@pytest.mark.parametrize("process", ["autoregressive", "absorbing"])
def test_a_path_does_not_depend_on_its_company(make_model: MakeModel, process: str) -> None:
    model = make_model(process)
    sentences = [Sentence(f"s{n}", " ".join(["word,"] * n)) for n in (1, 2, 5, 9, 30)]
    requests = [Request(s, reader, k) for s in sentences for reader in ("a", "new") for k in range(6)]
    together = model.read(requests, seed=3)
    backwards = model.read(requests[::-1], seed=3)[::-1]
    alone = [model.read([request], seed=3)[0] for request in requests]
    assert together == backwards == alone
    assert together != model.read(requests, seed=4)
