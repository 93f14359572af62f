"""Texts of several systems: long and wide tables give the same records, and faults name their line."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl_analysis.reading_ease.system_texts import SYSTEM, system_texts

LONG = "item_id,system,text\n1,A,The cat sat.\n1,B,A  cat sat.\n2,A,It ran.\n2,B,It fled.\n"
WIDE = "item_id,A,B\n1,The cat sat.,A  cat sat.\n2,It ran.,It fled.\n"


def test_long_and_wide_tables_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text(LONG)
    (tmp_path / "wide.csv").write_text(WIDE)
    found = system_texts(tmp_path / "long.csv", "system")()
    assert found == system_texts(tmp_path / "wide.csv", "A,B")()
    assert found == system_texts(pd.read_csv(tmp_path / "long.csv"), "system")()
    assert found[1] == Sentence("1/B", "A cat sat.", "1", {SYSTEM: "B"})


def test_texts_of_nobody_are_taken_in_any_form_and_as_often_as_wanted(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("The cat sat.\n\nIt ran.\n")
    texts = system_texts(tmp_path / "t.txt")
    assert [s.sentence_id for s in texts()] == [s.sentence_id for s in texts()] == ["t1", "t3"]
    assert [s.text for s in system_texts(["The cat sat.", "It ran."])()] == ["The cat sat.", "It ran."]
    assert [s.text for s in system_texts(pd.DataFrame({"text": ["It ran."]}))()] == ["It ran."]
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(ScandlError, match="empty.txt: found no texts"):
        system_texts(tmp_path / "empty.txt")


@pytest.mark.parametrize(
    ("content", "by", "error"),
    [
        (LONG.replace("A  cat sat.", " "), "system", ":3: column 'text': found ' '"),
        (LONG.replace("2,B", ",B"), "system", ":5: column 'item_id': found an empty cell"),
        (LONG.replace("2,B", "1,B"), "system", "found two texts of 'B' for item '1'"),
        (LONG, "model", "column 'model': found only the columns item_id, system, text"),
        (
            LONG.replace("B", "A").replace("1,A,A", "3,A,A").replace("2,A,It f", "4,A,It f"),
            "system",
            "1 systems",
        ),
        ("item_id,system,text\n1,A," + "word " * 1001, "system", ":2: found a text of 1,001 words"),
    ],
)
def test_a_fault_names_its_place(tmp_path: Path, content: str, by: str, error: str) -> None:
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(ScandlError) as found:
        system_texts(tmp_path / "t.csv", by)
    assert error in str(found.value)


def test_a_list_has_no_systems() -> None:
    with pytest.raises(ScandlError, match="by: found list, expected a file or a table with columns"):
        system_texts(["The cat sat."], "system")
