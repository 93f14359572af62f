"""Surprisal without context."""

from __future__ import annotations

import math

import pytest
import wordfreq

from scandl.errors import ScandlError
from scandl_analysis.predictors.surprisal.unigram import Unigram


def test_minus_log_frequency() -> None:
    the, dog, unknown, dash = Unigram().nats(["The dog, xqzzv —"])[0]
    assert the == pytest.approx(-math.log(wordfreq.word_frequency("the", "en")))
    assert dog == pytest.approx(-math.log(wordfreq.word_frequency("dog", "en")))
    assert unknown == pytest.approx(-math.log(1e-11))
    assert math.isnan(dash)


def test_other_languages() -> None:
    assert Unigram("de").nats(["und"])[0][0] < Unigram("en").nats(["und"])[0][0]
    assert Unigram("de").record["language"] == "de"
    with pytest.raises(ScandlError, match="no word frequencies for language 'xx'"):
        Unigram("xx").nats(["und"])
