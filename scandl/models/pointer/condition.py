"""The condition vector: whose path is wanted, and how a text is read. Each part may be absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer.style import STYLE, Style, styles_of
from scandl.seeds import stream

Array = NDArray[np.float32]

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

    def vector(self, style: Style | None, labels: Mapping[str, str]) -> Array:
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
