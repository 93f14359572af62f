"""The files of the analyses of model behaviour: the table, what it was made of, and how."""

from __future__ import annotations

from pathlib import Path

from scandl.files.results import write_sidecar
from scandl.files.tables import write_frame
from scandl.statistics.bootstrap import RESAMPLES
from scandl_analysis.behaviour.correlations import Correlations
from scandl_analysis.behaviour.variability import Variability
from scandl_analysis.chapters import correlations_chapter as correlations_report
from scandl_analysis.chapters import variability_chapter as variability_report


def write_variability(found: Variability, out: Path | str) -> Path:
    """Write ``variability.csv``, ``scanpaths.csv`` and how they were made; return the folder."""
    folder = Path(out)
    write_frame(folder / "scanpaths.csv", found.scanpaths)
    return _write(found, folder / variability_report.FILE)


def write_correlations(found: Correlations, out: Path | str) -> Path:
    """Write ``correlations.csv``, ``pairs.csv`` and how they were made; return the folder."""
    folder = Path(out)
    write_frame(folder / "pairs.csv", found.pairs)
    return _write(found, folder / correlations_report.FILE)


def _write(found: Variability | Correlations, path: Path) -> Path:
    write_frame(path, found.table)
    resampling = {"seed": str(found.provenance.seed), "resamples": str(RESAMPLES)}
    write_sidecar(path, {"bootstrap": resampling}, found.notes, found.provenance)
    return path.parent
