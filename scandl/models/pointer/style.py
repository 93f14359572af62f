"""The style of a reader: how densely, how regressively and how long they fixate, from some of their paths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.models.pointer.condition import Conditions
    from scandl.models.pointer.pointer_model import PointerModel

Array = NDArray[np.float64]

STYLE = (
    "log_fixations_per_word",
    "never_fixated",
    "regressions",
    "refixations",
    "log_duration",
    "log_duration_sd",
    "starts_first",
    "sees_last",
    "ends_at",
    "log_rereading",
)
"""Of a reader's paths: means over paths of logarithm and shares, mean and spread of log durations.

The last four say how a reader begins and finishes: share of paths that begin on the first word, share in
which the last word is fixated, place of the last fixation from 0 to 1, and the logarithm of 1 and the
number of fixations after the furthest word was reached. Readers differ in them as stably as in the others.
"""
ROUNDS = 3
"""Of calibration: the network follows a style by more than half, so little is missing then."""
_MEAN, _SQUARE = STYLE.index("log_duration"), STYLE.index("log_duration_sd")


@dataclass(frozen=True, slots=True)
class Style:
    """A reader's style, and the number of paths it rests on."""

    values: tuple[float, ...]  # in the order of ``STYLE``; NaN where the paths have no durations
    n_paths: int


def path_features(path: Scanpath, n_words: int) -> tuple[float, ...]:
    """Return what one path tells of its reader; in place of the spread stands the mean squared log duration.

    >>> [round(x, 2) for x in path_features(Scanpath("r", "s", (0, 1, 1, 0), (100.0, 100.0, 1.0, 1.0)), 4)]
    [0.0, 0.5, 0.33, 0.33, 1.54, 7.07, 1.0, 0.0, 0.0, 1.1]
    """
    steps = list(zip(path.positions, path.positions[1:], strict=False))
    n_steps = max(len(steps), 1)
    # Where the display begins during a fixation the first duration is not the reader's.
    logs = [math.log(duration) for duration in (path.durations or ())[1:] if duration > 0]
    mean = sum(logs) / len(logs) if logs else math.nan
    square = sum(x * x for x in logs) / len(logs) if logs else math.nan
    return (
        math.log(len(path.positions) / n_words),
        1.0 - len(set(path.positions)) / n_words,
        sum(b < a for a, b in steps) / n_steps,
        sum(b == a for a, b in steps) / n_steps,
        mean,
        square,
        float(path.positions[0] == 0),
        float(n_words - 1 in path.positions),
        path.positions[-1] / max(n_words - 1, 1),
        math.log(len(path.positions) - path.positions.index(max(path.positions))),
    )


def style_of_features(rows: Array) -> Array:
    """Return the style of a reader from the features of some paths, (n, 10) → (10,)."""
    if np.isnan(rows).any():
        with np.errstate(invalid="ignore"):
            known = ~np.isnan(rows)
            means = np.where(known, rows, 0.0).sum(axis=0) / np.where(
                known.any(axis=0), known.sum(axis=0), np.nan
            )
    else:
        means = rows.mean(axis=0)
    if not math.isnan(means[_SQUARE]):
        means[_SQUARE] = math.sqrt(max(means[_SQUARE] - means[_MEAN] ** 2, 0.0))
    return means


def style_of(paths: Sequence[Scanpath], sentences: Mapping[str, Sentence]) -> Style:
    """Return the style that some scanpaths of one reader show."""
    rows = [path_features(path, sentences[path.sentence_id].n_words) for path in paths if path.positions]
    if not rows:
        raise ScandlError("a reader's style needs at least one scanpath with a fixation")
    return Style(tuple(style_of_features(np.array(rows)).tolist()), len(rows))


def styles_of(corpus: Corpus) -> dict[str, Style]:
    """Return the style of each reader of a corpus."""
    return {
        reader: style_of(paths, corpus.sentences) for reader, paths in by_reader(corpus.scanpaths).items()
    }


def by_reader(paths: Iterable[Scanpath]) -> dict[str, list[Scanpath]]:
    """Return the paths of each reader, in order."""
    found: dict[str, list[Scanpath]] = {}
    for path in paths:
        found.setdefault(path.reader_id, []).append(path)
    return found


def calibrated(
    model: PointerModel,
    corpus: Corpus,
    wanted: Mapping[str, Array] | None = None,
    *,
    seed: int = 1,
    rounds: int = ROUNDS,
) -> Conditions:
    """Return the conditions of a model with styles by which its readers read ``corpus`` as they did.

    In training a style may rest on eight paths, and what they show is in part chance; so the network
    follows every style too weakly, and simulated readers would differ less than people do. In each round
    every reader reads their own texts, and by how much the style of the drawn paths misses
    that of the human ones, or the ``wanted`` one, is added to what the network is told.
    """
    known = [path for path in corpus.scanpaths if model.conditions.style(path.reader_id) is not None]
    requests = [Request(corpus.sentences[path.sentence_id], path.reader_id) for path in known]
    own = styles_of(replace(corpus, scanpaths=tuple(known)))
    goal = {reader: np.array(style.values) for reader, style in own.items()} if wanted is None else wanted
    told = model.conditions.with_styles({reader: goal[reader] for reader in own})
    for number in range(rounds):
        drawn = model.told(told).read(requests, seed=seed + number)
        shown = styles_of(replace(corpus, scanpaths=tuple(drawn)))
        told = told.with_styles(
            {reader: told.styles[reader].values + goal[reader] - shown[reader].values for reader in own}
        )
    return told
