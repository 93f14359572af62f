"""What is analysed: a corpus and the predictions of each model, from a run or from files, as readings."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import find_corpus, open_corpus
from scandl.errors import ConfigError, DataError, Fact, LeftOutWarning, ScandlError
from scandl.files.cell_values import FLAG
from scandl.files.manifest import MANIFEST, read_manifest
from scandl.files.prediction_columns import files_of
from scandl.files.prediction_files import read_predictions
from scandl.files.prediction_inputs import Predictions, as_predictions, prediction_paths
from scandl.models.imputation import Imputation, is_imputed, open_imputed
from scandl.pairing import Pairing, disagreements, left_out, pair
from scandl.records import WHOLE, Positions, Prediction

if TYPE_CHECKING:
    from argparse import Namespace

RUNS = Path("runs")
TOGETHER = "--pred and --corpus go together: the files, and the readers they stand for"

HUMAN = "human"
"""The source of human readings; every other source is the name of a model."""
HALVES = ("human-half-1", "human-half-2")
"""Names of the two halves of the readers; how far they are apart is a scale for models."""


@dataclass(frozen=True)
class Run:
    """One setting of a run, or of prediction files."""

    folder: Path | None  # None: prediction files
    setting: str
    corpus: Corpus
    predictions: dict[str, list[Prediction]]  # by model
    inputs: tuple[Path, ...]
    note: str = ""  # what the first line of the output has to say
    imputed: Imputation | None = None  # completed versions of the corpus, which is the first of them

    @property
    def readings(self) -> list[Reading]:
        """The readings of people, in all versions where some of their fixations were imputed."""
        return human_readings(self.imputed or self.corpus)

    def __post_init__(self) -> None:
        for name in self.predictions:
            if name in (HUMAN, *HALVES):
                raise ScandlError(
                    f"a model is called {name!r}, which is the name of the readers: give it another"
                )

    @property
    def title(self) -> str:
        """What is analysed, in one line."""
        if not self.predictions:
            n_readers, n_paths = len(self.corpus.reader_ids), len(self.corpus.scanpaths)
            return f"{self.corpus.name}: {n_readers:,} readers, {n_paths:,} scanpaths, no models"
        name = "prediction files" if self.folder is None else self.folder.name
        return f"{name}, {self.setting}: {self.corpus.name} and {', '.join(self.predictions)}"

    @property
    def first_lines(self) -> tuple[str, ...]:
        """What has to be said before any number: which run this is, and whether its readers are people."""
        simulated = self.corpus.card.kind == "simulated"
        kind = f"corpus {self.corpus.name!r}: its readers are simulated" if simulated else ""
        filled = "" if self.imputed is None else self.imputed.said
        others = [f"warning: {said}" for said in self.disagreements]
        return tuple(line for line in (self.note, self.title, kind, filled, *others) if line)

    @cached_property
    def pairing(self) -> Pairing:
        """Which human path each prediction meets."""
        return pair([p for found in self.predictions.values() for p in found], self.corpus)

    @property
    def n_predictions(self) -> int:
        """How many predictions all models have together."""
        return sum(map(len, self.predictions.values()))

    @property
    def disagreements(self) -> list[str]:
        """What is to be said of human paths in the files that are not those of the corpus."""
        return disagreements(self.pairing, self.n_predictions, self.corpus)


def open_run(folder: Path | str | None, setting: str, *, runs: Path | str = RUNS) -> Run:
    """Read a run folder; without one the newest below ``runs``, and without any the embedded demo."""
    note = ""
    if folder is None:
        folder = newest_run(Path(runs), setting)
        if folder is not None:
            note = f"no run given: the newest below {runs} with setting {setting} is {folder}"
    if folder is None:
        folder = demo_run()
        note = (
            f"no run given and none below {runs}: this is the embedded demo, simulated readers"
            " and four generators; its numbers say nothing about people"
        )
    return _read(Path(folder), setting, note)


def as_run(
    source: Run | Predictions | None,
    corpus: Corpus | Path | str | None = None,
    setting: str | None = None,
    index_base: int | None = None,
) -> Run:
    """Return what is analysed: an open run, a run folder, or predictions with their corpus.

    ``None`` is the newest run below ``runs``, or the demo, in the setting nrns if no other is named.
    """
    if isinstance(source, Run):
        return source
    if corpus is not None and source is not None:
        return open_predictions(source, corpus, setting, index_base)
    if corpus is not None or not isinstance(source, Path | str | None):
        raise ConfigError(TOGETHER)
    return open_run(source, setting or "nrns")


def open_source(args: Namespace) -> Run:
    """Return what the flags of a command name (``add_source``); without any, the newest run, or the demo."""
    if args.corpus is not None and not args.pred and args.readers_alone:
        if args.folder is not None or args.setting is not None:
            raise ConfigError("--corpus without --pred is of readers alone: leave out --run and --setting")
        return open_readers(args.corpus)
    if bool(args.pred) != (args.corpus is not None):
        raise ConfigError(TOGETHER)
    if args.pred and args.folder is not None:
        raise ConfigError("--run and --pred exclude each other: a run has its own predictions")
    for flag, given in (("--column", args.column), (FLAG, args.index_base is not None)):
        if given and not args.pred:
            raise ConfigError(f"{flag} goes with --pred: the files of a run are ours")
    predictions = files_of(args.pred, args.column) if args.pred else args.folder
    source = as_run(predictions, args.corpus, args.setting, args.index_base)
    if args.strict:
        for said in (*left_out(source.pairing, source.n_predictions), *source.disagreements):
            raise ScandlError(said)
    return source


def open_predictions(
    source: Predictions,
    corpus: Corpus | Path | str,
    setting: str | None = None,
    index_base: int | None = None,
) -> Run:
    """Take predictions in any form beside a corpus; ``setting`` chooses where they have several."""
    folder = corpus.folder if isinstance(corpus, Corpus) else find_corpus(corpus)
    read, imputed = (corpus, None) if isinstance(corpus, Corpus) else _opened(corpus)
    found = as_predictions(source, read, index_base)
    settings = sorted({p.setting for p in found})
    chosen = setting or settings[0]
    files = prediction_paths(source)
    if chosen not in settings or (setting is None and len(settings) > 1):
        fault = Fact(f"the settings {', '.join(settings)}")
        expected = f"{setting!r}" if setting else "one (--setting)"
        raise DataError(next(iter(files), "predictions"), None, "setting", fault, expected)
    predictions: dict[str, list[Prediction]] = {}
    for p in found:
        if p.setting == chosen:
            predictions.setdefault(p.model, []).append(p)
    inputs = (*([folder] if folder else []), *files)
    return Run(None, chosen, read, predictions, inputs, imputed=imputed)


def open_readers(corpus: Corpus | Path | str) -> Run:
    """Read a corpus whose readers are analysed by themselves."""
    if isinstance(corpus, Corpus):
        return Run(None, WHOLE, corpus, {}, () if corpus.folder is None else (corpus.folder,))
    read, imputed = _opened(corpus)
    return Run(None, WHOLE, read, {}, (find_corpus(corpus),), imputed=imputed)


def open_words(name_or_path: Path | str) -> Corpus | Imputation:
    """Open a corpus, or all completed versions of one that ``scandl corpus impute`` has written."""
    return open_imputed(name_or_path) if is_imputed(name_or_path) else open_corpus(name_or_path)


def _opened(name_or_path: Path | str) -> tuple[Corpus, Imputation | None]:
    found = open_words(name_or_path)
    return (found.corpora[0], found) if isinstance(found, Imputation) else (found, None)


def newest_run(runs: Path, setting: str) -> Path | None:
    """Return the finished run written last that has predictions of the setting."""
    found = [
        path.parent
        for path in runs.glob(f"*/{MANIFEST}")
        if any(path.parent.glob(f"predictions/*/{setting}.csv"))
    ]
    return max(found, key=lambda run: (run / MANIFEST).stat().st_mtime, default=None)


def demo_run() -> Path:
    """Return the folder of the miniature run that ships with the package."""
    return Path(str(files("scandl_analysis").joinpath("demo_run")))


def not_empty(file: Path | str, predictions: list[Prediction]) -> list[Prediction]:
    """Return the predictions of a file, which must have some."""
    if not predictions:
        raise DataError(file, None, None, Fact("no predictions"), "at least one row")
    return predictions


def _read(folder: Path, setting: str, note: str) -> Run:
    description = folder / "run.toml"
    if not description.is_file():
        raise DataError(folder, None, None, "no run.toml", "the folder of a benchmark run")
    try:
        table = tomllib.loads(description.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(description, None, None, str(error), "well-formed TOML") from None
    tables = sorted(folder.glob(f"predictions/*/{setting}.csv"))
    if not tables:
        known = sorted({path.stem for path in folder.glob("predictions/*/*.csv")})
        raise ScandlError(
            f"{folder}: no predictions for setting {setting!r}; it has: {', '.join(known) or 'none'}"
        )
    read_manifest(folder).check(description, *tables)
    key = "test_corpus" if setting == "cross" else "corpus"
    name = table.get(key)
    if not isinstance(name, str):
        raise DataError(description, None, key, name, "the name or folder of a corpus")
    corpus = open_corpus(name)
    predictions: dict[str, list[Prediction]] = {}
    for path in tables:
        for prediction in not_empty(path, read_predictions(path, corpus=corpus, index_base=0)):
            predictions.setdefault(prediction.model, []).append(prediction)
    return Run(folder, setting, corpus, predictions, (find_corpus(name), *tables), note)


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one sentence."""

    source: str
    sentence_id: str
    text: str
    path: Positions
    durations: tuple[float, ...] | None = None  # ms, one per fixation
    reader_id: str = ""  # empty: the source names no reader
    setting: str = "all"
    fold: str = "0"
    sample: int = 0
    truncated: bool = False  # its first fixation was under way when the text appeared
    version: int = 0  # which completed version of a corpus it is of, from 1; 0: nothing was imputed

    @property
    def words(self) -> list[str]:
        """The words of the sentence, punctuation attached."""
        return self.text.split()


def human_readings(corpus: Corpus | Imputation) -> list[Reading]:
    """Return the readings of a corpus; of all completed versions, where fixations were imputed.

    The readers of a simulated corpus play the part of humans: the source is the same, and what
    prints a result has to say what ``corpus.card.kind`` is.
    """
    if isinstance(corpus, Imputation):
        return [
            replace(reading, version=k)
            for k, each in enumerate(corpus.corpora, start=1)
            for reading in human_readings(each)
        ]
    truncated = corpus.card.first_fixation == "truncated"
    return [
        Reading(
            HUMAN,
            path.sentence_id,
            corpus.sentences[path.sentence_id].text,
            path.positions,
            path.durations,
            path.reader_id,
            truncated=truncated,
        )
        for path in sorted(corpus.scanpaths, key=lambda path: (path.reader_id, path.sentence_id))
    ]


def model_readings(predictions: Iterable[Prediction], corpus: Corpus | None = None) -> list[Reading]:
    """Return the generated readings; the text comes from the corpus or, without one, from the file."""
    return _told_apart(
        Reading(
            p.model,
            p.sentence_id,
            _text(p, corpus),
            p.predicted,
            p.durations,
            p.reader_id or "",
            p.setting,
            p.fold,
            p.sample,
        )
        for p in predictions
    )


def paired_readings(predictions: Iterable[Prediction]) -> list[Reading]:
    """Return the human readings that stand beside predictions in a file, each once.

    A file repeats a human path for every model and every draw; with a named reader the pair
    (reader, sentence) tells which are the same. Without one, the first model's rows are taken.
    Where some rows have a human path, those without are counted in a warning.
    """
    every = list(predictions)
    beside = [p for p in every if p.human is not None]
    if 0 < len(beside) < len(every):
        lost = f"{len(every) - len(beside)} of {len(every)} predictions have no human scanpath beside them"
        warnings.warn(lost, LeftOutWarning, stacklevel=3)
    found: dict[tuple[object, ...], Reading] = {}
    models: list[str] = []
    for n, p in enumerate(beside):
        models = models or [p.model]
        if p.reader_id is None and (p.model != models[0] or p.sample != 0):
            continue
        key = (p.reader_id, p.sentence_id) if p.reader_id is not None else (n,)
        reading = Reading(HUMAN, p.sentence_id, _text(p, None), p.human or (), None, p.reader_id or "")
        found.setdefault(key, reading)
    return _told_apart(found.values())


def _told_apart(readings: Iterable[Reading]) -> list[Reading]:
    """Return the readings in one order, numbered as samples where neither reader nor number tells them apart.

    Sources stay as they come, and what belongs to one is put in order, so that no number depends on the
    order of rows.
    """
    every = list(readings)
    sources = {source: i for i, source in enumerate(dict.fromkeys(reading.source for reading in every))}
    every.sort(
        key=lambda r: (sources[r.source], r.setting, r.fold, r.reader_id, r.sentence_id, r.sample, r.path)
    )
    used: set[tuple[object, ...]] = set()
    kept = []
    for reading in every:
        sample = reading.sample
        key = (reading.source, reading.setting, reading.fold, reading.sentence_id)
        while not reading.reader_id and (key, sample) in used:
            sample += 1
        used.add((key, sample))
        kept.append(reading if sample == reading.sample else replace(reading, sample=sample))
    return kept


def _text(prediction: Prediction, corpus: Corpus | None) -> str:
    if corpus is not None and prediction.sentence_id in corpus.sentences:
        return corpus.sentences[prediction.sentence_id].text
    if prediction.text is None:
        raise ScandlError(
            f"model {prediction.model!r}, sentence {prediction.sentence_id!r}: its words are not known;"
            " give the corpus with --corpus or add a column 'text' to the predictions"
        )
    return prediction.text
