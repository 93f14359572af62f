"""Tables of results read back from their files, and their rows as cells of a report."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from scandl.errors import DataError, Fact
from scandl.files.tables import read_table
from scandl.measures.measure_names import SYNONYMS
from scandl.splits import SETTINGS
from scandl_analysis.effects.recovery import NO_EFFECTS, SPLIT_HALF
from scandl_analysis.words.analysed_run import HALVES, HUMAN
from scandl_analysis.words.word_table import PREVIOUS
from scandl_reports.document import Cell
from scandl_reports.figures.chart import looks

EFFECTS = "effects.csv"
ALL = "all"
"""The setting of readers without models."""
PUBLISHED = ", published"
READERS = "readers"
SIMULATED = "readers are simulated"
"""How the notes of an analysis say that its readers are no people."""
_TEXTS = frozenset(
    [
        "setting",
        "model",
        "measure",
        "predictor",
        "note",
        "engine",
        "priors",
        "source",
        "word",
        "reader_id",
        "sentence_id",
        "fold",
        "corpus",
        "convention",
        "kind",
        "other",
        "origin",
        "stars",
        "check",
        "class",
        "parameter",
        "prior",
        "unit",
        "per",
        "verdict",
        "definition",
        "edges",
        "main",
        "word_token",
        "by",
        "level",
    ]
)


def read_numbers(path: Path, needed: Sequence[str] = ()) -> pd.DataFrame:
    """Return a table with numbers as numbers and missing ones as NaN; an absent file is an empty table.

    A file that has ``needed`` columns has to be there.
    """
    if not path.is_file() and not needed:
        return pd.DataFrame()
    table = read_table(path)
    table.need(*needed)
    frame = pd.DataFrame(table.columns)
    for name in [name for name in frame.columns if name not in _TEXTS]:
        try:
            frame[name] = pd.to_numeric(frame[name].replace("", None))
        except ValueError as error:
            raise DataError(path, None, name, str(error), "numbers") from None
    return frame


def read_notes(sidecar: Path) -> tuple[str, ...]:
    """Return what an analysis had to say beside its numbers."""
    if not sidecar.is_file():
        return ()
    try:
        return tuple(map(str, json.loads(sidecar.read_text(encoding="utf-8")).get("notes", ())))
    except (ValueError, AttributeError):
        raise DataError(sidecar, None, None, Fact("no JSON object"), "the notes of an analysis") from None


def check_texts(path: Path, frame: pd.DataFrame, column: str, known: Collection[str]) -> None:
    """Say which cell of a column of names holds none that is known."""
    for k, value in frame[column].items():
        if value not in known:
            raise DataError(path, int(str(k)) + 2, column, value, f"one of {', '.join(known)}")


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as dicts, None for what is missing."""
    return [
        {
            str(name): None if isinstance(value, float) and value != value else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]


def span(low: float | None, high: float | None) -> tuple[float, float] | None:
    """Return an interval, or None where an end is missing."""
    return None if low is None or high is None else (low, high)


def whole(value: float | None) -> int | None:
    """Return a count."""
    return None if value is None else int(value)


def row_colours(rows: Sequence[tuple[Cell, ...]]) -> dict[str, str]:
    """Return the colour of each source in the first column; a published row has that of its source."""
    names = [str(row[0]) for row in rows if str(row[0]) not in (NO_EFFECTS, SPLIT_HALF)]
    sources = {name: name.split(PUBLISHED)[0] for name in names}
    colours = looks(sources.values())
    return {name: colours[source].colour for name, source in sources.items()}


def row_name(source: str, origin: str, corpus: str = "") -> str:
    """Return how a row is called: a number from the literature is told from one of the run.

    >>> row_name("swift", "run"), row_name("swift", "published", "CELER"), row_name("swift", "published")
    ('swift', 'swift, published (CELER)', 'swift, published')
    """
    place = f" ({corpus})" if corpus else ""
    name = source_name(source)
    return name if origin == "run" else f"{name}{PUBLISHED}{place}"


def source_name(source: str) -> str:
    """Return how a report calls a source: those who were recorded may be people or simulated.

    >>> source_name("human"), source_name("human-half-1"), source_name("swift")
    ('readers', 'readers, half 1', 'swift')
    """
    if source in HALVES:
        return f"{READERS}, half {HALVES.index(source) + 1}"
    return READERS if source == HUMAN else source


@dataclass(frozen=True)
class ModelChecks:
    """The tables that say whether the regressions can be believed; one that was not written is empty."""

    diagnostics: pd.DataFrame
    checks: pd.DataFrame
    collinearity: pd.DataFrame
    priors: pd.DataFrame


def read_model_checks(folder: Path) -> ModelChecks:
    """Read the tables of an analysis."""
    names = ("diagnostics", "checks", "collinearity", "priors")
    return ModelChecks(*(_with_our_names(read_numbers(folder / f"{name}.csv")) for name in names))


@dataclass(frozen=True)
class EffectTables:
    """The tables of one analysis, as ``psycholing --out`` wrote them."""

    folder: Path | None  # None: not written yet
    effects: pd.DataFrame
    recovery: pd.DataFrame
    summary: pd.DataFrame
    words: pd.DataFrame
    checks: ModelChecks
    notes: tuple[str, ...] = ()
    sensitivity: pd.DataFrame = field(default_factory=pd.DataFrame)  # effects by definition and edges
    times: pd.DataFrame = field(default_factory=pd.DataFrame)  # recovery of the effects on times
    groups: pd.DataFrame = field(default_factory=pd.DataFrame)  # effects by group or condition
    label: str = ""  # tells it from another analysis of the same setting in the same report
    margin: str = ""  # how large a difference matters

    @property
    def who(self) -> str:
        """Who read: people, or simulated readers, which the notes say."""
        return "the simulated readers" if any(SIMULATED in note for note in self.notes) else "people"

    @property
    def predictors(self) -> list[tuple[str, ...]]:
        """The predictors of the word itself and, where they were entered, those of the previous word."""
        entered = list(dict.fromkeys(self.effects["predictor"]))
        own = tuple(name for name in entered if name not in PREVIOUS)
        previous = tuple(name for name in entered if name in PREVIOUS)
        return [own, previous] if previous else [own]

    @property
    def setting(self) -> str:
        """The setting that was analysed, by its name, and the label where there is one.

        Of readers alone it is the name of their corpus, with which the notes begin.
        """
        code = str(self.effects["setting"].iloc[0])
        if code == ALL and self.notes and set(self.effects["model"]) <= {HUMAN, *HALVES}:
            code = self.notes[0].partition(":")[0]
        return SETTINGS.get(code, code) + (f" ({self.label})" if self.label else "")


def read_effects(folder: Path) -> EffectTables:
    """Read the tables of an analysis; one that was not written is empty."""
    effects = read_numbers(folder / EFFECTS, ("model", "measure", "predictor", "mean", "ci_low", "ci_high"))
    if effects.empty:
        raise DataError(
            folder / EFFECTS, None, None, Fact("no rows"), "effects of 'scandl-analysis psycholing'"
        )
    names = ("recovery", "recovery-summary", "words", "sensitivity", "recovery-times", "groups")
    recovery, summary, words, sensitivity, times, groups = (
        _with_our_names(read_numbers(folder / f"{name}.csv")) for name in names
    )
    return EffectTables(
        folder,
        _with_our_names(effects),
        recovery,
        summary,
        words,
        read_model_checks(folder),
        read_notes(folder / f"{EFFECTS}.json"),
        sensitivity,
        times,
        groups,
        margin=_margin(folder / f"{EFFECTS}.json"),
    )


def with_file_names(table: pd.DataFrame, *, simulated: bool) -> pd.DataFrame:
    """Return a table as it is written: simulated readers are called readers, and never human.

    >>> with_file_names(pd.DataFrame({"model": ["human-half-1"]}), simulated=True)["model"].tolist()
    ['readers-half-1']
    """
    if not simulated:
        return table
    named = [name for name in ("model", "source", "note") if name in table]
    return table.assign(**{name: table[name].str.replace(HUMAN, READERS) for name in named})


def _with_our_names(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table that was read with the names that the program has for readers and their halves."""
    ours = {name.replace(HUMAN, READERS): name for name in (HUMAN, *HALVES)}
    named = [name for name in ("model", "source") if name in table]
    return table.assign(**{name: table[name].replace(ours) for name in named})


def _margin(sidecar: Path) -> str:
    """Return the margin of the verdicts, as the sidecar of the effects has it."""
    if not sidecar.is_file():
        return ""
    try:
        return str(json.loads(sidecar.read_text(encoding="utf-8"))["settings"]["analysis"]["margins"])
    except (ValueError, KeyError, TypeError):  # of an earlier version, or not ours
        return ""


_MEASURES = {"sr": "skipping", "fpr": "regressing", "ffc": "first-pass fixations", "tfc": "all fixations"}


def measure_words(measure: str) -> str:
    """Return the name of a measure.

    >>> measure_words("sr"), measure_words("FPRT")
    ('skipping', 'gaze duration')
    """
    concepts = {names.ours: names.concept for names in SYNONYMS}
    return _MEASURES.get(measure) or concepts.get(measure, measure)


def predictor_words(predictor: str) -> str:
    """Return the name of a predictor.

    >>> predictor_words("word_length"), predictor_words("previous_frequency")
    ('length', 'frequency of the previous word')
    """
    own = predictor.removeprefix("previous_").removeprefix("word_")
    return f"{own} of the previous word" if predictor.startswith("previous_") else own


def unit_words(row: Mapping[str, Any]) -> str:
    """Return measure and unit of an effect, as a heading has them.

    >>> unit_words({"measure": "sr", "unit": "percentage points", "per": "letter"})
    'skipping, percentage points per letter'
    >>> unit_words({"measure": "tfc", "unit": "fixations"})
    'all fixations'
    """
    name, unit = measure_words(row["measure"]), row.get("unit") or ""
    per = f" per {row['per']}" if unit and row.get("per") else ""
    return f"{name}{f', {unit}' if unit and not name.endswith(unit) else ''}{per}"


def effect_said(measure: str, predictor: str, value: float) -> str:
    """Return which way a measure goes with a predictor.

    >>> effect_said("sr", "word_length", -1.2)
    'skipping falls with length'
    """
    name = measure_words(measure)
    plural = name.endswith("fixations")
    verb = ("rise" if value > 0 else "fall") + ("" if plural else "s")
    return f"{name} {verb} with {predictor_words(predictor)}"


def amount(value: float | None, unit: str | None) -> str:
    """Return an effect with as many digits as its unit deserves.

    >>> amount(-13.82, "percentage points"), amount(0.1234, "fixations"), amount(None, "ms")
    ('−13.8', '0.123', '–')
    """
    if value is None:
        return "–"
    number = f"{value:.{3 if unit == 'fixations' else 1}f}"
    return number.replace("-", "−") if number.strip("-0.") else number.lstrip("-")


def interval(row: Mapping[str, Any], name: str) -> str:
    """Return an effect with its 95 % interval, from the columns NAME, NAME_low and NAME_high.

    >>> interval({"marginal": 2.0, "marginal_low": 1.0, "marginal_high": 3.0, "unit": "ms"}, "marginal")
    '2.0 [1.0, 3.0]'
    """
    value, low, high = (amount(row[f"{name}{end}"], row["unit"]) for end in ("", "_low", "_high"))
    return f"{value} [{low}, {high}]"
