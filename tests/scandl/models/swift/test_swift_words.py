from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from scandl.models.cognitive.simulator import Batch
from scandl.models.cognitive.word_inputs import Stimulus
from scandl.models.swift.swift_parameters import SWIFT_3
from scandl.models.swift.swift_state import DONE, FLIGHT, LEXICAL, POSTLEXICAL, new_mind, new_words
from scandl.models.swift.swift_words import see, set_word_rates, threshold


def words(*lengths):
    return new_words(
        Batch.of_runs([Stimulus("s", lengths, (1.0,) * len(lengths), (0.0,) * len(lengths))], 1, 1)
    )


@pytest.mark.parametrize(
    ("f", "steps"), [(1, 30), (10, 26), (100, 21), (1_000, 17), (10_000, 12), (69_974, 8)]
)
def test_thresholds(f, steps):
    assert threshold(SWIFT_3, float(np.log(f))) == steps


def test_a_word_more_frequent_than_the_largest_needs_as_much_as_that():
    assert threshold(SWIFT_3, float(np.log(1e6))) == 8


@njit
def _look(minds, text, p):
    see(minds[0], text, p, p.delta0)
    set_word_rates(minds[0], text, p)


def test_span_and_rate_of_a_word_of_five_letters_fixated_at_its_centre():
    text, minds = words(5), new_mind()
    minds["gaze"] = 3.5
    _look(minds, text, SWIFT_3)
    assert 1.5 / (2 * SWIFT_3.delta0) == pytest.approx(0.1037344, abs=1e-7)
    assert text["span"][0] == pytest.approx(0.2230824, abs=1e-7)
    assert minds["words_rate"][0] == pytest.approx(0.3346236, abs=1e-7)


def test_words_out_of_sight_decay():
    text, minds = words(5, 5, 5, 5), new_mind()
    minds["gaze"] = 3.5
    text["phase"] = [LEXICAL, DONE, LEXICAL, POSTLEXICAL]
    _look(minds, text, SWIFT_3)
    assert text["span"][3] == 0
    assert text["rate"] == pytest.approx([0.3346236, 0, 0, 1.5 * 0.07], abs=1e-7)


def test_in_flight_only_what_was_seen_is_worked_on():
    text, minds = words(5, 5), new_mind()
    minds["gaze"] = 3.5
    minds["running"][0][FLIGHT] = 1
    text["phase"] = [POSTLEXICAL, LEXICAL]
    _look(minds, text, SWIFT_3)
    assert text["rate"] == pytest.approx([0.3346236, 0], abs=1e-7)
