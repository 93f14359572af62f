"""The Gaussian process: the length first, then noise is taken away from where the eyes are.

In the forward process every fixation of a path moves along the line of words: x = word + σ ε, with one σ for
the path. The network is told of the path of words that is likeliest to lie behind x, how noisy x is, and how
far it lies from those words. What it says of word j at a place is the softmax of its logit and −(j − x)²/2σ²,
which is what x itself says of j. So the network learns only what the other places, the text and the reader
say. Durations, readers and the number of fixations are those of all word-pointing models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scandl.models.pointer.path_batch import Array, Floats, Ints, TextBatch, Watch, draw, within
from scandl.models.pointer.pointer_network import PointerNetwork, ReadText, tokens, visible
from scandl.models.pointer.states import States, states

LEAST_NOISE = 0.25  # words; at this σ the nearest word is nearly always the right one
LEAST_MOST_NOISE = 8.0  # words: σ begins here, or at the number of words of a longer text
N_NOISE = 5
"""How many numbers tell of the noise at a place."""
_FARTHEST = 4.0  # words, or σ, beyond which an offset counts as this far


@dataclass(frozen=True, slots=True)
class NoisyPaths:
    """Where the eyes of B paths are on the line of words, with one level of noise each."""

    x: Array  # (B, T)
    sigma: Array  # (B,)
    n_fixations: Ints  # (B,)
    n_words: Ints  # (B,)

    @property
    def words(self) -> Ints:
        """The words that the eyes were likely on, (B, T).

        As if words lay around an even pace through the text with a spread of its own: where the noise is
        small that is the nearest word, where it is large the word that an even pace reaches.
        """
        last = self.n_words[:, None] - 1
        spread = 1.0 + self.n_words[:, None] / 8
        trust = spread**2 / (spread**2 + self.sigma[:, None] ** 2)
        even = even_pace(self.n_fixations, self.n_words, self.x.shape[1])
        return np.clip(np.rint(even + trust * (self.x - even)), 0, last).astype(np.int64)

    def states(self, n_columns: int) -> States:
        """Return what the network is told at each place: the likely words, and how x differs from them."""
        words = self.words
        inside = within(self.n_fixations, words.shape[1])
        found = states(words, inside, self.n_fixations, self.n_words, n_columns)
        offset, sigma = self.x - words, np.broadcast_to(self.sigma[:, None], words.shape)
        columns = [np.log(sigma), np.log(sigma) ** 2 / 4, np.minimum(sigma, 1.0)]
        columns += [np.clip(offset / scale, -_FARTHEST, _FARTHEST) for scale in (1.0, sigma)]
        told = np.stack(columns, axis=2).astype(np.float32)
        return replace(found, scalars=np.concatenate([found.scalars, told], axis=2))

    def evidence(self, n_columns: int) -> Floats:
        """Return what x says of each word, −(j − x)²/2σ² less its largest value, (B, T, M).

        >>> one = np.ones(1, dtype=np.int64)
        >>> NoisyPaths(np.array([[0.5]]), np.array([0.5]), one, 2 * one).evidence(3).tolist()
        [[[0.0, 0.0, -4.0]]]
        """
        z = (np.arange(n_columns) - self.x[..., None]) / self.sigma[:, None, None]
        evidence = -0.5 * z**2
        return (evidence - evidence.max(axis=2, keepdims=True)).astype(np.float32)


def even_pace(n_fixations: Ints, n_words: Ints, n_places: int) -> Array:
    """Return where an even pace through the text is at each place, (B, T).

    >>> even_pace(np.array([4]), np.array([8]), 4).tolist()
    [[0.5, 2.5, 4.5, 6.5]]
    """
    return (np.arange(n_places) + 0.5) * (n_words / n_fixations)[:, None] - 0.5


def levels(n_words: Ints, share: Array) -> Array:
    """Return σ between the least (share 0) and the most (share 1), even in log σ.

    >>> levels(np.array([4, 16]), np.array([0.0, 0.5, 1.0])[:, None]).round(2).tolist()
    [[0.25, 0.25], [1.41, 2.0], [8.0, 16.0]]
    """
    most = np.maximum(LEAST_MOST_NOISE, n_words)
    return np.asarray(LEAST_NOISE * (most / LEAST_NOISE) ** share)


def noised(words: Ints, n_fixations: Ints, n_words: Ints, sigma: Array, normals: Array) -> NoisyPaths:
    """Return paths at levels of noise (B,); normals (B, T)."""
    return NoisyPaths(words + sigma[:, None] * normals, sigma, n_fixations, n_words)


def less_noisy(paths: NoisyPaths, words: Ints, sigma: Array, normals: Array) -> NoisyPaths:
    """Draw paths at lower levels (B,), given those at the present ones and the words (B, T).

    That is the posterior of the process: with r = σ'²/σ², x' = word + r (x − word) + σ' √(1 − r) ε.
    """
    share = ((sigma / paths.sigma) ** 2)[:, None]
    moved = words + share * (paths.x - words) + sigma[:, None] * np.sqrt(1.0 - share) * normals
    return replace(paths, x=moved, sigma=sigma)


def denoised(
    network: PointerNetwork,
    text: ReadText,
    batch: TextBatch,
    n_fixations: Ints,
    streams: Sequence[np.random.Generator],
    steps: int,
    watch: Watch | None = None,
) -> list[tuple[int, ...]]:
    """Draw paths of known length by ancestral sampling: guess the words, take noise away, guess again."""
    n_places = int(n_fixations.max())
    uniforms, normals = np.zeros((2, steps, len(streams), n_places))
    for k, (stream, n) in enumerate(zip(streams, n_fixations.tolist(), strict=True)):
        uniforms[:, k, :n], normals[:, k, :n] = stream.random((steps, n)), stream.standard_normal((steps, n))
    sigma = levels(batch.n_words, np.linspace(1.0, 0.0, steps)[:, None])
    seen = visible(n_fixations, n_places, in_order=False)
    even = even_pace(n_fixations, batch.n_words, n_places)
    paths = NoisyPaths(even + sigma[0][:, None] * normals[0], sigma[0], n_fixations, batch.n_words)
    for k in range(steps):
        found = paths.states(batch.n_columns)
        x = network.places(tokens(text.near, found), batch.conditions, seen)
        logits = network.point(text, x, found.references, found.gap, found.visits)
        logits = logits + paths.evidence(batch.n_columns)
        words = draw(logits.reshape(-1, batch.n_columns), uniforms[k].reshape(-1)).reshape(x.shape[:2])
        if watch is not None:
            watch(words, np.full(words.shape, k + 1 == steps), logits, x)
        if k + 1 < steps:
            paths = less_noisy(paths, words, sigma[k + 1], normals[k + 1])
    return [tuple(path[:n].tolist()) for path, n in zip(words, n_fixations.tolist(), strict=True)]
