"""Predictors per word, with the provider on record."""

from __future__ import annotations

import math

import pytest
import wordfreq

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl_analysis.predictors.word_predictors import (
    SCALES,
    compute_predictors,
    corpus_column,
    neglog2,
    per_million,
    proportion,
    zipf,
)

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


def test_a_column_of_the_corpus_is_a_predictor() -> None:
    sentences = {"a": Sentence("a", "One two"), "b": Sentence("b", "Three")}
    corpus = Corpus(Card(name="c"), sentences, (), {"cloze": {"a": ("0.5", "")}, "pos": {"a": ("D", "N")}})
    values = corpus_column(corpus, "cloze", math.log)
    assert values["One two"][0] == math.log(0.5)
    assert math.isnan(values["One two"][1])
    assert math.isnan(values["Three"][0])
    found = compute_predictors(["One two"], provider="unigram").with_column("cloze", values, unit="log")
    assert set(found.columns) == {"word_length", "frequency", "surprisal", "cloze"}
    with pytest.raises(ScandlError, match="corpus 'c' has no words column 'clozes'; it has: cloze, pos"):
        corpus_column(corpus, "clozes")
    with pytest.raises(ScandlError, match="corpus 'c': words column 'pos'"):
        corpus_column(corpus, "pos")


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
