from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.corpora import read_corpus
from scandl.extras import install_command

FIX = "subject,text_id,word_id,word,duration\nr1,s1,1,The,200\nr1,s1,.,.,90\nr1,s1,3,sat.,150\n"
SENTENCES = "sentence_id,text\ns1,The cat sat.\ns2,Unread.\n"


@pytest.fixture
def source(tmp_path: Path) -> list[str]:
    (tmp_path / "fix.csv").write_text(FIX, encoding="utf-8")
    (tmp_path / "sent.csv").write_text(SENTENCES, encoding="utf-8")
    return ["corpus", "import", "csv", str(tmp_path / "fix.csv"), str(tmp_path / "sent.csv")]


def test_import_reports_and_writes_down_what_was_dropped(
    source: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new"
    assert main([*source, "--out", str(out), "--language", "de", "--kind", "simulated"]) == 0
    printed = capsys.readouterr().out
    assert f"wrote {out}: 1 scanpaths, 1 sentences\n" in printed
    assert "left out: 1 fixations outside every word\nleft out: 1 sentences that nobody read\n" in printed
    card = tomllib.loads((out / "corpus.toml").read_text(encoding="utf-8"))
    assert card["dropped"] == {"fixations outside every word": 1, "sentences that nobody read": 1}
    assert (card["name"], card["language"], card["kind"]) == ("new", "de", "simulated")
    assert read_corpus(out).scanpaths[0].positions == (0, 2)
    assert main(["corpus", "check", str(out)]) == 0
    assert "The readers are simulated: no human data." in capsys.readouterr().out


def test_import_makes_the_same_bytes_twice(source: list[str], tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main([*source, "--out", str(tmp_path / name), "--name", "same", "--quiet"]) == 0
    for file in ("corpus.toml", "sentences.csv", "fixations.csv"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_import_replaces_a_corpus_only_when_told_and_nothing_else_ever(
    source: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, home = tmp_path / "out", tmp_path / "home"
    home.mkdir()
    (home / "thesis.txt").write_text("years of work", encoding="utf-8")
    assert main([*source, "--out", str(out)]) == 0
    assert main([*source, "--out", str(out)]) == 2
    assert main([*source, "--out", str(out), "--force", "--form", "parquet"]) == 0
    assert (out / "fixations.parquet").exists()
    assert not (out / "fixations.csv").exists()
    (out / "raw").mkdir()
    for file in (out / "notes.txt", out / "raw" / "fix.csv"):
        file.write_text(FIX, encoding="utf-8")
    assert main([*source[:3], str(out / "raw" / "fix.csv"), source[4], "--out", str(out), "--force"]) == 0
    assert (out / "notes.txt").read_text() == (out / "raw" / "fix.csv").read_text() == FIX
    assert not (out / "fixations.parquet").exists()
    assert main([*source, "--out", str(home), "--force"]) == 2
    assert (home / "thesis.txt").read_text(encoding="utf-8") == "years of work"
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"scandl: {out}: found a corpus, expected a new folder (or --force to replace it)",
        f"scandl: {home}: found something that is not a corpus, expected a new folder for --out",
    ]


def test_without_pyarrow_parquet_is_refused_before_the_import(
    source: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    fixations = next(argument for argument in source if argument.endswith("fix.csv"))
    Path(fixations).unlink()  # nobody looks for it
    assert main([*source, "--out", str(tmp_path / "out"), "--form", "parquet"]) == 2
    needs = f"this needs pyarrow, which is not installed: {install_command('parquet')}"
    assert capsys.readouterr().err == f"scandl: {needs}\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--column", "reader=x"], "--column 'reader=x': no meaning 'reader'; did you mean 'reader_id'?"),
        (["--column", "reader_id"], "--column 'reader_id': expected MEANING=NAME, for example reader_id=VP"),
        (["--column", "reader_id=VP"], "fix.csv:1: column 'VP': found only the columns"),
        (["--index-base", "0"], "--index-base 0 contradicts the labels"),
        (["--index-base", "2"], "'2' is not known here; known: 0, 1"),
        (["--encoding", "nonsense"], "argument --encoding: 'nonsense' is no text encoding"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    source: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str], message: str
) -> None:
    try:
        code = main([*source, "--out", str(tmp_path / "out"), *argv])
    except SystemExit as exit_:
        code = int(str(exit_.code))
    assert code == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fix.csv", "sent.csv"]


@pytest.mark.parametrize("name", ["schilling", "mertzen", "onestop-sample"])
def test_check_passes_on_the_real_corpora(
    name: str, shared: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", "check", str(shared(name)), "--json", str(tmp_path / "c.json")]) == 0
    assert f"corpus {name!r} keeps every rule" in capsys.readouterr().out
    result = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert (result["name"], result["kind"], result["problems"]) == (name, "human", [])
    assert result["statistics"]["readers"] == {"schilling": 30, "mertzen": 56, "onestop-sample": 7}[name]


def test_check_lists_every_problem_and_exits_with_1(
    shared: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(shutil.copytree(shared("schilling"), tmp_path / "copy"))
    table = root / "fixations.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[10] = ",".join([*lines[10].split(",")[:3], "99", "200"])
    lines[500] = "," + lines[500].split(",", 1)[1]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["corpus", "check", str(root)]) == 1
    error = capsys.readouterr().err.splitlines()
    assert any(line.startswith(f"{table}:11: column 'word_index': found '99', expected") for line in error)
    assert any(line.startswith(f"{table}:501: column 'reader_id': found nothing") for line in error)


def test_list_and_show_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "list"]) == 0
    listed = capsys.readouterr().out
    assert "demo              simulated" in listed
    for kind in ("csv", "dataviewer", "pymovements", "recordings", "scandl-json"):
        assert f"\n{kind:<18}" in listed
    assert main(["corpus", "show", "demo", "--examples", "2"]) == 0
    shown = capsys.readouterr().out
    assert "The readers are simulated: no human data." in shown
    assert shown.count("(fixation numbers below the words)") == 2
    assert main(["corpus", "show", "dmeo"]) == 2
    assert "no corpus 'dmeo'; did you mean 'demo'?" in capsys.readouterr().err


def test_help_needs_no_heavy_package() -> None:
    code = (
        "import sys, contextlib, io\nfrom scandl.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main(['corpus', 'import', 'celer', '--help'])\n"
        "print(sorted({'numpy', 'pandas', 'pyarrow', 'scipy', 'h5py', 'torch', 'polars'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_check_tells_of_durations_that_are_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: list[str]
) -> None:
    (tmp_path / "fix.csv").write_text(FIX.replace("The,200", "The,"), encoding="utf-8")
    out = tmp_path / "out"
    assert main([*source, "--out", str(out)]) == 0
    assert "left out: 1 durations of trials in which another fixation has none\n" in capsys.readouterr().out
    assert main([*source, "--out", str(tmp_path / "filtered"), "--min-duration", "50"]) == 2
    assert "needs the duration of each fixation" in capsys.readouterr().err
    table = (out / "fixations.csv").read_text(encoding="utf-8")
    (out / "fixations.csv").write_text(table.replace("0,0,\n", "0,0,200\n"), encoding="utf-8")
    assert main(["corpus", "check", str(out)]) == 0
    assert "keeps every rule\nremark: 1 durations are not used: " in capsys.readouterr().out


def test_show_draws_no_negative_number_of_scanpaths(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["corpus", "show", "demo", "--examples", "-1"])
    assert "expected a whole number from 0, found '-1'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["undefined", "base64", "no-such", "rot13"])
def test_an_encoding_that_is_none_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["corpus", "import", "csv", "a.csv", "b.csv", "--out", str(tmp_path / "c"), "--encoding", name])
    assert stop.value.code == 2
    assert f"argument --encoding: '{name}' is no text encoding (such as latin-1)" in capsys.readouterr().err


EVENTS = "Words\tCURRENT_FIX_DURATION\tCURRENT_FIX_INTEREST_AREA_ID\tCURRENT_FIX_START\tSentenceID\n"


def test_fetch_from_a_folder_writes_licence_citation_and_checksums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, out = tmp_path / "files", tmp_path / "rb"
    files.mkdir()
    (files / "sub-03_task-read_run-1_events.tsv").write_text(EVENTS + "Yes.\t200\t1\t5\tt.01.01\n")
    command = ["corpus", "fetch", "reading-brain-l1", "--from", str(files), "--out", str(out)]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert f"wrote {out}: 1 scanpaths, 1 sentences\n" in printed
    assert "licence: CC0\ncite: Li, Hsu" in printed
    card = tomllib.loads((out / "corpus.toml").read_text(encoding="utf-8"))
    assert list(card["checksums"]) == ["sub-03_task-read_run-1_events.tsv"]
    assert main(["corpus", "show", str(out), "--examples", "1"]) == 0
    assert "@misc{readingbrain_l1," in capsys.readouterr().out
    assert main(command) == 2
    assert "found a corpus, expected a new folder" in capsys.readouterr().err
    assert main([*command, "--force", "--quiet"]) == 0


def test_list_public_says_terms_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "list", "--public"]) == 0
    printed = capsys.readouterr().out
    assert "provo             Provo: paragraphs" in printed
    assert "licence: CC BY 4.0" in printed
    assert main(["corpus", "fetch", "provoo"]) == 2
    assert "no public corpus 'provoo'; did you mean 'provo'" in capsys.readouterr().err
