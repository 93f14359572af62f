"""One seed, a named stream of random numbers per purpose."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def entropy(seed: int, *names: str | int) -> list[int]:
    """Return the words of entropy that belong to ``seed`` and ``names``.

    The names are hashed, so a stream depends on what it is called and not on how many streams
    were made before it: the draw for (seed, sentence, sample) is the same in any order or batch.

    >>> entropy(1, "sentence", 7) == entropy(1, "sentence", 7)
    True
    >>> entropy(1, "sentence", 7) == entropy(1, "sentence", "7")
    False
    """
    digest = hashlib.sha256(_key(names)).digest()
    return [seed, *(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))]


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return the random generator that belongs to ``seed`` and ``names``."""
    import numpy as np

    return np.random.default_rng(np.random.SeedSequence(entropy(seed, *names)))


def uniforms(seed: int, names: Iterable[tuple[str | int, ...]], n: int) -> NDArray[np.float64]:
    """Return a row of ``n`` numbers between 0 and 1 for each name, at a tenth of the cost of streams.

    >>> uniforms(1, [("s1", "r1"), ("s1", "r2")], 3).shape
    (2, 3)
    """
    import numpy as np

    drawn = b"".join(hashlib.shake_128(_key((seed, *name))).digest(8 * n) for name in names)
    bits: NDArray[np.uint64] = np.frombuffer(drawn, dtype="<u8") >> np.uint64(11)
    return bits.astype(np.float64).reshape(-1, n) * 2.0**-53


def _key(names: tuple[str | int, ...]) -> bytes:
    return "\x1f".join([f"{type(name).__name__}:{name}" for name in names]).encode()


def torch_seed(seed: int, *names: str | int) -> int:
    """Return a 63-bit seed for ``torch.Generator.manual_seed``."""
    return int(stream(seed, *names).integers(0, 2**63 - 1))
