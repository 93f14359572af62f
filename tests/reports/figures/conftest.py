"""The laws that every figure keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree

import pytest

from scandl_reports.document import Figure, Note
from scandl_reports.figures.chart import About, looks

NAMES = ("markov", "a $x^2$ & <b>", "👁 日本 שלום", "w" * 400)
ABOUT = About("Title", "alt", "caption")

Maker = Callable[[About, Sequence[str]], Figure | Note]
"""Draws a figure for some names."""


@pytest.fixture
def about() -> About:
    return ABOUT


@pytest.fixture
def keeps_the_laws() -> Callable[[Maker], None]:
    """Any name is drawn and stands whole in the data; no data is a note; same numbers, same bytes."""

    def check(make: Maker) -> None:
        drawn = make(ABOUT, NAMES)
        assert isinstance(drawn, Figure)
        assert set(NAMES) <= {row[0] for row in drawn.data.rows}
        assert ElementTree.fromstring(drawn.svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert (drawn.title, drawn.alt, drawn.caption) == ("Title", "alt", "caption")
        assert make(ABOUT, NAMES) == drawn
        assert make(ABOUT, ()) == Note("No figure “Title”: there are no numbers to draw.", "missing")

    return check


@pytest.fixture
def colours_its_names() -> Callable[[Maker], None]:
    """A name has its colour in every figure."""

    def check(make: Maker) -> None:
        names = ("markov", "some new model")
        drawn = make(ABOUT, names)
        assert isinstance(drawn, Figure)
        for look in looks(names).values():
            assert look.colour in drawn.svg

    return check
