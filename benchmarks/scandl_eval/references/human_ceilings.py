"""How well humans predict humans: six ceilings, always without the reader's own path.

Each ceiling says who of the readers of a sentence is set against whom, as a matrix (reader,
partner) of zeros and ones. A partner drawn from a group that still contains the reader would give
zeros and a ceiling that is too good.

A ceiling is a mean over pairs of readers. Both of a pair are a sample of the people who might have
read: to count only one of them would give half of the standard error that readers bring (a U-statistic
of two arguments).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError, did_you_mean
from scandl.measures.pair.nld import pairwise
from scandl.pairing import Humans
from scandl.records import Positions
from scandl.seeds import stream
from scandl.statistics.clustered import Uncertainty, by_reading, clustered
from scandl.statistics.distances import seen_by
from scandl_eval.score_table import Column

Array = NDArray[np.float64]
Item: TypeAlias = tuple[str, str, str]
"""(fold, reader, sentence)"""


def all_pairs(n: int) -> Array:
    """Set each reader against all others.

    >>> all_pairs(3)
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])
    """
    partners: Array = 1.0 - np.eye(n)
    return partners


def one_other(n: int, rng: np.random.Generator) -> Array:
    """Set each reader against one other drawn at random, as the ScanDL paper has it.

    Its expectation is that of all pairs; it only adds noise.
    """
    # A step of 1..n−1 never comes back to the reader.
    return _only((np.arange(n) + rng.integers(1, n, size=n)) % n)


def split_half(n: int, rng: np.random.Generator) -> Array:
    """Set each reader against the readers of the other random half."""
    first = np.zeros(n, dtype=bool)
    first[rng.permutation(n)[: n // 2]] = True
    return (first[:, None] != first[None, :]).astype(np.float64)


def medoid(distances: Array) -> Array:
    """Set each reader against the most central of the others, chosen without the reader.

    The strongest fair prediction that is the same for everyone. Central is who has the least total
    distance. A medoid is one path, so of equally central readers the first counts, in the order of their
    names; with three readers the two others always are.

    >>> medoid(np.array([[0.0, 0.5, 1.0], [0.5, 0.0, 0.25], [1.0, 0.25, 0.0]])).argmax(axis=1)
    array([1, 0, 0])
    """
    to_others = distances.sum(axis=0)[None, :] - distances  # (i, j): total distance of j to all but i
    np.fill_diagonal(to_others, np.inf)
    central = to_others <= to_others.min(axis=1, keepdims=True) + 1e-9  # sums of floats are equal to 1e-9
    return _only(central.argmax(axis=1))


def best_other(distances: Array) -> Array:
    """Set each reader against the nearest others: an oracle that improves with more readers."""
    others = distances.copy()
    np.fill_diagonal(others, np.inf)
    nearest: Array = (others == others.min(axis=1, keepdims=True)).astype(np.float64)
    return nearest


def same_n(n: int, k: int, rng: np.random.Generator) -> Array:
    """Set each reader against ``k`` others drawn without replacement.

    ``k`` is the number of paths the model has for the sentence; there may be fewer readers.
    """
    order = rng.random((n, n))
    np.fill_diagonal(order, np.inf)
    chosen = order.argsort(axis=1)[:, : min(max(k, 1), n - 1)]  # (n, k)
    partners = np.zeros((n, n))
    np.put_along_axis(partners, chosen, 1.0, axis=1)
    return partners


def _only(partner: NDArray[np.intp]) -> Array:
    """Return the matrix in which each reader has this one partner."""
    return np.eye(len(partner))[partner]


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers of one sentence, as the ceilings see them."""

    paths: Sequence[Positions]
    distances: Array  # (n, n) in the convention that is scored
    n_paths: int  # how many paths the model has
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to set a human against the other humans."""

    partners: Callable[[Readers], Array]
    least_readers: int
    about: str
    drawn: bool = False  # whether partners are drawn from all others


CEILINGS: dict[str, Rule] = {
    "all-pairs": Rule(lambda r: all_pairs(len(r.paths)), 2, "mean distance to all other readers"),
    "one-other": Rule(
        lambda r: one_other(len(r.paths), r.rng), 2, "distance to one other reader, drawn", drawn=True
    ),
    "split-half": Rule(
        lambda r: split_half(len(r.paths), r.rng),
        2,
        "mean distance to the readers of the other half",
        drawn=True,
    ),
    # Chosen by NLD of words, so that the choice does not depend on the convention of the score.
    "medoid": Rule(lambda r: medoid(pairwise(r.paths, r.paths)), 3, "distance to the most central other"),
    "best-other": Rule(lambda r: best_other(r.distances), 2, "distance to the nearest other reader (oracle)"),
    "same-n": Rule(
        lambda r: same_n(len(r.paths), r.n_paths, r.rng),
        2,
        "mean distance to as many other readers as the model has paths",
        drawn=True,
    ),
}


@dataclass(frozen=True, slots=True)
class ReaderPairs:
    """The readers of one sentence: how far each is from the partners, and who moves whose mean."""

    readers: tuple[str, ...]
    means: Array  # (n,) mean distance of each reader to the partners
    expected: Array  # (n,) the same without the noise of a draw
    moves: NDArray[np.float32]  # (n, n) how much the column's reader, as a partner, moves the row's mean

    @classmethod
    def of(cls, readers: Sequence[str], partners: Array, distances: Array, *, drawn: bool = False) -> Self:
        """Set readers against partners: ``partners`` is 1 where the row's reader meets the column's.

        Where partners were ``drawn``, anybody might have been one: what a reader moves as a partner is then
        known from all pairs, and what the draw adds is noise.
        """
        means = _row_means(partners, distances)
        met = all_pairs(len(partners)) if drawn else partners
        expected = _row_means(met, distances) if drawn else means
        weights = met / np.maximum(met.sum(axis=1, keepdims=True), 1.0)
        return cls(
            tuple(readers), means, expected, (weights * (distances - expected[:, None])).astype(np.float32)
        )


def _row_means(partners: Array, distances: Array) -> Array:
    """Return the mean distance of each reader to the partners; 0 without any."""
    weights = partners / np.maximum(partners.sum(axis=1, keepdims=True), 1.0)
    means: Array = (weights * distances).sum(axis=1)
    return means


def pairs_of_one_partner(
    column: Column, partners: Mapping[tuple[str, str, str], str]
) -> dict[str, ReaderPairs]:
    """Return the pairs behind a column in which each item's reader met one other, who is named.

    Nothing is known of pairs that did not meet, so a reader moves others as a partner by how far those met
    are from the mean of the sentence.
    """
    found: dict[str, dict[tuple[str, str], float]] = {}
    for (fold, reader, sentence), value in zip(column.items, column.values.tolist(), strict=True):
        found.setdefault(sentence, {})[reader, partners[fold, reader, sentence]] = value
    by_sentence = {}
    for sentence, distances in found.items():
        names = sorted({reader for pair in distances for reader in pair})
        met, apart = np.zeros((2, len(names), len(names)))
        for (reader, partner), value in distances.items():
            at = names.index(reader), names.index(partner)
            met[at], apart[at] = 1.0, value
        usual = sum(distances.values()) / len(distances)
        moves = (met * (apart - usual)).astype(np.float32)
        means = _row_means(met, apart)
        by_sentence[sentence] = ReaderPairs(tuple(names), means, means, moves)
    return by_sentence


def pairs_uncertainty(
    pairs: Mapping[str, ReaderPairs], column: Column, beside: Sequence[Array] = ()
) -> Uncertainty:
    """Return how sure the mean of a human column is, and the means of other values on its items.

    A reader counts with the own items, and once more as a partner in the items of others. The
    estimates are the human mean, then those of ``beside`` in their order.
    """
    rows: dict[str, list[int]] = {}
    for i, sentence in enumerate(column.sentences):
        rows.setdefault(sentence, []).append(i)
    expected, moved = np.empty(len(column)), []
    readers, sentences = list(column.readers), list(column.sentences)
    for sentence, items in rows.items():
        found = pairs[sentence]
        place = {reader: k for k, reader in enumerate(found.readers)}
        own = [place[column.readers[i]] for i in items]
        expected[items] = found.expected[own]
        more = np.zeros((len(found.readers), 1 + len(beside)))
        more[:, 0] = found.moves[own].sum(axis=0) / len(column)
        moved.append(more)
        readers += found.readers
        sentences += [sentence] * len(found.readers)
    values = np.column_stack([expected, *beside])
    deviations = (values - values.mean(axis=0)) / len(column)  # (items, 1 + k)
    named = readers if column.clusters is not None else None
    sure = clustered(by_reading(np.concatenate([deviations, *moved]), named, sentences))
    noise = np.zeros_like(sure.readings)
    noise[0, 0] = float(((column.values - expected) ** 2).sum()) / len(column) ** 2
    return replace(
        sure,
        readers=sure.readers + noise,
        sentences=sure.sentences + noise,
        readings=sure.readings + noise,
    )


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The values of one ceiling, one per (reader, sentence), and the sentences that have none."""

    name: str
    column: Column
    pairs: Mapping[str, ReaderPairs]  # by sentence
    excluded: tuple[str, ...]  # sentences with too few readers
    readers_per_sentence: float

    @property
    def about(self) -> str:
        """One line that says what is compared with what."""
        return CEILINGS[self.name].about

    def at(self, items: Sequence[Item]) -> Ceiling:
        """Return the ceiling over these of its items; partners stay who they are."""
        folds, readers, sentences = zip(*items, strict=True)
        return replace(self, column=Column(folds, readers, sentences, self.column.at(items)))

    def uncertainty(self, *beside: Column) -> Uncertainty:
        """Return how sure the mean is, and the means of other columns on the same items after it."""
        return pairs_uncertainty(self.pairs, self.column, [column.at(self.column.items) for column in beside])


def human_ceiling(
    humans: Humans,
    name: str = "all-pairs",
    *,
    kernel: str = "nld",
    items: Iterable[Item] | None = None,
    seed: int = 1,
    n_paths: Mapping[str, int] | None = None,
) -> Ceiling:
    """Return a human ceiling on the given items, or on every human scanpath.

    Parameters
    ----------
    humans
        The scanpaths of each sentence; partners are drawn from all of them.
    items
        The (fold, reader, sentence) a model was scored on.
    n_paths
        How many paths the model has for each sentence; ``same-n`` needs it.
    """
    if name not in CEILINGS:
        raise ScandlError(f"no ceiling {name!r}{did_you_mean(name, CEILINGS)}")
    rule = CEILINGS[name]
    kernel, humans = seen_by(kernel, humans)
    wanted = list(items) if items is not None else [("0", p.reader_id, s) for s in humans for p in humans[s]]
    sentences = dict.fromkeys(sentence for _, _, sentence in wanted)
    kept = [s for s in sentences if len(humans.get(s, ())) >= rule.least_readers]
    met: dict[str, ReaderPairs] = {}
    for sentence in kept:
        read = sorted((path.reader_id, path.positions) for path in humans[sentence])
        names, paths = zip(*read, strict=True)
        n = (n_paths or {}).get(sentence, 1)
        rng = stream(seed, "ceiling", name, sentence)
        readers = Readers(paths, pairwise(paths, paths, kernel), n, rng)
        partners = rule.partners(readers)
        met[sentence] = ReaderPairs.of(names, partners, readers.distances, drawn=rule.drawn)
    value = {
        (reader, sentence): v
        for sentence, found in met.items()
        for reader, v in zip(found.readers, found.means.tolist(), strict=True)
    }
    scored = [item for item in wanted if item[1:] in value]
    folds, who, of = zip(*scored, strict=True) if scored else ((), (), ())
    return Ceiling(
        name,
        Column(folds, who, of, np.array([value[item[1:]] for item in scored], dtype=np.float64)),
        met,
        tuple(s for s in sentences if s not in met),
        sum(len(humans[s]) for s in kept) / len(kept) if kept else 0.0,
    )
