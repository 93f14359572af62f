"""A run beside the published tables, in their conventions.

NLD counts CLS and SEP, a model's symbols as they were drawn (only trailing padding removed); the mean is that
of the fold means, and ± is their population standard deviation, as the released script has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scandl.files.tables import read_table, write_table
from scandl.measures.catalogue import METRICS
from scandl.splits import SETTINGS, FoldSpread
from scandl_eval.references.reference_rows import HUMAN, TABLES, PublishedRow, published_rows
from scandl_eval.running.scored_run import ScoredRun
from scandl_eval.scoring.rows import joint_with_humans, text_table

METRIC = "nld-scandl"
PUBLISHED_AS = {
    "uniform": "Uniform",
    "train-label-dist": "Train-label-dist",
    "ezreader": "E-Z Reader",
    "swift": "SWIFT",
    "eyettention": "Eyettention",
    "scandl-paper": "ScanDL",
    "scandl-paper-cosine": "ScanDL, cosine schedule",
    "scandl-paper-linear": "ScanDL, linear schedule",
    "scandl-paper-no-condition": "ScanDL without condition",
    "scandl-paper-no-text": "ScanDL without BERT and position",
    HUMAN: "Human",
}
"""Our names, and those under which the paper prints its numbers."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One cell of the published table, ours beside it."""

    setting: str
    model: str
    n: int
    folds: FoldSpread
    published: PublishedRow

    def cells(self) -> dict[str, Any]:
        """Return the row of ``published.csv``."""
        return {
            "setting": self.setting,
            "model": self.model,
            "published_as": self.published.model,
            "n": self.n,
            "n_folds": len(self.folds.means),
            "nld": round(self.folds.mean, 6),
            "sd_folds": "" if self.folds.sd is None else round(self.folds.sd, 6),
            "published": self.published.mean,
            "published_sd_folds": "" if self.published.spread is None else self.published.spread,
            "difference": round(self.folds.mean - self.published.mean, 6),
        }


def compare_with_published(runs: Sequence[ScoredRun]) -> list[Compared]:
    """Return every cell of the published tables that the run has a model for."""
    known = {
        (row.setting, row.model): row for table in reversed(TABLES) for row in published_rows(None, table)
    }
    found = []
    for run in runs:
        setting = run.found.setting
        for model, (n, folds) in _by_model(run).items():
            row = known.get((setting, PUBLISHED_AS.get(model, "")))
            if row is not None:
                found.append(Compared(setting, model, n, folds, row))
    return found


def _by_model(run: ScoredRun) -> dict[str, tuple[int, FoldSpread]]:
    """Return the number of items and the fold means of each model, and of the readers."""
    found = {}
    estimates = run.found.estimates[METRIC]
    for model in run.found.models:
        joint = estimates.joint([model]) if model in estimates.models else None
        if joint is not None:
            found[model] = (joint.n, joint.folds[0])
    ceiling = run.found.beside.ceiling(METRICS[METRIC], "all-pairs")
    if len(ceiling.column):
        joint = joint_with_humans(ceiling, {})
        found[HUMAN] = (joint.n, joint.folds[0])
    return {model: (n, folds) for model, (n, folds) in found.items() if folds.means}


def write_comparison(path: Path, compared: Sequence[Compared]) -> None:
    """Write the table; where there is nothing to compare, none."""
    rows = [row.cells() for row in compared]
    if rows:
        write_table(path, {name: [row[name] for row in rows] for name in rows[0]})


def comparison_lines(path: Path) -> list[str]:
    """Return the table for a terminal."""
    table = read_table(path).columns
    header = ["setting", "model", "NLD here", "NLD published", "difference", "n"]
    cells = [
        [SETTINGS[setting], name, _spread(ours, sd), _spread(theirs, their_sd), f"{float(gap):+.3f}", n]
        for setting, name, ours, sd, theirs, their_sd, gap, n in zip(
            *(
                table[column]
                for column in (
                    "setting",
                    "published_as",
                    "nld",
                    "sd_folds",
                    "published",
                    "published_sd_folds",
                    "difference",
                    "n",
                )
            ),
            strict=True,
        )
    ]
    said = "Beside the published table, in its convention (CLS and SEP counted; ± is the SD over folds):"
    return ["", said, *text_table(header, cells)]


def _spread(mean: str, sd: str) -> str:
    return f"{float(mean):.3f} ± {float(sd):.3f}" if sd else f"{float(mean):.3f}"
