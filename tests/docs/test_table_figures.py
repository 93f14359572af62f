"""Figures of tables: what is drawn are the numbers that stand in the table."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "hooks"))
import table_figures  # noqa: E402

TABLE = """| corpus | NLD | energy |
|---|---|---|
| SWIFT | .5 | **.1** [−.1, .3] |
| medoid | | .349 [.318, .379] |
| Human | .52 | −.001 [−.038, .045] |
"""


def test_numbers_intervals_and_people_are_read() -> None:
    energy, nld = table_figures.panels(TABLE, ["energy", "NLD"])
    assert {name: (e.value, e.interval) for name, e in energy.estimates.items()} == {
        "swift": (0.1, (-0.1, 0.3)),
        "medoid": (0.349, (0.318, 0.379)),
    }
    assert energy.reference is not None
    assert energy.reference.interval == (-0.038, 0.045)
    assert {name: e.value for name, e in nld.estimates.items()} == {"swift": 0.5}


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_columns_that_pages_ask_for_have_numbers(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    asked = table_figures._ASKED.findall(text)
    assert len(asked) == len(re.findall("<!-- figure of", text))
    for table, columns in asked:
        assert all(panel.estimates for panel in table_figures.panels(table, columns.split(", ")))
