"""Expected effects: those of a pool, and of people who read the very sentences."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence
from scandl_analysis.piloting.expected_effects import (
    HUMAN,
    ExpectedEffect,
    agreements,
    human_effects,
    human_rows,
    pool_effects,
)
from scandl_analysis.piloting.experiments import added_ms
from scandl_analysis.piloting.planned_regression import Plan, condition_contrasts
from scandl_analysis.piloting.reading_pool import ReadingPool, planned_measure
from scandl_analysis.piloting.stimuli import read_stimuli

MEASURES = [planned_measure("TFT"), planned_measure("sr")]


@pytest.fixture
def plan(stimuli_frame):
    return Plan(condition_contrasts(read_stimuli(stimuli_frame)))


def test_effects_of_a_pool(plan):
    rng = np.random.default_rng(1)
    times = np.exp(5.5 + 0.2 * np.array([-0.5, 0.5]) + 0.3 * rng.normal(size=(40, 8, 2)))
    times[rng.random(times.shape) < 0.25] = np.nan
    found = pool_effects(
        "m",
        ReadingPool({("critical", "TFT"): times, ("critical", "sr"): np.zeros((40, 8, 2))}),
        plan,
        MEASURES,
    )
    (effect,) = found.effects
    assert effect.effect == pytest.approx(0.2, abs=0.06)
    assert effect.ci95[0] < effect.effect < effect.ci95[1]
    assert effect.clear
    assert effect.ms == pytest.approx(added_ms(effect.effect, found.components["critical", "TFT"].effects[0]))
    assert effect.missing == pytest.approx(0.25, abs=0.04)
    assert found.notes == ["m: sr of the critical region is the same in all readings"]


def corpus(stimuli, readers):
    sentences = {str(k): Sentence(str(k), s.text) for k, s in enumerate(stimuli.every)}
    sentences["x"] = Sentence("x", "Another sentence altogether.")
    paths = []
    for r in range(readers):
        for k, s in enumerate(stimuli.every):
            if (r + k // 2) % 2 == k % 2:
                ms = 200.0 + 40 * (s.condition == "long") + 7 * r + k
                paths.append(Scanpath(f"r{r}", str(k), (0, 3, 4), (200.0, ms, 210.0)))
        paths.append(Scanpath(f"r{r}", "x", (0,), (200.0,)))
    return Corpus(Card(name="people"), sentences, tuple(paths))


def test_people_are_found_by_the_texts_they_read(stimuli_frame, plan):
    stimuli = read_stimuli(stimuli_frame)
    rows = human_rows(corpus(stimuli, 6), stimuli, MEASURES)["critical", "TFT"]
    assert len(rows.y) == 24  # the other sentence is none of ours
    found = human_effects(corpus(stimuli, 6), stimuli, plan, MEASURES)
    effect = next(e for e in found.effects if e.region == "critical" and e.measure == "TFT")
    assert effect.source == HUMAN
    assert effect.ms == pytest.approx(40, abs=6)


def test_people_who_read_something_else_are_no_readers(stimuli_frame, plan):
    stimuli = read_stimuli(stimuli_frame)
    strangers = Corpus(Card(name="else"), {"x": Sentence("x", "Something else.")}, ())
    with pytest.raises(ScandlError, match="corpus 'else': 0 of its readers read these stimuli"):
        human_effects(strangers, stimuli, plan, MEASURES)


def effect(source, measure, value, margin):
    return ExpectedEffect(
        source,
        "critical",
        measure,
        "b − a",
        "log ms",
        value,
        (value - margin, value + margin),
        0.5,
        None,
        None,
        9,
        0.0,
    )


def test_signs_are_counted_two_by_two():
    effects = [
        effect("a", "FFD", 0.2, 0.1),
        effect("a", "TFT", -0.2, 0.1),
        effect("a", "sr", 0.1, 0.3),
        effect("b", "FFD", 0.3, 0.1),
        effect("b", "TFT", 0.2, 0.1),
        effect("c", "FFD", 0.1, 0.5),
    ]
    found = {(a.one, a.other): (a.n, a.same_sign, a.n_clear, a.clear_same_sign) for a in agreements(effects)}
    assert found == {("a", "b"): (2, 1, 2, 1), ("a", "c"): (1, 1, 0, 0), ("b", "c"): (1, 1, 0, 0)}
