"""The network f(z_t, t) that predicts z_0, a BERT-style encoder over sentence and path; sampling with it.

It is written once, as functions of its weights: ``denoiser`` trains them with torch, ``numpy_model`` reads
with NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.models.arithmetic import Arithmetic
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.settings import ModelConfig

TIME_WIDTH = 128  # of the sinusoid, whatever the model's own width
OMEGA = "omega"  # the frequencies of the sinusoid, (64,), which are not learned
TABLE, HEAD_BIAS = "ids.weight", "head_bias"
"""The id table is both the space that is diffused and, transposed, the head that rounds to ids."""
_EPSILON = 1e-12  # of layer normalisation
Watch: TypeAlias = Callable[[int, Any, Any], None]
"""Called with (trained step, z, ids of the prediction) after each step."""


class DenoisingNetwork:
    """Time embedding and post-norm transformer layers.

    There is no attention mask: PAD is an ordinary symbol, and that is how length is learned.
    """

    def __init__(
        self, config: ModelConfig, trained_steps: int, weights: Mapping[str, Any], arithmetic: Arithmetic
    ) -> None:
        self.config = config
        self.trained_steps = trained_steps
        self.weights = weights
        self.arithmetic = arithmetic

    def predict(self, z_t: Any, t: Any, condition: Any) -> Any:
        """Return the predicted z_0, (B, L, d), for z_t (B, L, d) at the trained steps t (B,), floats."""
        x = self._norm("norm", z_t + condition + self.time(t)[:, None])
        return self.encoded(self.arithmetic.dropout(x))

    def time(self, t: Any) -> Any:
        """Return the embedding of the trained steps t, (B, d)."""
        sinusoids = sinusoid(t, self.trained_steps, self.weights[OMEGA], self.arithmetic)
        return self._linear("time.2", self.arithmetic.silu(self._linear("time.0", sinusoids)))

    def encoded(self, x: Any) -> Any:
        """Return the hidden states after all layers, (B, L, d)."""
        for k in range(self.config.layers):
            x = self._layer(f"layers.{k}", x)
        return x

    def _layer(self, name: str, x: Any) -> Any:
        """Apply attention, then a wide feed-forward layer."""
        heads, dropout = self.config.heads, self.arithmetic.dropout
        parts = self._linear(f"{name}.query_key_value", x)
        parts = parts.reshape(*x.shape[:2], 3, heads, x.shape[2] // heads)
        query, key, value = (parts[:, :, k].swapaxes(1, 2) for k in range(3))
        mixed = self.arithmetic.attention(query, key, value)  # (B, heads, L, d / heads)
        mixed = self._linear(f"{name}.attended", mixed.swapaxes(1, 2).reshape(x.shape))
        x = self._norm(f"{name}.attention_norm", x + dropout(mixed))
        wide = self.arithmetic.gelu(self._linear(f"{name}.wide", x))
        return self._norm(f"{name}.output_norm", x + dropout(self._linear(f"{name}.narrow", wide)))

    def _linear(self, name: str, x: Any) -> Any:
        return self.arithmetic.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, x: Any) -> Any:
        weight, bias = (self.weights[f"{name}.{part}"] for part in ("weight", "bias"))
        return self.arithmetic.norm(x, weight, bias, _EPSILON)


def frequencies(library: Any) -> Any:
    """Return ω, the frequencies of the sinusoid, (64,), by NumPy or torch."""
    half = TIME_WIDTH // 2
    return library.exp(-math.log(10000.0) * library.arange(half, dtype=library.float32) / half)


def sinusoid(t: Any, trained_steps: int, omega: Any, arithmetic: Arithmetic) -> Any:
    """Return [cos(s ω), sin(s ω)] for s = 1000 t / T, (B, 128)."""
    library: Any = arithmetic.library
    angle = (t * 1000.0 / trained_steps)[:, None] * omega  # (B, 64)
    return library.concatenate([library.cos(angle), library.sin(angle)], -1)


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


class BatchNetwork:
    """A network at work on one batch of sentences; states are arrays or tensors, (B, L, d).

    Noise and rounding are those of NumPy; ``torch_model`` has others for a GPU.
    """

    def __init__(
        self,
        network: DenoisingNetwork,
        ids: Any,
        noised: Any,
        condition: Any,
        streams: Sequence[np.random.Generator],
    ) -> None:
        self._network = network
        self._table, self._head_bias = (network.weights[name] for name in (TABLE, HEAD_BIAS))
        self._clean = self._table[ids]  # (B, L, d)
        self._noised = noised[..., None]
        self._condition = condition
        self._noise = self._noise_of(streams, tuple(self._clean.shape[1:]))

    def predict(self, z: Any, t: int) -> Any:
        """Return the predicted z_0."""
        return self._network.predict(z, self._steps(t), self._condition)

    def nearest(self, z: Any) -> Any:
        """Return the nearest ids."""
        return nearness(z, self._table).argmax(-1)

    def embed(self, ids: Any) -> Any:
        """Return the rows of the id table."""
        return self._table[ids]

    def anchored(self, z: Any) -> Any:
        """Put the clean sentence back."""
        return self._library.where(self._noised, z, self._clean)

    def noise(self) -> Any:
        """Return the next noise of every instance."""
        return self._noise.draw()

    def final(self, z: Any) -> Any:
        """Return the ids of the tied head."""
        return self._network.arithmetic.linear(z, self._table, self._head_bias).argmax(-1)

    @property
    def _library(self) -> Any:
        return self._network.arithmetic.library

    def _noise_of(self, streams: Sequence[np.random.Generator], shape: tuple[int, ...]) -> Any:
        return Noise(streams, shape)

    def _steps(self, t: int) -> Any:
        return np.array([t], dtype=np.float32)


def earlier(process: Process, i: int, z: Any, z_0: Any, noise: Callable[[], Any]) -> Any:
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


def denoise(network: BatchNetwork, process: Process, *, watch: Watch | None = None) -> Any:
    """Turn noise into ids, (B, L), by ancestral sampling; ``watch`` is for whoever wants to see it.

    Each prediction is rounded to the id table, and the clean sentence put back. The present state alone is
    kept, so memory does not grow with the number of steps.
    """
    z = network.anchored(network.noise())
    for i in range(process.steps - 1, -1, -1):
        t = process.trained_steps[i]
        ids = network.nearest(network.predict(z, t))
        z = network.anchored(earlier(process, i, z, network.embed(ids), network.noise))
        if watch is not None:
            watch(t, z, ids)
    return network.final(z)


def nearness(z: Any, table: Any) -> Any:
    """Return 2 z·row − ‖row‖², which is largest for the nearest row, (B, L, ids).

    The squared distance to a row is ‖z‖² less this, and ‖z‖² is the same for every row.

    >>> nearness(np.array([[[0.9, 0.2]]]), np.array([[0.0, 0.0], [1.0, 0.0]])).argmax(-1)
    array([[1]])
    """
    return 2.0 * (z @ table.T) - (table * table).sum(-1)
