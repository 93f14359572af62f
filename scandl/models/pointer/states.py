"""What the network is told at each place of a path: what is known of the fixations before and after it.

A place is known by relative numbers alone: distances, shares, how many fixations and words remain. It
therefore looks the same in a text of any length. Three kinds of knowledge have the same form:

- *in order*: the fixations before the place, as a path is drawn from left to right;
- *given parts*: the fixations before the place and those given after it;
- *masked*: some fixations on both sides, the same ones for all places.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from scandl.models.pointer.path_batch import Flags, Floats, Ints, edges, one_hot_saccade, within

MOST_VISITS = 3  # more visits to a word count as this many
WINDOW = np.arange(-2, 4)  # the words around the fixation before that are looked at; after it mirrored
LAST, PREVIOUS, FURTHEST, NEXT, SECOND, MIDDLE = range(6)
N_REFERENCES = 6
N_AROUND = 3 * len(WINDOW)
_NOWHERE = -1  # where the eyes are before the first fixation: one word before the first


@dataclass(frozen=True, slots=True)
class States:
    """What is told at places of a batch of paths: B paths, T places, M words (padded)."""

    references: Ints  # (B, T, 6) words that others are addressed relative to; -1 and M are the edges
    gap: Ints  # (B, T) how many fixations after the last known one
    visits: Ints  # (B, T, 2, M) how often each word is known to be fixated before, and after
    around: Ints  # (B, T, 18) the words around LAST, NEXT and MIDDLE; M outside of the text
    scalars: Floats  # (B, T, S)

    def tokens(self) -> Floats:
        """Return the numbers of each place: scalars, and visits to the words around, (B, T, S + 36)."""
        return np.concatenate([self.scalars, self._around_visits().reshape(*self.gap.shape, -1)], axis=2)

    def visits_near(self) -> Floats:
        """Return the visits, before, to the words around MIDDLE, (B, T, 6)."""
        return self._around_visits()[:, :, 0, -len(WINDOW) :]

    def _around_visits(self) -> Floats:
        padded = np.concatenate([self.visits, np.zeros_like(self.visits[..., :1])], axis=3)
        at = np.broadcast_to(self.around[:, :, None], (*self.gap.shape, 2, self.around.shape[2]))
        return (np.take_along_axis(padded, at, axis=3) / MOST_VISITS).astype(np.float32)

    def at(self, row: Ints, place: Ints) -> States:
        """Return some of the places, by numbers that broadcast to (B, n)."""
        return States(*(getattr(self, field.name)[row, place] for field in fields(self)))


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of the fixations before places, arrays of one shape."""

    last: Ints  # the word last fixated, and the one before it; -1 where there is none
    previous: Ints
    last_place: Ints
    previous_place: Ints
    furthest: Ints
    n_known: Ints
    n_read: Ints  # different words
    n_regressions: Ints
    n_refixations: Ints
    since_end: Ints  # fixations since the last word but one was reached

    @classmethod
    def nothing(cls, n_words: Ints) -> Self:
        """Return what is known at the start, one column per path."""
        none, zero = np.full((len(n_words), 1), _NOWHERE), np.zeros((len(n_words), 1), dtype=np.int64)
        return cls(none, none, none, none, none, zero, zero, zero, zero, zero)

    @classmethod
    def along(cls, words: Ints, known: Flags, new: Flags, n_words: Ints) -> Self:
        """Return it at all places of paths, (B, T); ``new`` says whether a word is fixated the first time."""
        place = np.broadcast_to(np.arange(words.shape[1]), words.shape)
        last_place = _shifted(np.maximum.accumulate(np.where(known, place, -1), axis=1))
        previous_place = _at(last_place, last_place, _NOWHERE)
        last, previous = _at(words, last_place, _NOWHERE), _at(words, previous_place, _NOWHERE)
        furthest = _shifted(np.maximum.accumulate(np.where(known, words, -1), axis=1))
        follows = known & (last_place >= 0)
        counted = (
            known,
            known & new,
            follows & (words < last),
            follows & (words == last),
            known & (furthest >= n_words[:, None] - 2),
        )
        return cls(
            last,
            previous,
            last_place,
            previous_place,
            furthest,
            *(flag.cumsum(axis=1) - flag for flag in counted),
        )

    def step(self, words: Ints, place: int, new: Flags, n_words: Ints) -> Before:
        """Return what is known at the next place, after these words were fixated; all (B, 1)."""
        started = self.last_place >= 0
        return Before(
            words,
            self.last,
            np.full_like(self.last_place, place),
            self.last_place,
            np.maximum(self.furthest, words),
            self.n_known + 1,
            self.n_read + new,
            self.n_regressions + (started & (words < self.last)),
            self.n_refixations + (started & (words == self.last)),
            self.since_end + (self.furthest >= n_words[:, None] - 2),
        )

    def of(self, rows: slice) -> Before:
        """Return it of some paths."""
        return Before(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True, slots=True)
class After:
    """What is known of the fixations after places, (B, T)."""

    next: Ints  # the next word that is known, and the one after it; M where there is none
    second: Ints
    next_place: Ints  # N where there is none
    second_place: Ints
    n_known: Ints

    @classmethod
    def along(cls, words: Ints, known: Flags, n_fixations: Ints, n_words: Ints) -> Self:
        """Return it at all places of paths."""
        end = np.broadcast_to(n_fixations[:, None], words.shape)
        place = np.where(known, np.arange(words.shape[1]), end)
        coming = np.minimum.accumulate(place[:, ::-1], axis=1)[:, ::-1]
        next_place = np.concatenate([coming[:, 1:], n_fixations[:, None]], axis=1)
        second_place = np.where(next_place < end, _at(next_place, next_place, 0), end)
        beyond = np.broadcast_to(n_words[:, None], words.shape)
        first, second = (np.where(at < end, _at(words, at, 0), beyond) for at in (next_place, second_place))
        n_after = known.sum(axis=1, keepdims=True) - known.cumsum(axis=1)
        return cls(first, second, next_place, second_place, n_after)

    def at(self, place: int, rows: slice) -> After:
        """Return it at one place of some paths, (B, 1)."""
        return After(*(getattr(self, field.name)[rows, place : place + 1] for field in fields(self)))


def states(
    words: Ints, known: Flags, n_fixations: Ints, n_words: Ints, n_columns: int, *, in_order: bool = False
) -> States:
    """Return the states of all places of paths of known length.

    Parameters
    ----------
    words
        (B, T) word positions; in masked states, what stands at hidden places is not looked at.
    known
        (B, T) True where a word is given.
    n_fixations, n_words
        (B,) of each path and its text.
    n_columns
        The padded number of words.
    in_order
        Whether each place knows all places before it, and is not told its own word.

    Returns
    -------
    States
        Of (B, T) places; those behind the end of a path mean nothing.
    """
    known = known & within(n_fixations, words.shape[1])
    counted = within(n_fixations, words.shape[1]) if in_order else known
    before, after = (_counts(words, flags, n_columns) for flags in (counted, known))
    after = after[:, -1:] - after
    own = np.eye(n_columns, dtype=after.dtype)[words] * counted[..., None]
    before = before - own
    new = np.take_along_axis(before, words[..., None], axis=2)[..., 0] == 0
    return state(
        np.arange(words.shape[1]),
        Before.along(words, counted, new, n_words),
        After.along(words, known, n_fixations, n_words),
        np.stack([before, after], axis=2),
        n_fixations,
        n_words,
        np.where(known & (not in_order), words, -1),
    )


def state(
    place: Ints,
    before: Before,
    after: After,
    visits: Ints,
    n_fixations: Ints,
    n_words: Ints,
    own: Ints | None = None,
) -> States:
    """Return states from what is known before and after; ``own`` is the word of a place, -1 where hidden."""
    total, last_word = n_fixations[:, None], n_words[:, None] - 1
    share = (place - before.last_place) / np.maximum(after.next_place - before.last_place, 1)
    middle = np.rint(before.last + (after.next - before.last) * share).astype(np.int64)
    middle = np.clip(middle, 0, last_word)
    if own is not None:
        middle = np.where(own >= 0, own, middle)
    references = np.stack(
        [before.last, before.previous, before.furthest, after.next, after.second, middle], axis=2
    )
    around = np.concatenate(
        [before.last[..., None] + WINDOW, after.next[..., None] - WINDOW, middle[..., None] + WINDOW], axis=2
    )
    outside = (around < 0) | (around > last_word[..., None])
    scalars = _scalars(np.minimum(place, total - 1), before, after, middle, own, total, last_word + 1)
    return States(
        references,
        np.maximum(place - before.last_place, 1),
        np.minimum(visits, MOST_VISITS),
        np.where(outside, visits.shape[3], around),
        scalars,
    )


def _scalars(
    place: Ints, before: Before, after: After, middle: Ints, own: Ints | None, total: Ints, n_words: Ints
) -> Floats:
    """Return the numbers of each place, (B, T, S)."""
    fixations, passed = np.maximum(before.n_known, 1), before.furthest + 1
    behind = before.furthest - before.last
    gap_before, gap_after = place - before.last_place, after.next_place - place
    gaps = (
        gap_before,
        gap_after,
        before.last_place - before.previous_place,
        after.second_place - after.next_place,
    )
    columns = [
        np.zeros_like(place) if own is None else own >= 0,
        (place + 0.5) / total,
        np.log(total / n_words),
        np.log((total - place) / (n_words - before.furthest)),
        np.log((place + 1) / (passed + 1)),
        before.n_known / np.maximum(place, 1),
        after.n_known / np.maximum(total - place - 1, 1),
        place == 0,
        place == total - 1,
        before.last_place < 0,
        after.next_place >= total,
        1 / (place + 1),
        1 / (total - place),
        np.log1p(np.maximum(gap_before, 0)),
        np.log1p(np.maximum(gap_after, 0)),
        *(gap == size for gap in gaps for size in (1, 2, 3)),
        before.n_regressions / fixations,
        before.n_refixations / fixations,
        1 - before.n_read / np.maximum(passed, 1),
        passed / n_words,
        before.furthest >= n_words - 1,
        # Rereading takes about as many fixations in a long text as in a short one.
        np.log1p(before.since_end),
        np.log1p(behind),
        behind == 0,
        np.minimum(behind, 4) / 4,
    ]
    shape = np.broadcast_shapes(place.shape, before.last.shape)
    steps = (
        before.last - before.previous,
        after.next - before.last,
        after.second - after.next,
        middle - before.last,
        after.next - middle,
    )
    return np.concatenate(
        [
            np.stack([np.broadcast_to(column, shape) for column in columns], axis=2),
            *(one_hot_saccade(step) for step in steps),
            *(edges(at, n_words) for at in (before.last, before.furthest, after.next, middle)),
        ],
        axis=2,
    ).astype(np.float32)


def _counts(words: Ints, flags: Flags, n_columns: int) -> Ints:
    """Return how often each word was fixated up to each place, this one included, (B, T, M)."""
    return (np.eye(n_columns, dtype=np.int16)[words] * flags[..., None]).cumsum(axis=1, dtype=np.int16)


def _shifted(values: Ints) -> Ints:
    """Return values one place later, -1 at the first."""
    return np.concatenate([np.full((len(values), 1), -1), values[:, :-1]], axis=1)


def _at(values: Ints, place: Ints, none: int) -> Ints:
    """Return values at places, ``none`` where a place is before the first."""
    found = np.take_along_axis(values, np.clip(place, 0, values.shape[1] - 1), axis=1)
    return np.where(place < 0, none, found)


def _n_tokens() -> int:
    one = np.ones(1, dtype=np.int64)
    return states(np.zeros((1, 1), np.int64), np.zeros((1, 1), bool), one, one, 1).tokens().shape[2]


N_TOKENS = _n_tokens()
