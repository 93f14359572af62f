"""Figures for a paper."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from scandl_reports.figure_files import write_figures


def test_each_figure_is_svg_and_pdf_of_one_width(report, tmp_path):
    pytest.importorskip("typst")
    figure = report.sections[0].blocks[2]
    files = write_figures(replace(report, picture=figure), tmp_path / "figures")
    assert [path.name for path in files] == [
        "figure-01-scores-drawn.svg",
        "figure-01-scores-drawn.pdf",
        "figure-02-scores-drawn.svg",
        "figure-02-scores-drawn.pdf",
    ]
    assert ElementTree.parse(files[0]).getroot().get("width") == "16cm"
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", files[1].read_bytes())
    assert float(box[1]) == pytest.approx(16 / 2.54 * 72, abs=0.1)
    assert float(box[2]) == pytest.approx(float(box[1]) / 2, rel=0.01)  # a drawing of 20 by 10


def test_same_figures_same_bytes(report, tmp_path):
    one, two = (write_figures(report, tmp_path / name) for name in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
