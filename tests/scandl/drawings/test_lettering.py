"""Letters on pictures: joined and turned round where the script asks for it, missing ones named."""

from __future__ import annotations

import unicodedata

import matplotlib as mpl
import pytest

from scandl.drawings.lettering import as_drawn, lettering, text_is_set_by_browser, typefaces


@pytest.mark.parametrize("word", ["cat", "naïve", "скорость", "$5", "", "猫"])
def test_scripts_from_left_to_right_are_left_alone(word: str) -> None:
    assert as_drawn(word) == word


@pytest.mark.parametrize("word", ["المنارة", "سفينة", "لا", "كلام", "بِسم"])
def test_joined_letters_are_the_same_letters(word: str) -> None:
    """Unicode's own decomposition of the forms gives the word back."""
    shown = as_drawn(word)
    clusters: list[str] = []
    for sign in shown:
        if clusters and unicodedata.category(sign) == "Mn":
            clusters[-1] += sign
        else:
            clusters.append(sign)
    assert "".join(
        unicodedata.normalize("NFKC", each) for each in reversed(clusters)
    ) == unicodedata.normalize("NFKC", word)


def test_a_letter_that_joins_only_backwards_ends_a_group() -> None:
    names = [unicodedata.name(sign) for sign in reversed(as_drawn("دار"))]
    assert names == [
        "ARABIC LETTER DAL ISOLATED FORM",
        "ARABIC LETTER ALEF ISOLATED FORM",
        "ARABIC LETTER REH ISOLATED FORM",
    ]


def test_lam_and_alef_are_one_sign() -> None:
    assert [unicodedata.name(sign) for sign in as_drawn("لا")] == [
        "ARABIC LIGATURE LAM WITH ALEF ISOLATED FORM"
    ]


def test_brackets_open_towards_the_word() -> None:
    assert as_drawn("(שלום)") == "(םולש)"


def test_letters_that_no_typeface_has_are_named() -> None:
    _faces, missing = typefaces(frozenset("a\U000f1234"))  # private use: nobody has it
    assert missing == {"\U000f1234"}
    with lettering(["a\U000f1234"], in_browser=False) as remarks:
        assert remarks == [
            "no typeface of this machine has the letters \U000f1234: boxes are drawn; an .svg or .html has them"
        ]


def test_a_browser_sets_its_letters_itself() -> None:
    before = mpl.rcParams["svg.fonttype"]
    with lettering(["a\U000f1234"], in_browser=True) as remarks:
        assert remarks == []
        assert text_is_set_by_browser()
    assert mpl.rcParams["svg.fonttype"] == before
