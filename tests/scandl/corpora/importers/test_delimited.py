"""Delimited text: quotes, line ends and encodings as other programs write them."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scandl.corpora.importers import delimited
from scandl.corpora.importers.delimited import Delimited, coded_rows, encoding_note, quotes_delimit
from scandl.corpora.importers.fixation_report import read_report
from scandl.errors import DataError

Write = Callable[..., Path]


def column(path: Path, meaning: str = "word", **options: object) -> list[str]:
    report = read_report(path, (meaning,), **options)  # type: ignore[arg-type]
    return [report.cell(row, meaning) for row in range(len(report))]


def test_marks_that_belong_to_words_stay(write: Write) -> None:
    path = write("f.tsv", "IA_ID IA_LABEL", [(1, '"Hello'), (2, 'there,"'), (3, '"Yes"'), (4, "he")])
    assert column(path) == ['"Hello', 'there,"', '"Yes"', "he"]


def test_marks_that_enclose_fields_go(tmp_path: Path) -> None:
    path = tmp_path / "f.tsv"
    path.write_text('IA_ID\tIA_LABEL\n1\t"""Hello"\n2\t"a\tb"\n3\tc\n', encoding="utf-8")
    assert column(path) == ['"Hello', "a\tb", "c"]


def test_a_field_with_a_line_end_is_one_field(tmp_path: Path) -> None:
    path = tmp_path / "f.tsv"
    path.write_text('IA_ID\tIA_LABEL\n1\t"a\nb"\n2\tc\n', encoding="utf-8")
    assert quotes_delimit(path)
    assert column(path) == ["a\nb", "c"]


_cell = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(_cell, _cell), min_size=1, max_size=8), sep=st.sampled_from("\t,;"))
def test_any_quoted_table_is_read_as_the_csv_module_reads_it(rows: list[tuple[str, str]], sep: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "f.txt"
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, delimiter=sep, quoting=csv.QUOTE_ALL)
            writer.writerows([("subject", "IA_LABEL"), *rows])
        assert column(path, "reader_id") == [who for who, _ in rows]
        assert column(path) == [word for _, word in rows]


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(_cell, _cell), min_size=1, max_size=8))
def test_what_is_not_quoted_throughout_is_read_as_it_stands(rows: list[tuple[str, str]]) -> None:
    rows = [('"open', "word"), *rows]  # one word that no quoting tool would write
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "f.tsv"
        path.write_text("".join(f"{a}\t{b}\n" for a, b in [("subject", "IA_LABEL"), *rows]), encoding="utf-8")
        assert column(path, "reader_id") == [who for who, _ in rows]
        assert column(path) == [word for _, word in rows]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("arrow", [True, False])
def test_encodings_are_found(
    tmp_path: Path, codec: str, arrow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not arrow:
        monkeypatch.setattr(delimited, "is_installed", lambda *modules: False)
    path = tmp_path / "f.tsv"
    path.write_bytes('Subject\tIA_LABEL\n1\tMüller\n2\t"Größe\n'.encode(codec))
    assert column(path) == ["Müller", '"Größe']
    assert column(path, "reader_id") == ["1", "2"]
    assert (encoding_note(path) != "") == (codec == "cp1252")


def test_an_encoding_that_was_named_is_kept_to(tmp_path: Path) -> None:
    path = tmp_path / "f.tsv"
    path.write_bytes("Subject\tIA_LABEL\n1\tMüller\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"f\.tsv: found .*expected text in the encoding that was named"):
        column(path, encoding="utf-8")
    assert column(path, encoding="latin-1") == ["Müller"]
    with pytest.raises(DataError, match="unknown encoding"):
        column(path, encoding="latin-99")
    path.write_bytes(b"Subject\tIA_LABEL\n1\tM\x81ller\n")  # neither UTF-8 nor in cp1252
    with pytest.raises(DataError, match=r"expected text in UTF-8, UTF-16 or cp1252 \(--encoding NAME\)"):
        column(path)


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
