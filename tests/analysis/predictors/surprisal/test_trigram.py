"""The trigram model: history in the right order, unknown words, a proper distribution."""

from __future__ import annotations

import math

import pytest

from scandl_analysis.predictors.surprisal.trigram import Trigram
from scandl_analysis.predictors.surprisal.unigram import unigram_nats

pocketsphinx = pytest.importorskip("pocketsphinx", reason="scandl[trigram] is not installed")


@pytest.fixture(scope="module")
def trigram() -> Trigram:
    return Trigram()


def test_context_helps_in_its_order(trigram: Trigram) -> None:
    states = trigram.nats(["The United States", "States united the States", "The States"])
    assert states[0][2] < 0.5 < 5 < states[2][1]  # "the united" expects it, "the" alone does not
    assert states[1][3] > states[0][2]


def test_values_are_those_of_the_model_and_no_more_than_two_words_back(trigram: Trigram) -> None:
    model = pocketsphinx.NGramModel.readfile(str(trigram._file))
    step = math.log(1.0001)
    first, second, third = trigram.nats(["At the end"])[0]
    assert first == pytest.approx(-step * model.prob(["at", "<s>"]))
    assert second == pytest.approx(-step * model.prob(["the", "at", "<s>"]))
    assert third == pytest.approx(-step * model.prob(["end", "the", "at"]))
    long, longer = trigram.nats(["in the end of", "He said in the end of"])
    assert long[-1] == longer[-1]


def test_probabilities_of_common_continuations_stay_below_one(trigram: Trigram) -> None:
    """A sample of the vocabulary after one context: a sum above 1 would mean a wrong base or order."""
    words = [
        "the",
        "a",
        "an",
        "this",
        "that",
        "of",
        "in",
        "on",
        "it",
        "he",
        "she",
        "they",
        "we",
        "you",
        "i",
        "and",
        "but",
        "or",
        "end",
        "first",
        "last",
    ]
    total = sum(math.exp(-trigram.nats([f"at the {word}"])[0][2]) for word in words)
    assert 0.05 < total < 1


def test_unknown_words_get_their_frequency_and_break_the_context(trigram: Trigram) -> None:
    values = trigram.nats(["The xqzzv dog", "The — dog"])
    assert values[0][1] == unigram_nats("xqzzv")
    assert values[0][2] == pytest.approx(-math.log(1.0001) * trigram._model.prob(["dog"]))
    assert math.isnan(values[1][1])
    assert values[1][2] == trigram.nats(["The dog"])[0][1]  # a dash does not


def test_punctuation_and_case_do_not_count(trigram: Trigram) -> None:
    assert trigram.nats(["“THE dog,”"]) == trigram.nats(["the dog"])


def test_the_record_names_the_file(trigram: Trigram) -> None:
    assert trigram.record["model"].startswith("pocketsphinx ")
    assert len(trigram.record["sha256"]) == 64
