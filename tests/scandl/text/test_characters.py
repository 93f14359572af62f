"""What readers see, against the Unicode rules and scripts that do not put letters in a row."""

from __future__ import annotations

import unicodedata

import pytest

from scandl.text.characters import (
    bare_word,
    ends_clause,
    ends_sentence,
    is_latin,
    is_unsegmented,
    is_word_sign,
    n_characters,
)


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
