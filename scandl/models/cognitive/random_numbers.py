"""Random numbers inside compiled loops: each trial has a generator of its own.

The generator is xoshiro256++ (Blackman & Vigna 2021), its state filled by splitmix64 from a 64-bit
key, so that a trial's numbers depend on its key and not on the batch it is simulated in.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scandl.extras import compiled
from scandl.seeds import entropy

State = NDArray[np.uint64]  # (4,)

_GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio
_GAMMA = np.uint64(_GOLDEN)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_REJECTIONS = 32


def trial_key(seed: int, *names: str | int) -> int:
    """Return the 64-bit key of the trial that belongs to ``seed`` and ``names``.

    >>> trial_key(1, "s1", 0) == trial_key(1, "s1", 0)
    True
    >>> len({trial_key(seed, name) for seed in range(3) for name in ("a", "b")})
    6
    """
    first, low, high, *_ = entropy(seed, *names)
    return (low | high << 32) ^ (first * _GOLDEN % 2**64)


@compiled
def new_state(key: np.uint64) -> State:
    """Fill a generator's state from a key (splitmix64)."""
    state = np.empty(4, np.uint64)
    z = key
    for i in range(4):
        z = z + _GAMMA
        mixed = (z ^ (z >> np.uint64(30))) * _MIX_1
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_2
        state[i] = mixed ^ (mixed >> np.uint64(31))
    return state


@compiled
def uniform(state: State) -> float:
    """Draw from [0, 1) with 53 bits."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    total = a + d
    bits = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
    c ^= a
    d ^= b
    state[1] = b ^ c
    state[0] = a ^ d
    state[2] = c ^ (b << np.uint64(17))
    state[3] = (d << np.uint64(45)) | (d >> np.uint64(19))
    return float(bits >> np.uint64(11)) * 1.1102230246251565e-16  # 2^-53


@compiled
def exponential(state: State) -> float:
    """Draw a waiting time of mean 1."""
    return -math.log(1.0 - uniform(state))


@compiled
def normal(state: State) -> float:
    """Draw a standard normal number (Box & Muller 1958)."""
    radius = math.sqrt(2.0 * exponential(state))
    return radius * math.cos(2.0 * math.pi * uniform(state))


@compiled
def gamma(state: State, shape: float, mean: float) -> float:
    """Draw from a gamma distribution (Marsaglia & Tsang 2000); an infinite shape is its mean."""
    if mean <= 0.0:
        return 0.0
    if math.isinf(shape):
        return mean
    boost = 1.0
    drawn = shape
    if shape < 1.0:
        drawn = shape + 1.0
        boost = (1.0 - uniform(state)) ** (1.0 / shape)
    d = drawn - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(state)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(1.0 - uniform(state)) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
            return boost * d * v * mean / shape


@compiled
def gamma_cdf(x: float, shape: float, mean: float) -> float:
    """Return the probability that a gamma number is at most ``x``."""
    if x <= 0.0:
        return 0.0
    y = x * shape / mean
    front = math.exp(shape * math.log(y) - y - math.lgamma(shape))
    if y < shape + 1.0:
        term = total = 1.0 / shape
        k = shape
        while term > total * 1e-16:
            k += 1.0
            term *= y / k
            total += term
        return min(1.0, front * total)
    # Lentz's continued fraction of the upper tail.
    b = y + 1.0 - shape
    c = 1e300
    d = 1.0 / b
    h = d
    for i in range(1, 500):
        a = -i * (i - shape)
        b += 2.0
        d = 1.0 / (a * d + b)
        c = b + a / c
        h *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return max(0.0, 1.0 - front * h)


@compiled
def truncated_gamma(state: State, shape: float, mean: float, limit: float) -> float:
    """Draw from a gamma distribution given that it is at most ``limit``, exactly.

    Rejection is exact, and fast unless the limit is far in the lower tail; after many rejections
    the distribution function is inverted, which is exact too.
    """
    for _ in range(_REJECTIONS):
        drawn = gamma(state, shape, mean)
        if drawn <= limit:
            return drawn
    wanted = uniform(state) * gamma_cdf(limit, shape, mean)
    low, high = 0.0, limit
    for _ in range(60):
        middle = 0.5 * (low + high)
        if gamma_cdf(middle, shape, mean) < wanted:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
