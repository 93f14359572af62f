"""Condition vectors against the numbers they stand for, and whom simulated readers are like."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer.condition import STYLE, Conditions, Style, calibrated, style_of, styles_of, task_of
from scandl.models.pointer.mixtures import TYPICAL
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import initial_weights, load, train
from scandl.records import Scanpath, Sentence


def test_a_vector_holds_the_standardised_style_and_one_flag_a_label(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    table = np.array([style.values for style in styles_of(corpus).values()])
    vector = conditions.vector(conditions.styles["a"], {"group": "L2"})
    assert len(vector) == conditions.width == len(STYLE) + 2 + 2
    spread = np.where(table.std(0) > 0, table.std(0), 1.0)  # all begin on the first word here
    np.testing.assert_allclose(vector[: len(STYLE)], (table[0] - table.mean(0)) / spread, rtol=1e-5)
    assert vector[-4:].tolist() == pytest.approx([1.0, np.log(2) / 5, 0.0, 1.0])
    assert not conditions.vector(None, {"group": "L3"}).any()


def test_an_odd_style_is_told_within_what_the_network_knows(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    far = Style((100.0, -100.0, float("nan"), *conditions.mean[3:]), 10)
    assert conditions.vector(far, {})[:4].tolist() == [3.0, -3.0, 0.0, 0.0]


def test_simulated_readers_are_like_those_who_did_the_task(corpus: Corpus) -> None:
    told = Conditions.of(corpus)
    tasks = {"a": "sentence", "b": "paragraph"}
    readers = {name: {**own, "task": tasks[name]} for name, own in told.readers.items()}
    everyone = replace(told, readers=readers)
    assert everyone.like() == ["a", "b"]
    assert everyone.like("L2") == everyone.like("", "paragraph") == ["b"]
    assert everyone.like("L2", "sentence") == ["b"]  # nobody of this group read sentences
    assert everyone.like("L3") == ["a", "b"]  # a group nobody belongs to
    assert {everyone.simulated(f"sim{n}", 1, task="sentence") for n in range(9)} == {"a"}


def test_counted_simulated_readers_are_like_different_readers_and_others_like_anyone(corpus: Corpus) -> None:
    told = Conditions.of(corpus)
    everyone = replace(told, readers={f"r{k}": {"group": "", "task": ""} for k in range(40)})
    for stem in ("sim", "", "p 0"):
        like = [everyone.simulated(f"{stem}{n}", 1) for n in range(1, 81)]
        assert sorted(like[:40]) == sorted(everyone.readers)  # each once
        assert like[40:] == like[:40]
    drawn = {everyone.simulated(name, seed) for name in ("Ann", "Bo") for seed in range(200)}
    assert len(drawn) == 40
    assert everyone.simulated("Ann", 3) == everyone.simulated("Ann", 3)
    assert everyone.simulated("9" * 5000, 1) in everyone.readers  # a name, though no number Python reads


def test_a_text_is_read_as_a_paragraph_where_it_is_long_and_has_several_sentences() -> None:
    assert task_of(["Dr.", "Smith", "left."]) == "sentence"
    assert task_of(("word " * 40 + "end.").split()) == "sentence"
    assert task_of(("word " * 20 + "end.” " + "More " * 20).split()) == "paragraph"


def test_a_table_gives_the_conditions_back(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    table = json.loads(json.dumps(conditions.to_table()))
    assert Conditions.from_table(table) == conditions
    table["mean"].pop()
    with pytest.raises(ScandlError, match="found styles of 9 numbers, expected 10: made by another version"):
        Conditions.from_table(table)


TEXTS = {f"s{n}": Sentence(f"s{n}", " ".join(["word", "longer", "it"] * 4)[:-n] or "it") for n in range(1, 7)}


def simulated_readers(n_readers: int, seed: int) -> Corpus:
    """Return readers who differ in one thing: how often they fixate a word twice, and how long."""
    rng = np.random.default_rng(seed)
    paths = []
    for k in range(n_readers):
        twice = k / (n_readers - 1)
        for key, sentence in TEXTS.items():
            words = [w for w in range(sentence.n_words) for _ in range(1 + (rng.random() < twice))]
            ms = np.exp(rng.normal(5.0 + 0.6 * twice, 0.2, len(words)))
            paths.append(Scanpath(f"r{k}", key, tuple(words), tuple(ms.tolist())))
    return Corpus(Card(name="simulated"), TEXTS, tuple(paths))


def test_style_is_its_definition() -> None:
    paths = [
        Scanpath("r", "s", (0, 1, 1, 0), (500.0, 100.0, 200.0, 100.0)),
        Scanpath("r", "s", (0, 2, 3), (9.0,) * 3),
    ]
    style = style_of(paths, {"s": Sentence("s", "a b c d")})
    logs = np.log([100, 200, 100]), np.log([9.0, 9.0])
    mean = (logs[0].mean() + logs[1].mean()) / 2
    square = ((logs[0] ** 2).mean() + (logs[1] ** 2).mean()) / 2
    expected = [
        math.log(0.75) / 2,
        0.375,
        1 / 6,
        1 / 6,
        mean,
        math.sqrt(square - mean**2),
        1.0,
        0.5,
        0.5,
        (math.log(3) + math.log(1)) / 2,
    ]
    assert style.values == pytest.approx(expected)
    assert style.n_paths == 2


def test_styles_without_durations_are_neutral() -> None:
    corpus = Corpus(
        Card(name="c"), {"s": Sentence("s", "a b")}, (Scanpath("r", "s", (0, 1)), Scanpath("q", "s", (0,)))
    )
    conditions = Conditions.of(corpus)
    assert math.isnan(styles_of(corpus)["r"].values[4])
    assert conditions.vector(conditions.styles["r"], {})[4:6].tolist() == [0.0, 0.0]


def test_no_paths_have_no_style() -> None:
    with pytest.raises(ScandlError, match="needs at least one scanpath"):
        style_of([], {})


def test_conditions_survive_a_checkpoint(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    assert Conditions.from_table(conditions.to_table()) == conditions
    known, unknown = (conditions.vector(None, {"group": group}) for group in ("L2", "L3"))
    assert known.sum() == 1.0
    assert not unknown.any()


def test_style_shows_in_what_is_generated_for_readers_not_trained_on(tmp_path: Path) -> None:
    """Train on some readers, estimate the style of others, and find their differences again."""
    seen, new = simulated_readers(24, seed=1), simulated_readers(7, seed=2)
    training = TrainingConfig(
        steps=250, batch=32, lr=5e-3, ema_decay=0.98, warmup=20, save_every=1000, seed=1
    )
    network = NetworkConfig(width=16, heads=2, word_layers=1, path_layers=1, dropout=0.0)
    model = load(train(PointerConfig(network=network, training=training), seen, tmp_path))
    styles = styles_of(new)
    requests = [
        Request(s, f"new {r}", k, style=styles[r]) for r in styles for s in TEXTS.values() for k in range(5)
    ]
    shown = styles_of(Corpus(new.card, TEXTS, tuple(model.read(requests, seed=1))))
    for feature in ("log_fixations_per_word", "refixations", "log_duration"):
        column = STYLE.index(feature)
        real, made = ([s.values[column] for s in table.values()] for table in (styles, shown))
        assert np.corrcoef(real, made)[0, 1] > 0.9
    # Told the style, the network finds a reader's other paths more likely than not told.
    sentences = [TEXTS[path.sentence_id] for path in new.scanpaths]
    told = model.log_probs(sentences, new.scanpaths, [styles[path.reader_id] for path in new.scanpaths])
    anonymous = [Scanpath("nobody", p.sentence_id, p.positions, p.durations) for p in new.scanpaths]
    assert np.mean(told) > np.mean(model.log_probs(sentences, anonymous)) + 0.1


def test_a_simulated_reader_stays_the_same(make_model, corpus: Corpus) -> None:
    model = make_model()
    told = {model.reader_of(Request(s, "sim-1"), 5)[0] for s in corpus.sentences.values()}
    assert len(told) == 1
    pool = {model.reader_of(Request(corpus.sentences["s"], f"sim-{k}"), 5)[0] for k in range(30)}
    assert pool == set(model.conditions.styles.values())
    assert {
        model.reader_of(Request(corpus.sentences["s"], f"sim-{k}", group="L2"), 5)[0] for k in range(9)
    } == {model.conditions.styles["b"]}
    own = Style((0.0,) * 6, 10)
    assert model.reader_of(Request(corpus.sentences["s"], "a", style=own), 5)[0] is own


LOG_DURATION = STYLE.index("log_duration")


@pytest.fixture
def readers(corpus: Corpus) -> Corpus:
    """Readers of the two sentences who differ in how long they look, forty paths each."""
    rng = np.random.default_rng(1)
    paths = []
    for k in range(12):
        typical = TYPICAL + (0.3 if k % 2 else -0.3)
        for n in range(40):
            words = (0, 1, 2) if n % 2 else (0, 2, 3, 5, 7)
            ms = np.exp(typical + 0.2 * rng.standard_normal(len(words)))
            paths.append(Scanpath(f"r{k}", "s" if n % 2 else "t", words, tuple(ms.tolist())))
    return replace(corpus, scanpaths=tuple(paths), readers={})


class HalfAsMuch(PointerNetwork):
    """Durations follow the told deviation of a reader by half; everything else as it is."""

    sd: float

    def durations(self, features: np.ndarray) -> np.ndarray:
        told = features[:, -(len(STYLE) + 2) + LOG_DURATION]
        mean = 0.5 * self.sd * told
        zero = np.zeros_like(mean)
        return np.stack([zero, zero, mean, mean, zero - 0.6, zero - 0.6], axis=1)


@pytest.fixture
def half(make_model: Callable[..., PointerModel], readers: Corpus) -> PointerModel:
    conditions = Conditions.of(readers)
    config = make_model().config
    initial = initial_weights(config.network, conditions).state_dict()
    network = HalfAsMuch.of(2, {name: value.numpy() for name, value in initial.items()})
    network.sd = conditions.sd[LOG_DURATION]
    return PointerModel(config, conditions, network, timed=True)


def slope(model: PointerModel, readers: Corpus) -> float:
    """Return by how much the log durations of drawn paths follow those of the readers."""
    shown = {}
    for reader in readers.reader_ids:
        requests = [Request(readers.sentences["t"], reader, sample) for sample in range(100)]
        shown[reader] = style_of(model.read(requests, seed=9), readers.sentences).values[LOG_DURATION]
    own = [styles_of(readers)[reader].values[LOG_DURATION] for reader in shown]
    return float(np.polyfit(own, list(shown.values()), 1)[0])


def test_drawn_readers_show_their_own_style_though_the_network_follows_by_half(
    half: PointerModel, readers: Corpus
) -> None:
    assert slope(half, readers) == pytest.approx(0.5, abs=0.06)
    told = calibrated(half, readers)
    after = PointerModel(half.config, told, half.network, timed=True)
    # Each round halves what is missing: 1/2, 1/4, 1/8, and 1/16 is left.
    assert slope(after, readers) == pytest.approx(0.94, abs=0.1)
    assert told.readers == half.conditions.readers
    assert {style.n_paths for style in told.styles.values()} == {40}


def test_a_style_that_is_wanted_in_place_of_their_own_is_shown(half: PointerModel, readers: Corpus) -> None:
    own = {reader: np.array(style.values) for reader, style in styles_of(readers).items()}
    turned = {reader: 2 * np.array(half.conditions.mean) - values for reader, values in own.items()}
    told = calibrated(half, readers, turned)
    after = PointerModel(half.config, told, half.network, timed=True)
    assert slope(after, readers) == pytest.approx(-0.94, abs=0.1)


def test_the_same_seed_gives_the_same_styles_and_no_style_leaves_what_the_network_knows(
    half: PointerModel, readers: Corpus
) -> None:
    one, two = (calibrated(half, readers, rounds=1, seed=3) for _ in range(2))
    assert one == two
    z = (np.array([style.values for style in one.styles.values()]) - one.mean) / one.sd
    assert np.abs(z).max() <= 3.0 + 1e-9


def test_a_reader_of_one_path_has_no_style_to_calibrate(half: PointerModel, readers: Corpus) -> None:
    alone = replace(half.conditions.styles["r0"], n_paths=1)
    conditions = replace(half.conditions, styles={**half.conditions.styles, "r0": alone})
    model = PointerModel(half.config, conditions, half.network, timed=True)
    assert calibrated(model, readers, rounds=1).styles["r0"] == alone
