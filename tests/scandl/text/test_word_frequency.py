"""Frequencies: published Zipf values, the floor, and the order of sources."""

from __future__ import annotations

import importlib.util
import math

import pytest
import wordfreq

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl.text.word_frequency import (
    LARGEST,
    SCALES,
    Lexicon,
    frequency_per_million,
    known_language,
    log_frequency_share,
    neglog2,
    per_million,
    proportion,
    zipf,
)


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


WORDS = ["The", "attorney", "U.S.", "don't", "xqzzv", "50,000", "--", "zebra,", "well-known"]


@pytest.mark.parametrize("word", WORDS)
def test_scales_are_one_proportion(word: str) -> None:
    p = proportion(word)
    assert zipf(word) == pytest.approx(math.log10(p * 1e9) if p > 1e-9 else 0.0)
    assert neglog2(word) == -math.log2(max(p, 1e-11))
    assert per_million(word) == pytest.approx(10 ** (zipf(word) - 3))
    if p > 1e-9:
        assert per_million(word) == pytest.approx(p * 1e6)


@pytest.mark.parametrize(("word", "looked_up"), [("U.S.", "US"), ("don't", "dont"), ("(The", "the")])
def test_ascii_punctuation_is_deleted_wherever_it_stands(word: str, looked_up: str) -> None:
    assert proportion(word) == wordfreq.word_frequency(looked_up, "en") > 0


def test_no_letters_left_is_unknown() -> None:
    assert proportion("--") == 0.0
    assert zipf("--") == 0.0


def test_unknown_words_lie_below_a_gap() -> None:
    """The rarest listed word has a Zipf value of about 1; an unknown word has 0."""
    rarest = min(wordfreq.get_frequency_dict("en", "large").values())
    assert zipf("xqzzv") == 0.0
    assert math.log10(rarest * 1e9) == pytest.approx(1.0, abs=0.02)


def test_tokens_of_one_word_are_combined_harmonically() -> None:
    parts = [wordfreq.word_frequency(part, "en") for part in ("new", "york")]
    combined = 1 / sum(1 / p for p in parts)
    assert wordfreq.word_frequency("new york", "en") == pytest.approx(combined, rel=0.01)


def test_case_folds_and_digits_collapse() -> None:
    assert proportion("THE") == proportion("the")
    assert proportion("51234") == pytest.approx(proportion("58976"), rel=0.9)
    assert 0 < proportion("51234") < 1e-6


def test_neglog2_is_the_only_scale_that_grows_with_rarity() -> None:
    for name in SCALES:
        rises = SCALES[name]("the", "en") > SCALES[name]("zebra", "en")
        assert rises == (name != "neglog2")


def test_errors_name_the_known() -> None:
    with pytest.raises(ScandlError, match="no frequency scale 'zpf'; did you mean 'zipf'"):
        SCALES["zpf"]
    with pytest.raises(ScandlError, match="no word frequencies for language 'xx'"):
        proportion("word", "xx")


def test_languages_follow_the_rule_of_the_core() -> None:
    assert proportion("Hund", "deu") == wordfreq.word_frequency("Hund", "de") > 0
    for code in ("tlh", "klingon"):  # wordfreq alone would give Klingon the frequencies of English
        with pytest.raises(ScandlError, match=f"no word frequencies for language {code!r}"):
            proportion("dog", code)
