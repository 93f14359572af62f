"""Drawing, against what the network says of every path of a text of two words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations, product

import numpy as np
import pytest
from scipy.special import log_softmax

from scandl.models.model import Request
from scandl.models.pointer.drawing import by_diffusion, in_order, masked_logits
from scandl.models.pointer.path_batch import padded
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

MakeModel = Callable[..., PointerModel]
TWO = Sentence("two", "Dogs bark.")


def by_orders(model: PointerModel, path: tuple[int, ...]) -> list[float]:
    """Return log p(path | order) for every order in which its places may become known."""
    batch = model.text_batch([Request(TWO, "a")], 1)
    text = model.network.read_texts(batch).of(batch.row)
    words, n = padded([path])
    found = []
    for order in permutations(range(len(path))):
        total = 0.0
        for k, i in enumerate(order):
            known = np.isin(np.arange(len(path)), order[:k])[None]
            total += log_softmax(masked_logits(model.network, text, batch, words, known, n)[0, i])[path[i]]
        found.append(float(total))
    return found


def test_in_random_order_paths_come_as_often_as_their_probability(make_model: MakeModel) -> None:
    """Over all paths of two fixations: the mean over orders of the product of what each step gives."""
    model = make_model("random")
    expected = {path: float(np.mean(np.exp(by_orders(model, path)))) for path in product((0, 1), repeat=2)}
    assert sum(expected.values()) == pytest.approx(1.0, abs=1e-6)
    batch = model.text_batch([Request(TWO, "a")] * 4000, 1)
    streams = [np.random.default_rng(k) for k in range(4000)]
    drawn = Counter(by_diffusion(model.network, batch, np.full(4000, 2), streams, 20))
    for path, probability in expected.items():
        assert drawn[path] / 4000 == pytest.approx(probability, abs=0.03)


def test_in_order_of_time_paths_come_as_often_as_their_probability(make_model: MakeModel) -> None:
    model = make_model()
    drawn = Counter(p.positions for p in model.read([Request(TWO, "a", k) for k in range(4000)], seed=2))
    for path in [(0,), (1,), (0, 1), (1, 0), (1, 1), (0, 0)]:
        probability = float(np.exp(model.log_probs([TWO], [Scanpath("a", "two", path)])[0]))
        assert drawn[path] / 4000 == pytest.approx(probability, abs=0.03)


@pytest.mark.parametrize("order", ["time", "random"])
def test_a_path_does_not_depend_on_its_company(make_model: MakeModel, order: str) -> None:
    model = make_model(order)
    sentences = [
        Sentence(f"s{n}", " ".join(["word,"] * n)) for n in (1, 2, 5, 9, 110 if order == "time" else 25)
    ]
    requests = [Request(s, reader, k) for s in sentences for reader in ("a", "new") for k in range(3)]
    together = model.read(requests, seed=3)
    backwards = model.read(requests[::-1], seed=3)[::-1]
    alone = [model.read([request], seed=3)[0] for request in requests]
    assert together == backwards == alone
    assert together != model.read(requests, seed=4)


def test_few_steps_draw_whole_paths(make_model: MakeModel) -> None:
    model = make_model("random", steps=2)
    sentence = Sentence("long", " ".join(["word"] * 40))
    for path in model.read([Request(sentence, "", k) for k in range(20)], seed=1):
        assert path.positions
        assert all(0 <= word < 40 for word in path.positions)


def test_known_fixations_stay_and_the_others_depend_on_them(make_model: MakeModel) -> None:
    model = make_model()
    sentence = Sentence("six", "One two three four five six.")
    batch = model.text_batch([Request(sentence, "a")] * 200, 1)
    words, known = np.zeros((2, 200, 5), dtype=np.int64)
    words[:, [1, 4]], known[:, [1, 4]] = (3, 0), 1
    words[:100, 4] = 5
    streams = [np.random.default_rng(k % 100) for k in range(200)]
    found = np.array(in_order(model.network, batch, np.full(200, 5), streams, words, known > 0))
    assert (found[:, 1] == 3).all()
    assert (found[:100, 4] == 5).all()
    assert (found[100:, 4] == 0).all()
    assert (found[:100, :4] != found[100:, :4]).any()


def test_nobody_leaps_far_ahead_in_a_text_without_lines(make_model: MakeModel) -> None:
    model, words = make_model(), ["word"] * 150
    flat = {
        name: 0.0 * value if name.startswith(("slope", "quer")) else value
        for name, value in model.network.weights.items()
    }
    model.network.weights = flat | {"slope": np.full((6, 2), -20.0), "ahead": np.full(2, -20.0)}
    requests = [Request(Sentence("long", " ".join(words)), "", k) for k in range(5)]

    def leaps(lines: dict[str, list[str]]) -> int:
        paths = model.with_lines(lines).read(requests, seed=1)
        return max(int(np.diff([-1, *path.positions]).max()) for path in paths)

    assert leaps({}) <= 20
    assert leaps({"long": ["1"] * 75 + ["2"] * 75}) > 20


def test_no_path_has_more_than_three_fixations_per_word(make_model: MakeModel) -> None:
    model = make_model()
    weights = dict(model.network.weights)
    model.network.weights = weights | {"length.2.bias": np.full(9, 2.0)}
    paths = model.read([Request(TWO, "", k) for k in range(50)], seed=1)
    assert max(path.n_fixations for path in paths) == 6
