"""One seed, a named stream of random numbers per purpose."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def entropy(seed: int, *names: str | int) -> list[int]:
    """Return the words of entropy that belong to ``seed`` and ``names``.

    The names are hashed, so a stream depends on what it is called and not on how many streams
    were made before it: the draw for (seed, sentence, sample) is the same in any order or batch.

    >>> entropy(1, "sentence", 7) == entropy(1, "sentence", 7)
    True
    >>> entropy(1, "sentence", 7) == entropy(1, "sentence", "7")
    False
    """
    key = "\x1f".join(f"{type(name).__name__}:{name}" for name in names)
    digest = hashlib.sha256(key.encode()).digest()
    return [seed, *(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))]


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return the random generator that belongs to ``seed`` and ``names``."""
    import numpy as np

    return np.random.default_rng(np.random.SeedSequence(entropy(seed, *names)))


def torch_seed(seed: int, *names: str | int) -> int:
    """Return a 63-bit seed for ``torch.Generator.manual_seed``."""
    return int(stream(seed, *names).integers(0, 2**63 - 1))
