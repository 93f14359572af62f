"""How well humans predict humans: six ceilings, always without the reader's own path.

Each ceiling says who of the readers of a sentence is set against whom, as a matrix (reader,
partner) of zeros and ones. A partner drawn from a group that still contains the reader would give
zeros and a ceiling that is too good. The matrix is made for some readers after others, so that memory
grows with the number of readers and not with its square.

A ceiling is a mean over pairs of readers. Both of a pair are a sample of the people who might have
read: to count only one of them would give half of the standard error that readers bring (a U-statistic
of two arguments).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError, did_you_mean
from scandl.pairing import Humans
from scandl.records import Positions
from scandl.seeds import stream
from scandl.statistics.clustered import Uncertainty, by_reading, clustered
from scandl.statistics.distances import STRIP, Strip, pairwise, seen_by, strips
from scandl_eval.score_table import ScoreColumn

Array = NDArray[np.float64]
Item: TypeAlias = tuple[str, str, str]
"""(fold, reader, sentence)"""


Partners: TypeAlias = Callable[[slice, Array], Array]
"""(which readers, their distances to all) -> whom each of them meets, (rows, readers)"""


def all_pairs(rows: slice, distances: Array) -> Array:
    """Set each reader against all others.

    >>> all_pairs(slice(1, 3), np.zeros((2, 4)))
    array([[1., 0., 1., 1.],
           [1., 1., 0., 1.]])
    """
    n, m = distances.shape
    return 1.0 - np.eye(n, m, k=rows.start)


def one_other(n: int, rng: np.random.Generator) -> Partners:
    """Set each reader against one other drawn at random, as the ScanDL paper has it.

    Its expectation is that of all pairs; it only adds noise.
    """
    # A step of 1..n−1 never comes back to the reader.
    partner = (np.arange(n) + rng.integers(1, n, size=n)) % n
    return lambda rows, distances: _only(partner[rows], n)


def split_half(n: int, rng: np.random.Generator) -> Partners:
    """Set each reader against the readers of the other random half."""
    first = np.zeros(n, dtype=bool)
    first[rng.permutation(n)[: n // 2]] = True
    return lambda rows, distances: (first[rows, None] != first[None, :]).astype(np.float64)


def medoid(paths: Sequence[Positions], kernel: str = "nld") -> Partners:
    """Set each reader against the most central of the others, chosen without the reader.

    The strongest fair prediction that is the same for everyone. Central is who has the least total
    distance. A medoid is one path, so of equally central readers the first counts, in the order of their
    names; with three readers the two others always are.

    >>> paths = [(0, 1), (0, 2), (0, 1, 2, 3)]
    >>> medoid(paths)(slice(0, 3), pairwise(paths, paths)).argmax(axis=1)
    array([1, 0, 0])
    """
    total = sum((apart.sum(axis=0) for _, apart in strips(paths, kernel)), np.zeros(len(paths)))

    def partners(rows: slice, distances: Array) -> Array:
        # (i, j): total distance of j to all but i
        to_others = _others(rows, total[None, :] - pairwise(paths[rows], paths, kernel))
        central = to_others <= to_others.min(axis=1, keepdims=True) + 1e-9  # sums of floats are equal to 1e-9
        return _only(central.argmax(axis=1), len(paths))

    return partners


def best_other(rows: slice, distances: Array) -> Array:
    """Set each reader against the nearest others: an oracle that improves with more readers."""
    others = _others(rows, distances)
    nearest: Array = (others == others.min(axis=1, keepdims=True)).astype(np.float64)
    return nearest


def same_n(n: int, k: int, rng: np.random.Generator) -> Partners:
    """Set each reader against ``k`` others drawn without replacement, anew whenever asked.

    ``k`` is the number of paths the model has for the sentence; there may be fewer readers.
    """

    def partners(rows: slice, distances: Array) -> Array:
        order = _others(rows, rng.random(distances.shape))
        chosen = order.argsort(axis=1)[:, : min(max(k, 1), n - 1)]  # (rows, k)
        found = np.zeros(order.shape)
        np.put_along_axis(found, chosen, 1.0, axis=1)
        return found

    return partners


def _others(rows: slice, values: Array) -> Array:
    """Return values of each reader with each, infinite with oneself."""
    found = values.copy()
    found[np.arange(len(found)), np.arange(rows.start, rows.stop)] = np.inf
    return found


def _only(partner: NDArray[np.intp], n: int) -> Array:
    """Return the matrix in which each reader has this one partner of ``n``."""
    found = np.zeros((len(partner), n))
    found[np.arange(len(partner)), partner] = 1.0
    return found


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers of one sentence, as the ceilings see them."""

    paths: Sequence[Positions]
    n_paths: int  # how many paths the model has
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to set a human against the other humans."""

    partners: Callable[[Readers], Partners]
    least_readers: int
    about: str
    drawn: bool = False  # whether partners are drawn from all others


CEILINGS: dict[str, Rule] = {
    "all-pairs": Rule(lambda r: all_pairs, 2, "mean distance to all other readers"),
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
    "medoid": Rule(lambda r: medoid(r.paths), 3, "distance to the most central other"),
    "best-other": Rule(lambda r: best_other, 2, "distance to the nearest other reader (oracle)"),
    "same-n": Rule(
        lambda r: same_n(len(r.paths), r.n_paths, r.rng),
        2,
        "mean distance to as many other readers as the model has paths",
        drawn=True,
    ),
}


Floats32 = NDArray[np.float32]
FEWEST_WITH_EFFECTS = 3
"""Readers of a sentence below which all have the same mean distance to the others."""


@dataclass(frozen=True, slots=True)
class ReaderPairs:
    """The readers of one sentence: how far each is from the partners, and who moves whose mean."""

    readers: tuple[str, ...]
    means: Array  # (n,) mean distance of each reader to the partners
    expected: Array  # (n,) the same without the noise of a draw
    moved: Callable[[NDArray[np.intp]], Floats32]
    """(readers of items) -> (n,) how much each reader, as a partner, moves the sum of their means"""
    all_others: bool = False  # whether partners are all others, or drawn from them

    @classmethod
    def of(
        cls,
        readers: Sequence[str],
        partners: Partners,
        distances: Callable[[], Iterable[Strip]],
        *,
        drawn: bool = False,
    ) -> Self:
        """Set readers against partners; ``distances`` gives those of some readers after others to all.

        Where partners were ``drawn``, anybody might have been one: what a reader moves as a partner is then
        known from all pairs, and what the draw adds is noise.
        """
        n = len(readers)
        seen = list(distances()) if n * n <= STRIP else None
        means, expected = np.empty((2, n))
        for rows, apart in seen or distances():
            means[rows] = (_weights(partners(rows, apart)) * apart).sum(axis=1)
            expected[rows] = (_weights(all_pairs(rows, apart)) * apart).sum(axis=1) if drawn else means[rows]
        everybody = drawn or partners is all_pairs

        def moves(strips: Iterable[Strip]) -> Iterator[tuple[slice, Floats32]]:
            for rows, apart in strips:
                weights = _weights((all_pairs if drawn else partners)(rows, apart))
                yield rows, (weights * (apart - expected[rows, None])).astype(np.float32)

        if seen:
            known = list(moves(seen))
            return cls(tuple(readers), means, expected, lambda own: _moved(own, known, n), everybody)
        return cls(tuple(readers), means, expected, lambda own: _moved(own, moves(distances()), n), everybody)

    def effects(self, own: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return the means of some readers, and what each reader moves in their sum, as effects of readers.

        A mean over all others holds everybody's effect but one's own: as far as distances are sums of the
        effects of two, readers differ in it by (n − 2) / (n − 1) of what they differ by themselves, and move
        it by n (n − 2) / (n − 1)² of that.
        """
        n, moved = len(self.readers), self.moved(own).astype(np.float64)
        if not self.all_others or n < FEWEST_WITH_EFFECTS:
            return self.expected[own], moved
        centre = self.expected.mean()
        stretched: Array = centre + (self.expected[own] - centre) * (n - 1) / (n - 2)
        return stretched, moved * (n - 1) ** 2 / (n * (n - 2))


def _weights(partners: Array) -> Array:
    """Return what each partner counts in the mean of a reader; 0 without any."""
    weights: Array = partners / np.maximum(partners.sum(axis=1, keepdims=True), 1.0)
    return weights


def _moved(own: NDArray[np.intp], moves: Iterable[tuple[slice, Floats32]], n: int) -> Floats32:
    """Add up what all readers move in the means of some."""
    total = np.zeros(n, dtype=np.float32)
    for rows, each in moves:
        here = own[(own >= rows.start) & (own < rows.stop)] - rows.start
        total += each[here].sum(axis=0)
    return total


def pairs_of_one_partner(
    column: ScoreColumn, partners: Mapping[tuple[str, str, str], str]
) -> dict[str, ReaderPairs]:
    """Return the pairs behind a column in which each item's reader met one other, who is named.

    Nothing is known of pairs that did not meet, so a reader moves others as a partner by how far those met
    are from the mean of the sentence.
    """
    found: dict[str, dict[tuple[str, str], float]] = {}
    for (fold, reader, sentence), value in zip(column.items, column.values.tolist(), strict=True):
        found.setdefault(sentence, {})[reader, partners[fold, reader, sentence]] = value
    return {sentence: _one_partner_each(distances) for sentence, distances in found.items()}


def _one_partner_each(distances: Mapping[tuple[str, str], float]) -> ReaderPairs:
    """Return the pairs of one sentence; a reader who met several in several folds has their mean."""
    names = sorted({reader for pair in distances for reader in pair})
    place = {name: i for i, name in enumerate(names)}
    row, partner = np.array([(place[a], place[b]) for a, b in distances], dtype=np.intp).T
    values, n = np.fromiter(distances.values(), np.float64, len(distances)), len(names)
    means = np.bincount(row, values, n) / np.maximum(np.bincount(row, minlength=n), 1.0)
    further = values - sum(distances.values()) / len(distances)

    def moved(own: NDArray[np.intp]) -> Floats32:
        times = np.bincount(own, minlength=n)[row]
        return np.bincount(partner, times * further, n).astype(np.float32)

    return ReaderPairs(tuple(names), means, means, moved)


def pairs_uncertainty(
    pairs: Mapping[str, ReaderPairs], column: ScoreColumn, beside: Sequence[Array] = ()
) -> Uncertainty:
    """Return how sure the mean of a human column is, and the means of other values on its items.

    A reader counts with the own items, and once more as a partner in the items of others. The
    estimates are the human mean, then those of ``beside`` in their order.
    """
    rows: dict[str, list[int]] = {}
    for i, sentence in enumerate(column.sentences):
        rows.setdefault(sentence, []).append(i)
    expected, effects, moved = np.empty(len(column)), np.empty(len(column)), []
    readers, sentences = list(column.readers), list(column.sentences)
    for sentence, items in rows.items():
        found = pairs[sentence]
        place = {reader: k for k, reader in enumerate(found.readers)}
        own = np.array([place[column.readers[i]] for i in items], dtype=np.intp)
        expected[items] = found.expected[own]
        more = np.zeros((len(found.readers), 1 + len(beside)))
        effects[items], more[:, 0] = found.effects(own)
        moved.append(more / len(column))
        readers += found.readers
        sentences += [sentence] * len(found.readers)
    values = np.column_stack([effects, *beside])
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
    column: ScoreColumn
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
        return replace(self, column=ScoreColumn(folds, readers, sentences, self.column.at(items)))

    def uncertainty(self, *beside: ScoreColumn) -> Uncertainty:
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
        names, paths = zip(*sorted((p.reader_id, p.positions) for p in humans[sentence]), strict=True)
        n, rng = (n_paths or {}).get(sentence, 1), stream(seed, "ceiling", name, sentence)
        apart = partial(strips, paths, kernel)
        partners = rule.partners(Readers(paths, n, rng))
        met[sentence] = ReaderPairs.of(names, partners, apart, drawn=rule.drawn)
    value = {
        (reader, sentence): v
        for sentence, found in met.items()
        for reader, v in zip(found.readers, found.means.tolist(), strict=True)
    }
    scored = [item for item in wanted if item[1:] in value]
    folds, who, of = zip(*scored, strict=True) if scored else ((), (), ())
    return Ceiling(
        name,
        ScoreColumn(folds, who, of, np.array([value[item[1:]] for item in scored], dtype=np.float64)),
        met,
        tuple(s for s in sentences if s not in met),
        sum(len(humans[s]) for s in kept) / len(kept) if kept else 0.0,
    )
