"""Trees against the library that grew them and against a walk by hand; an estimate that never looks ahead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scandl.text.small_surprisal import (
    BEFORE,
    COLUMNS,
    PLAIN,
    Forest,
    SmallSurprisal,
    excerpts,
    learned,
    small,
    word_columns,
)
from scandl.text.smollm2 import INSTALL, installed, smollm2
from scandl.text.word_facts import WordNats, zipf

TEXT = [
    "The",
    "old",
    "dog",
    "barked",
    "at",
    "the",
    "cat,",
    "and",
    "the",
    "cat",
    "ran",
    "up",
    "the",
    "tall",
    "tree",
    "in",
    "the",
    "garden.",
]


def walked(forest: Forest, row: np.ndarray) -> float:
    """Return the sum of the leaves that one row comes to, tree by tree."""
    total = forest.start
    for tree in range(len(forest.column)):
        at = 0
        while forest.left[tree, at] != at:
            low = np.float32(row[forest.column[tree, at]]) <= forest.most[tree, at]
            at = int((forest.left if low else forest.right)[tree, at])
        total += float(forest.value[tree, at])
    return total


def test_all_trees_at_once_are_each_tree_by_hand() -> None:
    columns = word_columns(TEXT)
    assert small().whole(columns).tolist() == [walked(small().whole, row) for row in columns]


def test_a_forest_says_what_the_library_says() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble", reason="scandl[model] is not installed")
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2000, 3))
    y = np.where(x[:, 0] > 0.3, 2.0, -1.0) + x[:, 1] ** 2
    theirs = ensemble.HistGradientBoostingRegressor(
        max_iter=20,
        learning_rate=0.06,
        max_leaf_nodes=15,
        min_samples_leaf=30,
        l2_regularization=1.0,
        early_stopping=False,
    )
    found = Forest.learned(x, y, trees=20)(x)
    np.testing.assert_allclose(found, theirs.fit(x, y).predict(x), atol=1e-3)


def test_a_text_has_the_same_values_in_any_company() -> None:
    texts = [" ".join(TEXT), "A cat.", "—", "Nobody knew why the bell rang at midnight."]
    together = small().nats(texts)
    assert together == [small().nats([text])[0] for text in texts]
    assert small().nats([]) == []
    assert small().nats([""]) == [WordNats((), ())]


def test_nothing_is_known_of_what_comes_later() -> None:
    whole = small().nats([" ".join(TEXT)])[0]
    for n in (1, 4, 9):
        part = small().nats([" ".join(TEXT[:n])])[0]
        assert part.surprisal == whole.surprisal[:n]
        other = small().nats([" ".join([*TEXT[: n - 1], "xylophone"])])[0]
        assert other.entropy == whole.entropy[:n]  # that of a place, whatever word stands there
        assert other.surprisal[-1] != whole.surprisal[n - 1]


def test_words_of_which_much_is_known_surprise_less() -> None:
    expected, rare = small().nats(["We met at the end of the day.", "We met at the xylophone of the day."])
    assert expected.surprisal[4] < rare.surprisal[4] - 3
    again = small().nats(["The piano stood beside another piano."])[0]
    assert again.surprisal[5] < small().nats(["The table stood beside another piano."])[0].surprisal[5]


def test_the_estimate_that_is_read_is_the_one_that_was_written(tmp_path: Path) -> None:
    small().write(tmp_path / "again.npz")
    assert SmallSurprisal.read(tmp_path / "again.npz").nats(["A cat ran."]) == small().nats(["A cat ran."])


def test_what_context_adds_is_stretched_to_the_spread_of_the_teacher() -> None:
    """A made-up teacher: rare words surprise, and words said before do not; half of it is noise."""
    pytest.importorskip("sklearn", reason="scandl[model] is not installed")
    rng = np.random.default_rng(2)
    words = [
        "the",
        "a",
        "old",
        "cat",
        "dog",
        "ran",
        "sat",
        "tree",
        "garden",
        "and",
        "xylophone",
        "bell",
        "midnight",
        "of",
        "on",
    ]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(150)]
    known = {}
    for text in texts:
        own = text.split()
        said = [word in own[:i] for i, word in enumerate(own)]
        nats = [8 - zipf(w) + 2.0 * (not s) + rng.normal(0, 0.7) for w, s in zip(own, said, strict=True)]
        known[text] = WordNats(tuple(nats), (3.0,) * len(own))
    made = learned(known)
    assert made.gain > 1.05
    columns = np.concatenate([word_columns(text.split()) for text in texts])
    plain = made.plain(columns[:, [COLUMNS.index(name) for name in PLAIN]])
    teacher = np.concatenate([row.surprisal for row in known.values()]) - plain
    pupil = np.concatenate([row.surprisal for row in made.nats(texts)]) - plain
    assert np.std(pupil) == pytest.approx(np.std(teacher), rel=0.15)
    assert np.corrcoef(pupil, teacher)[0, 1] > 0.6


def test_entropy_rests_on_what_stands_before() -> None:
    ahead = ("zipf", "length", "nats", "capital", "digit", "clause", "sentence", "mark", "again", "apart")
    assert not set(BEFORE) & set(ahead)
    assert set(BEFORE) | set(PLAIN) < set(COLUMNS)


def test_excerpts_are_whole_sentences_of_prose() -> None:
    raw = "CHAPTER I\r\n\r\n_Alice_ ran.  'Stop!' he said.\r\nShe did not stop; she ran on and on.\n\nTable 1 | 2 | 3.\n"
    found = list(excerpts(raw * 5))
    assert {sentence for text in found for sentence in text.split("_")} == set(found)
    assert all(text[-1] in ".!?'" and 4 <= len(text.split()) <= 70 for text in found)
    assert not any("Table" in text or "CHAPTER" in text for text in found)
    assert list(excerpts(raw, seed=3)) == list(excerpts(raw, seed=3))


@pytest.mark.slow
@pytest.mark.skipif(not installed(), reason=f"not installed: {INSTALL}")
def test_beside_length_and_frequency_it_goes_with_smollm2(shared) -> None:
    lines = (shared("schilling") / "sentences.csv").read_text().splitlines()[1:]
    texts = [line.partition(",")[2].strip('"') for line in lines]
    columns = np.concatenate([word_columns(text.split())[:, :3] for text in texts])
    design = np.column_stack([np.ones(len(columns)), columns, columns[:, 0] ** 2])
    left = []
    for model in (smollm2(), small()):
        nats = np.concatenate([row.surprisal for row in model.nats(texts)])
        left.append(nats - design @ np.linalg.lstsq(design, nats, rcond=None)[0])
    assert np.corrcoef(*left)[0, 1] > 0.3
