"""How SWIFT processes words: the records hold every field of the compiled loop; activation by its formulas."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from scandl.errors import ConfigError
from scandl.models.cognitive.simulator import TrialBatch, Word
from scandl.models.cognitive.word_inputs import WordProperties
from scandl.models.swift.swift_parameters import (
    DONE,
    FLIGHT,
    LEXICAL,
    POSTLEXICAL,
    SWIFT_3,
    SwiftMind,
    SwiftWord,
    around,
    check_swift,
    draw_reader,
    new_mind,
    new_words,
    see,
    set_word_rates,
    threshold,
)
from scandl.seeds import stream


def test_drawn_readers_have_the_published_moments(reference):
    published = reference["swift_3_program_14_1"]["reader_posterior_means_61_readers"]
    drawn = np.array([draw_reader(stream(1, "reader", n)) for n in range(1_500)])
    drawn[:, 1:3] = np.log(drawn[:, 1:3])
    names = ("delta0", "log_M", "log_R", "t_sac_x100ms")
    assert drawn.mean(axis=0) == pytest.approx([published[name][0] for name in names], abs=0.15)
    assert drawn.std(axis=0) == pytest.approx([published[name][1] for name in names], rel=0.05)
    assert np.corrcoef(drawn.T) == pytest.approx(np.array(published["corr"]), abs=0.05)


def test_readers_around_the_defaults_keep_their_proportions():
    reader = draw_reader(stream(1, "reader", "r"))
    moved = around(SWIFT_3, reader)
    assert moved[0] / SWIFT_3.delta0 == pytest.approx(reader[0] / 12.158)
    assert moved[3] / SWIFT_3.t_sac == pytest.approx(reader[3] / 2.003)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"delta0": 0.0}, "SWIFT parameter 'delta0': found 0, expected a number above 0"),
        ({"h": float("nan")}, "SWIFT parameter 'h': found nan, expected finite numbers"),
        ({"max_frequency": 0.9}, "SWIFT parameter 'max_frequency': found 0.9, expected per million, above 1"),
    ],
)
def test_impossible_values_are_refused(changes, text):
    with pytest.raises(ConfigError, match=text):
        check_swift(SWIFT_3._replace(**changes))


STIMULI = (
    WordProperties("s1", lengths=(3, 5), frequencies=(10.0, 20.0), cloze=(0.0, 0.1)),
    WordProperties("s2", lengths=(4,), frequencies=(30.0,), cloze=(0.5,)),
)


def test_a_mind_has_the_fields_of_its_protocol() -> None:
    (mind,) = new_mind()
    assert set(mind.dtype.names) == set(SwiftMind.__annotations__)


def test_every_word_of_a_batch_has_its_record() -> None:
    words = new_words(TrialBatch.of_runs(STIMULI, runs=1, seed=1))
    assert words["length"].tolist() == [3, 5, 4]
    assert set(words.dtype.names) == {*Word.__annotations__, *SwiftWord.__annotations__}


def words(*lengths):
    return new_words(
        TrialBatch.of_runs([WordProperties("s", lengths, (1.0,) * len(lengths), (0.0,) * len(lengths))], 1, 1)
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
