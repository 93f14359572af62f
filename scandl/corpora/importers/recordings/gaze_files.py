"""Files of eye trackers as fixations on the screen: ASC files, tables of fixations and of samples."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora.importers.covariates import Covariates, covariates
from scandl.corpora.importers.delimited import encoding_of
from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn, finite, read_report
from scandl.errors import ConfigError, DataError, Fact
from scandl.extras import need
from scandl.files.tables import no_file

if TYPE_CHECKING:
    from scandl.corpora.importers.recordings.word_areas import Floats

TRIAL = r"TRIALID\s+(?P<sentence_id>\S+)"
"""The message of an ASC file that names the text."""
SHORTEST = 80.0
"""Milliseconds of the shortest fixation that is looked for in samples."""
PLACE = ("reader_id", "sentence_id", "x", "y")


@dataclass(frozen=True, slots=True)
class Located:
    """Fixations on the screen: whose, on which text, where, when and for how long."""

    path: Path
    readers: list[str]
    sentences: list[str]
    x: Floats
    y: Floats
    onset: Floats
    ms: Floats
    covariates: Covariates | None = None
    outside: int = 0  # fixations between trials


def from_asc(path: Path, trial: str, eye: str | None, encoding: str | None) -> Located:
    """Return the fixations of an ASC file that lie within trials; its reader is the name of the file.

    ``trial`` is the message that names the text, with a group ``sentence_id``; ``eye`` chooses one of two.
    """
    import numpy as np

    pm = need("pymovements", "recordings")
    if not path.is_file():
        raise DataError(path, None, None, no_file(path), "an ASC file of EyeLink")
    if "sentence_id" not in re.compile(trial).groupindex:
        raise ConfigError(f"--trial {trial!r}: expected a group named sentence_id, as in {TRIAL}")
    ends = {"pattern": r"(?:TRIAL_RESULT|TRIAL OK)", "column": "sentence_id", "value": None}
    patterns = [f".*?(?:{trial})", ends]  # they are matched from the start of a message
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of settings that fixations do not need
        try:
            gaze = pm.gaze.from_asc(
                path, patterns=patterns, events=True, encoding=encoding_of(path, encoding)
            )
        except Exception as error:  # of polars or of the parser, for a file that is no ASC file
            found = Fact(str(error).splitlines()[0])
            raise DataError(path, None, None, found, "an ASC file of EyeLink") from None
    rows = [row for row in gaze.events.frame.iter_rows(named=True) if row["name"].startswith("fixation")]
    eyes = sorted({row["eye"] for row in rows})
    if len(eyes) > 1 and eye is None:
        raise DataError(path, None, None, Fact("fixations of both eyes"), "--eye left or right")
    rows = [row for row in rows if eye in (None, row["eye"])]
    if not rows:
        raise DataError(path, None, None, Fact(f"no fixation of the eye {eye or 'recorded'}"), "fixations")
    inside = [row for row in rows if row["sentence_id"] is not None]
    time = gaze.samples["time"].to_numpy()
    places = np.array(gaze.samples["pixel"].to_list(), dtype=float)
    places = places[:, 2:] if places.shape[1] == 4 and eye == "right" else places[:, :2]
    onset, offset = (np.array([row[name] for row in inside], dtype=float) for name in ("onset", "offset"))
    spans = zip(np.searchsorted(time, onset), np.searchsorted(time, offset, side="right"), strict=True)
    means = np.array([np.nanmean(places[start:stop], axis=0) for start, stop in spans]).reshape(-1, 2)
    steps = np.diff(time)
    sample = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    return Located(
        path,
        [path.stem] * len(inside),
        [row["sentence_id"] for row in inside],
        means[:, 0],
        means[:, 1],
        onset,
        offset - onset + sample,  # the last sample is part of it
        outside=len(rows) - len(inside),
    )


def from_table(
    path: Path, said: Mapping[str, str], dispersion: float | None, encoding: str | None
) -> Located:
    """Return the fixations of a table, or with ``dispersion`` those found in a table of samples."""
    import numpy as np

    chosen = {m: name for m, name in said.items() if m in (*PLACE, "duration_ms", "fixation_index", "time")}
    if dispersion is not None:
        report = read_report(path, (*PLACE, "time"), chosen=chosen, encoding=encoding)
        return _detected(report, dispersion)
    report = read_report(path, PLACE, ("duration_ms", "fixation_index"), chosen=chosen, encoding=encoding)
    n = len(report)
    ms = (
        report.numbers("duration_ms", finite, "milliseconds")
        if "duration_ms" in report
        else np.full(n, np.nan)
    )
    onset = np.arange(n, dtype=float)
    if "fixation_index" in report:
        onset = report.numbers("fixation_index", finite, "a number that orders the fixations", frozenset())
    others = covariates(report, encoding)
    (readers, sentences), (x, y) = _who(report), _xy(report)
    return Located(path, readers, sentences, x, y, onset, ms, others)


def _detected(report: FixationReport, dispersion: float) -> Located:
    """Return the fixations that pymovements' I-DT finds in each trial."""
    import numpy as np

    pm = need("pymovements", "recordings")
    readers, sentences = _who(report)
    x, y = _xy(report)
    time = report.numbers("time", finite, "milliseconds", frozenset())
    trials = ReportColumn.of("trial", (f"{r}\t{s}" for r, s in zip(readers, sentences, strict=True)))
    found: list[tuple[str, str, float, float, float, float]] = []
    for code, trial in enumerate(trials.texts):
        rows = np.flatnonzero(trials.codes == code)
        rows = rows[np.argsort(time[rows], kind="stable")]
        step = float(np.median(np.diff(time[rows]))) if len(rows) > 1 else 0.0
        places, times = np.column_stack([x[rows], y[rows]]), time[rows].astype(np.int64)
        if not len(rows) or (times != time[rows]).any():
            raise report.error(int(rows[0]), "time", report.cell(int(rows[0]), "time"), "whole milliseconds")
        shortest = int(step * max(round(SHORTEST / step), 1)) if step else 1  # a whole number of samples
        try:
            events = pm.events.idt(
                places,
                timesteps=times,
                dispersion_threshold=dispersion,
                minimum_duration=shortest,
                include_nan=True,
            )
        except ValueError as error:
            raise report.error(int(rows[0]), "time", Fact(error), "samples at equal intervals") from None
        reader, sentence = trial.split("\t")
        for onset, offset in events.frame.select("onset", "offset").iter_rows():
            of_fixation = places[(times >= onset) & (times <= offset)]
            found.append((reader, sentence, *np.nanmean(of_fixation, axis=0), onset, offset - onset + step))
    columns = list(zip(*found, strict=True)) or [()] * 6
    x, y, onset, ms = (np.array(column, dtype=float) for column in columns[2:])
    return Located(report.path, list(columns[0]), list(columns[1]), x, y, onset, ms)


def _who(report: FixationReport) -> tuple[list[str], list[str]]:
    report.identifiers("reader_id", "sentence_id")
    columns = (report["reader_id"], report["sentence_id"])
    readers, sentences = ([c.texts[code] for code in c.codes.tolist()] for c in columns)
    return readers, sentences


def _xy(report: FixationReport) -> tuple[Floats, Floats]:
    return report.numbers("x", finite, "pixels"), report.numbers("y", finite, "pixels")
