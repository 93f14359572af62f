"""Simulated fixations of many trials, and the sentences they were simulated on, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.extras import compiled
from scandl.models.cognitive.random_numbers import trial_key
from scandl.models.cognitive.word_inputs import WordProperties

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WORD, CHAR_POS, WITHIN_WORD, DURATION, SACCADE = range(5)
N_COLUMNS = 5


class Word(Protocol):
    """A word in a compiled loop: a numpy record, so that its fields are read without bookkeeping.

    Characters count from 0, and the space before a word belongs to it: the word stretches from
    border − 1 − length to border.
    """

    length: float  # characters
    border: float  # right end
    centre: float
    log_frequency: float
    cloze: float


@dataclass(frozen=True, slots=True)
class TrialBatch:
    """Trials to simulate: which sentence each one reads, and the key of its random numbers."""

    stimuli: Sequence[WordProperties]
    sentence: Ints
    keys: NDArray[np.uint64]

    @classmethod
    def of_runs(cls, stimuli: Sequence[WordProperties], runs: int, seed: int) -> TrialBatch:
        """Return ``runs`` trials of each sentence, run by run, in the order of the sentences."""
        keys = [trial_key(seed, s.sentence_id, run) for run in range(runs) for s in stimuli]
        return cls(stimuli, np.tile(np.arange(len(stimuli)), runs), np.array(keys, np.uint64))

    @property
    def starts(self) -> Ints:
        """Where the words of each sentence start in ``words``."""
        return np.cumsum([0, *(s.n_words for s in self.stimuli)])

    def words(self, *more: tuple[str, type]) -> Any:
        """Return the words of all sentences as one array of records, with room for ``more`` fields."""
        fields = [(name, np.float64) for name in ("length", "border", "centre", "log_frequency", "cloze")]
        words = np.zeros(sum(s.n_words for s in self.stimuli), dtype=[*fields, *more])
        if len(words):
            words["length"] = np.concatenate([s.lengths for s in self.stimuli])
            words["border"] = np.concatenate([np.cumsum(np.add(s.lengths, 1)) for s in self.stimuli])
            words["centre"] = words["border"] - words["length"] / 2.0
            words["log_frequency"] = np.log(np.concatenate([s.frequencies for s in self.stimuli]))
            words["cloze"] = np.concatenate([s.cloze for s in self.stimuli])
        return words


@dataclass(frozen=True, slots=True)
class Simulation:
    """Fixations of trial i stand in rows starts[i] to starts[i + 1] of each array."""

    starts: Ints
    word: Ints  # 0-based
    char_pos: Floats  # characters from the sentence's start
    within_word_pos: Floats  # 0 = left edge of the space before the word
    duration_ms: Floats
    saccade_ms: Floats  # of the saccade that follows; 0 after the last fixation

    @classmethod
    def of_rows(cls, counts: Ints, rows: Floats) -> Simulation:
        """Return the simulation whose trials have ``counts`` of the ``rows`` each."""
        columns = rows.T
        return cls(np.concatenate(([0], np.cumsum(counts))), columns[0].astype(np.int64), *columns[1:])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def is_final(self) -> NDArray[np.bool_]:
        """Which fixations are the last ones of their trial."""
        final = np.zeros(len(self.word), dtype=np.bool_)
        final[self.starts[1:][np.diff(self.starts) > 0] - 1] = True
        return final

    def paths(self) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
        """Yield the words and the durations of each trial."""
        words, durations = self.word.tolist(), self.duration_ms.tolist()
        for start, end in zip(self.starts.tolist(), self.starts[1:].tolist(), strict=False):
            yield tuple(words[start:end]), tuple(durations[start:end])

    def table(self, batch: TrialBatch) -> dict[str, list[object]]:
        """Return one row per fixation, as columns for ``scandl.files.tables.write_table``."""
        counts = np.diff(self.starts)
        ids = np.array([s.sentence_id for s in batch.stimuli])[batch.sentence]
        runs = _occurrence(batch.sentence)
        index = np.arange(len(self.word)) - np.repeat(self.starts[:-1], counts)
        columns = {
            "sentence_id": np.repeat(ids, counts),
            "run": np.repeat(runs, counts),
            "fix_index": index,
            "word": self.word,
            "char_pos": self.char_pos,
            "within_word_pos": self.within_word_pos,
            "duration_ms": self.duration_ms,
            "saccade_ms": self.saccade_ms,
            "is_final": self.is_final.astype(np.int64),
        }
        return {name: values.tolist() for name, values in columns.items()}


def check_finished(model: str, counts: Ints, batch: TrialBatch) -> None:
    """Refuse a simulation in which a trial hit the limit of fixations (marked by a count below 0)."""
    if len(counts) and counts.min() < 0:
        stuck = batch.stimuli[batch.sentence[int(counts.argmin())]].sentence_id
        raise ScandlError(f"{model} does not come to the end of sentence {stuck!r} with these parameters")


@compiled
def fixation_limit(n_words: int) -> int:
    """Return how many fixations a trial may have before it counts as endless."""
    return 200 + 50 * n_words


@compiled
def record(
    trial: Floats, n: int, word: int, position: float, left: float, duration: float, saccade: float
) -> None:
    """Write a fixation into row ``n``; ``left`` is the left edge of the space before its word."""
    trial[n, WORD] = word
    trial[n, CHAR_POS] = position
    trial[n, WITHIN_WORD] = position - left
    trial[n, DURATION] = duration
    trial[n, SACCADE] = saccade


@compiled
def appended(rows: Floats, used: int, trial: Floats, n: int) -> Floats:
    """Return ``rows``, grown where needed, with the first ``n`` rows of ``trial`` from ``used`` on."""
    # Plain loops: slice assignment would take numba seconds to compile.
    if used + n > len(rows):
        larger = np.empty((2 * (used + n), N_COLUMNS))
        for i in range(used):
            for k in range(N_COLUMNS):
                larger[i, k] = rows[i, k]
        rows = larger
    for i in range(n):
        for k in range(N_COLUMNS):
            rows[used + i, k] = trial[i, k]
    return rows


def _occurrence(values: Ints) -> Ints:
    """Return how often each value stood before.

    >>> _occurrence(np.array([4, 7, 4, 4])).tolist()
    [0, 0, 1, 2]
    """
    seen: dict[int, int] = {}
    before = []
    for value in values.tolist():
        before.append(seen.get(value, 0))
        seen[value] = before[-1] + 1
    return np.array(before, dtype=np.int64)
