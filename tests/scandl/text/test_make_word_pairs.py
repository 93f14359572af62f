"""Making the table of word pairs: it holds what the language model says, and what tells most."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from scandl.text.make_word_pairs import make
from scandl.text.trigrams import START, STEP, open_model
from scandl.text.word_frequency import bare_word

pytest.importorskip("pocketsphinx")


def test_a_table_is_made_of_the_pairs_that_tell_most(tmp_path: Path) -> None:
    model = open_model()
    every = make(tmp_path / "every.npz", n_words=40, n_pairs=10_000)
    few = make(tmp_path / "few.npz", n_words=40, n_pairs=100)
    assert every.words[0] == START
    assert {"the", "of", "to", "and"} < set(every.words)
    words = [word for word in every.words if bare_word(word) == word]
    for first in words:  # where all pairs are kept, every one is the model's
        after = [every.nats([first, word])[1] for word in words]
        expected = [-STEP * model.prob([word, first]) for word in words]
        np.testing.assert_allclose(after, expected, atol=0.08)  # tenths, or two hundredths and a twentieth
    kept = set(zip(few.firsts.tolist(), few.seconds.tolist(), strict=True))
    assert len(kept) == 100
    told = {
        (a, b): math.exp(-every.alone[a] - nats) * abs(every.alone[b] - every.backoff[a] - nats)
        for a, b, nats in zip(every.firsts, every.seconds, every.given, strict=True)
        if every.words[a] != START
    }
    least = min(told[pair] for pair in kept if pair in told)
    left = [worth for pair, worth in told.items() if pair not in kept]
    assert max(left) < 1.2 * least  # numbers are rounded
