"""The autoregressive process: a distribution over paths, drawn as it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from scandl.models.model import Request
from scandl.models.pointer.drawing import draw
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

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
    paths = model.generate([Request(TWO, "a", k) for k in range(4000)], seed=1)
    lengths = Counter(path.n_fixations for path in paths)
    for n, expected in enumerate(ended[:4], start=1):
        assert lengths[n] / 4000 == pytest.approx(expected, abs=0.03)


def test_paths_are_drawn_as_often_as_their_probability(make_model: MakeModel) -> None:
    model = make_model("autoregressive")
    drawn = Counter(p.words for p in model.generate([Request(TWO, "a", k) for k in range(4000)], seed=2))
    for path in [(0,), (1,), (0, 1), (1, 0), (1, 1), (0, 0)]:
        assert drawn[path] / 4000 == pytest.approx(probability(model, path), abs=0.03)


@pytest.mark.parametrize("process", ["autoregressive", "absorbing"])
def test_a_path_does_not_depend_on_its_company(make_model: MakeModel, process: str) -> None:
    model = make_model(process)
    sentences = [Sentence(f"s{n}", " ".join(["word,"] * n)) for n in (1, 2, 5, 9, 30)]
    requests = [Request(s, reader, k) for s in sentences for reader in ("a", "new") for k in range(6)]
    together = model.generate(requests, seed=3)
    backwards = model.generate(requests[::-1], seed=3)[::-1]
    alone = [model.generate([request], seed=3)[0] for request in requests]
    assert together == backwards == alone
    assert together != model.generate(requests, seed=4)


def test_a_number_on_the_border_is_in_doubt() -> None:
    _, sure = draw(np.log([[0.5, 0.5]] * 3), np.array([0.5 - 1e-7, 0.5 + 1e-7, 0.6]))
    assert sure.tolist() == [False, False, True]
