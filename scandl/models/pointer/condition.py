"""The condition vector: whose path is wanted, in which style, and how a text is read. Parts may be absent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.models.pointer.pointer_model import PointerModel


Array = NDArray[np.float64]
Floats = NDArray[np.float32]

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
_DRAWN = 100  # paths of each reader in a round of calibration, about, or as many as they read
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
    own = styles_of(replace(corpus, scanpaths=tuple(known)))
    goal = {reader: np.array(style.values) for reader, style in own.items()} if wanted is None else wanted
    told = model.conditions.with_styles({reader: goal[reader] for reader in own})
    # Of a reader with few texts each is drawn several times: what the draws show is in part chance, too.
    requests = [
        Request(corpus.sentences[path.sentence_id], path.reader_id, sample)
        for path in known
        for sample in range(max(1, _DRAWN // own[path.reader_id].n_paths))
    ]
    for number in range(rounds):
        drawn = model.told(told).read(requests, seed=seed + number)
        shown = styles_of(replace(corpus, scanpaths=tuple(drawn)))
        told = told.with_styles(
            {reader: told.styles[reader].values + goal[reader] - shown[reader].values for reader in own}
        )
    return told


LABELS = ("group", "task")
"""Columns of a corpus' readers that condition the network, where a corpus has them."""
SENTENCE, PARAGRAPH, PART = TASKS = ("sentence", "paragraph", "part")
"""What is read: a sentence by itself, a text of several sentences, or a sentence within such a text."""
_PARAGRAPH_WORDS = 30  # shorter texts were read as single sentences, abbreviations and all
_LARGEST = 3.0  # standard deviations; what is further off is no reader the network can know


@dataclass(frozen=True)
class Conditions:
    """The styles of the training readers, their scale, and the labels that occurred."""

    mean: tuple[float, ...]
    sd: tuple[float, ...]
    styles: Mapping[str, Style]  # of each training reader
    labels: Mapping[str, tuple[str, ...]]  # label -> its values
    readers: Mapping[str, Mapping[str, str]]  # training reader -> label -> value

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Return what the readers of a training corpus are like."""
        styles = styles_of(corpus)
        table = np.array([style.values for style in styles.values()])
        known = np.where(np.isnan(table).any(axis=0), 0.0, table)
        sd = known.std(axis=0)
        own = {
            reader: {label: corpus.readers.get(reader, {}).get(label, "") for label in LABELS}
            for reader in styles
        }
        labels = {label: tuple(sorted({row[label] for row in own.values()} - {""})) for label in LABELS}
        return cls(
            tuple(known.mean(axis=0).tolist()), tuple(np.where(sd > 0, sd, 1.0).tolist()), styles, labels, own
        )

    @property
    def width(self) -> int:
        """The length of a condition vector."""
        return len(STYLE) + 2 + sum(map(len, self.labels.values()))

    def vector(self, style: Style | None, labels: Mapping[str, str]) -> Floats:
        """Return the vector of a style and labels; None and unknown labels are zeros.

        The style is followed by a 1 and by the logarithm of the number of paths it rests on.
        """
        told = np.zeros(len(STYLE) + 2)
        if style is not None:
            told[:-2] = self._standardised(style.values)
            told[-2:] = 1.0, np.log(style.n_paths) / 5.0
        flags = [
            float(labels.get(label) == value) for label, values in self.labels.items() for value in values
        ]
        return np.concatenate([told, flags]).astype(np.float32)

    def with_styles(self, styles: Mapping[str, ArrayLike]) -> Self:
        """Return the same readers, of some of whom the network is told another style."""
        within = {reader: np.multiply(self.sd, self._standardised(given)) for reader, given in styles.items()}
        told = {
            reader: Style(tuple((deviation + self.mean).tolist()), self.styles[reader].n_paths)
            for reader, deviation in within.items()
        }
        return replace(self, styles={**self.styles, **told})

    def _standardised(self, values: ArrayLike) -> NDArray[np.float64]:
        z = (np.asarray(values) - self.mean) / self.sd
        return np.clip(np.nan_to_num(z), -_LARGEST, _LARGEST)

    def style(self, reader: str) -> Style | None:
        """Return a training reader's style, if the network was told it.

        It is told the style that a reader's *other* paths show, so it never was where there is one path.
        """
        own = self.styles.get(reader)
        return own if own is not None and own.n_paths > 1 else None

    def simulated(self, name: str, seed: int, group: str = "", task: str = "") -> str:
        """Return the training reader that a simulated reader is like.

        Readers who are told apart by a number at the end of their names are like different training
        readers, as far as there are enough: so they differ as much from each other as people do.
        """
        known = self.like(group, task)
        stem = name.rstrip("0123456789")
        number = int(name[len(stem) :][-9:] or 0)  # a name may be all digits, and of any length
        return known[_order(seed, stem, len(known))[number % len(known)]]

    def someone(self, text: str, sample: int, seed: int, group: str = "", task: str = "") -> str:
        """Return the training reader that the reader of a nameless path is like.

        The paths of one text are of different readers, as far as there are enough.
        """
        known = self.like(group, task)
        return known[_order(seed, f"of \x1f{text}", len(known))[sample % len(known)]]

    def like(self, group: str = "", task: str = "") -> list[str]:
        """Return the training readers whom simulated readers of a group are like: those who did the task.

        Where nobody of the group did, it is all of the group.
        """
        if (group, task) not in self._found:
            self._found[group, task] = self._look_for(group, task)
        return self._found[group, task]

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[str]]:
        """What ``like`` has found, because it is asked for every path."""
        return {}

    def _look_for(self, group: str, task: str) -> list[str]:
        for wanted in ({"group": group, "task": task}, {"group": group}):
            found = [
                name
                for name, own in self.readers.items()
                if all(value in ("", own[label]) for label, value in wanted.items())
            ]
            if found:
                return found
        return list(self.readers)

    def to_table(self) -> dict[str, Any]:
        """Return plain data for a checkpoint."""
        return {
            "mean": list(self.mean),
            "sd": list(self.sd),
            "styles": {reader: [list(style.values), style.n_paths] for reader, style in self.styles.items()},
            "labels": {label: list(values) for label, values in self.labels.items()},
            "readers": {reader: dict(own) for reader, own in self.readers.items()},
        }

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """Return what ``to_table`` gave."""
        if len(table["mean"]) != len(STYLE):
            found, expected = len(table["mean"]), len(STYLE)
            raise ScandlError(
                f"found styles of {found} numbers, expected {expected}: made by another version"
            )
        return cls(
            tuple(table["mean"]),
            tuple(table["sd"]),
            {reader: Style(tuple(values), n) for reader, (values, n) in table["styles"].items()},
            {label: tuple(values) for label, values in table["labels"].items()},
            table["readers"],
        )


@lru_cache(maxsize=1024)
def _order(seed: int, stem: str, n: int) -> tuple[int, ...]:
    """Return the order in which simulated readers of a name are like n readers."""
    return tuple(stream(seed, "reader", stem).permutation(n).tolist())


def task_of(words: Sequence[str]) -> str:
    """Return how a text is read: as a paragraph where it is long and has a sentence's end within.

    >>> task_of("The cat sat. The dog ran.".split()), task_of(("word " * 20 + "end. " + "More " * 10).split())
    ('sentence', 'paragraph')
    """
    inner = (word.rstrip("\"'”’)]»") for word in words[:-1])
    ended = any(word.endswith((".", "!", "?", "…")) for word in inner)
    return PARAGRAPH if ended and len(words) >= _PARAGRAPH_WORDS else SENTENCE
