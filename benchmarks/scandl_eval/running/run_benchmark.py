"""``scandl-eval run``: split, fit, generate, score, rank, report; others' predictions beside ours."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from scandl.config import to_table, toml_text
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import UNSAID, Bases, join_path, warn_of_base
from scandl.files.json_tables import JSON_ENDINGS
from scandl.files.manifest import MANIFEST, Pieces, write_manifest
from scandl.files.prediction_columns import FileWithColumns, parse_meanings, with_our_names
from scandl.files.prediction_files import Fault, misfit, read_numbered
from scandl.files.prediction_inputs import as_predictions
from scandl.files.results import locked, write_text
from scandl.files.tables import read_table
from scandl.models.catalogue import model_sources, open_model
from scandl.models.trained_model import ModelOptions
from scandl.records import WHOLE, Prediction
from scandl.splits import SETTINGS, Fold, write_folds
from scandl.workers import workers
from scandl_eval.leaderboard.leaderboard import CSV, JSON, Leaderboard, write_leaderboard
from scandl_eval.running.board import build_leaderboard
from scandl_eval.running.published_comparison import compare_with_published, write_comparison
from scandl_eval.running.scored_run import SENTENCES, make_tests, score_run, write_score_tables
from scandl_eval.running.tasks import (
    Corpora,
    Group,
    RunConfig,
    Task,
    folds_of,
    join_folds,
    make_predictions,
    write_by_group,
)

LONGEST = 255
"""Bytes a folder's name may have nearly everywhere."""


def read_outside(config: RunConfig, folds: Sequence[Fold], corpora: Corpora) -> dict[Group, list[Prediction]]:
    """Read the predictions of ``config.predictions`` and check them; nothing is written yet.

    A prediction must belong to the test part of the fold it names: otherwise its model may have
    learned from what it is tested on, or folds were made in another way.
    """
    groups: dict[Group, list[Prediction]] = {}
    n_words: dict[str, int] = {}
    tested = {(fold.setting, str(fold.number)): set(fold.test) for fold in folds}
    own = tuple(model_sources(config.models))
    names = {name.casefold(): name for name in own}
    files = [FileWithColumns(file, parse_meanings(config.columns)) for file in config.predictions]
    base = config.index_base
    bases = UNSAID if base is None else Bases(base, base)
    read = as_predictions(files, index_base=base) if files else []
    for k, p in enumerate(read):
        corpus = corpora.tested(p.setting)
        fault = (
            _misnamed(p, own, names)
            or _misplaced(p, tested)
            or misfit(p, corpus, n_words, bases)
            or _of_other_readers(p, corpus)
        )
        if fault is not None:
            raise _error(files, base, k, *fault)
        human = corpus.by_pair[p.reader_id or "", p.sentence_id].positions
        groups.setdefault((p.model, p.setting), []).append(
            replace(p, human=human, text=corpus.sentences[p.sentence_id].text)
        )
    if base is None and all(p.human is None for p in read):  # otherwise they were held against the files'
        warn_of_base(", ".join(files), [p for found in groups.values() for p in found], None)
    return groups


def _misnamed(p: Prediction, own: Sequence[str], names: dict[str, str]) -> Fault | None:
    if p.model in own:
        return "model", p.model, "another name, this one is of a model of the run"
    if p.model in (".", "..") or set("/\\") & set(p.model) or len(p.model.encode()) > LONGEST:
        return "model", p.model, f"a name that a folder can have: no path, at most {LONGEST} bytes"
    # Many file systems hold names that differ only in case for one.
    known = names.setdefault(p.model.casefold(), p.model)
    if known != p.model:
        return "model", p.model, f"a name that differs from {known!r} in more than case"
    return None


def _misplaced(p: Prediction, tested: Mapping[tuple[str, str], set[tuple[str, str]]]) -> Fault | None:
    folds = [fold for setting, fold in tested if setting == p.setting]
    if not folds:
        settings = ", ".join(dict.fromkeys(setting for setting, _ in tested))
        beside = "; predictions of no split are scored by: scandl-eval nld --pred FILE --baselines all"
        return "setting", p.setting, f"a setting of this run: {settings}" + beside * (p.setting == WHOLE)
    if p.fold not in folds:
        return "fold", p.fold, f"a fold of setting {p.setting!r} in this run: {', '.join(folds)}"
    if p.reader_id is None:
        return "reader_id", "", "the reader whose scanpath it stands for"
    if (p.reader_id, p.sentence_id) not in tested[p.setting, p.fold]:
        found = Fact(f"reader {p.reader_id!r}, sentence {p.sentence_id!r}")
        return "sentence_id", found, f"an item of the test part of {p.setting}-{p.fold}"
    return None


def _of_other_readers(p: Prediction, corpus: Corpus) -> Fault | None:
    """Refuse what was predicted beside another human path: other data, or positions that count from 1."""
    human = corpus.by_pair[p.reader_id or "", p.sentence_id].positions
    if p.human is None or p.human == human:
        return None
    whose = f"the path of reader {p.reader_id!r} in corpus {corpus.name!r}"
    return "human", join_path(p.human), f"{join_path(human)!r}, {whose}, or no such column"


def _error(
    files: Sequence[FileWithColumns], base: int | None, k: int, column: str, found: str, expected: str
) -> DataError:
    """Return the fault of the k-th prediction with its place, which is looked up only now.

    Where the file lacks the column, that is the fault, and not the value that stood in for it.
    """
    places = ((file, row) for file in files for row, _ in read_numbered(file, index_base=base))
    file, row = next(islice(places, k, None))
    if column in ("setting", "fold", "reader_id") and Path(file).suffix not in JSON_ENDINGS:
        with_our_names(read_table(file), file.columns).need(column)
    return DataError(file, row, column, found, expected)


PUBLISHED = "published.csv"
RUN_TOML, PIECES, EARLIER, CHECKPOINTS = "run.toml", ".pieces", "earlier", "checkpoints"


def run_benchmark(
    config: RunConfig, out: Path | str, *, jobs: int = 1, scheduler: str | None = None, quiet: bool = True
) -> Leaderboard:
    """Fit and score every model in every setting; write the run folder and return its leaderboard.

    Finished pieces are kept in the folder and used again when their inputs, settings and code are
    the same, so a run that was stopped goes on where it was. Everything else in the folder is left
    as it is until all that can be refused has been read, and the models have generated. Tables of an
    earlier run that are not of this one are then moved to ``earlier``, with a warning.

    Parameters
    ----------
    config
        Corpus, models, settings, folds, metrics and seed of the run.
    out
        The folder of the run.
    jobs
        Local worker processes.
    scheduler
        Address of a Dask scheduler that does the work instead.
    quiet
        Whether to leave out progress and notes.

    Returns
    -------
    Leaderboard
        One row per model, setting and metric, with intervals and ranks.
    """
    config, folder = config.checked(), Path(out)
    corpus = open_corpus(config.corpus)
    corpora = _with_word_inputs(config, corpus)
    folds = [fold for of_setting in folds_of(config, corpora).values() for fold in of_setting]
    checkpoints = (folder / CHECKPOINTS).absolute() if config.keep_checkpoints else None
    tasks = [  # fold by fold, so that what the rest will take is known early
        Task(model, source, fold, config.samples, config.seed, config.changes, checkpoints, config.context)
        for fold in folds
        for model, source in model_sources(config.models).items()
    ]
    check_folder(folder)
    outside = read_outside(config, folds, corpora) if config.predictions else {}
    with workers(corpora, jobs=jobs, scheduler=scheduler) as team, locked(folder):
        pieces = Pieces(folder / PIECES)
        generated, refused = make_predictions(tasks, corpora, pieces, team, quiet=quiet)
        if not (generated or outside):
            raise ScandlError(next(iter(refused.values())))
        write_plan(config, folds, folder)
        predictions = join_folds(generated) | outside
        write_by_group(predictions, folder / "predictions")
        runs = score_run(predictions, corpora, metrics=config.metrics, seed=config.seed)
        tests, tested = make_tests(
            [run.found for run in runs],
            pieces,
            team,
            resamples=config.resamples,
            seed=config.seed,
            quiet=quiet,
        )
        write_score_tables(runs, folder / "scores")
        moved = set_aside(folder, predictions)
        board = build_leaderboard(config, corpora, runs, tests, refused)
        board.warnings.extend(_contexts(config, corpora))
        if "ezreader" in config.models:
            board.warnings.extend(f"ezreader: {line}" for line in config.word_inputs.remarks(corpus))
        write_leaderboard(board, folder)
        (folder / PUBLISHED).unlink(missing_ok=True)  # that of an earlier run
        if config.scheme == "paper":
            write_comparison(folder / PUBLISHED, compare_with_published(runs))
        pieces.drop_outdated({*generated.values(), *tested})
        written = [folder / name for name in (RUN_TOML, CSV, JSON, PUBLISHED) if (folder / name).exists()]
        write_manifest(folder, written, board.provenance)
    if moved:
        warnings.warn(_moved_warning(folder, moved), stacklevel=2)
    return board


def _with_word_inputs(config: RunConfig, corpus: Corpus) -> Corpora:
    """Return what is learned from and tested on, with what cognitive models are told of the words.

    The table of words is that of the corpus; a second corpus has its own.
    """
    if not corpus.scanpaths:
        raise ScandlError(f"corpus {corpus.name!r} has no fixations: nothing to learn from, nothing to score")
    second = open_corpus(config.test_corpus) if config.test_corpus else None
    return Corpora(config.with_word_inputs(corpus), second and config.with_word_inputs(second, words=False))


def _contexts(config: RunConfig, corpora: Corpora) -> list[str]:
    """Return who told each model how expected words are, where models ask."""
    options, language = ModelOptions(context=config.context), corpora.corpus.card.language
    told = {
        name: open_model(source, options).context_about(language)
        for name, source in model_sources(config.models).items()
    }
    return [f"{name}: {about}" for name, about in told.items() if about]


def _moved_warning(folder: Path, moved: Sequence[str]) -> str:
    return (
        f"{folder}: tables of an earlier run that this run does not have were moved to {folder / EARLIER}:"
        f" {', '.join(moved)}; a run with these models and settings takes up their finished work again"
    )


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds something else; a run stopped early has left its pieces alone."""
    if not folder.exists() or (folder / RUN_TOML).exists():
        return
    if any(path.name not in (PIECES, CHECKPOINTS) for path in folder.iterdir()):
        raise ScandlError(f"{folder}: not a run folder and not empty; choose another --out")


def write_plan(config: RunConfig, folds: Sequence[Fold], folder: Path) -> None:
    """Write the configuration and the folds; those of an earlier run go, and the run is not finished."""
    (folder / MANIFEST).unlink(missing_ok=True)
    write_text(folder / RUN_TOML, toml_text(to_table(config)))
    for path in (folder / "splits").glob("*.json"):
        path.unlink()
    write_folds(folds, folder / "splits")


def set_aside(folder: Path, predictions: Collection[Group]) -> list[str]:
    """Move tables of models and settings that an earlier run had and this has not; return their names.

    Among the tables of this run they would be taken for its own, on other folds or another corpus.
    """
    moved = {}
    for path in (*(folder / "predictions").glob("*/*.csv"), *(folder / "scores").glob("*/*.csv")):
        setting = path.stem.removesuffix(SENTENCES)
        if setting in SETTINGS and (path.parent.name, setting) not in predictions:
            aside = folder / EARLIER / path.relative_to(folder)
            aside.parent.mkdir(parents=True, exist_ok=True)
            moved[f"{path.parent.name} ({setting})"] = path.replace(aside)
    return sorted(moved)
