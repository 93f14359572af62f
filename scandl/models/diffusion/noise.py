"""Standard normal noise, one stream of random numbers per instance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Noise:
    """Draws for a batch; the stream of an instance does not know its neighbours.

    So a scanpath is the same in any batch. On a CPU the numbers come from numpy whatever runs the
    network, so they are the same with and without torch; a GPU makes its own, see ``device_noise``.
    """

    def __init__(self, streams: Sequence[np.random.Generator], shape: tuple[int, ...]) -> None:
        self._streams = streams
        self._shape = shape

    def draw(self, largest: float = 0.0) -> NDArray[np.float32]:
        """Return the next (B, *shape); components beyond ``largest`` are drawn again (0 = none are).

        >>> Noise([np.random.default_rng(1)], (2, 2)).draw().shape
        (1, 2, 2)
        """
        return np.stack([self._one(stream, largest) for stream in self._streams])

    def _one(self, stream: np.random.Generator, largest: float) -> NDArray[np.float32]:
        drawn = stream.standard_normal(self._shape, dtype=np.float32)
        while largest > 0 and (far := np.abs(drawn) > largest).any():
            drawn[far] = stream.standard_normal(int(far.sum()), dtype=np.float32)
        return drawn
