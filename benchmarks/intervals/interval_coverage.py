"""How often 95 % intervals hold the truth, on readers and sentences whose truth is known.

Run by hand: ``python benchmarks/intervals/interval_coverage.py``. Readers walk through sentences with a
skipping, a refixating and a regressing habit of their own, and sentences are easy or hard. Three models
read the same items: one is alike for everybody, one knows each reader and skips too much, one is drawn
as the readers are. The clustered intervals that commands print stand beside those of the bootstrap
that draws readers and sentences with replacement.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions, Scanpath
from scandl.seeds import stream
from scandl.statistics.bootstrap import drawn, interval, weights
from scandl.statistics.clustered import means_uncertainty
from scandl.statistics.distances import paired, pairwise
from scandl.statistics.energy import EnergyTerms, energy_terms
from scandl_eval.references.human_ceilings import human_ceiling

Array = NDArray[np.float64]
MODELS = ("same for all", "knows readers", "as readers")
SIZES = {(6, 10): 800, (12, 30): 800, (43, 205): 300}  # readers × sentences: data sets
QUANTITIES = (
    "mean NLD",
    "NLD, paired difference",
    "energy",
    "energy at equality",
    "energy difference",
    "diversity",
    "Human, NLD",
)
FIXATIONS = 30  # nobody reads longer
RESAMPLES = 300
NONE = (np.nan, np.nan)


@dataclass(frozen=True, slots=True)
class Items:
    """Who reads what: habits by reader, length and ease by sentence, for n readings."""

    habits: Array  # (n, 3) log-odds of skipping, refixating and regressing
    n_words: NDArray[np.intp]  # (n,)
    ease: Array  # (n,)


def draw_items(rng: np.random.Generator, n_readers: int, n_sentences: int) -> Items:
    """Draw readers and sentences; each reader reads each sentence, sentence by sentence."""
    n_words, ease = rng.integers(6, 13, n_sentences), rng.normal(0.0, 0.4, n_sentences)
    habits = np.tile(draw_readers(rng, n_readers), (n_sentences, 1))
    return Items(habits, np.repeat(n_words, n_readers), np.repeat(ease, n_readers))


def draw_readers(rng: np.random.Generator, n: int) -> Array:
    """Draw the habits of readers, (n, 3)."""
    return np.array([-0.9, -1.6, -1.9]) + rng.normal(0.0, 0.6, (n, 3))


def walk(rng: np.random.Generator, items: Items) -> list[Positions]:
    """Walk through every sentence, all at once."""
    odds = items.habits.T + np.array([[1.0], [-1.0], [-1.0]]) * items.ease  # (3, n)
    skip, stay, back = 1.0 / (1.0 + np.exp(-odds))
    at = np.zeros(len(skip), dtype=np.intp)
    reading = np.ones(len(skip), dtype=bool)
    steps = []
    for _ in range(FIXATIONS):
        steps.append(np.where(reading, at, -1))
        u = rng.random((3, len(skip)))
        move = np.where(u[0] < stay, 0, np.where(u[1] < back, -1, np.where(u[2] < skip, 2, 1)))
        at = np.maximum(at + move, 0)
        reading &= at < items.n_words
    return [tuple(word for word in path if word >= 0) for path in np.stack(steps, axis=1).tolist()]


def model_items(items: Items) -> dict[str, Items]:
    """Return what each model takes readers and sentences for."""
    average = np.broadcast_to(np.array([0.0, -2.0, -2.6]), items.habits.shape)
    skipping = items.habits + np.array([1.2, 0.0, -0.6])
    known = (replace(items, habits=average), replace(items, habits=skipping), items)
    return dict(zip(MODELS, known, strict=True))


def truth(rng: np.random.Generator, n_sentences: int = 8_000, n: int = 20) -> tuple[Array, Array]:
    """Return the true value of every quantity and its standard error: new readers for every sentence."""
    items = replace(draw_items(rng, n, n_sentences), habits=draw_readers(rng, n * n_sentences))
    human = walk(rng, items)
    models = {name: walk(rng, own) for name, own in model_items(items).items()}
    terms = energy_terms(_by_sentence(human, n), {m: _by_sentence(paths, n) for m, paths in models.items()})
    assert terms is not None
    nld = [paired(human, models[name]).reshape(n_sentences, n).mean(axis=1) for name in MODELS[:2]]
    energy = terms.by_sentence.T
    by_sentence = np.array(
        [
            nld[0],
            nld[0] - nld[1],
            energy[0],
            np.zeros(n_sentences),
            energy[0] - energy[1],
            terms.within_model[:, 0] / terms.within_human.mean(),
            terms.within_human,
        ]
    )
    return by_sentence.mean(axis=1), by_sentence.std(axis=1) / np.sqrt(n_sentences)


def intervals(rng: np.random.Generator, n_readers: int, n_sentences: int, seed: int) -> Array:
    """Return the intervals of one data set, (clustered and bootstrap, quantities, ends)."""
    items = draw_items(rng, n_readers, n_sentences)
    human = walk(rng, items)
    models = {name: walk(rng, own) for name, own in model_items(items).items()}
    values = np.column_stack([paired(human, models[name]) for name in MODELS])
    reader, sentence = (
        np.tile(np.arange(n_readers), n_sentences),
        np.repeat(np.arange(n_sentences), n_readers),
    )
    humans = _by_sentence(human, n_readers)
    terms = energy_terms(humans, {m: _by_sentence(paths, n_readers) for m, paths in models.items()})
    assert terms is not None
    clustered = [*_clustered(values, terms, reader, sentence), _of_readers(humans)]
    names = [str(r) for r in reader], [str(s) for s in sentence]
    blocks = weights(*names, rng=stream(seed, "coverage"), resamples=RESAMPLES)
    draws = drawn(blocks, lambda weight: weight @ values / weight.sum(axis=1, keepdims=True))
    energies, diversity, within = _energy_draws(rng, human, [models[name] for name in MODELS], n_readers)
    resampled = (
        draws[:, 0],
        draws[:, 0] - draws[:, 1],
        energies[:, 0],
        energies[:, 2],
        energies[:, 0] - energies[:, 1],
        diversity,
        within,
    )
    return np.array([clustered, [interval(each) or NONE for each in resampled]])


def _clustered(
    values: Array, terms: EnergyTerms, reader: NDArray[np.intp], sentence: NDArray[np.intp]
) -> list[tuple[float, float]]:
    """Return the intervals that commands print."""
    means, energy = values.mean(axis=0), terms.distances
    of_means, of_energy = means_uncertainty(values, reader, sentence), terms.distance_uncertainty
    found = (
        of_means.interval(means[0], [1.0, 0.0, 0.0]),
        of_means.interval(means[0] - means[1], [1.0, -1.0, 0.0]),
        of_energy.interval(energy[0], [1.0, 0.0, 0.0]),
        of_energy.interval(energy[2], [0.0, 0.0, 1.0]),
        of_energy.interval(energy[0] - energy[1], [1.0, -1.0, 0.0]),
        terms.diversity_uncertainty.interval(terms.diversity[0], [1.0, 0.0, 0.0]),
    )
    return [each or NONE for each in found]


def _of_readers(humans: dict[str, list[Scanpath]]) -> tuple[float, float]:
    """Return the interval of the row Human: readers against each other."""
    ceiling = human_ceiling(humans)
    return ceiling.uncertainty().interval(ceiling.column.mean, [1.0]) or NONE


def _by_sentence(paths: Sequence[Positions], n_readers: int) -> dict[str, list[Scanpath]]:
    return {
        str(s): [Scanpath(str(r), str(s), path) for r, path in enumerate(paths[first : first + n_readers])]
        for s, first in enumerate(range(0, len(paths), n_readers))
    }


def _energy_draws(
    rng: np.random.Generator, human: Sequence[Positions], models: Sequence[Sequence[Positions]], n: int
) -> tuple[Array, Array, Array]:
    """Resample readers and sentences: energies (resamples, models), diversity of the first, Human.

    A reader drawn twice meets every other reader twice, and never a copy.
    """
    n_sentences = len(human) // n
    w = rng.multinomial(n, np.full(n, 1.0 / n), RESAMPLES).astype(np.float64)
    v = rng.multinomial(n_sentences, np.full(n_sentences, 1.0 / n_sentences), RESAMPLES)
    pairs = w.sum(axis=1) ** 2 - (w**2).sum(axis=1)
    pairs[pairs == 0.0] = np.nan  # one reader alone: nobody to meet
    energies, spreads = np.zeros((RESAMPLES, len(models))), np.zeros((RESAMPLES, 2))

    def mean(a: Sequence[Positions], b: Sequence[Positions]) -> Array:
        apart = pairwise(a, b)
        np.fill_diagonal(apart, 0.0)
        found: Array = np.einsum("bi,bi->b", w @ apart, w) / pairs
        return found

    for s in range(n_sentences):
        own = slice(s * n, (s + 1) * n)
        within = mean(human[own], human[own])
        for k, model in enumerate(models):
            spread = mean(model[own], model[own])
            energies[:, k] += v[:, s] * (2.0 * mean(human[own], model[own]) - within - spread)
            if k == 0:
                spreads += v[:, [s]] * np.column_stack([spread, within])
    return energies / n_sentences, spreads[:, 0] / spreads[:, 1], spreads[:, 1] / n_sentences


def coverage(n_readers: int, n_sentences: int, tries: int, true: Array, seed: int) -> list[str]:
    """Return a cell for each quantity: coverage, that of the bootstrap, and how much wider the latter is."""
    held, width = np.zeros((2, len(QUANTITIES))), np.zeros((2, len(QUANTITIES)))
    for k in range(tries):
        rng = np.random.default_rng([seed, n_readers, n_sentences, k])
        low, high = np.moveaxis(intervals(rng, n_readers, n_sentences, seed=k), 2, 0)  # (2, quantities)
        held += (low <= true) & (true <= high)
        width += high - low
    return [
        f"{own:.3f} ({drawn:.3f}, × {wider:.2f})"
        for own, drawn, wider in zip(*(held / tries), width[1] / width[0], strict=True)
    ]


def main() -> None:
    """Print a Markdown table of coverages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="share of the data sets, for a short look")
    given = parser.parse_args()
    true, error = truth(np.random.default_rng([given.seed, 0]))
    columns = [[f"{value:.4f} ± {se:.4f}" for value, se in zip(true, error, strict=True)]]
    heads = ["truth"]
    for (n_readers, n_sentences), whole in SIZES.items():
        tries = max(1, round(whole * given.share))
        columns.append(coverage(n_readers, n_sentences, tries, true, given.seed))
        heads.append(f"{n_readers} × {n_sentences}, {tries} data sets")
        print(heads[-1], columns[-1], flush=True)
    print("\n| | " + " | ".join(heads) + " |")
    print("|---" * (len(heads) + 1) + "|")
    for name, *cells in zip(QUANTITIES, *columns, strict=True):
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
