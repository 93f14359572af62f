from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.models.cognitive.word_inputs import Inputs
from scandl.models.cognitive.word_probabilities import Calibration
from scandl.records import Sentence
from scandl.text.word_facts import frequency_per_million

SENTENCE = Sentence("s1", "The old cat sat.")


def columns(**named):
    return {name: {"s1": values} for name, values in named.items()}


def test_without_norms_frequencies_are_looked_up_and_nothing_is_predictable():
    stimulus = Inputs().stimulus(SENTENCE)
    assert stimulus.lengths == (3, 3, 3, 4)  # punctuation counts
    assert stimulus.frequencies == tuple(map(frequency_per_million, SENTENCE.words))
    assert stimulus.cloze == (0, 0, 0, 0)


def test_columns_of_the_corpus_win():
    words = columns(frequency_per_million=("69974", "600", "0.3", "50"), cloze=("0.5", "0.1", "0", "0.9"))
    stimulus = Inputs(words, probability=lambda sentence: [0.5] * 4).stimulus(SENTENCE)
    assert stimulus.frequencies == (69974, 600, 1, 50)  # below one per million counts as one
    assert stimulus.cloze == (0, 0.1, 0, 0.9)  # nothing precedes the first word


def test_a_language_model_is_calibrated():
    inputs = Inputs(probability=lambda sentence: [0.9, 0.2, 0.0, 1.0], calibration=Calibration(-1.0, 0.5))
    expected = 1 / (1 + math.exp(1.0 - 0.5 * math.log(0.25)))
    assert inputs.stimulus(SENTENCE).cloze == pytest.approx((0, expected, 0, 1))


@given(st.floats(1e-6, 1 - 1e-6))
def test_the_default_calibration_changes_nothing(p):
    assert Calibration()(p) == pytest.approx(p)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            columns(frequency_per_million=("100", "0", "1", "1")),
            r"sentence 's1', word 1: frequency 0 per million, expected above 0 \(an unseen word counts as 1\)",
        ),
        (
            columns(frequency_per_million=("0.01", "0.002", "0.1", "0.2")),
            r"'frequency_per_million' ends at 0\.2: found probabilities\? expected occurrences per million",
        ),
        (
            columns(frequency_per_million=("1", "2", "", "3")),
            "sentence 's1': words column 'frequency_per_million': found '', expected a number",
        ),
        (columns(cloze=("0", "0", "1.5", "0")), "sentence 's1', word 2: cloze 1.5, expected a probability"),
        (columns(cloze=("0", "0")), "'s1' has 4 words, but words column 'cloze' has 2 values for it"),
    ],
)
def test_impossible_norms_are_refused(words, text):
    with pytest.raises(ScandlError, match=text):
        Inputs(words).stimuli([SENTENCE])


def test_probabilities_of_the_wrong_number_are_refused():
    with pytest.raises(ScandlError, match="has 4 words, but the language model gave 1 probabilities"):
        Inputs(probability=lambda sentence: [0.5]).stimulus(SENTENCE)


def many_words(frequency):
    """Return 60 words of 1 to 6 letters, and their frequencies by length."""
    sentence = Sentence("s1", " ".join("a" * (1 + i % 6) for i in range(60)))
    return sentence, columns(frequency_per_million=tuple(str(frequency(1 + i % 6)) for i in range(60)))


def test_an_inverted_scale_warns():
    sentence, words = many_words(lambda length: 10 * length)  # surprisal grows with length
    with pytest.warns(
        UserWarning, match=r"correlate positively \(r = 0\.\d\d\): log frequency looks inverted"
    ):
        Inputs(words).stimuli([sentence])


def test_a_plausible_scale_does_not_warn():
    sentence, words = many_words(lambda length: 10_000 // length)
    assert len(Inputs(words).stimuli([sentence])) == 1


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"probability": ("0.9", "0.2", "0", "1")}, (0, 0.2, 0, 1)),
        ({"surprisal": ("1", "3", "0", "1"), "surprisal_unit": ("bits",) * 4}, (0, 0.125, 1, 0.5)),
        (
            {"surprisal": ("1", "3", "0", "1"), "surprisal_unit": ("nats",) * 4},
            (0, math.exp(-3), 1, math.exp(-1)),
        ),
        (
            {
                "probability": ("0.9", "0.2", "0", "1"),
                "surprisal": ("9",) * 4,
                "surprisal_unit": ("nats",) * 4,
            },
            (0, 0.2, 0, 1),
        ),
        ({"cloze": ("0", "0.5", "0", "0"), "probability": ("0.9",) * 4}, (0, 0.5, 0, 0)),
    ],
)
def test_a_table_of_a_language_model_predicts_where_there_is_no_cloze(told, expected):
    assert Inputs(columns(**told)).stimulus(SENTENCE).cloze == pytest.approx(expected)
    by_text = {
        name: {SENTENCE.text: values}
        for name, values in columns(**told).items()
        for values in values.values()
    }
    assert Inputs(by_text=by_text).stimulus(SENTENCE).cloze == pytest.approx(expected)


def test_a_table_wins_over_a_language_model_in_python_and_is_calibrated():
    inputs = Inputs(
        columns(probability=("0.5",) * 4), probability=lambda s: [0.9] * 4, calibration=Calibration(-1)
    )
    assert inputs.stimulus(SENTENCE).cloze[1] == pytest.approx(1 / (1 + math.e))


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (
            {"surprisal": ("1",) * 4},
            "'surprisal' has no unit: expected a column 'surprisal_unit' of nats or bits",
        ),
        ({"surprisal": ("1",) * 4, "surprisal_unit": ("bit",) * 4}, "'bit'; did you mean 'bits'"),
        (
            {"surprisal": ("1", "-2", "1", "1"), "surprisal_unit": ("bits",) * 4},
            r"'s1', word 1: surprisal -2, expected 0 or more \(a log-probability has the other sign\)",
        ),
        (
            {"probability": ("0", "181", "1", "1")},
            r"'s1', word 1: probability 181, expected 0\.\.1 \(per cent, or occ",
        ),
        (
            {"probability": ("0", "", "1", "1")},
            "'s1': words column 'probability': found '', expected a number",
        ),
        ({"probability": ("0", "1")}, "has 4 words, but the language model gave 2 probabilities"),
    ],
)
def test_impossible_probabilities_are_refused(told, text):
    with pytest.raises(ScandlError, match=text):
        Inputs(columns(**told)).stimuli([SENTENCE])


def test_inverted_probabilities_warn():
    sentence, words = many_words(lambda length: length / 10)
    told = {"probability": words["frequency_per_million"]}
    with pytest.warns(UserWarning, match=r"^probability and word length correlate positively \(r = 1\.00\)"):
        Inputs(told).stimuli([sentence])
