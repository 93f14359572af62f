"""Folds: which scanpaths a model learns from, which it is tested on, and spreads over folds.

Folds are explicit lists of (reader, sentence) pairs, because a rule alone gives other folds with
another row order or library version. What must be disjoint is asserted when a fold is made, and
again by ``read_fold``, for programs that take the files up.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus import Corpus, Pair
from scandl.errors import DataError, Fact, ScandlError, did_you_mean
from scandl.files.results import write_text
from scandl.seeds import stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SETTINGS: dict[str, str] = {
    "ns": "New Sentence",
    "nr": "New Reader",
    "nrns": "New Reader/New Sentence",
    "cross": "Across-Dataset",
}
SCHEMES = ("shuffled", "paper")
PAPER_CROSS_SEED = 77  # of the tenth that the released code holds out across corpora


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One split of a corpus, named by its setting and number: ``nrns-3``."""

    setting: str
    number: int
    scheme: str
    seed: int
    corpus: str
    train: tuple[Pair, ...]
    test: tuple[Pair, ...]
    validation: tuple[Pair, ...] = ()
    test_corpus: str = ""  # set in the setting cross alone: where the test pairs come from

    @property
    def fold_id(self) -> str:
        """The name under which files, checkpoints and results know this fold."""
        return f"{self.setting}-{self.number}"


def make_folds(
    corpus: Corpus,
    setting: str,
    *,
    scheme: str = "shuffled",
    seed: int = 1,
    n_folds: int = 5,
    shared_only: bool = False,
) -> list[Fold]:
    """Split a corpus for ``ns``, ``nr`` or ``nrns``.

    ``paper`` balances unshuffled groups, as the published folds were made; ``shuffled`` does the
    same in a random order that depends on the seed. Versions of one item stay together.
    ``shared_only`` leaves out sentences that a single reader read, so that in ``nr`` every test
    sentence can have been seen in training.
    """
    _known(setting, scheme)
    if setting == "cross":
        raise ScandlError("setting 'cross' needs two corpora: give a test corpus")
    pairs = [(p.reader_id, p.sentence_id) for p in corpus.scanpaths]
    if shared_only:
        n_readers = Counter(sentence for _, sentence in pairs)
        pairs = [pair for pair in pairs if n_readers[pair[1]] > 1]

    def part_of(group: Callable[[Pair], str], what: str) -> dict[str, int]:
        sizes = Counter(map(group, pairs))
        if len(sizes) < n_folds:
            raise ScandlError(
                f"corpus {corpus.name!r} has {len(sizes)} {what}; {n_folds} folds of {setting!r} need more"
            )
        order = sorted(sizes)
        if scheme == "shuffled":
            order = [order[i] for i in stream(seed, "folds", setting, what).permutation(len(order))]
        return group_folds([(name, sizes[name]) for name in order], n_folds)

    def item(pair: Pair) -> str:
        return corpus.sentences[pair[1]].item

    by_item = part_of(item, "items") if setting in ("ns", "nrns") else None
    by_reader = part_of(lambda pair: pair[0], "readers") if setting in ("nr", "nrns") else None
    folds = []
    for k in range(n_folds):
        # A pair is tested when everything that must be new is new, trained when nothing of it is.
        held_out = [
            [parts[key] == k for parts, key in ((by_item, item(p)), (by_reader, p[0])) if parts is not None]
            for p in pairs
        ]
        fold = Fold(
            setting=setting,
            number=k,
            scheme=scheme,
            seed=seed,
            corpus=corpus.name,
            train=tuple(p for p, new in zip(pairs, held_out, strict=True) if not any(new)),
            test=tuple(p for p, new in zip(pairs, held_out, strict=True) if all(new)),
        )
        check_fold(fold, corpus)
        folds.append(fold)
    return folds


def make_cross(
    corpus: Corpus,
    test_corpus: Corpus,
    *,
    scheme: str = "shuffled",
    seed: int = PAPER_CROSS_SEED,
    validation_share: float = 0.1,
) -> Fold:
    """Train on one corpus (a random tenth kept for validation), test on the whole of another.

    Under the scheme ``paper`` the tenth is chosen with the published seed, whatever ``seed`` is.
    """
    _known("cross", scheme)
    seed = PAPER_CROSS_SEED if scheme == "paper" else seed
    order = stream(seed, "cross").permutation(len(corpus.scanpaths))
    pairs = [(corpus.scanpaths[i].reader_id, corpus.scanpaths[i].sentence_id) for i in order]
    n_validation = round(validation_share * len(pairs))
    fold = Fold(
        setting="cross",
        number=0,
        scheme=scheme,
        seed=seed,
        corpus=corpus.name,
        train=tuple(pairs[n_validation:]),
        validation=tuple(pairs[:n_validation]),
        test=tuple((p.reader_id, p.sentence_id) for p in test_corpus.scanpaths),
        test_corpus=test_corpus.name,
    )
    check_fold(fold)
    return fold


def check_fold(fold: Fold, corpus: Corpus | None = None) -> None:
    """Assert that nothing of the test was seen in training, and that neither is empty.

    With the corpus at hand, items are compared too: two versions of one sentence are a leak.
    """
    for name, part in (("training", fold.train), ("test", fold.test)):
        if not part:
            raise ScandlError(f"fold {fold.fold_id} of corpus {fold.corpus!r} has no {name} scanpaths")
    if fold.setting == "cross":
        if fold.corpus == fold.test_corpus:
            raise ScandlError(f"fold {fold.fold_id} tests on its own training corpus {fold.corpus!r}")
        return
    learned = (*fold.train, *fold.validation)
    if fold.setting in ("nr", "nrns"):
        _disjoint(fold, "reader", (r for r, _ in learned), (r for r, _ in fold.test))
    if fold.setting in ("ns", "nrns"):
        _disjoint(fold, "sentence", (s for _, s in learned), (s for _, s in fold.test))
        if corpus is not None:
            items = [
                [corpus.sentences[s].item for _, s in part if s in corpus.sentences]
                for part in (learned, fold.test)
            ]
            _disjoint(fold, "item", *items)


def fold_numbered(folds: Sequence[Fold], number: int) -> Fold:
    """Return the fold of that number, or say which there are."""
    for fold in folds:
        if fold.number == number:
            return fold
    raise ScandlError(f"no fold {number}; known: {', '.join(str(fold.number) for fold in folds)}")


def write_folds(folds: Sequence[Fold], folder: Path | str) -> list[Path]:
    """Write each fold as ``<folder>/<fold_id>.json`` and return the paths.

    Folds of the same settings that an earlier call left there are removed: beside the new ones they
    would look like further folds, and their test parts overlap.
    """
    paths = []
    for fold in folds:
        path = Path(folder) / f"{fold.fold_id}.json"
        write_text(
            path, json.dumps({"schema": 1, "fold": fold.fold_id, **asdict(fold)}, ensure_ascii=False) + "\n"
        )
        paths.append(path)
    for setting in {fold.setting for fold in folds}:
        for path in Path(folder).glob(f"{setting}-*.json"):
            if path not in paths and path.stem.removeprefix(f"{setting}-").isdigit():
                path.unlink()
    return paths


def read_fold(path: Path | str, corpus: Corpus | None = None) -> Fold:
    """Read a fold and assert again what must be disjoint."""
    source = Path(path)
    try:
        table: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
        parts: dict[str, Any] = {
            name: tuple((str(r), str(s)) for r, s in table[name]) for name in ("train", "test", "validation")
        }
        rest = {
            name: table[name] for name in ("setting", "number", "scheme", "seed", "corpus", "test_corpus")
        }
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            source, None, None, Fact(f"{type(error).__name__}: {error}"), "a fold written by 'scandl split'"
        ) from None
    fold = Fold(**rest, **parts)
    _known(fold.setting, fold.scheme)
    check_fold(fold, corpus)
    return fold


def fold_table(folds: Sequence[Fold]) -> list[dict[str, Any]]:
    """Return one row a fold: sizes, and how many test sentences occur in training."""
    rows = []
    for fold in folds:
        row: dict[str, Any] = {"fold": fold.fold_id}
        for name, part in (("train", fold.train), ("test", fold.test)):
            row[f"{name} scanpaths"] = len(part)
            row[f"{name} readers"] = len({reader for reader, _ in part})
            row[f"{name} sentences"] = len({sentence for _, sentence in part})
        seen = {sentence for _, sentence in fold.train} & {sentence for _, sentence in fold.test}
        row["test sentences in training"] = len(seen) if fold.setting != "cross" else 0
        rows.append(row)
    return rows


def _disjoint(fold: Fold, what: str, learned: Iterable[Hashable], tested: Iterable[Hashable]) -> None:
    both: Collection[Hashable] = set(learned) & set(tested)
    if both:
        example = sorted(map(str, both))[0]
        raise ScandlError(
            f"fold {fold.fold_id} of corpus {fold.corpus!r} leaks: {what} {example!r} is in training and test"
            f" ({len(both)} such)"
        )


def _known(setting: str, scheme: str) -> None:
    for name, known, kind in ((setting, tuple(SETTINGS), "setting"), (scheme, SCHEMES, "scheme")):
        if name not in known:
            raise ScandlError(f"no {kind} {name!r}{did_you_mean(name, known)}")


@dataclass(frozen=True, slots=True)
class FoldSpread:
    """The fold means and the two spreads that are called ± in the literature."""

    means: dict[str, float]  # fold -> mean of its instances

    @property
    def mean(self) -> float:
        """The mean of the fold means."""
        return math.fsum(self.means.values()) / len(self.means)

    @property
    def sd(self) -> float | None:
        """The population SD (ddof 0) over folds, as the released script computes it."""
        return self._spread(len(self.means))

    @property
    def se(self) -> float | None:
        """The standard error over folds: SD with ddof 1 over the root of their number."""
        spread = self._spread(len(self.means) - 1)
        return None if spread is None else spread / math.sqrt(len(self.means))

    def _spread(self, divisor: int) -> float | None:
        if len(self.means) < 2:
            return None
        return math.sqrt(math.fsum((m - self.mean) ** 2 for m in self.means.values()) / divisor)


def fold_spread(values: NDArray[np.float64], folds: Sequence[str]) -> FoldSpread:
    """Return the spread over folds of a per-instance column.

    >>> import numpy as np
    >>> spread = fold_spread(np.array([0.25, 0.25, 0.75, 0.75]), ["a", "a", "b", "b"])
    >>> spread.means
    {'a': 0.25, 'b': 0.75}
    >>> spread.sd, round(spread.se, 6)
    (0.25, 0.25)
    """
    groups: dict[str, list[float]] = {}
    for fold, value in zip(folds, values.tolist(), strict=True):
        groups.setdefault(fold, []).append(value)
    return FoldSpread({fold: math.fsum(group) / len(group) for fold, group in groups.items()})


@dataclass(frozen=True, slots=True)
class PairedT:
    """A paired t-test over fold means: the paper's dagger.

    Folds share most of their training data, so their differences are correlated and the test
    rejects too often (Bengio & Grandvalet 2004); with five folds it is weak as well.
    """

    t: float | None  # None when all differences are equal
    df: int
    p: float


def paired_t(a: FoldSpread, b: FoldSpread) -> PairedT | None:
    """Test whether two models differ over the folds both have; None with fewer than two."""
    from scandl.statistics.clustered import two_sided_t  # keeps who only cuts folds from numpy

    shared = [fold for fold in a.means if fold in b.means]
    if len(shared) < 2:
        return None
    differences = FoldSpread({fold: a.means[fold] - b.means[fold] for fold in shared})
    error = differences.se or 0.0
    if error < 1e-12:  # equal but for rounding
        return PairedT(None, len(shared) - 1, 1.0 if abs(differences.mean) < 1e-12 else 0.0)
    t = differences.mean / error
    return PairedT(t, len(shared) - 1, two_sided_t(t, len(shared) - 1))


def group_folds(sizes: Iterable[tuple[str, int]], n_folds: int) -> dict[str, int]:
    """Assign groups to folds, the largest first, each to the fold that is lightest so far.

    >>> group_folds([("a", 1), ("b", 5), ("c", 2), ("d", 2)], 2)
    {'b': 0, 'd': 1, 'c': 1, 'a': 1}
    """
    weights = [0] * n_folds
    parts = {}
    for name, size in sorted(sizes, key=lambda group: group[1])[::-1]:
        lightest = weights.index(min(weights))
        parts[name] = lightest
        weights[lightest] += size
    return parts
