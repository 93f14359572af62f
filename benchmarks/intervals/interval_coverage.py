"""How often 95 % intervals hold the truth, on readers and sentences whose truth is known.

``python benchmarks/intervals/interval_coverage.py`` prints a table in some CPU-minutes. Readers walk through
sentences with a skipping, a refixating and a regressing habit of their own, and sentences are easy or hard.
Four models read the same items: one is alike for everybody, one knows each reader and skips too much, two are
drawn as the readers are. In a ragged design a reader reads some of the sentences, a model has one to three
samples of an item, and rows come in any order. Choices were made on the family of designs ``tuning``; what is
reported is the other.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scandl.pairing import Humans, pair
from scandl.records import Positions, Prediction, Scanpath
from scandl.statistics.distances import paired
from scandl.statistics.energy import energy_terms
from scandl_eval.references.human_ceilings import human_ceiling
from scandl_eval.scoring.engine import SettingScores, known_metric, score_predictions
from scandl_eval.scoring.scoring_spec import Spec

Array = NDArray[np.float64]
Interval = tuple[float, float] | None
SAME, KNOWS, ALIKE, AGAIN = "same for all", "knows readers", "as readers", "as readers again"
SIZES = (6, 10), (15, 30), (40, 20)  # readers × sentences
METRICS = ("nld", "energy", "diversity")
QUANTITIES = (
    "mean NLD",
    "NLD, paired difference",
    "NLD, difference of equals",
    "energy",
    "energy at equality",
    "energy difference",
    "energy, difference of equals",
    "diversity",
    "Human, NLD",
)
SAMPLES = 3  # most samples of an item in a ragged design
FIXATIONS = 30  # nobody reads longer
NOWHERE = (np.nan, np.nan)


@dataclass(frozen=True, slots=True)
class Family:
    """How readers read, and how ragged a ragged design is."""

    habits: tuple[float, float, float]  # mean log-odds of skipping, refixating and regressing
    spread: float  # their standard deviation among readers
    share: float  # of the sentences that a reader reads in a ragged design

    def readers(self, rng: np.random.Generator, n: int) -> Array:
        """Draw the habits of readers, (n, 3)."""
        return np.array(self.habits) + rng.normal(0.0, self.spread, (n, 3))


FAMILIES = {
    "reported": Family((-0.9, -1.6, -1.9), 0.6, 0.75),
    "tuning": Family((-0.4, -2.0, -2.3), 0.4, 0.6),
}


@dataclass(frozen=True, slots=True)
class Items:
    """Who reads what: habits by reader, length and ease by sentence, for n readings."""

    habits: Array  # (n, 3) log-odds of skipping, refixating and regressing
    n_words: NDArray[np.intp]  # (n,)
    ease: Array  # (n,)


def draw_items(rng: np.random.Generator, family: Family, n_readers: int, n_sentences: int) -> Items:
    """Draw readers and sentences; each reader reads each sentence, sentence by sentence."""
    n_words, ease = rng.integers(6, 13, n_sentences), rng.normal(0.0, 0.4, n_sentences)
    habits = np.tile(family.readers(rng, n_readers), (n_sentences, 1))
    return Items(habits, np.repeat(n_words, n_readers), np.repeat(ease, n_readers))


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
    known = (replace(items, habits=average), replace(items, habits=skipping), items, items)
    return dict(zip((SAME, KNOWS, ALIKE, AGAIN), known, strict=True))


def truth(
    rng: np.random.Generator, family: Family, n_sentences: int = 24_000, n: int = 12
) -> tuple[Array, Array]:
    """Return the true value of every quantity and its standard error: new readers for every sentence."""
    items = replace(draw_items(rng, family, n, n_sentences), habits=family.readers(rng, n * n_sentences))
    human = walk(rng, items)
    models = {name: walk(rng, own) for name, own in model_items(items).items() if name in (SAME, KNOWS)}
    terms = energy_terms(_by_sentence(human, n), {m: _by_sentence(paths, n) for m, paths in models.items()})
    assert terms is not None
    nld = [paired(human, paths).reshape(n_sentences, n).mean(axis=1) for paths in models.values()]
    energy, nothing = terms.by_sentence.T, np.zeros(n_sentences)
    by_sentence = np.array(
        [
            nld[0],
            nld[0] - nld[1],
            nothing,
            energy[0],
            nothing,
            energy[0] - energy[1],
            nothing,
            terms.within_model[:, 0] / terms.within_human.mean(),
            terms.within_human,
        ]
    )
    return by_sentence.mean(axis=1), by_sentence.std(axis=1) / np.sqrt(n_sentences)


def _by_sentence(paths: list[Positions], n_readers: int) -> Humans:
    return {
        str(s): [Scanpath(str(r), str(s), path) for r, path in enumerate(paths[first : first + n_readers])]
        for s, first in enumerate(range(0, len(paths), n_readers))
    }


def predictions(
    rng: np.random.Generator, family: Family, n_readers: int, n_sentences: int, *, ragged: bool
) -> list[Prediction]:
    """Draw one data set: what every model predicts for the readers, beside what they did."""
    items = draw_items(rng, family, n_readers, n_sentences)
    human = walk(rng, items)
    read = rng.random(len(human)) < (family.share if ragged else 1.0)
    found = []
    for model, own in model_items(items).items():
        samples = [walk(rng, own) for _ in range(SAMPLES if ragged else 1)]
        n_samples = rng.integers(1, len(samples) + 1, len(human))
        for i in np.flatnonzero(read).tolist():
            reader, sentence = str(i % n_readers), str(i // n_readers)
            found += [
                Prediction(sentence, samples[k][i], human[i], reader, model, sample=k)
                for k in range(int(n_samples[i]))
            ]
    return [found[i] for i in rng.permutation(len(found))] if ragged else found


def intervals(given: list[Prediction]) -> tuple[list[Interval], list[float]]:
    """Return the interval of every quantity, and the p-values of the tests between equals."""
    spec = Spec()
    metrics = {name: known_metric(name, spec) for name in METRICS}
    (found,) = score_predictions(pair(given), None, spec, metrics, trivial=False).settings
    nld, energy = (found.estimates[name].joint((SAME, KNOWS, ALIKE, AGAIN)) for name in METRICS[:2])
    assert nld is not None
    assert energy is not None
    equals = [joint.difference(ALIKE, AGAIN) for joint in (nld, energy)]
    return [
        nld.ci95(SAME),
        nld.difference(SAME, KNOWS).ci95,
        equals[0].ci95,
        energy.ci95(SAME),
        energy.ci95(ALIKE),
        energy.difference(SAME, KNOWS).ci95,
        equals[1].ci95,
        _alone(found, "diversity", SAME),
        _of_readers(found),
    ], [1.0 if each.p is None else each.p for each in equals]


def _alone(found: SettingScores, metric: str, model: str) -> Interval:
    joint = found.estimates[metric].joint([model])
    return None if joint is None else joint.ci95(model)


def _of_readers(found: SettingScores) -> Interval:
    """Return the interval of the row Human: readers against each other."""
    ceiling = human_ceiling(found.beside.humans)
    return ceiling.uncertainty().interval(ceiling.column.mean, [1.0])


@dataclass(frozen=True, slots=True)
class Study:
    """One family of designs, and what is true of it."""

    family: Family
    true: Array
    seed: int

    def coverage(self, size: tuple[int, int], tries: int, *, ragged: bool) -> tuple[Array, Array]:
        """Return the coverage of each quantity, and how often each difference of equals is taken for one."""
        held, rejected = np.zeros(len(QUANTITIES)), np.zeros(2)
        for k in range(tries):
            rng = np.random.default_rng([self.seed, *size, k])
            spans, p_values = intervals(predictions(rng, self.family, *size, ragged=ragged))
            low, high = np.array([span or NOWHERE for span in spans]).T
            held += (low <= self.true) & (self.true <= high)
            rejected += np.array(p_values) < 0.05
        return held / tries, rejected / tries


def main() -> None:
    """Print a Markdown table of coverages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=200, help="data sets of each size")
    parser.add_argument("--family", choices=FAMILIES, default="reported")
    parser.add_argument("--ragged", action="store_true", help="ragged designs only")
    given = parser.parse_args()
    family = FAMILIES[given.family]
    true, error = truth(np.random.default_rng([1, 0]), family)
    columns = [[*(f"{value:.4f} ± {se:.4f}" for value, se in zip(true, error, strict=True)), "", ""]]
    heads = ["truth"]
    for ragged in (True,) if given.ragged else (False, True):
        for size in SIZES:
            shares = Study(family, true, given.seed).coverage(size, given.tries, ragged=ragged)
            columns.append([f"{share:.3f}" for share in np.concatenate(shares)])
            heads.append(f"{size[0]} × {size[1]}{', ragged' if ragged else ''}")
            print(heads[-1], columns[-1], flush=True)
    print("\n| | " + " | ".join(heads) + " |")
    print("|---" * (len(heads) + 1) + "|")
    tests = [f"{name}: type I" for name in QUANTITIES if name.endswith("of equals")]
    for name, *cells in zip((*QUANTITIES, *tests), *columns, strict=True):
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
