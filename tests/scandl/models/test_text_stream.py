"""Texts from files: the same in every form, numbered by line, and faults named by it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.files.cell_values import LONGEST_WORD
from scandl.models.text_stream import LONGEST_LINE, MOST_WORDS, Shard, texts_of
from scandl.records import Sentence

TEXTS = ["The cat sat.", "A dog, “old”, barked.", "Third 3."]


def plain(path: Path, texts: list[str] = TEXTS) -> Path:
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def keys(found: object) -> list[tuple[str, str]]:
    return [(s.sentence_id, s.text) for s in found]  # type: ignore[attr-defined]


def test_every_form_has_the_same_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    frame = pd.DataFrame({"text": TEXTS})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    expected = [("t1", TEXTS[0]), ("t2", TEXTS[1]), ("t3", TEXTS[2])]
    for name in ("t.csv", "t.parquet", "t.jsonl"):
        assert keys(texts_of(tmp_path / name)) == expected
    assert keys(texts_of(plain(tmp_path / "t.txt"))) == expected
    for lines in ("\n".join(TEXTS), (tmp_path / "t.jsonl").read_text()):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert keys(texts_of("-")) == expected


def test_ids_of_their_own_and_blank_lines(tmp_path: Path) -> None:
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("sentence_id", "text"), ("a", "One\nline."), ("", "Two."), ("c", "")])
    assert keys(texts_of(tmp_path / "t.csv")) == [("a", "One line."), ("t2", "Two.")]
    (tmp_path / "t.txt").write_bytes("\ufeffOne  line.\r\n\n  \nAnother.".encode())
    assert keys(texts_of(tmp_path / "t.txt")) == [("t1", "One line."), ("t4", "Another.")]


@pytest.mark.parametrize("of", [1, 2, 3, 7, 20])
def test_shards_are_the_whole_in_order(of: int, tmp_path: Path) -> None:
    path = plain(tmp_path / "t.txt", [f"Text number {n}." if n % 4 else "" for n in range(11)])
    parts = [keys(texts_of(path, Shard(i + 1, of))) for i in range(of)]
    assert [one for part in parts for one in part] == keys(texts_of(path))


def test_a_part_of_standard_input_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ScandlError, match="--shard needs the name of a file"):
        texts_of("-", Shard(1, 2))


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        (
            "t.txt",
            None,
            "t.txt: found no file, expected a file of texts: one a line, or .csv, .jsonl or .parquet",
        ),
        (
            "t.txt",
            "A schön.".encode("latin-1"),
            "t.txt:1: found byte 0xf6 that is not UTF-8, expected UTF-8 text",
        ),
        (
            "t.txt",
            b"One.\nTw\x00o.\n",
            "t.txt:2: found 'Tw\\x00o.', expected text without control characters",
        ),
        ("t.jsonl", b'{"text": "A."}\n{"text": 3}\n', "t.jsonl:2: column 'text': found '3', expected a text"),
        ("t.jsonl", b'{"txt": "A."}\n', "t.jsonl:1: column 'text': found 'null', expected a text"),
        ("t.jsonl", b"[1]\n", "t.jsonl:1: found '[1]', expected a record such as"),
        ("t.jsonl", b'{"text": "A"', "t.jsonl:1: found broken JSON"),
        (
            "t.csv",
            b"a,b\n1,2\n",
            "t.csv:1: column 'text': found the columns a, b, expected a column of this name",
        ),
        ("t.csv", b"text,b\n1\n", "t.csv:2: found 1 fields, expected 2 as in the header"),
        ("t.json", b"[]", "t.json: found the ending '.json', expected a file of texts"),
        ("t.parquet", b"no", "t.parquet: found "),
        ("t.txt", b"a" * (LONGEST_WORD + 1), "…, expected text without control characters, its words of at"),
        (
            "t.txt",
            b"a " * LONGEST_LINE,
            "t.txt:1: found 10,000,000 characters without a line break, expected",
        ),
        (
            "t.txt",
            b"word " * (MOST_WORDS + 1),
            f"t.txt:1: found a text of {MOST_WORDS + 1:,} words, expected at most",
        ),
    ],
)
def test_what_is_no_text_is_one_line(name: str, content: bytes | None, text: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ScandlError) as caught:
        list(texts_of(tmp_path / name))
    assert str(caught.value).startswith(f"{tmp_path / name}:")
    assert text in str(caught.value).replace(f"{tmp_path}/", "")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device that never ends")
@pytest.mark.parametrize("name", ["plain", "table.csv", "lines.jsonl"])
def test_a_device_that_never_ends_is_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(ScandlError, match=f"{name}:1: found 10,000,000 characters without a line break"):
        list(texts_of(tmp_path / name))


def test_a_file_is_read_as_it_is_needed(tmp_path: Path) -> None:
    """A fault far behind does not stop what comes before it."""
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join([*(json.dumps({"text": f"Text {n}."}) for n in range(50)), "{"]))
    found = texts_of(path)
    assert next(found) == Sentence("t1", "Text 0.")


@pytest.mark.parametrize("text", ["3/2", "0/2", "1", "a/b", "1/0", "-1/2"])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(ScandlError, match=f"--shard {text}: expected a part such as 1/4"):
        Shard.named(text)
    assert Shard.named("2/3") == Shard(2, 3)
