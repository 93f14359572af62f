"""Formulas by textstat, the index of judged ease by its definition, and what is missing where something is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.text.context import open_context
from scandl.text.word_facts import zipf
from scandl_analysis.reading_ease import judged_ease
from scandl_analysis.reading_ease.judged_ease import NAMES, formulas, notes, without_readers

EASY = "The cat sat. The dog ran off."
HARD = "Jurisprudential codification presupposes deliberation."


def test_formulas_are_those_of_the_textbook() -> None:
    pytest.importorskip("textstat")
    # 7 words, 2 sentences, 7 syllables.
    found = formulas(EASY)
    assert found["flesch"] == pytest.approx(206.835 - 1.015 * 7 / 2 - 84.6)
    assert found["flesch_kincaid"] == pytest.approx(0.39 * 7 / 2 + 11.8 - 15.59)
    assert formulas(HARD)["dale_chall"] > found["dale_chall"]


def test_a_row_has_every_name_and_the_index_its_definition() -> None:
    source = open_context("small")
    easy, hard = without_readers([EASY, HARD], source, "en")
    assert tuple(easy) == NAMES
    words = EASY.split()
    assert easy["surprisal"] == pytest.approx(float(np.mean(source(words).surprisal)))
    assert easy["frequency"] == pytest.approx(sum(map(zipf, words)) / 7)
    z = (easy["flesch"] - 52.9) / 17.7 - (easy["surprisal"] - 4.56) / 0.70
    assert easy["judged_ease"] == pytest.approx(z / 2)
    assert easy["judged_ease"] > hard["judged_ease"]


def test_what_is_not_known_is_missing_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_context("none", "de")
    (row,) = without_readers(["Der alte Mann liest."], source, "de")
    assert all(math.isnan(row[name]) for name in ("flesch", "surprisal", "judged_ease"))
    assert row["frequency"] > 4
    assert "they are of English" in list(notes(source, "de"))[1]
    monkeypatch.setattr(judged_ease, "is_installed", lambda _: False)
    assert math.isnan(formulas(EASY)["smog"])
    assert "none without textstat: pip install" in list(notes(open_context("small"), "en"))[1]
