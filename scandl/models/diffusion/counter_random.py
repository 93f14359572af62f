"""Random numbers by counting, on the device: the n-th number of a key is a hash of both.

There is no state to keep or to send: a number depends on the key and its place alone, so that it is the
same in any batch, in any order and in any number of processes. The hash is that of SplitMix64 (Steele, Lea
& Flood 2014). Its bits are the same everywhere; logarithm and cosine may round differently on a CPU and a
GPU, so normal numbers agree to about 1e-6.
"""

from __future__ import annotations

import hashlib
import math

import torch
from torch import Tensor

_BITS = 24  # of a uniform number: what float32 can hold


def _signed(value: int) -> int:
    """Return the 64 lowest bits as torch's signed integers have them."""
    return (value + 2**63) % 2**64 - 2**63


_GOLDEN, _FIRST, _SECOND = map(_signed, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def mixed(bits: Tensor) -> Tensor:
    """Return the hash of 64-bit integers; each bit of it depends on all bits.

    >>> mixed(torch.tensor([1, 2])) == mixed(torch.tensor([1, 3]))
    tensor([ True, False])
    """
    bits = (bits ^ _shifted(bits, 30)) * _FIRST
    bits = (bits ^ _shifted(bits, 27)) * _SECOND
    return bits ^ _shifted(bits, 31)


def _shifted(bits: Tensor, by: int) -> Tensor:
    """Shift to the right and fill with zeros; torch's own shift of a signed number fills with its sign."""
    return (bits >> by) & (2 ** (64 - by) - 1)


def named_key(seed: int, name: str) -> int:
    """Return the key of a purpose.

    >>> named_key(1, "noise") == named_key(1, "noise") != named_key(1, "timesteps")
    True
    """
    return int.from_bytes(hashlib.sha256(f"{seed}\x1f{name}".encode()).digest()[:8], "little", signed=True)


def keys_of(key: int, instances: Tensor, *numbers: Tensor | int) -> Tensor:
    """Return a key for each instance, at the step (and whatever else) that the numbers say."""
    found = mixed(instances * _GOLDEN + key)
    for number in numbers:
        found = mixed(found + (_signed(number * _GOLDEN) if isinstance(number, int) else number * _GOLDEN))
    return found


def uniforms(keys: Tensor) -> Tensor:
    """Return one number above 0 and below 1 for each key."""
    return _unit(mixed(keys + _GOLDEN), 40)


def normals(keys: Tensor, shape: tuple[int, ...], largest: float = 0.0) -> Tensor:
    """Return standard normal numbers for each key, (B, *shape).

    With ``largest`` above 0 none is larger: they have the distribution of numbers that are drawn again
    until that is so.

    >>> normals(torch.tensor([7]), (2, 3)).shape
    torch.Size([1, 2, 3])
    """
    n = math.prod(shape)
    counters = torch.arange(1, n + 1 if largest > 0 else n // 2 + 2, device=keys.device) * _GOLDEN
    bits = mixed(keys.unsqueeze(-1) + counters)
    if largest > 0:
        tail = 0.5 * math.erfc(largest / math.sqrt(2.0))
        found = torch.special.ndtri(tail + (1.0 - 2.0 * tail) * _unit(bits, 40)).clamp(-largest, largest)
    else:
        # Box and Muller: two uniform numbers, from the two halves of the bits, are two normal ones.
        radius = torch.sqrt(-2.0 * torch.log(_unit(bits, 40)))
        angle = 2.0 * math.pi * _unit(bits, 8)
        found = torch.cat([radius * angle.cos(), radius * angle.sin()], dim=-1)
    return found[:, :n].reshape(len(keys), *shape)


def _unit(bits: Tensor, place: int) -> Tensor:
    """Return 24 bits, from ``place`` on, as a number above 0 and below 1."""
    return (((bits >> place) & (2**_BITS - 1)).to(torch.float32) + 0.5) * 2.0**-_BITS
