"""Ancestral sampling: the step that takes noise away, the loop that runs it, and what it needs.

The loop rounds the prediction to the id table and puts the clean sentence back at each step. It
keeps the present state alone, so its memory does not grow with the number of steps. It does not
know what runs the network: states are arrays or tensors, (B, L, d).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.files.symbol_repair import CLS
from scandl.models.diffusion.noise_levels import Process

State: TypeAlias = Any
Watch: TypeAlias = Callable[[int, State, State], None]
"""Called with (trained step, z, ids of the prediction) after each step."""
Array = NDArray[np.float32]
Ids = NDArray[np.int64]
LEAST = 3  # positions: CLS, a word, SEP


@dataclass(frozen=True, slots=True)
class SamplerOptions:
    """What a sampler can be asked for."""

    round_below: float = 1.0  # round the prediction at steps t < round_below * T; 1 = always, as published
    valid: bool = False  # round to the best whole scanpath; False: each position by itself, as published


class Network(Protocol):
    """A denoiser at work on one batch of sentences."""

    def predict(self, z: State, t: int) -> State:
        """Return the predicted z_0 at the trained step t."""
        ...

    def nearest(self, z: State, valid: bool = False) -> State:
        """Return the ids whose embeddings are nearest, (B, L): each by itself, or as a valid scanpath."""
        ...

    def embed(self, ids: State) -> State:
        """Return the embeddings of ids."""
        ...

    def anchored(self, z: State) -> State:
        """Return z with the clean sentence put back."""
        ...

    def noise(self) -> State:
        """Return the next standard normal noise."""
        ...

    def final(self, z: State, valid: bool = False) -> State:
        """Return the ids the tied head scores highest, (B, L): each by itself, or as a valid scanpath."""
        ...


def earlier(process: Process, i: int, z: State, z_0: State, noise: Callable[[], State]) -> State:
    """Draw z at step i - 1 for the predicted (rounded) z_0: the posterior with the large variance beta_t.

    On few steps beta_t may exceed all the noise that the next step was trained with; no more than
    that is added.
    """
    c0, c1, _ = process.posterior
    mean = float(c0[i]) * z_0 + float(c1[i]) * z
    if i == 0:
        return mean
    variance = min(float(process.beta[i]), 1.0 - float(process.alpha_bar[i - 1]))
    return mean + variance**0.5 * noise()


def denoise(
    network: Network,
    process: Process,
    *,
    options: SamplerOptions | None = None,
    watch: Watch | None = None,
) -> State:
    """Turn noise into ids, (B, L); ``watch`` is for whoever wants to see the decoding."""
    options = options or SamplerOptions()
    rounded_below = options.round_below * (process.trained_steps[-1] + 1)

    z = network.anchored(network.noise())
    for i in range(process.steps - 1, -1, -1):
        t = process.trained_steps[i]
        z_0 = network.predict(z, t)
        rounding = t < rounded_below
        ids = network.nearest(z_0, options.valid) if rounding or watch is not None else None
        z = network.anchored(earlier(process, i, z, network.embed(ids) if rounding else z_0, network.noise))
        if watch is not None:
            watch(t, z, ids)
    return network.final(z, options.valid)


class Noise:
    """Draws for a batch; the stream of an instance does not know its neighbours.

    So a scanpath is the same in any batch. On a CPU the numbers come from numpy whatever runs the
    network, so they are the same with and without torch; a GPU makes its own.
    """

    def __init__(self, streams: Sequence[np.random.Generator], shape: tuple[int, ...]) -> None:
        self._streams = streams
        self._shape = shape

    def draw(self) -> NDArray[np.float32]:
        """Return the next (B, *shape).

        >>> Noise([np.random.default_rng(1)], (2, 2)).draw().shape
        (1, 2, 2)
        """
        drawn = [stream.standard_normal(self._shape, dtype=np.float32) for stream in self._streams]
        return np.stack(drawn)


def best_sequences(scores: Array, noised: NDArray[np.bool_], n_words: Ids) -> Ids:
    """Return, for each row, the valid ids with the largest sum of scores on the scanpath's positions.

    Parameters
    ----------
    scores
        (B, L, ids) of each id at each position; the last id is PAD.
    noised
        (B, L) True on the scanpath's positions, the last of the row.
    n_words
        (B,) words of the sentence: ids 1 … M are words, M + 1 is SEP.

    >>> by_itself = np.array([[0, 1, 1, 1]])  # CLS and words: no SEP
    >>> scores = np.eye(4)[by_itself]
    >>> scores[0, 2, 2] = scores[0, 3, 3] = 0.8  # SEP, PAD
    >>> best_sequences(scores, np.ones((1, 4), dtype=bool), np.array([1]))
    array([[0, 1, 2, 3]])
    """
    found = scores.argmax(axis=2)
    for row, places, m, ids in zip(scores, noised, n_words.tolist(), found, strict=True):
        if places.sum() >= LEAST:
            ids[places] = _best(row[places].astype(np.float64), m)
    return found


def _best(scores: NDArray[np.float64], n_words: int) -> Ids:
    """Return the best sequence of one row, (n, ids) → (n,)."""
    n, pad = len(scores), scores.shape[1] - 1
    of_words = scores[:, 1 : n_words + 1]
    word = of_words.argmax(axis=1) + 1
    # With SEP at e: words at 1 … e - 1, PAD after e. CLS is first in any case.
    words_before = np.concatenate([[0.0, 0.0], of_words.max(axis=1)[1:-1].cumsum()])  # (n,) at e
    padding_after = np.append(scores[::-1, pad].cumsum()[::-1][1:], 0.0)  # (n,) at e
    total = words_before + scores[:, n_words + 1] + padding_after
    end = 2 + int(total[2:].argmax())
    ids = np.full(n, pad, dtype=np.int64)
    ids[0], ids[1:end], ids[end] = CLS, word[1:end], n_words + 1
    return ids
