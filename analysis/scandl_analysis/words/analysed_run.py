"""What is analysed: a corpus and the predictions of each model, from a benchmark run or from files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from scandl.corpora import Corpus, read_corpus
from scandl.corpora.catalogue import find_corpus, open_corpus
from scandl.errors import ConfigError, DataError, Fact, ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.files.prediction_inputs import Predictions, as_predictions, prediction_paths
from scandl.pairing import Pairing, disagreements, pair
from scandl.records import WHOLE, Prediction
from scandl_analysis.words.readings import HALVES, HUMAN

RUNS = Path("runs")
TOGETHER = "--pred and --corpus go together: the files, and the readers they stand for"


@dataclass(frozen=True)
class Run:
    """One setting of a run, or of prediction files."""

    folder: Path | None  # None: prediction files
    setting: str
    corpus: Corpus
    predictions: dict[str, list[Prediction]]  # by model
    inputs: tuple[Path, ...]
    note: str = ""  # what the first line of the output has to say

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
        other = f"warning: {self.disagreement}" if self.disagreement else ""
        return tuple(line for line in (self.note, self.title, kind, other) if line)

    @cached_property
    def pairing(self) -> Pairing:
        """Which human path each prediction meets."""
        return pair([p for found in self.predictions.values() for p in found], self.corpus)

    @property
    def disagreement(self) -> str | None:
        """What is to be said of human paths in the files that are not those of the corpus."""
        said = disagreements(self.pairing, sum(map(len, self.predictions.values())), self.corpus)
        return said[0] if said else None


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
    source: Run | Predictions | None, corpus: Corpus | Path | str | None = None, setting: str | None = None
) -> Run:
    """Return what is analysed: an open run, a run folder, or predictions with their corpus.

    ``None`` is the newest run below ``runs``, or the demo, in the setting nrns if no other is named.
    """
    if isinstance(source, Run):
        return source
    if corpus is not None and source is not None:
        return open_predictions(source, corpus, setting)
    if corpus is not None or not isinstance(source, Path | str | None):
        raise ConfigError(TOGETHER)
    return open_run(source, setting or "nrns")


def open_predictions(source: Predictions, corpus: Corpus | Path | str, setting: str | None = None) -> Run:
    """Take predictions in any form beside a corpus; ``setting`` chooses where they have several."""
    folder = corpus.folder if isinstance(corpus, Corpus) else find_corpus(corpus)
    read = corpus if isinstance(corpus, Corpus) else read_corpus(folder or corpus)
    found = as_predictions(source, read)
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
    return Run(None, chosen, read, predictions, (*([folder] if folder else []), *files))


def open_readers(corpus: Corpus | Path | str) -> Run:
    """Read a corpus whose readers are analysed by themselves."""
    if isinstance(corpus, Corpus):
        return Run(None, WHOLE, corpus, {}, () if corpus.folder is None else (corpus.folder,))
    folder = find_corpus(corpus)
    return Run(None, WHOLE, read_corpus(folder), {}, (folder,))


def newest_run(runs: Path, setting: str) -> Path | None:
    """Return the run folder written last that has predictions of the setting."""
    found = [
        path.parent
        for path in runs.glob("*/run.toml")
        if any(path.parent.glob(f"predictions/*/{setting}.csv"))
    ]
    return max(found, key=lambda run: (run / "run.toml").stat().st_mtime, default=None)


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
    key = "test_corpus" if setting == "cross" else "corpus"
    name = table.get(key)
    if not isinstance(name, str):
        raise DataError(description, None, key, name, "the name or folder of a corpus")
    corpus = open_corpus(name)
    predictions: dict[str, list[Prediction]] = {}
    for path in tables:
        for prediction in not_empty(path, read_predictions(path, corpus=corpus)):
            predictions.setdefault(prediction.model, []).append(prediction)
    return Run(folder, setting, corpus, predictions, (find_corpus(name), *tables), note)
