"""Frequencies: published Zipf values, the floor, and the order of sources."""

from __future__ import annotations

import importlib.util
import math
import re
import unicodedata

import numpy as np
import pytest
import wordfreq

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl.text.word_facts import (
    LARGEST,
    SCALES,
    UNKNOWN,
    LanguageScale,
    Lexicon,
    bare_word,
    ends_clause,
    ends_sentence,
    frequency_per_million,
    is_latin,
    is_unsegmented,
    is_word_sign,
    known_language,
    log_frequency_share,
    n_characters,
    neglog2,
    per_million,
    proportion,
    published_proportion,
    zipf,
)
from scandl.text.word_pairs import STEP, open_model


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
    assert SCALES["proportion"] is published_proportion
    p = proportion(word)
    assert zipf(word) == pytest.approx(math.log10(p * 1e9) if p > 1e-9 else 0.0)
    assert neglog2(word) == -math.log2(max(p, 1e-11))
    assert per_million(word) == pytest.approx(10 ** (zipf(word) - 3))
    if p > 1e-9:
        assert per_million(word) == pytest.approx(p * 1e6)


@pytest.mark.parametrize(
    ("word", "looked_up"), [("U.S.", "u.s"), ("“don’t,”", "don't"), ("(The", "the"), ("स्थिति।", "स्थिति")]
)
def test_punctuation_around_a_word_does_not_count(word: str, looked_up: str) -> None:
    language = "en" if word.isascii() or "don" in word else "hi"
    assert proportion(word, language) == wordfreq.word_frequency(looked_up, language) > 0


@pytest.mark.parametrize(("word", "looked_up"), [("U.S.", "US"), ("don't", "dont"), ("(The", "the")])
def test_as_published_ascii_punctuation_is_deleted_wherever_it_stands(word: str, looked_up: str) -> None:
    assert published_proportion(word) == wordfreq.word_frequency(looked_up, "en") > 0


def test_contractions_and_hyphenated_words_are_nearer_to_another_count_of_english() -> None:
    """The language model of CMU Sphinx was counted on other texts, and knows such words as single ones."""
    pytest.importorskip("pocketsphinx", reason="scandl[trigram] is not installed")
    model = open_model()
    for words, deleted_by, split_by in (
        ("it's we're they've cat's man's woman's president's I'll you'd let's", 0.4, 0.4),
        ("long-term part-time well-known african-american all-time twenty-one all-star x-ray", 0.3, 0.8),
    ):
        forms = [word.lower() for word in words.split()]
        counted = np.array([model.prob([form]) * STEP / math.log(10) + 9 for form in forms])
        found = np.array([zipf(form) for form in forms])
        deleted = np.array([math.log10(published_proportion(form) * 1e9 + 1) for form in forms])
        split = np.array([wordfreq.zipf_frequency(re.sub("[-']", " ", form), "en") for form in forms])
        assert np.abs(found - counted).mean() < np.abs(deleted - counted).mean() - deleted_by
        assert np.abs(found - counted).mean() < np.abs(split - counted).mean() - split_by


def test_no_letters_left_is_unknown() -> None:
    assert proportion("--") == 0.0
    assert zipf("--") == 0.0


def test_a_language_that_nobody_named_is_asked_for() -> None:
    with pytest.raises(
        ScandlError, match="the language of the texts is not known: write it into corpus.toml"
    ):
        zipf("word", UNKNOWN)


def test_the_scale_of_a_language_is_that_of_words_drawn_by_frequency() -> None:
    """Tokens drawn from the list have about this mean and spread."""
    counts = {w: p for w, p in wordfreq.get_frequency_dict("de", "small").items() if w.isalpha()}
    shares = np.array(list(counts.values())) / sum(counts.values())
    drawn = np.random.default_rng(1).choice(list(counts), size=20_000, p=shares)
    lengths, zipfs = [len(word) for word in drawn], [zipf(str(word), "de") for word in drawn]
    scale = LanguageScale.of("de")
    assert scale.length == pytest.approx((np.mean(lengths), np.std(lengths)), rel=0.03)
    assert scale.zipf == pytest.approx((np.mean(zipfs), np.std(zipfs)), rel=0.03)


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


@pytest.mark.parametrize("word", ["naïve", "Ångström", "élève", "words", "İstanbul"])
def test_an_accent_of_its_own_is_no_character(word: str) -> None:
    apart = unicodedata.normalize("NFD", word)
    assert n_characters(apart) == n_characters(unicodedata.normalize("NFC", word)) <= len(apart)


def test_length_is_never_more_than_the_signs_that_are_no_marks() -> None:
    for word in ["स्थिति", "नमस्ते", "हिन्दी", "विश्वविद्यालय", "किताबें"]:
        assert 0 < n_characters(word) <= sum(not unicodedata.category(s).startswith("M") for s in word)
    assert n_characters("👨\u200d👩\u200d👧") == 1


def test_a_vowel_sign_at_the_end_belongs_to_the_word() -> None:
    assert bare_word("(स्थिति,") == "स्थिति"
    assert all(map(is_word_sign, "स्थिति"))
    assert not any(map(is_word_sign, "।,(—"))


def test_ends_of_clauses_and_sentences_in_several_scripts() -> None:
    assert all(map(ends_sentence, ["है।", "吗？", "؟ماذا؟", 'end."', "end.)"]))
    assert all(map(ends_clause, ["और,", "，", "ثم،", "well,”"]))
    assert not any(map(ends_sentence, ["है", "well,", "3.5%"]))


def test_scripts() -> None:
    assert is_latin("Der Tschüß 12")
    assert is_latin("12 + 3")
    assert not any(map(is_latin, ["यह एक है", "Это кот", "这 是"]))


@pytest.mark.parametrize(
    "text",
    ["我们昨天在公园里看到了一只非常漂亮的白色小狗和它的主人。", "เมื่อวานนี้เราเห็นสุนัขตัวหนึ่งในสวนสาธารณะใกล้บ้าน"],
)
def test_texts_without_spaces_are_noticed(text: str) -> None:
    assert is_unsegmented(text)
    assert not is_unsegmented(" ".join(text))


def test_long_words_of_other_scripts_are_words() -> None:
    assert not is_unsegmented("Donaudampfschifffahrtsgesellschaftskapitän विश्वविद्यालयों")
