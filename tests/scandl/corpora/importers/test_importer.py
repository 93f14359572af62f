"""Importers describe themselves, and their flags: what a user says of a table, and what cannot be said."""

from __future__ import annotations

import argparse

import pytest

from scandl.corpora.corpus import Card
from scandl.corpora.importers import IMPORTERS
from scandl.corpora.importers.assemble import Filters
from scandl.corpora.importers.importer import add_columns, add_filters, card_of, columns_of, filters_of
from scandl.errors import ScandlError


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ("VP", "--column 'VP': expected MEANING=NAME, for example reader_id=VP"),
        ("reader_id=", "--column 'reader_id=': expected MEANING=NAME, for example reader_id=VP"),
        ("reder_id=VP", "--column 'reder_id=VP': no meaning 'reder_id'; did you mean 'reader_id'?"),
    ],
)
def test_columns_that_mean_nothing(pair: str, text: str) -> None:
    with pytest.raises(ScandlError) as caught:
        columns_of([pair])
    assert str(caught.value).startswith(text)


def test_a_name_may_have_an_equals_sign_and_blanks() -> None:
    assert columns_of(["word=a = b", "reader_id=VP"]) == {"word": "a = b", "reader_id": "VP"}


def test_flags_become_filters() -> None:
    parser = argparse.ArgumentParser()
    add_columns(parser)
    add_filters(parser)
    assert filters_of(parser.parse_args([])) == Filters()
    asked = parser.parse_args(["--min-duration", "80", "--max-fixations", "9", "--index-base", "1"])
    assert filters_of(asked) == Filters(min_duration=80.0, max_fixations=9)
    assert asked.index_base == 1


def test_what_the_user_says_goes_before_the_card() -> None:
    said = argparse.Namespace(name="mine", language=None, licence="")
    card = card_of(said, Card(name="theirs", language="de", licence="CC BY"))
    assert (card.name, card.language, card.licence) == ("mine", "de", "CC BY")


@pytest.mark.parametrize("name", list(IMPORTERS))
def test_every_importer_describes_itself(name: str) -> None:
    importer = IMPORTERS[name]
    assert importer.title
    assert importer.obtain
    parser = argparse.ArgumentParser()
    importer.add_arguments(parser)
    assert parser.format_help()


def test_an_unknown_importer_says_which_there_are() -> None:
    with pytest.raises(ScandlError, match="no importer 'datavewer'; did you mean 'dataviewer'"):
        IMPORTERS["datavewer"]
