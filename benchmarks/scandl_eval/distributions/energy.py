"""Energy distance and diversity: whether a model's paths through a sentence vary as readers' do.

The expected distance to a human path is smallest for a central path that nobody reads, so a mean
distance rewards a model without variation. The energy distance does not: it is zero in expectation
when both sides have the same distribution. That it is zero *only* then is proven for kernels of
strong negative type (Székely & Rizzo, 2013), not for NLD; hence the permutation test beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.records import Positions, Scanpath
from scandl.seeds import stream
from scandl.statistics.bootstrap import RESAMPLES, interval
from scandl_eval.distributions.items import Item, matched, multiplicities, reader_multiplicities
from scandl_eval.metrics.nld import pairwise

Array = NDArray[np.float64]
PERMUTATIONS = 999


@dataclass(frozen=True, slots=True)
class Energy:
    """Mean distances within and between the sides of each sentence, and what follows from them."""

    kernel: str
    sentence_ids: tuple[str, ...]
    left_out: tuple[str, ...]  # sentences with too few paths on a side
    between: Array  # E d(X, Y) per sentence; X human, Y generated
    within_human: Array  # E d(X, X')
    within_model: Array  # E d(Y, Y')
    draws: Array | None = None  # the three means (3, resamples), readers and sentences resampled
    p_value: float | None = None  # of "the labels human and model are exchangeable"

    @property
    def distances(self) -> Array:
        """The energy distance of each sentence."""
        return 2.0 * self.between - self.within_human - self.within_model

    @property
    def distance(self) -> float:
        """The mean over sentences; unbiased, so slightly negative values occur at equality."""
        return float(self.distances.mean())

    @property
    def diversity_ratio(self) -> float:
        """E d(Y, Y') / E d(X, X'), a ratio of means over sentences: below 1 collapse, above 1 noise."""
        human = float(self.within_human.mean())
        return float(self.within_model.mean()) / human if human else float("nan")

    @property
    def distance_draws(self) -> Array:
        """The energy distance in each resample; those of models with the same items are paired."""
        between, human, model = self._draws
        return 2.0 * between - human - model

    @property
    def diversity_draws(self) -> Array:
        """The diversity ratio in each resample; undefined where the readers drawn were all alike."""
        _, human, model = self._draws
        with np.errstate(invalid="ignore", divide="ignore"):
            return model / human

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The interval of the energy distance."""
        return interval(self.distance_draws)

    @property
    def diversity_ci95(self) -> tuple[float, float] | None:
        """The interval of the diversity ratio."""
        return interval(self.diversity_draws)

    @property
    def _draws(self) -> Array:
        return np.empty((3, 0)) if self.draws is None else self.draws


def energy_distance(
    human: Sequence[Positions], model: Sequence[Positions], kernel: str = "nld", *, constant: bool = False
) -> float:
    """Return 2 E d(X, Y) − E d(X, X') − E d(Y, Y') of one sentence, no path paired with itself.

    Each side needs two paths; fewer give NaN. ``constant`` declares that the model always gives the
    same path, so that one is enough: E d(Y, Y') is then 0, which one draw of any other model is not.

    >>> energy_distance([(0, 1), (1, 0)], [(0, 1), (1, 0)], kernel="levenshtein")  # 2·1 − 2 − 2
    -2.0
    >>> energy_distance([(0, 1), (0, 1)], [(2, 3), (2, 3)])
    2.0
    >>> energy_distance([(0, 1), (0, 1)], [(0, 2)], constant=True)
    1.0
    """
    if len(human) < 2 or len(model) < _fewest(constant):
        return float("nan")
    paths = [*human, *model]
    between, within_human, within_model = _means(pairwise(paths, paths, kernel), len(human))
    return 2.0 * between - within_human - within_model


def diversity_ratio(
    human: Sequence[Scanpath], model: Sequence[Scanpath], kernel: str = "nld", *, constant: bool = False
) -> float:
    """Return E d(Y, Y') / E d(X, X'), both averaged over the sentences with two paths on each side.

    >>> human = [Scanpath("a", "s", (0, 1)), Scanpath("b", "s", (1, 0))]
    >>> diversity_ratio(human, [Scanpath("a", "s", (0, 1)), Scanpath("b", "s", (0, 2))])
    0.5
    """
    return energy(human, model, kernel, constant=constant, permutations=0, resamples=0).diversity_ratio


def energy(
    human: Sequence[Scanpath],
    model: Sequence[Scanpath],
    kernel: str = "nld",
    *,
    constant: bool = False,
    permutations: int = PERMUTATIONS,
    resamples: int = RESAMPLES,
    reader_draws: int | None = None,
    seed: int = 0,
) -> Energy:
    """Compare two sides sentence by sentence.

    The interval resamples readers and sentences with replacement; a generated path belongs to the
    reader it stands for. The test permutes the labels human and model within sentences. Either is
    left out when its number is 0. ``constant`` is explained at ``energy_distance``.
    Readers cost most: with fewer ``reader_draws``, a divisor of ``resamples``, each draw of them meets
    several draws of sentences.
    """
    found = matched(human, model, min_human=2, min_model=_fewest(constant))
    if not found.items:
        raise ScandlError("energy distance: no sentence has two human and two generated scanpaths")
    items = [_repeated(item) for item in found.items] if constant else found.items
    distances = [pairwise(item.paths, item.paths, kernel) for item in items]  # (n + m, n + m) each
    sides = [_means(d, len(item.human)) for d, item in zip(distances, items, strict=True)]
    between, within_human, within_model = np.array(sides).T
    observed = float((2.0 * between - within_human - within_model).sum())
    return Energy(
        kernel,
        tuple(item.sentence_id for item in items),
        found.left_out,
        between,
        within_human,
        within_model,
        _resampled(items, distances, resamples, reader_draws or resamples, seed)
        if resamples and _varied(items)
        else None,
        _p_value(observed, items, distances, permutations, seed) if permutations else None,
    )


def _varied(items: Sequence[Item]) -> bool:
    """Say whether resamples differ: a pair of readers of one sentence is drawn whole or not at all."""
    return len(items) > 1 or len({path.reader_id for item in items for path in item.human}) > 2


def _fewest(constant: bool) -> int:
    return 1 if constant else 2


def _repeated(item: Item) -> Item:
    """Draw a constant model as often as there are readers, so that the test sees it does not vary."""
    if len({path.words for path in item.model}) > 1:
        raise ScandlError(
            f"energy distance: a constant model reads sentence {item.sentence_id!r} in two ways"
        )
    copies = tuple(replace(item.model[0], reader_id=path.reader_id) for path in item.human)
    return replace(item, model=copies)


def _means(distance: Array, n: int) -> tuple[float, float, float]:
    """Return the mean distance between the first ``n`` paths and the others, and within either."""
    m = len(distance) - n
    human, model = distance[:n, :n].sum() / (n * (n - 1)), distance[n:, n:].sum() / max(m * (m - 1), 1)
    return float(distance[:n, n:].mean()), float(human), float(model)


def _p_value(
    observed: float, items: Sequence[Item], distances: Sequence[Array], permutations: int, seed: int
) -> float:
    """Return the share of relabellings at least as far apart as what was observed, itself included."""
    null = np.zeros(permutations)
    for item, distance in zip(items, distances, strict=True):
        n, m = len(item.human), len(item.model)
        labels = np.tile(np.repeat([1.0, 0.0], [n, m]), (permutations, 1))
        x = stream(seed, "energy", "permutation", item.sentence_id).permuted(labels, axis=1)
        # With y = 1 − x all three sums follow from x'Dx and x'D1.
        to_all, total = x @ distance.sum(axis=1), distance.sum()
        within = np.einsum("ij,ij->i", x @ distance, x)
        null += 2.0 * (to_all - within) / (n * m) - within / (n * (n - 1))
        null -= (total - 2.0 * to_all + within) / max(m * (m - 1), 1)
    at_least = int((null >= observed - 1e-9).sum())  # equal sums may differ in the last digits
    return (1 + at_least) / (1 + permutations)


def _resampled(
    items: Sequence[Item], distances: Sequence[Array], resamples: int, reader_draws: int, seed: int
) -> Array:
    """Return the means between, within human, within model (3, resamples) over bootstrap resamples.

    A pair of paths counts as often as both were drawn; a path drawn twice makes no pair with itself.
    Readers and sentences are drawn in the order of their names, so that models with the same ones
    have the same resamples.
    """
    rng = stream(seed, "energy", "bootstrap")
    readers = reader_multiplicities([path for item in items for path in item.human], rng, reader_draws)
    others = [path for item in items for path in item.model if path.reader_id not in readers]
    readers |= reader_multiplicities(others, rng, reader_draws)
    weights, column = np.column_stack(list(readers.values())), {name: k for k, name in enumerate(readers)}
    drawn = multiplicities(rng, len(items), resamples).T.reshape(len(items), -1, reader_draws)
    sentence = dict(zip(sorted(item.sentence_id for item in items), drawn, strict=True))
    sums, counts = np.zeros((3, *drawn.shape[1:])), np.zeros(drawn.shape[1:])
    for item, distance in zip(items, distances, strict=True):
        whose = [("human", path.reader_id) for path in item.human]
        whose += [("model", path.reader_id) for path in item.model]
        place = {name: k for k, name in enumerate(dict.fromkeys(whose))}
        n = sum(side == "human" for side, _ in place)
        summed, size = distance, np.ones(len(place))
        if len(place) < len(whose):
            # The paths of one reader on one side count alike, so their distances are added up before.
            of = np.eye(len(place))[:, [place[name] for name in whose]]  # (readers, paths)
            summed, size = of @ distance @ of.T, of.sum(axis=1)
        w = weights[:, [column[reader] for _, reader in place]]  # (draws, readers)
        x, y = w[:, :n], w[:, n:]
        to_x = x @ summed[:n]  # (draws, readers)
        of_model = summed[n:, n:]
        total = np.stack(
            [np.einsum("bi,bi->b", to_x[:, n:], y), np.einsum("bi,bi->b", to_x[:, :n], x),
             np.einsum("bi,bi->b", y @ of_model, y) if of_model.any() else np.zeros(len(y))]
        )  # fmt: skip
        n_x, n_y = x @ size[:n], y @ size[n:]
        pairs = np.stack([n_x * n_y, n_x**2 - x**2 @ size[:n], n_y**2 - y**2 @ size[n:]])
        weight = sentence[item.sentence_id] * (pairs > 0).all(axis=0)  # (times, draws)
        sums += weight * (total / np.where(pairs > 0, pairs, 1.0))[:, None]
        counts += weight
    means = sums / np.where(counts > 0, counts, np.nan)
    return means.reshape(3, resamples)
