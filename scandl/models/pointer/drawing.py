"""How a path is drawn: its length first, then its words, in order of time or in random order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scandl.models.pointer.continuous import denoised
from scandl.models.pointer.mixtures import draw_lengths
from scandl.models.pointer.path_batch import Array, Flags, Ints, TextBatch, Watch, draw, within
from scandl.models.pointer.pointer_network import PointerNetwork, ReadText, tokens, visible
from scandl.models.pointer.pointer_settings import Process
from scandl.models.pointer.states import LAST, After, Before, States, state, states

_BEHIND, _AHEAD = 56, 40  # words that are pointed at around the last fixation, in order of time
_SIZE = _BEHIND + 1 + _AHEAD
_LEAP = 20  # words ahead that are pointed at where the text has no lines to leap to
_TOGETHER = 128  # paths drawn at once in random order

Paths = list[tuple[int, ...]]


def sample(
    network: PointerNetwork,
    batch: TextBatch,
    streams: Sequence[np.random.Generator],
    *,
    steps: int | None = None,
    process: Process = "masked",
) -> Paths:
    """Draw one path per text: by diffusion in so many steps, or without steps in order of time."""
    n_fixations = draw_lengths(network, batch, streams)
    if steps is not None:
        return by_diffusion(network, batch, n_fixations, streams, steps, process)
    nothing = np.zeros((len(streams), int(n_fixations.max())), dtype=np.int64)
    return in_order(network, batch, n_fixations, streams, nothing, nothing > 0)


def in_order(
    network: PointerNetwork,
    batch: TextBatch,
    n_fixations: Ints,
    streams: Sequence[np.random.Generator],
    words: Ints,
    known: Flags,
) -> Paths:
    """Draw paths of known length from left to right; where ``known``, (B, T), their ``words`` stay.

    Each fixation is drawn given all before it and those known after it. Paths are sorted by length, so
    that those which go on are the first ones, and nothing has to be copied when others end. In a long
    text only words near the last fixation are pointed at, so the time per fixation does not grow.
    """
    order = np.argsort(-n_fixations, kind="stable")
    walk = _Walk(network, batch.only(order), n_fixations[order], words[order], known[order])
    uniforms = np.zeros(words.shape)
    for row, k in zip(uniforms, order.tolist(), strict=True):
        row[: n_fixations[k]] = streams[k].random(int(n_fixations[k]))
    for place in range(int(n_fixations.max())):
        walk.step(place, uniforms[:, place])
    back = np.argsort(order, kind="stable")
    return _as_paths(walk.words[back], n_fixations)


class _Walk:
    """Paths on their way, the longest first."""

    def __init__(
        self, network: PointerNetwork, batch: TextBatch, n_fixations: Ints, words: Ints, known: Flags
    ) -> None:
        self.network, self.batch, self.n_fixations = network, batch, n_fixations
        self.words, self.known = words.copy(), known & within(n_fixations, words.shape[1])
        self.text = network.read_texts(batch)
        self.near = self.text.near[batch.row]
        self.n_words = batch.n_words
        self.memory = network.memory(len(words))
        self.before = Before.nothing(self.n_words)
        self.after = After.along(words, self.known, n_fixations, self.n_words)
        self.visits = np.zeros((len(words), 1, 2, batch.n_columns), dtype=np.int64)
        np.add.at(self.visits[:, 0, 1], (np.nonzero(self.known)[0], words[self.known]), 1)

    def step(self, place: int, uniforms: Array) -> None:
        """Fixate the next word of all paths that have one more."""
        n = int((self.n_fixations > place).sum())
        rows, row = slice(0, n), np.arange(n)
        here, given = self.words[rows, place], self.known[rows, place]
        self.visits[row[given], 0, 1, here[given]] -= 1
        at = state(
            np.array([place]),
            self.before.of(rows),
            self.after.at(place, rows),
            self.visits[rows],
            self.n_fixations[rows],
            self.n_words[rows],
        )
        memory = [(keys[rows], values[rows]) for keys, values in self.memory]
        x = self.network.next_place(tokens(self.near[rows], at), self.batch.conditions[rows], memory, place)
        chosen = np.where(given, here, self._pointed(x, at, uniforms[rows]))
        self.words[rows, place] = chosen
        new = self.visits[row, 0, 0, chosen] == 0
        self.visits[row, 0, 0, chosen] += 1
        self.before = self.before.of(rows).step(chosen[:, None], place, new[:, None], self.n_words[rows])

    def _pointed(self, x: Array, at: States, uniforms: Array) -> Ints:
        """Return the words drawn among those near the last fixations."""
        row = self.batch.row[: len(x)]
        size = min(_SIZE, self.batch.n_columns)
        last = at.references[:, 0, LAST]
        first = np.clip(last - _BEHIND, 0, np.maximum(self.n_words[: len(x)] - size, 0))
        text = self.text.window(row, first, size)
        columns = np.broadcast_to((first[:, None] + np.arange(size))[:, None, None], (len(x), 1, 2, size))
        visits = np.take_along_axis(at.visits, columns, axis=3)
        logits = self.network.point(text, x, at.references - first[:, None, None], at.gap, visits)
        ahead = columns[:, :, 0] - at.references[..., LAST, None]
        logits = np.where((ahead > _LEAP) & (text.lined == 0)[:, None, None], -np.inf, logits)
        return first + draw(logits[:, 0], uniforms)


def by_diffusion(
    network: PointerNetwork,
    batch: TextBatch,
    n_fixations: Ints,
    streams: Sequence[np.random.Generator],
    steps: int,
    process: Process = "masked",
) -> Paths:
    """Draw paths of known length in so many steps, all places at once."""
    fill = denoised if process == "gaussian" else unmasked
    text = network.read_texts(batch)
    paths: dict[int, tuple[int, ...]] = {}
    order = np.argsort(n_fixations, kind="stable")
    # Paths of about the same length together: the others of a batch would be padded to its longest.
    for first in range(0, len(order), _TOGETHER):
        chosen = order[first : first + _TOGETHER]
        own = [streams[k] for k in chosen.tolist()]
        part = batch.only(chosen)
        drawn = fill(network, text.of(part.row), part, n_fixations[chosen], own, steps)
        paths |= zip(chosen.tolist(), drawn, strict=True)
    return [paths[k] for k in range(len(streams))]


def unmasked(
    network: PointerNetwork,
    text: ReadText,
    batch: TextBatch,
    n_fixations: Ints,
    streams: Sequence[np.random.Generator],
    steps: int,
    watch: Watch | None = None,
) -> Paths:
    """Draw paths of known length by masked diffusion: a step's places at once, in random order."""
    inside = within(n_fixations, int(n_fixations.max()))
    uniforms = np.ones((2, *inside.shape))  # the order in which places become known, and the words
    for k, (stream, n) in enumerate(zip(streams, n_fixations.tolist(), strict=True)):
        uniforms[:, k, :n] = stream.random((2, n))
    rank = uniforms[0].argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    n_steps = np.minimum(n_fixations, steps)[:, None]
    turn = np.where(inside, rank * n_steps // n_fixations[:, None], -1)  # the step of each place
    words = np.zeros(inside.shape, dtype=np.int64)
    for step in range(int(n_steps.max())):
        now = turn == step
        x, found = _masked_places(network, text, batch, words, turn < step, n_fixations)
        logits = _logits(network, text, x, found, now)
        row, place = np.nonzero(now)
        column = now.cumsum(axis=1) - 1
        words[row, place] = draw(logits[row, column[row, place]], uniforms[1, row, place])
        if watch is not None:
            watch(words, turn <= step, _logits(network, text, x, found), x)
    return _as_paths(words, n_fixations)


def masked_logits(
    network: PointerNetwork,
    text: ReadText,
    batch: TextBatch,
    words: Ints,
    known: Flags,
    n_fixations: Ints,
) -> Array:
    """Return the logits of the words at all places."""
    return _logits(network, text, *_masked_places(network, text, batch, words, known, n_fixations))


def _masked_places(
    network: PointerNetwork, text: ReadText, batch: TextBatch, words: Ints, known: Flags, n_fixations: Ints
) -> tuple[Array, States]:
    found = states(words, known, n_fixations, batch.n_words, batch.n_columns)
    seen = visible(n_fixations, words.shape[1], in_order=False)
    return network.places(tokens(text.near, found), batch.conditions, seen), found


def _logits(
    network: PointerNetwork, text: ReadText, x: Array, found: States, wanted: Flags | None = None
) -> Array:
    """Return the logits of the words at all places, or at the wanted ones moved to the left."""
    if wanted is not None:
        place = np.argsort(~wanted, axis=1, kind="stable")[:, : int(wanted.sum(axis=1).max())]
        row = np.arange(len(place))[:, None]
        x, found = x[row, place], found.at(row, place)
    return np.asarray(network.point(text, x, found.references, found.gap, found.visits))


def _as_paths(words: Ints, n_fixations: Ints) -> Paths:
    return [tuple(path[:n].tolist()) for path, n in zip(words, n_fixations.tolist(), strict=True)]
