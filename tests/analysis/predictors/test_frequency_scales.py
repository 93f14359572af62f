"""The four scales by their definitions, and the traps of wordfreq."""

from __future__ import annotations

import math

import pytest
import wordfreq

from scandl.errors import ScandlError
from scandl_analysis.predictors.frequency_scales import SCALES, neglog2, per_million, proportion, zipf

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
