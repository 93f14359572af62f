"""Records: equal by what they hold, unchangeable, and shared safely."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from scandl.records import NOTHING, Prediction, Scanpath, Sentence


def test_words_are_what_blanks_part() -> None:
    sentence = Sentence("s1", "  Don't\tpanic –  ever. ")
    assert sentence.words == ("Don't", "panic", "–", "ever.")
    assert sentence.n_words == len(sentence.words)


def test_a_sentence_is_its_own_item_unless_it_is_a_version() -> None:
    assert Sentence("s1", "A").item == "s1"
    assert Sentence("s1", "A", "i7").item == "i7"


def test_records_do_not_change() -> None:
    for record in (Sentence("s1", "A"), Scanpath("r1", "s1", (0,)), Prediction("s1", (0,))):
        with pytest.raises(FrozenInstanceError):
            record.sentence_id = "s2"  # type: ignore[misc]
        assert record.extra is NOTHING


def test_records_are_keys() -> None:
    """Also with what their generator tells of them, which is a mapping."""
    told = Scanpath("r1", "s1", (0, 1), extra={"encoder": "lexical"})
    assert {told: 1}[Scanpath("r1", "s1", (0, 1), extra={"encoder": "lexical"})] == 1
    assert told != Scanpath("r1", "s1", (0, 1))
    assert told.n_fixations == 2
