"""An output that is one of the inputs is refused, under whatever name, and the input stays as it was."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import scandl.cli
import scandl_analysis.cli
import scandl_eval.cli
from scandl.cli.commandline import OUTPUTS
from scandl.corpora.corpus_folder import find_corpus
from scandl.errors import DataError
from scandl.files.results import atomic_folder, inputs_kept, note_input, refuse_input, write_text
from scandl_analysis.words.word_files import write_measures

REFUSED = "found a file that is read, expected another name for what is written"


def test_what_was_read_is_not_written(tmp_path: Path) -> None:
    read, other = tmp_path / "read.csv", tmp_path / "other.csv"
    read.write_text("old")
    os.link(read, tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to(read)
    with inputs_kept([other], []):
        note_input(read)
        for name in ("read.csv", "hard.csv", "soft.csv"):
            with pytest.raises(DataError, match=f"{name}: {REFUSED}"):
                write_text(tmp_path / name, "new")
        write_text(other, "new")
        write_text(other, "newer")
    assert read.read_text() == "old"
    write_text(read, "new")  # a script of one's own may read a file and write it again


def test_what_is_known_before_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "same.csv"
    file.write_text("old")
    with pytest.raises(DataError, match=REFUSED), inputs_kept([file], [file]):
        pytest.fail("the work began")
    with pytest.raises(DataError, match=REFUSED):
        refuse_input(file, file)


def test_a_number_that_was_left_to_another_file_is_no_input(tmp_path: Path) -> None:
    with inputs_kept([], []):
        for n in range(50):  # the system gives the number of a removed file away again
            read, made = tmp_path / f"read{n}", tmp_path / f"made{n}"
            read.write_text("x")
            note_input(read)
            read.unlink()
            write_text(made, "x")
            write_text(made, "y")


def test_a_folder_is_not_replaced_where_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "fixations.csv").write_text("old")
    (folder / "thesis.txt").write_text("years of work")
    with (
        inputs_kept([], [folder / "fixations.csv"]),
        pytest.raises(DataError, match=f"fixations.csv: {REFUSED}"),
        atomic_folder(folder) as new,
    ):
        (new / "fixations.csv").write_text("new")
    assert sorted(path.name for path in folder.iterdir()) == ["fixations.csv", "thesis.txt"]
    assert (folder / "fixations.csv").read_text() == "old"


def test_measures_in_python_too(tmp_path: Path) -> None:
    file = tmp_path / "preds.csv"
    file.write_text("sentence_id,predicted,text\ns,0 1,two words\n")
    before = file.read_bytes()
    with pytest.raises(DataError, match=REFUSED):
        write_measures(file, pred=file)
    assert file.read_bytes() == before


PREDICTIONS = "reader_id,sentence_id,predicted,human,text\na,s1,0 1,0 1,two words\nb,s1,0,0 1,two words\n"
COMMANDS = {
    "nld --scores": "scandl_eval nld --pred F --scores F",
    "nld --json": "scandl_eval nld --pred F --json F",
    "score --report": "scandl_eval score --metrics nld --pred F --report F.html",
    "compare --json": "scandl_eval compare F F.html --json F",
    "baseline generate": "scandl_eval baseline generate uniform --text-file F --out F",
    "generate": "scandl generate --text-file F --out F",
    "generate --like": "scandl generate --text Hello. --like F --out F",
    "measures": "scandl_analysis measures --pred F --out F",
    "pilot": "scandl_analysis pilot --stimuli F --out new --report F.html",
    "a corpus": "scandl_eval nld --pred O --corpus C --scores C/fixations.csv",
    "a corpus, measured": "scandl_analysis measures --corpus C --out C/words.csv",
    "a corpus, predicted": "scandl_analysis predictors --corpus C --surprisal unigram --out C/sentences.csv",
    "a card": "scandl corpus check C --json C/corpus.toml",
    "an import": "scandl corpus import csv C/fixations.csv C/sentences.csv --index-base 0 --out C --force",
}


@pytest.mark.parametrize("line", COMMANDS.values(), ids=COMMANDS)
def test_no_command_replaces_what_it_reads(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, corpus = tmp_path / "mine.csv", tmp_path / "corpus"
    file.write_text(PREDICTIONS)
    (tmp_path / "O").write_text("reader_id,sentence_id,predicted\nr01,s01,0 1\n")
    (tmp_path / "F.html").symlink_to(file)
    shutil.copytree(find_corpus("demo"), corpus)
    before = {path: path.read_bytes() for path in [file, *corpus.glob("*.*")]}
    names = {"F": str(file), "O": str(tmp_path / "O"), "F.html": str(tmp_path / "F.html"), "C": str(corpus)}
    room, *words = line.split()
    given = [names.get(word) or word.replace("C/", f"{corpus}/") for word in words]
    main = {"scandl": scandl.cli, "scandl_eval": scandl_eval.cli, "scandl_analysis": scandl_analysis.cli}
    assert main[room].main(given) == 2
    assert REFUSED in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield every argument of every command below a parser."""
    if fill := getattr(parser, "fill", None):
        fill(parser)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from actions(below)
        else:
            yield action


@pytest.mark.parametrize("room", [scandl.cli, scandl_eval.cli, scandl_analysis.cli])
def test_every_flag_that_says_it_writes_is_known_as_an_output(room: object) -> None:
    said = re.compile(r"^(also )?write |to write\b")
    every = actions(room.parser())  # type: ignore[attr-defined]
    writing = {action.dest for action in every if action.nargs != 0 and said.search(action.help or "")}
    assert {"out", "report"} & writing
    assert writing <= set(OUTPUTS)
