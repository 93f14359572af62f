"""Distributions of generated and human paths side by side: features, and transitions between words.

Only sentences that both sides have are used, and the paths of a sentence together weigh the same on
both sides, so that no difference comes from other items. Two samples of the *same* readers are never
at distance 0; each number therefore stands beside ``floor``, the distance between random halves of
the human readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.measures.distribution.classifier import (
    LONGEST_STEP,
    Item,
    codes,
    matched,
    regression_rate,
    runs,
    skip_rate,
    step_class,
    steps,
    visits_of,
)
from scandl.measures.distribution.divergences import jensen_shannon, wasserstein
from scandl.records import Positions, Scanpath
from scandl.seeds import stream
from scandl.statistics.bootstrap import RESAMPLES, interval, weights

Array = NDArray[np.float64]

_STEPS = tuple(f"{step:+d}" for step in range(-LONGEST_STEP, LONGEST_STEP + 1))
FROM = ("START", *_STEPS)
TO = (*_STEPS, "END")


@dataclass(frozen=True, slots=True)
class Transitions:
    """P(next step | this step) on both sides; rows ``FROM``, columns ``TO``, NaN where never left."""

    human: Array
    model: Array
    difference: float  # mean total variation between the rows, each weighted as often as humans use it


@lru_cache(maxsize=2**16)  # people's stand beside those of every model
def transition_counts(path: Positions) -> Array:
    """Count how often each class of ``TO`` follows each class of ``FROM``.

    The first fixation is a step from before the first word. A path without fixations counts nothing.

    >>> found = transition_counts((0, 1, 5))
    >>> int(found[FROM.index("START"), TO.index("+1")]), int(found[FROM.index("+1"), TO.index("+3")])
    (1, 1)
    >>> int(found[FROM.index("+3"), TO.index("END")]), int(found.sum())
    (1, 4)
    """
    counts = [0.0] * (len(FROM) * len(TO))
    before = 0
    for step in steps([-1, *path]) if path else ():
        after = step_class(step) + LONGEST_STEP
        counts[before * len(TO) + after] += 1.0
        before = after + 1
    counts[before * len(TO) + len(TO) - 1] += bool(path)
    return np.array(counts).reshape(len(FROM), len(TO))


def compare_transitions(human: Array, model: Array) -> Transitions:
    """Turn the counts of both sides into probabilities and their difference."""
    (p, used), (q, _) = _rows(human), _rows(model)
    apart = 0.5 * np.abs(p - q).sum(axis=1)
    # A row that humans use and the model never reaches is as far off as can be.
    apart = np.where(np.isnan(apart), 1.0, apart)
    return Transitions(p, q, float(apart @ used / used.sum()))


def _rows(counts: Array) -> tuple[Array, Array]:
    """Return the rows as probabilities, and the total of each."""
    total = counts.sum(axis=1)
    return counts / np.where(total > 0, total, np.nan)[:, None], total


Values = Callable[[Positions, int], Sequence[float]]
"""(path, words of the sentence) -> what was observed in it."""

RATE_BINS = 20  # Jensen–Shannon compares rates in bins of .05; counts are compared as they are
SPLITS = 20


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something countable in a path."""

    values: Values
    is_rate: bool = False


QUANTITIES: Mapping[str, Quantity] = {
    "saccade length": Quantity(lambda path, n_words: steps(path)),
    "path length": Quantity(lambda path, n_words: [len(path)]),
    "fixations per word": Quantity(lambda path, n_words: [v.n_fixations for v in visits_of(path, n_words)]),
    "skip rate": Quantity(lambda path, n_words: [skip_rate(visits_of(path, n_words))], is_rate=True),
    "regression rate": Quantity(
        lambda path, n_words: [regression_rate(visits_of(path, n_words))], is_rate=True
    ),
    "run length": Quantity(lambda path, n_words: runs(path)),
}


@dataclass(frozen=True, slots=True)
class QuantityDifference:
    """One quantity on both sides; NaN where a side never shows it."""

    human_mean: float
    model_mean: float
    wasserstein: float  # in the unit of the quantity
    wasserstein_ci95: tuple[float, float] | None  # readers and sentences resampled
    wasserstein_floor: float  # between random halves of the human readers
    jensen_shannon: float  # bits
    jensen_shannon_ci95: tuple[float, float] | None
    jensen_shannon_floor: float


@dataclass(frozen=True, slots=True)
class Panel:
    """All quantities, where in the sentence words are fixated, and how step follows step."""

    differences: dict[str, QuantityDifference]
    human_curve: Array  # probability that word 0, 1, ... is fixated at all, over the sentences that have it
    model_curve: Array
    transitions: Transitions
    n_sentences: int
    left_out: tuple[str, ...]  # sentences that only one side has


def panel(
    human: Sequence[Scanpath],
    model: Sequence[Scanpath],
    n_words: Mapping[str, int],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Panel:
    """Compare both sides in every quantity of ``QUANTITIES``."""
    found = matched(human, model)
    if not found.items:
        raise ScandlError("distribution panel: no sentence has human and generated scanpaths")
    sides = _Sides(found.items, n_words)
    shown = {name: _Shown(sides, quantity) for name, quantity in QUANTITIES.items()}
    # All quantities at once: the weights are the large matrix, and are gone through once for each side.
    counts = np.hstack([quantity.counts for quantity in shown.values()])
    ends = np.cumsum([quantity.counts.shape[1] for quantity in shown.values()])[:-1]
    of_human, of_model = (np.ascontiguousarray(counts[side]) for side in (sides.human, ~sides.human))

    def distances(p: Array, q: Array) -> list[Array]:
        both = (np.split(mass, ends, axis=-1) for mass in (p, q))
        return [quantity.distances(*pair) for quantity, *pair in zip(shown.values(), *both, strict=True)]

    drawn = [
        distances(block[:, sides.human] @ of_human, block[:, ~sides.human] @ of_model)
        for block in sides.resampled(resamples, stream(seed, "panel", "bootstrap"))
    ]
    people, machine = sides.weight[sides.human], sides.weight[~sides.human]
    halves = sides.split(stream(seed, "panel", "halves"))[:, sides.human]
    masses = people @ of_human, machine @ of_model
    apart, floors = (
        distances(*masses),
        distances((people * halves) @ of_human, (people * (1.0 - halves)) @ of_human),
    )
    means = [
        [quantity.mean(mass) for quantity, mass in zip(shown.values(), np.split(each, ends), strict=True)]
        for each in masses
    ]
    return Panel(
        differences={
            name: _difference(means[0][k], means[1][k], apart[k], [block[k] for block in drawn], floors[k])
            for k, name in enumerate(shown)
        },
        human_curve=_curve(sides, sides.human),
        model_curve=_curve(sides, ~sides.human),
        transitions=_transitions(sides),
        n_sentences=len(found.items),
        left_out=found.left_out,
    )


class _Sides:
    """All paths in one order, with the weight of each."""

    def __init__(self, items: Sequence[Item], n_words: Mapping[str, int]) -> None:
        self.paths = [path for item in items for path in (*item.human, *item.model)]
        self.n_words = [n_words[path.sentence_id] for path in self.paths]
        self.human = np.array([k < len(i.human) for i in items for k in range(len(i.paths))])
        # The paths of one sentence and side weigh 1 together.
        self.weight = np.array([1.0 / len(s) for i in items for s in (i.human, i.model) for _ in s])
        self.sentences = codes([path.sentence_id for path in self.paths])
        self.readers = codes([path.reader_id for path in self.paths])

    def resampled(self, resamples: int, rng: np.random.Generator) -> Iterator[Array]:
        """Yield blocks of weights (resamples, paths)."""
        for block in weights(self.sentences, self.readers, rng=rng, resamples=resamples):
            yield block * self.weight

    def split(self, rng: np.random.Generator) -> Array:
        """Return 1 for the paths of a random half of the readers, one row per split."""
        n = int(self.readers.max()) + 1
        chosen = rng.permuted(np.tile(np.arange(n) % 2, (SPLITS, 1)), axis=1)
        return chosen[:, self.readers].astype(np.float64)


class _Shown:
    """How often each path shows each value of a quantity."""

    def __init__(self, sides: _Sides, quantity: Quantity) -> None:
        values = [quantity.values(p.positions, n) for p, n in zip(sides.paths, sides.n_words, strict=True)]
        path = np.repeat(np.arange(len(values)), [len(found) for found in values])
        self.support, value = np.unique(np.concatenate([np.zeros(0), *values]), return_inverse=True)
        self.counts = np.zeros((len(values), len(self.support)))  # (paths, values)
        np.add.at(self.counts, (path, value), 1.0)
        self._bins = _binned(self.support) if quantity.is_rate else np.eye(len(self.support))

    def distances(self, p: Array, q: Array) -> Array:
        """Return Wasserstein and Jensen–Shannon between masses on each value: (2, rows)."""
        return np.stack([wasserstein(self.support, p, q), jensen_shannon(p @ self._bins, q @ self._bins)])

    def mean(self, mass: Array) -> float:
        """Return the mean of a mass on each value."""
        return float(mass @ self.support / mass.sum()) if mass.any() else float("nan")


def _difference(
    human: float, model: float, apart: Array, drawn: Sequence[Array], floors: Array
) -> QuantityDifference:
    draws = np.concatenate([np.zeros((2, 0)), *drawn], axis=1)
    (w, js), (w_floor, js_floor) = apart, floors
    return QuantityDifference(
        human_mean=human,
        model_mean=model,
        wasserstein=float(w),
        wasserstein_ci95=_around(float(w), draws[0]),
        wasserstein_floor=float(w_floor.mean()),
        jensen_shannon=float(js),
        jensen_shannon_ci95=_around(float(js), draws[1]),
        jensen_shannon_floor=float(js_floor.mean()),
    )


def _around(point: float, drawn: Array) -> tuple[float, float] | None:
    """Return the 95 % interval of a distance, moved so that its draws have the estimate as their mean.

    Resampling adds noise, which makes any distance larger: the plain percentiles may lie above it.
    """
    known = drawn[np.isfinite(drawn)]
    return interval(np.maximum(known - known.mean() + point, 0.0)) if known.size else None


def _binned(support: Array) -> Array:
    """Return which bin of a rate each value falls into: (values, bins)."""
    bins = np.minimum((support * RATE_BINS + 1e-9).astype(np.int64), RATE_BINS - 1)
    return np.eye(RATE_BINS)[bins]


def _curve(sides: _Sides, side: NDArray[np.bool_]) -> Array:
    longest = max(sides.n_words)
    fixated, present = np.zeros(longest), np.zeros(longest)
    for k in np.flatnonzero(side):
        fixated[list(set(sides.paths[k].positions))] += sides.weight[k]
        present[: sides.n_words[k]] += sides.weight[k]
    return fixated / present


def _transitions(sides: _Sides) -> Transitions:
    counts = np.array([transition_counts(path.positions) for path in sides.paths])  # (paths, FROM, TO)
    human, model = (np.tensordot(sides.weight * side, counts, axes=1) for side in (sides.human, ~sides.human))
    return compare_transitions(human, model)
