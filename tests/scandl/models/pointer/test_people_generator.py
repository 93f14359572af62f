"""The shipped model at work: sane on any text, native unless asked; what it learns of readers is their style."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.models.pointer import people
from scandl.models.pointer.people import GROUP, NAME
from scandl.models.pointer.people_generator import PeopleLike, like_laboratory
from scandl.models.trained_model import open_trained
from scandl.records import Scanpath, Sentence

LONG = "The committee that had met on Tuesday, long before anyone knew of the storm, decided to wait. " * 4
TEXTS = [
    "Stop!",
    "He is 83.",
    "“Never,” she said – and left 😀.",
    "x" * 400 + " is no word.",
    LONG,
    "Der Hund, den die Katze gesehen hatte, lief schnell davon.",
]


def test_it_is_in_the_registry_and_learns_nothing() -> None:
    generator = open_model("people")
    assert generator.fit(Corpus(Card(name="none"), {}, ()), seed=1) is generator
    assert generator.likelihood


def test_any_text_is_read_to_its_end_by_most() -> None:
    sentences = [Sentence(f"t{n}", text.strip()) for n, text in enumerate(TEXTS)]
    requests = [Request(sentence, f"r{k}") for sentence in sentences for k in range(30)]
    paths = open_model("people").read(requests, seed=1)
    for sentence in sentences:
        own = [path for path in paths if path.sentence_id == sentence.sentence_id]
        assert all(0 <= word < sentence.n_words for path in own for word in path.positions)
        assert np.mean([(max(path.positions) + 1) / sentence.n_words for path in own]) > 0.75
        assert 0.4 < np.mean([path.n_fixations / sentence.n_words for path in own]) < 3.0
        assert 120 < np.mean([ms for path in own for ms in path.durations or ()]) < 400


def test_readers_are_native_unless_asked_and_l2_readers_fixate_more() -> None:
    sentence = Sentence("s", "Robots can also show land characteristics and weather on Mars.")
    conditions = open_trained("people").network.conditions
    assert {conditions.readers[name]["group"] for name in conditions.like("L1")} == {"L1"}
    made = {
        group: open_model("people").read(
            [Request(sentence, f"r{k}", group=group) for k in range(150)], seed=1
        )
        for group in (None, "", "L1", "L2", "left-handed")
    }
    assert made[None] == made["L1"] == made["left-handed"] != made[""]
    n = {group: np.mean([path.n_fixations for path in paths]) for group, paths in made.items()}
    assert n["L2"] > 1.1 * n["L1"]


def test_a_task_it_does_not_know_is_read_as_the_text_is() -> None:
    sentence = Sentence("s", "Robots can also show land characteristics and weather on Mars.")
    made = {
        task: open_model("people").read([Request(sentence, f"r{k}", task=task) for k in range(9)], seed=1)
        for task in ("", "sentence", "part", "proof-reading")
    }
    assert made[""] == made["sentence"] == made["proof-reading"] != made["part"]


def test_a_likelihood_prefers_reading_to_jumping_about() -> None:
    sentence = Sentence("s", "Robots can also show land characteristics and weather on Mars.")
    (path,) = open_model("people").read([Request(sentence, "r1")], seed=1)
    shuffled = path.positions[::-1]
    one, other = open_model("people").log_probs([sentence] * 2, [path, type(path)("r1", "s", shuffled)])
    assert one > other


def laboratory(*, timed: bool = True) -> Corpus:
    """Two readers of twelve sentences: one fixates every second word, the other every word twice."""
    words = "robots", "can", "also", "show", "weather", "and", "land", "on", "this", "old", "planet"
    sentences = {str(n): Sentence(str(n), " ".join([*words[n % 5 :], *words[: n % 5]])) for n in range(12)}
    paths = [
        Scanpath(reader, key, fixated, (ms,) * len(fixated) if timed else None)
        for key in sentences
        for reader, fixated, ms in (
            ("sparse", tuple(range(0, 11, 2)), 180.0),
            ("dense", tuple(k // 2 for k in range(22)), 300.0),
        )
    ]
    return Corpus(Card(name="lab"), sentences, tuple(paths))


def drawn(corpus: Corpus, readers: list[str], **wanted: str) -> dict[str, list[Scanpath]]:
    generator = PeopleLike().fit(corpus, seed=1)
    new = Sentence("new", "A tall stranger opened the heavy door of the library without a word.")
    requests = [Request(new, reader, k, **wanted) for reader in readers for k in range(40)]
    paths = generator.read(requests, seed=2)
    return {reader: [path for path in paths if path.reader_id == reader] for reader in readers}


@pytest.mark.parametrize("timed", [True, False])
def test_readers_of_the_fold_are_known_by_their_style_in_texts_they_have_not_read(timed: bool) -> None:
    found = drawn(laboratory(timed=timed), ["sparse", "dense"])
    n = {reader: np.mean([path.n_fixations for path in paths]) for reader, paths in found.items()}
    assert n["dense"] > 1.5 * n["sparse"]
    ms = {reader: np.median([t for p in paths for t in p.durations or ()]) for reader, paths in found.items()}
    # Without durations nothing says that one looks longer, so both do so as the people of training.
    assert (ms["dense"] > 1.2 * ms["sparse"]) == timed


def test_any_other_reader_is_like_one_of_the_fold() -> None:
    names = [f"sim{k}" for k in range(1, 9)]
    found = drawn(laboratory(), ["sparse", "dense", *names])
    n = {reader: float(np.mean([path.n_fixations for path in paths])) for reader, paths in found.items()}
    near = {min(("sparse", "dense"), key=lambda own: abs(n[own] - n[name])) for name in names}
    assert near == {"sparse", "dense"}


def test_readers_of_a_group_are_known_and_others_are_like_one_of_their_group() -> None:
    corpus = replace(laboratory(), readers={"sparse": {"group": "L1"}, "dense": {"group": "L2"}})
    names = [f"sim{k}" for k in range(1, 5)]
    for group, reader in (("L1", "sparse"), ("L2", "dense")):
        n = {
            name: float(np.mean([path.n_fixations for path in paths]))
            for name, paths in drawn(corpus, [reader, *names], group=group).items()
        }
        assert all(0.8 * n[reader] < n[name] < 1.25 * n[reader] for name in names)
    assert drawn(corpus, ["sparse"], group="left-handed") == drawn(corpus, ["sparse"])


def test_readers_of_the_fold_did_what_their_corpus_says() -> None:
    told = {"sparse": {"task": "part"}, "dense": {"task": "proof-reading"}}
    conditions = PeopleLike().fit(replace(laboratory(), readers=told), seed=1).model.conditions
    assert {name: row["task"] for name, row in conditions.readers.items()} == {
        "sparse": "part",
        "dense": "sentence",
    }


def test_nobody_is_known_by_one_path() -> None:
    corpus = laboratory().restricted_to([("sparse", "0"), ("dense", "1")])
    with pytest.raises(ScandlError, match="corpus 'lab': nobody read two texts"):
        PeopleLike().fit(corpus, seed=1)
    with pytest.raises(ScandlError, match="needs training before"):
        PeopleLike().read([], seed=1)


def test_the_shipped_readers_stay_what_they_are() -> None:
    before = open_trained("people").network.conditions
    PeopleLike().fit(laboratory(), seed=1)
    assert open_trained("people").network.conditions is before
    assert "sparse" not in before.readers


def test_the_card_stands_beside_the_model() -> None:
    folder = files("scandl.models.shipped")
    card = json.loads(folder.joinpath(f"{NAME}.json").read_text(encoding="utf-8"))
    assert sum(len(folder.joinpath(f"{NAME}.{end}").read_bytes()) for end in ("npz", "json")) < 8e6
    assert set(open_trained("people").network.conditions.labels["group"]) == set(card["groups"])
    assert set(open_trained("people").network.conditions.labels["task"]) == set(card["tasks"])
    assert card["corpora"][0]["licence"] == "CC0"
    # What the recipe says is what the file says.
    assert (card["limits"], card["numbers"]) == (list(people.LIMITS), list(people.NUMBERS))


def dense(n_words: int = 10) -> Corpus:
    """Return a laboratory of two readers who look at every other word twice."""
    texts = {
        f"s{k}": Sentence(f"s{k}", " ".join(["the", "old", "cat", "sat", "down"] * 2)) for k in range(40)
    }
    twice = tuple(word for word in range(n_words) for _ in range(1 + word % 2))
    paths = tuple(Scanpath(reader, key, twice, (200.0,) * len(twice)) for reader in "ab" for key in texts)
    return Corpus(Card(name="dense"), texts, paths)


def test_simulated_readers_of_a_laboratory_read_as_its_readers_do_and_still_differ() -> None:
    corpus, names = dense(), [f"sim{k + 1}" for k in range(12)]
    model = open_trained(NAME).pointer()
    styles = like_laboratory(model, corpus, names, GROUP)
    log_density = [styles[name].values[0] for name in names]
    assert np.std(log_density) > 0.05
    text = Sentence("t", "The children had already seen the film twice before.")

    def density(**told: object) -> float:
        requests = [
            Request(text, name, k, group=GROUP, style=styles[name] if told else None)
            for name in names
            for k in range(20)
        ]
        return float(np.mean([np.log(path.n_fixations / 9) for path in model.read(requests, seed=3)]))

    assert density(like="dense") == pytest.approx(np.log(1.5), abs=0.12)
    assert density() < np.log(1.25)
