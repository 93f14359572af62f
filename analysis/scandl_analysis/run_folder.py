"""The run of a benchmark as the analysis reads it: a corpus and the predictions of each model."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from scandl.corpora import Corpus
from scandl.corpora.catalogue import find_corpus, open_corpus
from scandl.errors import DataError, ScandlError
from scandl.io import read_predictions
from scandl.records import Prediction

RUNS = Path("runs")


@dataclass(frozen=True)
class Run:
    """One setting of a run."""

    folder: Path
    setting: str
    corpus: Corpus
    predictions: dict[str, list[Prediction]]  # by model
    inputs: tuple[Path, ...]
    note: str = ""  # what the first line of the output has to say


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


def _read(folder: Path, setting: str, note: str) -> Run:
    description = folder / "run.toml"
    if not description.is_file():
        raise DataError(folder, None, None, "no run.toml", "the folder of a benchmark run")
    try:
        table = tomllib.loads(description.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(description, None, None, str(error), "well-formed TOML") from None
    name = table.get("test_corpus" if setting == "cross" else "corpus")
    if not isinstance(name, str):
        raise DataError(description, None, "corpus", name, "the name or folder of a corpus")
    corpus = open_corpus(name)
    tables = sorted(folder.glob(f"predictions/*/{setting}.csv"))
    if not tables:
        known = sorted({path.stem for path in folder.glob("predictions/*/*.csv")})
        raise ScandlError(
            f"{folder}: no predictions for setting {setting!r}; it has: {', '.join(known) or 'none'}"
        )
    predictions: dict[str, list[Prediction]] = {}
    for path in tables:
        for prediction in read_predictions(path, corpus=corpus):
            predictions.setdefault(prediction.model, []).append(prediction)
    return Run(folder, setting, corpus, predictions, (find_corpus(name), *tables), note)
