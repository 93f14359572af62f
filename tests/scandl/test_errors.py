"""Errors: one line each, and whole after the way through another process."""

from __future__ import annotations

import pickle

import pytest

from scandl.errors import DataError, Fact, did_you_mean, one_line


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (DataError("p.csv", 3, "x", "0 y", "a path"), "p.csv:3: column 'x': found '0 y', expected a path"),
        (DataError("p.csv", 3, None, Fact("2 fields"), "3"), "p.csv:3: found 2 fields, expected 3"),
        (DataError("p.csv", None, "x", 7, "a path"), "p.csv: column 'x': found 7, expected a path"),
        (DataError("p.csv", None, None, "y" * 500, "less"), f"p.csv: found '{'y' * 199}…, expected less"),
    ],
)
def test_an_error_names_the_place_and_what_was_found(error: DataError, text: str) -> None:
    assert str(error) == text
    assert str(pickle.loads(pickle.dumps(error))) == text


def test_a_hint_is_given_only_where_one_is_near() -> None:
    assert did_you_mean("marcov", ["uniform", "markov"]) == "; did you mean 'markov'? known: markov, uniform"
    assert did_you_mean("x", ["uniform"]) == "; known: uniform"


def test_a_message_stays_on_its_line() -> None:
    assert one_line(ValueError("a\nb\tc é\n")) == "a\\nb\\tc é"
