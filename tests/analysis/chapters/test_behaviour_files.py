"""The files of variability and correlations: tables that come back, and how they were made."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from scandl_analysis.behaviour.correlations import correlations
from scandl_analysis.behaviour.variability import variability
from scandl_analysis.chapters.behaviour_files import write_correlations, write_variability
from scandl_analysis.chapters.correlations_chapter import read_correlations
from scandl_analysis.chapters.variability_chapter import read_variability
from scandl_analysis.words.analysed_run import demo_run


def test_tables_come_back(tmp_path: Path) -> None:
    spread = variability(demo_run(), resamples=20)
    assert write_variability(spread, tmp_path) == tmp_path
    related = correlations(demo_run(), resamples=20)
    write_correlations(related, tmp_path)
    for read, found in (
        (read_variability(tmp_path / "variability.csv"), spread.table),
        (read_correlations(tmp_path / "correlations.csv"), related.table),
    ):
        numbers = found.select_dtypes("number").columns
        pd.testing.assert_frame_equal(read[numbers].astype(float), found[numbers].astype(float))
    assert len(pd.read_csv(tmp_path / "scanpaths.csv")) == len(spread.scanpaths)
    assert len(pd.read_csv(tmp_path / "pairs.csv")) == len(related.pairs)


def test_beside_a_table_stands_how_it_was_made(tmp_path: Path) -> None:
    found = variability(demo_run(), seed=7, resamples=20)
    write_variability(found, tmp_path)
    told = json.loads((tmp_path / "variability.csv.json").read_text())
    assert told["settings"]["bootstrap"]["seed"] == "7"
    assert told["notes"] == list(found.notes)
