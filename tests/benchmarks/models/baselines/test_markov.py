"""A chain of saccades: the step before decides, and only what training has is possible."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.records import Positions, Scanpath, Sentence
from scandl_eval.models.baselines.markov import N_CONDITIONS, START, Markov, condition

SENTENCE = Sentence("s1", "one two three four five six")


def fitted(*paths: Positions) -> Markov:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path) for n, path in enumerate(paths))
    return Markov().fit(Corpus(Card(name="tiny"), {"s1": SENTENCE}, scanpaths), seed=1)


@given(st.integers(0, 60), st.integers(0, 60))
def test_conditions_are_steps_clipped_at_four(at: int, before: int) -> None:
    assert 0 <= condition(at, before) < START < N_CONDITIONS
    assert condition(at, before) - condition(before, before) == max(-4, min(4, at - before))


def test_the_step_before_decides() -> None:
    """After a step to the right these readers go on, after one to the left they go two to the right."""
    model = fitted((0, 1, 0, 2, 3), (0, 1, 0, 2, 3), (0, 1, 2, 3, 4))
    on = model.log_prob(SENTENCE, Scanpath("r", "s1", (0, 1, 2, 3)))
    back = model.log_prob(SENTENCE, Scanpath("r", "s1", (0, 1, 0, 2)))
    never = model.log_prob(SENTENCE, Scanpath("r", "s1", (0, 1, 0, 1)))
    assert on > never
    assert back > never
    assert never > -math.inf
