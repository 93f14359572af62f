"""Targets of saccades in SWIFT."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.models.cognitive.random_numbers import new_state
from scandl.models.cognitive.simulator import Batch
from scandl.models.cognitive.word_inputs import Stimulus
from scandl.models.swift.swift_parameters import SWIFT_3
from scandl.models.swift.swift_state import new_words
from scandl.models.swift.swift_words import choose_target


def words(*lengths):
    return new_words(
        Batch.of_runs([Stimulus("s", lengths, (1.0,) * len(lengths), (0.0,) * len(lengths))], 1, 1)
    )


def test_target_probabilities():
    text = words(4, 4, 4, 4, 4)
    text["activation"] = np.array([0.0, 0.4, 0.7, 0.2, 0.0]) * 30
    text["phase"] = [2, 0, 0, 0, 0]  # the second word is the left-most one that is not read
    state = new_state(np.uint64(3))
    drawn = np.bincount([choose_target(text, SWIFT_3, state) for _ in range(20_000)], minlength=5) / 20_000
    assert drawn == pytest.approx([0.0181, 0.3187, 0.4692, 0.1940, 0.0000], abs=0.01)
