"""Reading ease: its laws (same texts, more words), its tables, and what doubtful texts are answered with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.expected_reading import WordReadings, expected_readings, ready
from scandl.models.pointer.condition import SENTENCE
from scandl.records import Sentence
from scandl.text.context import PROSE
from scandl_analysis.reading_ease import ease as module
from scandl_analysis.reading_ease.differences import difference
from scandl_analysis.reading_ease.ease import Ease, ease
from scandl_analysis.reading_ease.text_measures import BLOCKS, EaseJob, measures

EASY = "The cat sat on the mat and the dog ran off to see the man."
WHO = ("The old man", "A young nurse", "My neighbour", "The tired cook", "Her brother")
DID = ("saw", "met", "forgot", "described", "remembered")
WHAT = ("the red house", "a small dog", "the last train", "an old friend", "the long letter")
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
    said = compared.compared()
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
    assert "texts with HTML tags, which are read as words: 1 (t2 the first)" in notes
    assert "looks German and is read as English" in notes


def test_the_result_is_what_the_files_say_and_most_keeps_the_longest(tmp_path: Path) -> None:
    texts = ["NA", EASY, HARD, "", "Null results, of “nan” and N/A, were obtained."]
    texts = [text for text in texts if text]
    whole = ease(texts, groups=("L1", "L2"), readers=3, context="small", out=tmp_path)
    back = pd.read_csv(tmp_path / "ease.csv", keep_default_na=False, na_values={"noise": [""]})
    assert np.array_equal(back["ms_per_word"], whole.texts["ms_per_word"])
    assert whole.words["word"].iloc[0] == "NA"
    assert len(whole.readers) == 3 * 2 * len(texts)
    assert (tmp_path / "readers.csv.json").exists()
    assert not list(tmp_path.glob(".*"))
    few = ease(texts, groups=("L1", "L2"), readers=3, context="small", most=2)
    longest = whole.texts.groupby("text_id")["ms_per_word"].max().nlargest(2)
    assert set(few.texts["text_id"]) == set(few.words["text_id"]) == set(longest.index)
    assert len(few.texts) == 4
    assert (few.n_texts, len(few.groups)) == (len(texts), len(texts))


def test_a_killed_call_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TOGETHER", 2)
    source = tmp_path / "t.txt"
    source.write_text("\n".join([EASY, HARD] * 3))
    told: dict[str, Any] = {"readers": 2, "context": "none", "precision": 0.1}
    ease(source, out=tmp_path / "whole", **told)
    block, done = EaseJob.block, []

    def killed(job: EaseJob, texts: Sequence[Sentence]) -> dict[str, dict[str, list[Any]]]:
        done.append(len(texts))
        if len(done) == 3:
            raise MemoryError
        return block(job, texts)

    monkeypatch.setattr(EaseJob, "block", killed)
    with pytest.raises(MemoryError):
        ease(source, out=tmp_path / "parts", **told)
    assert not (tmp_path / "parts" / "ease.csv").exists()
    done.clear()
    ease(source, out=tmp_path / "parts", **told)
    assert len(done) == 1
    for name in BLOCKS:
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_samples_are_drawn_until_chance_is_small_enough() -> None:
    found = ease([EASY, HARD, "Stop"], readers=6, context="none", precision=0.03).texts
    assert (found["noise"] <= 0.03 * found["ms_per_word"]).all()
    half = ease([EASY], readers=6, context="none", samples=int(found["samples"][0]) // 2).texts
    assert (half["noise"] > 0.03 * half["ms_per_word"]).all()
    told = ease([EASY], readers=6, context="none", samples=int(found["samples"][0])).texts
    assert told["ms_per_word"][0] == pytest.approx(found["ms_per_word"][0])


@pytest.mark.parametrize(
    ("texts", "error"),
    [([], "nothing to read"), ([" "], "text"), (["word " * 1_000_000], "1,000,000 words")],
)
def test_what_cannot_be_read_is_one_line(texts: list[str], error: str) -> None:
    with pytest.raises(ScandlError, match=error) as found:
        ease(texts, readers=2, context="none")
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 300


@pytest.mark.slow
def test_two_systems_with_the_same_texts_are_told_apart_in_five_of_a_hundred() -> None:
    """Each text is read twice by the same readers with other random numbers, 200 times."""
    model = ready(open_model("people"), "none")
    words = " ".join(PROSE).split()
    texts = [" ".join(words[k : k + 12]) for k in range(0, 144, 12)]
    holds = [0, 0]
    for seed in range(200):
        a, b = (
            {str(k): measures(text, reading)["ms_per_word"] for k, (text, reading) in enumerate(read)}
            for read in (_read(model, texts, system, seed) for system in "ab")
        )
        found = difference(a, b, relative=True)
        holds[0] += found["low"] <= 0 <= found["high"]
        holds[1] += found["percent_low"] <= 0 <= found["percent_high"]
    assert all(0.92 <= each / 200 <= 0.98 for each in holds), holds


def _read(model: Any, texts: list[str], system: str, seed: int) -> Iterator[tuple[Sentence, WordReadings]]:
    named = [Sentence(f"{system}{k}", text) for k, text in enumerate(texts)]
    return zip(named, expected_readings(model, named, readers=8, task=SENTENCE, seed=seed), strict=True)


@pytest.mark.slow
def test_a_tenth_more_words_are_not_harder_per_word() -> None:
    """Item by item ten sentences, and the same ten with one more of the same kind anywhere among them."""
    rng = np.random.default_rng(1)
    pool = [f"{who} {did} {what}." for who in WHO for did in DID for what in WHAT]
    rows = []
    for item in range(60):
        ten = rng.choice(pool, 11, replace=False).tolist()
        rows += [(item, "ten", " ".join(ten[:10])), (item, "eleven", " ".join(rng.permutation(ten)))]
    table = pd.DataFrame(rows, columns=["item_id", "system", "text"])
    found = ease(table, by="system", readers=12, context="small").differences.set_index("measure")
    assert found.loc["ms_per_word", "high"] > 0  # the longer one is not the harder one
    assert abs(found.loc["ms_per_word", "percent"]) < 2
    assert found.loc["ms_per_text", "percent"] == pytest.approx(-9.1, abs=2)
