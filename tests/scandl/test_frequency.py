"""Frequencies: published Zipf values, the floor, and the order of sources."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.frequency import LARGEST, Lexicon, frequency_per_million, log_frequency_share
from scandl.records import Sentence


def test_agrees_with_the_source_per_thousand_million() -> None:
    from wordfreq import word_frequency

    for word in ("the", "lighthouse", "don't", "ferry"):
        assert frequency_per_million(word) == pytest.approx(word_frequency(word, "en") * 1e6, rel=0.02)


@pytest.mark.parametrize("word", ["12", "3.5%", "1,000", "…", "", "qqxzzk"])
def test_what_is_no_known_word_has_the_floor(word: str) -> None:
    assert frequency_per_million(word) == 1.0


def test_punctuation_case_and_kind_of_apostrophe_do_not_count() -> None:
    assert frequency_per_million("“Don’t,”") == frequency_per_million("don't") > 100


def test_unknown_language_is_one_line() -> None:
    with pytest.raises(ScandlError, match="no word frequencies for language 'tlh'"):
        frequency_per_million("word", "tlh")


def test_share_is_the_same_wherever_a_sentence_stands() -> None:
    assert log_frequency_share([1000.0]) == log_frequency_share([1000.0, LARGEST, 1.0])[:1]
    assert log_frequency_share([10 * LARGEST]) == [1.0]


def test_a_corpus_knows_better_than_the_language() -> None:
    corpus = Corpus(
        Card(name="c"), {"s": Sentence("s", "The cat,")}, (), {"frequency_per_million": {"s": ("7", "8.5")}}
    )
    lexicon = Lexicon.of(corpus)
    assert [lexicon(word) for word in ("the", "CAT", "dog")] == [7.0, 8.5, frequency_per_million("dog")]
