"""A chain of saccades: the step before decides, and only what training has is possible."""

from __future__ import annotations

import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.models.baselines.markov import N_CONDITIONS, START, Markov, condition
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.records import Positions, Scanpath, Sentence

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


def corpus(*paths: Positions, text: str = "The old man is waiting here.") -> Corpus:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path, (200.0,) * len(path)) for n, path in enumerate(paths))
    return Corpus(Card(name="tiny"), {"s1": Sentence("s1", text)}, scanpaths)


def test_markov_text_reads_the_next_word_and_what_is_left():
    # Words of one or two characters are always skipped, others never.
    text = "one of many to come in time by train"
    skipping = tuple(i for i, word in enumerate(text.split()) if len(word) > 2)
    generator = open_model("markov-text").fit(corpus(*[skipping] * 10, text=text), seed=1)
    probe = Sentence("new", "men of honour by birth go home")
    drawn = generator.read([Request(probe, "r", k) for k in range(300)], seed=1)
    fixated = Counter(word for path in drawn for word in path.positions)
    assert fixated[1] < 0.25 * fixated[2]  # "of" against "honour"
    ends = Counter(path.positions[-1] for path in drawn if path.positions)
    assert ends[6] > 0.7 * len(drawn)
