"""What lies outside: languages by their frequent words, scripts, signs; English stays inside."""

from __future__ import annotations

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.text_range import RangeCheck, misread, outside
from scandl.records import Sentence


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Hund bellt laut im Garten.", "German"),
        ("Le chat est sur la table.", "French"),
        ("El perro corre por la calle.", "Spanish"),
        ("Een man loopt door de straat.", "Dutch"),
    ],
)
def test_other_languages_are_named(text: str, language: str) -> None:
    assert outside(text.split()).startswith(f"looks {language} and is read as English: give --language ")


@pytest.mark.parametrize(
    "text",
    [
        "Colorless green ideas sleep furiously.",
        "Electroencephalography quantifies thalamocortical oscillations.",
        "“Well,” she said, “it’s 5 o’clock!” 🎉",
        "Kim Jong Un met Xi Jinping.",
    ],
)
def test_odd_english_is_english(text: str) -> None:
    assert outside(text.split()) == ""


def test_no_sentence_of_the_demo_is_foreign() -> None:
    assert not [s for s in open_corpus("demo").sentences.values() if outside(s.words)]


def test_no_sentence_of_a_human_corpus_is_foreign(shared) -> None:
    for name in ("provo", "schilling", "mertzen", "onestop-sample"):
        found = [s.text for s in open_corpus(shared(name)).sentences.values() if outside(s.words)]
        assert found == [], name


def test_scripts_signs_and_lengths() -> None:
    assert outside(["你好", "世界"]) == "is in another script and is read as English: give its --language"
    assert outside(["👍", "12", "+"]) == "has no letters, the model was trained on words"
    assert outside(["word"] * 61, longest=60).startswith("is longer than the 60 words")
    assert outside(["word"] * 61) == outside(["word"] * 60, longest=60) == ""


def test_each_reason_is_one_line_with_a_count() -> None:
    check = RangeCheck()
    texts = [Sentence("a", "12 3"), Sentence("b", "A cat."), Sentence("c", "4 5")]
    check.add(check.reasons(texts), 3)
    check.add(check.reasons([Sentence("d", "Der Hund bellt laut.")]), 1)
    assert check.lines() == [
        "2 of 4 texts (a the first): has no letters, the model was trained on words",
        "1 of 4 texts (d): looks German and is read as English: give --language de",
    ]
    assert RangeCheck().lines() == []


def test_a_language_that_was_named_is_taken_at_its_word() -> None:
    german, hindi = ["Der", "Hund", "bellt", "sehr", "laut."], ["यह", "एक", "है"]
    assert outside(german, "de") == "is in language 'de', the model was trained on English"
    assert misread(german, "de") == misread(hindi, "hi") == ""
    assert misread(hindi) == "is in another script and is read as English: give its --language"
    told = Sentence("h", "यह एक है", language="hi")
    assert RangeCheck(trained=False).reasons([told]) == []
    assert RangeCheck().reasons([told]) == [("is in language 'hi', the model was trained on English", "h")]
