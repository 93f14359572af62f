"""Predictors per word, with the provider on record."""

from __future__ import annotations

import math

import pytest

from scandl.text.word_facts import proportion, zipf
from scandl_analysis.predictors.word_predictors import compute_predictors

TEXT = "The U.S. dog — don't!"


def test_each_word_has_its_values() -> None:
    found = compute_predictors([TEXT, TEXT], provider="unigram")
    assert found.columns["word_length"] == {TEXT: (3, 4, 3, 1, 6)}
    assert found.columns["frequency"][TEXT] == tuple(zipf(word) for word in TEXT.split())
    assert math.isnan(found.columns["surprisal"][TEXT][3])
    assert found.columns["surprisal"][TEXT][0] == pytest.approx(-math.log(proportion("the")))


def test_what_decides_the_values_is_on_record() -> None:
    found = compute_predictors(
        [TEXT], provider="unigram", frequency="proportion", punctuation=False, unit="bits"
    )
    assert found.columns["word_length"][TEXT] == (3, 2, 3, 0, 4)
    assert found.settings["frequency"]["scale"] == "proportion"
    assert found.settings["word_length"] == {"characters": "letters and digits"}
    assert found.settings["surprisal"]["provider"] == "unigram"
    assert found.settings["surprisal"]["unit"] == "bits"
    assert found.columns["surprisal"][TEXT][0] == pytest.approx(-math.log2(proportion("the")))
    assert found.notes[0].startswith("surprisal: unigram (wordfreq ")
    assert found.notes[1] == "frequency: 1 of 5 word forms are not in wordfreq's list (—)"
