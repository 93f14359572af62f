"""Both readers hold a column in the same way: texts in order of appearance, a code per row."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora.importers import delimited
from scandl.corpora.importers.coded import coded_rows
from scandl.corpora.importers.delimited import Delimited
from scandl.errors import DataError


def test_texts_are_numbered_as_they_are_met() -> None:
    rows = enumerate([["b", "1"], ["a", "1"], ["b", "2"]], start=2)
    found = coded_rows(Path("f.csv"), ["x", "y"], rows, ["y", "x"])
    assert [(name, texts, codes.tolist()) for name, (texts, codes) in found.items()] == [
        ("y", ["1", "2"], [0, 0, 1]),
        ("x", ["b", "a"], [0, 1, 0]),
    ]


@pytest.mark.parametrize("quoted", [True, False])
def test_the_readers_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quoted: bool) -> None:
    """On more rows than a batch or a block of either holds, with blank lines and empty cells between."""
    pytest.importorskip("pyarrow", reason="scandl[parquet] is not installed")
    rng = np.random.default_rng(1)
    path, names = tmp_path / "f.tsv", ["c0", "c3", "c7"]
    with path.open("w", encoding="utf-8", newline="") as stream:
        quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_NONE
        writer = csv.writer(stream, delimiter="\t", quoting=quoting)
        writer.writerow([f"c{k}" for k in range(8)])
        for row in rng.integers(0, 40, size=(25_000, 8)).tolist():
            writer.writerow(["" if cell == 7 else f"é{cell}" for cell in row])
            if row[0] == 3:
                stream.write("\r\n")
    file = Delimited(path, "\t", quoted)
    by_arrow = file.read(names)
    monkeypatch.setattr(delimited, "is_installed", lambda *modules: False)
    by_python = file.read(names)
    for name in names:
        assert by_arrow[name][0] == by_python[name][0]
        assert (by_arrow[name][1] == by_python[name][1]).all()
        assert by_python[name][1].dtype == np.int64


def test_a_field_beyond_the_readers_limit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "is_installed", lambda *modules: False)
    path = tmp_path / "f.tsv"
    path.write_text("a\tb\n1\t2\n3\t" + "x" * 200_000 + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        Delimited(path, "\t", False).read(["a"])
    expected = f"{path}:3: found field larger than field limit (131072), expected well-formed CSV"
    assert str(caught.value) == expected
