"""The page on reading ease: it says what the tables say, and draws each word once."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

from scandl_analysis.reading_ease.ease import ease
from scandl_analysis.reading_ease.ease_report import ease_report, heat_strip
from scandl_reports.document import Figure, Table
from scandl_reports.writing import write_report

HARD = "Institutional deliberation presupposes codification."


def test_the_page_has_systems_texts_and_strips(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"item_id": [1, 1], "system": ["A", "B"], "text": [HARD, "The <cat> & dog sat down."]}
    )
    found = ease(table, by="system", groups=("L1", "L2"), readers=4, context="none")
    report = ease_report(found)
    blocks = [block for section in report.sections for block in section.everything]
    tables = {block.title: block for block in blocks if isinstance(block, Table)}
    texts = tables["Texts, slowest to read first"].rows
    assert [row[3] for row in texts] == sorted(map(round, found.texts["ms_per_word"]), reverse=True)
    assert {row[0] for row in tables["Systems, slowest to read first"].rows} == {"A", "B"}
    assert {row[0] for row in tables["Paired differences between systems"].rows} == {"A – B"}
    strips = [block for block in blocks if isinstance(block, Figure)]
    assert [strip.title for strip in strips[:2]] == ["Text 1/A, readers L1", "Text 1/A, readers L2"]
    assert report.verdict[0].text in found.compared()
    write_report(report, tmp_path / "page.html", tmp_path / "page.txt")
    assert "cannot be told apart" in (page := (tmp_path / "page.txt").read_text()) or "takes" in page
    assert "presupposes" in (tmp_path / "page.html").read_text()


def test_a_strip_is_well_formed_and_longer_texts_have_more_rows() -> None:
    words = ["<b>", "and"] * 60
    root = ElementTree.fromstring(heat_strip(words, [50.0, -10.0] * 60))
    kinds = [child.tag.rpartition("}")[2] for child in root]
    assert kinds.count("text") == 120
    assert kinds.count("rect") == 60
    assert [child.text for child in root if child.tag.endswith("text")] == words
    assert float(root.get("viewBox", "").split()[3]) > 3 * 24
    assert max(float(child.get("x", 0)) for child in root) < 720
