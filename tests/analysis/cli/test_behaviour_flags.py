"""What variability and correlations share: reports are refused before the work, or written where asked."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl_analysis.chapters.whole_report import VARIABILITY
from scandl_analysis.cli.behaviour_flags import add_flags, report_files


def asked(*flags: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_flags(parser, writes="variability.csv")
    return parser.parse_args(flags)


def test_a_report_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    assert report_files(asked(), VARIABILITY) == []
    both = report_files(asked("--report", "page.pdf", "--out", str(tmp_path)), VARIABILITY)
    assert both == [Path("page.pdf"), tmp_path / "variability.html"]


def test_what_cannot_be_written_is_refused_first(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="page.doc: a report is written as"):
        report_files(asked("--report", "page.doc"), VARIABILITY)
    (tmp_path / "file").write_text("")
    with pytest.raises(ScandlError, match="found a file, expected a folder"):
        report_files(asked("--out", str(tmp_path / "file")), VARIABILITY)
