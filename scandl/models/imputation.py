"""Multiple imputation: lost fixations are filled in, several times over (Rubin, 1987)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scandl.config import read_config, to_table, toml_text
from scandl.corpora.corpus import Corpus
from scandl.corpora.corpus_folder import GAP, IMPUTED, LOST, MARKS, SUMMARY, read_corpus, write_corpus
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.results import atomic_folder, write_text
from scandl.models.catalogue import open_model
from scandl.models.model import Model, Request
from scandl.models.pointer.condition import Style, by_reader, style_of
from scandl.models.pointer.given import completed, pointer_model
from scandl.records import Scanpath
from scandl.seeds import stream

SACCADE = 30.0
"""Ms between two fixations: lost time holds one saccade more than fixations."""
ROUNDS = 2  # the second time readers have the styles that their paths, as first filled, show


@dataclass(frozen=True)
class Imputation:
    """Completed versions of a corpus, alike in all that is known."""

    corpora: tuple[Corpus, ...]
    model: str
    seed: int
    n_lost: int  # fixations marked as lost
    n_gaps: int  # stretches of lost time
    share: float  # of the fixations of a completed corpus, on average, those that were filled in

    @property
    def said(self) -> str:
        """What has to be said beside every number of these corpora."""
        return (
            f"{self.share:.1%} of the fixations were filled in by model {self.model}:"
            f" {len(self.corpora)} versions, pooled by Rubin's rules"
        )

    def write(self, folder: Path | str) -> None:
        """Write one corpus folder per version, 1, 2 …, and what was done; imputed rows are marked."""
        with atomic_folder(folder, owned=()) as root:
            for k, corpus in enumerate(self.corpora, start=1):
                write_corpus(corpus, root / str(k))
            facts = _Summary(
                model=self.model,
                seed=self.seed,
                versions=len(self.corpora),
                lost_fixations=self.n_lost,
                gaps=self.n_gaps,
                share_imputed=round(self.share, 6),
            )
            write_text(root / SUMMARY, toml_text(to_table(facts)))


def is_imputed(folder: Path | str) -> bool:
    """Say whether a folder holds completed versions of a corpus, as ``scandl corpus impute`` writes them."""
    return (Path(folder) / SUMMARY).is_file()


def open_imputed(folder: Path | str) -> Imputation:
    """Open the completed versions of a corpus that ``scandl corpus impute`` has written.

    Parameters
    ----------
    folder
        With ``imputation.toml`` and the corpora ``1``, ``2`` and so on.

    Returns
    -------
    Imputation
        Its corpora in their order. What was filled in has ``1`` in ``Scanpath.extra["imputed"]``.
    """
    root = Path(folder)
    if not is_imputed(root):
        raise DataError(
            root, None, None, Fact(f"no {SUMMARY}"), "a folder that scandl corpus impute has made"
        )
    facts = read_config(_Summary, root / SUMMARY)
    corpora = tuple(read_corpus(root / str(k)) for k in range(1, facts.versions + 1))
    return Imputation(corpora, facts.model, facts.seed, facts.lost_fixations, facts.gaps, facts.share_imputed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    """What ``imputation.toml`` says."""

    model: str
    seed: int
    versions: int
    lost_fixations: int
    gaps: int
    share_imputed: float  # of the fixations of a completed corpus


def impute(
    corpus: Corpus | Path | str, *, model: Model | Path | str | None = None, versions: int = 5, seed: int = 1
) -> Imputation:
    """Fill in lost fixations several times over.

    A lost fixation is drawn by a word-pointing model given all that is known of the path, before and after
    it. In lost time the number of fixations is drawn too: durations of the same reader are laid one after
    the other until they fill it.

    Parameters
    ----------
    corpus
        A folder in whose ``fixations.csv`` a word index may be ``NA`` (one fixation on an unknown word) or
        ``GAP`` (``duration_ms`` of lost time, with any number of fixations); or such a corpus as
        `read_incomplete` returns it.
    model
        What draws: a name, a file or a model that points at words. Without one, the shipped model.
    versions
        How many completed versions are made.
    seed
        The same corpus, model and seed give the same versions.

    Returns
    -------
    Imputation
        The completed corpora. Known fixations and durations are the same in all of them.

    Raises
    ------
    ScandlError
        If nothing is marked as lost, or the model cannot complete paths.
    """
    found = corpus if isinstance(corpus, Corpus) else read_incomplete(corpus)
    reads = open_model(model) if isinstance(model, Path | str | None) else model
    pointer_model(reads)  # another cannot complete a path, and says so before the work
    lost = [path for path in found.scanpaths if min(path.positions) < 0]
    if not lost:
        raise ScandlError(f"{found.name}: found no lost fixation, expected word_index NA or GAP somewhere")
    if versions < 2:
        raise ScandlError(f"versions {versions}: expected at least 2, or their spread cannot be known")
    pools = _duration_pools(found.scanpaths)
    versions_made = []
    for version in range(versions):
        styles: Mapping[str, Style] = {}
        for _ in range(ROUNDS):
            forms = [_form(path, pools, version, seed) for path in lost]
            requests = [
                replace(_request(path, found, version, styles), given=form.positions)
                for path, form in zip(lost, forms, strict=True)
            ]
            drawn = completed(reads, requests, seed=seed, candidates=1)
            filled = {
                (path.reader_id, path.sentence_id): _filled(path, form, each)
                for path, form, each in zip(lost, forms, drawn, strict=True)
            }
            paths = tuple(filled.get((path.reader_id, path.sentence_id), path) for path in found.scanpaths)
            styles = {reader: style_of(own, found.sentences) for reader, own in by_reader(paths).items()}
        versions_made.append(_described(replace(found, scanpaths=paths), reads.name, version, versions))
    return Imputation(
        tuple(versions_made),
        reads.name,
        seed,
        sum(path.positions.count(LOST) for path in lost),
        sum(path.positions.count(GAP) for path in lost),
        float(np.mean([share_imputed(each.scanpaths) for each in versions_made])),
    )


def read_incomplete(folder: Path | str) -> Corpus:
    """Read a corpus of which fixations were lost: their positions are ``LOST`` or ``GAP``."""
    corpus = read_corpus(folder, marks=MARKS)
    for path in corpus.scanpaths:
        for position, ms in zip(
            path.positions, path.durations or (math.nan,) * path.n_fixations, strict=True
        ):
            if position == GAP and math.isnan(ms):
                found = Fact(
                    f"a GAP without a duration, reader {path.reader_id!r}, sentence {path.sentence_id!r}"
                )
                raise DataError(
                    Path(folder) / "fixations.csv", None, "duration_ms", found, "the ms that were lost"
                )
    return corpus


def share_imputed(paths: Sequence[Scanpath]) -> float:
    """Return the share of fixations that were filled in.

    >>> share_imputed([Scanpath("r", "s", (0, 1, 2), extra={"imputed": "0 1 0"}), Scanpath("r", "t", (0,))])
    0.25
    """
    return sum(path.extra.get(IMPUTED, "").count("1") for path in paths) / sum(
        path.n_fixations for path in paths
    )


def n_in_gap(ms: float, pool: Sequence[float], rng: np.random.Generator) -> list[float]:
    """Return durations of fixations that fill lost time, perhaps none.

    Durations are drawn from the ``pool``. Their number is the one whose total, with a saccade before each and
    after the last, comes nearest to the lost time; they are then stretched to fill it.

    >>> n_in_gap(530.0, [220.0], np.random.default_rng(1))
    [220.0, 220.0]
    >>> n_in_gap(60.0, [220.0], np.random.default_rng(1))
    []
    """
    drawn: list[float] = []
    total = SACCADE
    while total < ms:
        drawn.append(float(rng.choice(pool)))
        total += drawn[-1] + SACCADE
    if drawn and total - ms > ms - (total - drawn[-1] - SACCADE):
        total -= drawn.pop() + SACCADE
    room = ms - SACCADE * (len(drawn) + 1)
    return [duration * room / sum(drawn) for duration in drawn]


@dataclass(frozen=True, slots=True)
class _Form:
    """A path with a hole for each lost fixation, and what is known of the durations."""

    positions: tuple[int | None, ...]
    durations: tuple[float, ...] | None  # not a number where it has to be drawn


def _form(path: Scanpath, pools: Mapping[str, Sequence[float]], version: int, seed: int) -> _Form:
    """Turn lost time into a number of holes."""
    rng = stream(seed, "gaps", path.reader_id, path.sentence_id, version)
    positions: list[int | None] = []
    durations: list[float] = []
    for position, ms in zip(path.positions, path.durations or (math.nan,) * path.n_fixations, strict=True):
        filling = n_in_gap(ms, pools[path.reader_id], rng) if position == GAP else [ms]
        positions += [None if position < 0 else position] * len(filling)
        durations += filling
    if not positions:  # a path that is lost as a whole was of one fixation at least
        return _Form((None,), (math.nan,) if path.durations else None)
    return _Form(tuple(positions), tuple(durations) if path.durations else None)


def _request(path: Scanpath, corpus: Corpus, version: int, styles: Mapping[str, Style]) -> Request:
    who = corpus.readers.get(path.reader_id, {})
    return Request(
        corpus.sentences[path.sentence_id],
        path.reader_id,
        version,
        style=styles.get(path.reader_id),
        group=who.get("group") or None,
        task=who.get("task", ""),
    )


def _filled(path: Scanpath, form: _Form, drawn: Scanpath) -> Scanpath:
    """Return a completed path: known durations stay, others are the model's; what was filled in is marked."""
    durations = form.durations
    if durations is not None:
        told = drawn.durations or durations
        durations = tuple(
            own if not math.isnan(own) else new for own, new in zip(durations, told, strict=True)
        )
    flags = " ".join("1" if position is None else "0" for position in form.positions)
    return replace(path, positions=drawn.positions, durations=durations, extra={**path.extra, IMPUTED: flags})


def _duration_pools(paths: Sequence[Scanpath]) -> dict[str, list[float]]:
    """Return the known durations of each reader; of all readers where one has too few to draw from."""
    own = {
        reader: [
            ms
            for path in of_reader
            for position, ms in zip(path.positions, path.durations or (), strict=False)
            if position != GAP and not math.isnan(ms)
        ]
        for reader, of_reader in by_reader(paths).items()
    }
    every = sorted(ms for durations in own.values() for ms in durations) or [220.0]
    return {reader: sorted(durations) if len(durations) >= 20 else every for reader, durations in own.items()}


def _described(corpus: Corpus, model: str, version: int, versions: int) -> Corpus:
    share = share_imputed(corpus.scanpaths)
    told = (
        f"{share:.1%} of the fixations were filled in by model {model} (version {version + 1} of {versions})."
    )
    notes = f"{corpus.card.notes} {told}".strip()
    return replace(corpus, card=replace(corpus.card, notes=notes))
