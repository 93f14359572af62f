"""Paths with hidden fixations: what the known ones tell of each hidden one."""

from __future__ import annotations

import numpy as np

from scandl.models.pointer.runners.runner import Flags
from scandl.models.pointer.states import MOST_VISITS, Floats, Ints, States, one_hot_saccade
from scandl.models.pointer.words import edges


def hidden_states(words: Ints, hidden: Flags, n_fixations: Ints, n_words: Ints, n_columns: int) -> States:
    """Return the states of all places of paths of known length, (B, T).

    The references of a place are the known fixations before and after it (the edges of the text
    where there is none) and a word between them, by how many fixations away they are. A known
    fixation is its own anchor.

    Parameters
    ----------
    words
        (B, T) word positions; what stands at hidden places is not looked at.
    hidden
        (B, T) True where the word is not known.
    """
    place = np.arange(words.shape[1])[None]
    known = ~hidden & (place < n_fixations[:, None])
    before, after = _neighbours(known, n_fixations)
    left = _word_at(words, before, before < 0, np.full_like(n_words, -1))
    right = _word_at(words, after, after >= n_fixations[:, None], n_words)
    share = (place - before) / np.maximum(after - before, 1)
    between = np.rint(left + (right - left) * share).astype(np.int64)
    anchor = np.where(known, words, np.clip(between, 0, n_words[:, None] - 1))
    counts = np.zeros((len(words), n_columns), dtype=np.int64)
    np.add.at(counts, (np.nonzero(known)[0], words[known]), 1)
    counts = np.repeat(np.minimum(counts, MOST_VISITS)[:, None], words.shape[1], axis=1)
    scalars = _scalars(place, known, before, after, (left, anchor, right), n_fixations, n_words)
    return States(np.stack([left, right, anchor], axis=2), counts, anchor, scalars)


def _neighbours(known: Flags, n_fixations: Ints) -> tuple[Ints, Ints]:
    """Return the places of the known fixations before and after each place: -1 and N where there is none."""
    place = np.arange(known.shape[1])
    seen = np.maximum.accumulate(np.where(known, place, -1), axis=1)
    before = np.concatenate([np.full((len(known), 1), -1), seen[:, :-1]], axis=1)
    end = np.broadcast_to(n_fixations[:, None], known.shape)
    coming = np.minimum.accumulate(np.where(known, place, end)[:, ::-1], axis=1)[:, ::-1]
    after = np.concatenate([coming[:, 1:], n_fixations[:, None]], axis=1)
    return before, np.maximum(after, place + 1)


def _word_at(words: Ints, place: Ints, outside: Flags, edge: Ints) -> Ints:
    inside = np.clip(place, 0, words.shape[1] - 1)
    return np.where(outside, edge[:, None], np.take_along_axis(words, inside, axis=1))


def _scalars(
    place: Ints,
    known: Flags,
    before: Ints,
    after: Ints,
    at: tuple[Ints, Ints, Ints],
    n_fixations: Ints,
    n_words: Ints,
) -> Floats:
    left, anchor, right = at
    furthest = np.maximum.accumulate(np.where(known, anchor, -1), axis=1)
    total = n_fixations[:, None]
    everywhere = np.ones(known.shape)
    columns = [
        known,
        (place + 0.5) / total,
        everywhere * np.log(total / n_words[:, None]),
        1.0 / (place - before),
        1.0 / (after - place),
        np.log1p(place - before),
        np.log1p(after - place),
        everywhere * known.sum(axis=1, keepdims=True) / total,
        everywhere * (place == 0),
        place == total - 1,
        before < 0,
        after >= total,
        np.clip(furthest - anchor, -4, 4) / 4,
    ]
    return np.concatenate(
        [
            np.stack(columns, axis=2),
            one_hot_saccade(anchor - left),
            one_hot_saccade(right - anchor),
            edges(anchor, n_words[:, None]),
        ],
        axis=2,
    ).astype(np.float32)


_ONE = np.ones(1, dtype=np.int64)
N_SCALARS = hidden_states(_ONE[:, None] * 0, np.zeros((1, 1), dtype=bool), _ONE, _ONE, 1).scalars.shape[2]
