"""Frequencies: published Zipf values, the floor, and the order of sources."""

from __future__ import annotations

import importlib.util

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.reading.word_frequency import (
    LARGEST,
    Lexicon,
    frequency_per_million,
    known_language,
    log_frequency_share,
)
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


@pytest.mark.parametrize("code", ["klingon", "", "xx", "af", "tlh"])
def test_a_distant_language_does_not_answer_for_another(code: str) -> None:
    with pytest.raises(ScandlError, match=f"no word frequencies for language {code!r}: expected the code of"):
        known_language(code)


@pytest.mark.parametrize(("code", "known"), [("deu", "de"), ("de_CH", "de"), ("EN-gb", "en"), ("no", "nb")])
def test_forms_of_one_language_share_its_list(code: str, known: str) -> None:
    assert known_language(code) == known


@pytest.mark.parametrize(("code", "module"), [("zh", "jieba"), ("ja", "MeCab")])
def test_a_missing_tokenizer_is_one_line(code: str, module: str) -> None:
    if importlib.util.find_spec(module):
        pytest.skip(f"{module} is installed")
    with pytest.raises(ScandlError, match=rf"{code!r} need {module}, .* pip install 'wordfreq\[cjk\]'"):
        known_language(code)


def test_share_is_the_same_wherever_a_sentence_stands() -> None:
    assert log_frequency_share([1000.0]) == log_frequency_share([1000.0, LARGEST, 1.0])[:1]
    assert log_frequency_share([10 * LARGEST]) == [1.0]


def test_a_corpus_knows_better_than_the_language() -> None:
    corpus = Corpus(
        Card(name="c"), {"s": Sentence("s", "The cat,")}, (), {"frequency_per_million": {"s": ("7", "8.5")}}
    )
    lexicon = Lexicon.of(corpus)
    assert [lexicon(word) for word in ("the", "CAT", "dog")] == [7.0, 8.5, frequency_per_million("dog")]
