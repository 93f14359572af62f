"""Reading ease: its laws (same texts, more words), its tables, and what doubtful texts are answered with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.models.expected_reading import WordReadings
from scandl.records import Sentence
from scandl.text.context import PROSE
from scandl_analysis.reading_ease.ease import Ease, cost_of_length, ease, measures, noise

EASY = "The cat sat on the mat and the dog ran off to see the man."
HARD = "Jurisprudential codification presupposes institutional deliberation among magistrates."


@pytest.fixture(scope="module")
def compared() -> Ease:
    table = pd.DataFrame(
        [(item, name, text) for item in (1, 2) for name, text in (("A", HARD), ("B", EASY), ("C", EASY))],
        columns=["item_id", "system", "text"],
    )
    return ease(table, by="system", groups=("L1", "L2"), readers=6, samples=2, context="small")


def test_rare_long_words_are_read_slowly_and_judged_hard(compared: Ease) -> None:
    rows = compared.texts.set_index(["system", "group"]).sort_index()
    for group in ("L1", "L2"):
        assert (rows.loc[("A", group), "ms_per_word"] > rows.loc[("B", group), "ms_per_word"].max()).all()
    assert (rows.loc["A"]["judged_ease"] < rows.loc["B"]["judged_ease"].min()).all()
    said = compared.sentences()
    assert any(line.startswith("L1: A takes") for line in said)
    assert len(said) == 6


def test_the_same_texts_are_read_the_same(compared: Ease) -> None:
    rows = compared.differences
    same = rows[(rows["a"] == "B") & (rows["b"] == "C")]
    assert (same[["difference", "low", "high"]] == 0).all(axis=None)
    assert (same["higher"] == 0.5).all()


def test_parts_add_up_and_words_make_the_text(compared: Ease) -> None:
    texts = compared.texts
    assert np.allclose(texts["first_pass"] + texts["rereading"], texts["ms_per_word"])
    assert ((texts["ms_per_word_low"] < texts["ms_per_word"]) & (texts["noise"] > 0)).all()
    sums = compared.words.groupby(["text_id", "group"])["total_ms"].sum()
    assert np.allclose(sums, texts.set_index(["text_id", "group"])["ms_per_text"].sort_index())
    spans = compared.spans("1/A")
    assert all(words in HARD and ms > 0 for words, ms in spans)


def test_measures_are_those_of_the_readers_by_hand() -> None:
    total = np.array([[[200.0, 100.0, 0.0, 300.0]], [[0.0, 0.0, 0.0, 200.0]]])
    first = np.array([[[200.0, 0.0, 0.0, 300.0]], [[0.0, 0.0, 0.0, 200.0]]])
    regression = np.array([[[0.0, 0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0, 0.0]]])
    reading = WordReadings(total, first, 1.0 * (first == 0), regression)
    found = measures(Sentence("s", "The old man sat."), reading)
    assert found["ms_per_word"].tolist() == [150.0, 50.0]
    assert found["ms_per_character"].tolist() == [600 / 13, 200 / 13]
    assert found["rereading"].tolist() == [25.0, 0.0]
    assert found["skipping"].tolist() == [0.5, 0.75]
    assert found["regressions"].tolist() == [0.5, 0.0]
    assert np.isnan(noise(reading))


def test_noise_is_the_spread_of_means_of_the_same_readers() -> None:
    rng = np.random.default_rng(4)
    readers = rng.normal(300, 80, (5, 1, 1))

    def drawn() -> WordReadings:
        total = readers + rng.normal(0, 20, (5, 4, 3))
        return WordReadings(total, total, 0 * total, 0 * total)

    means = [float(drawn().total.mean()) for _ in range(1500)]
    assert np.mean([noise(drawn()) for _ in range(200)]) == pytest.approx(np.std(means), rel=0.1)


def test_the_cost_of_length_is_found_again() -> None:
    totals = [np.array([[[40.0 + 25 * len(word) for word in text.split()]]]) for text in PROSE]
    slope, start = cost_of_length(WordReadings(t, t, 0 * t, 0 * t) for t in totals)
    assert (slope, start) == pytest.approx((25.0, 40.0))


def test_more_words_of_the_same_kind_are_not_harder_per_word() -> None:
    long = " ".join(PROSE[:2])
    found = ease([long, " ".join(PROSE[:4])], readers=12, task="paragraph", context="none").texts
    assert found["ms_per_text"][1] > 1.5 * found["ms_per_text"][0]
    assert found["ms_per_word"][1] == pytest.approx(found["ms_per_word"][0], rel=0.2)


def test_doubtful_texts_are_read_and_said() -> None:
    texts = ["Stop", "<p>The cat</p>", "Der alte Mann sitzt auf der Bank und liest eine Zeitung ."]
    found = ease(texts, readers=2, context="none")
    assert found.texts["ms_per_word"].notna().all()
    notes = "\n".join(found.notes)
    assert "1 texts (t2 the first) hold HTML tags" in notes
    assert "looks German and is read as English" in notes


def test_tables_are_written_with_how_they_were_made(compared: Ease, tmp_path: Path) -> None:
    compared.write(tmp_path)
    back = pd.read_csv(tmp_path / "ease.csv")
    assert np.allclose(back["ms_per_word"], compared.texts["ms_per_word"])
    assert len(pd.read_csv(tmp_path / "words.csv")) == len(compared.words)
    assert (tmp_path / "differences.csv.json").exists()
