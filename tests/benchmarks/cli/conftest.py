from __future__ import annotations

import json

import pytest

from scandl_eval.cli import main


@pytest.fixture
def table(tmp_path):
    def write(text, name="preds.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


@pytest.fixture
def result(tmp_path, capsys):
    """Run ``scandl-eval nld`` and return its JSON and what it printed."""

    def run(*arguments):
        target = tmp_path / "out.json"
        code = main(["nld", *map(str, arguments), "--json", str(target)])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return json.loads(target.read_text()), printed.out

    return run


@pytest.fixture
def toy(tmp_path):
    """A corpus folder of two sentences and two readers."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "corpus.toml").write_text('name = "toy"\nlanguage = "en"\n')
    (folder / "sentences.csv").write_text("sentence_id,text\ns1,one two three\ns2,four five\n")
    (folder / "fixations.csv").write_text(
        "reader_id,sentence_id,fixation_index,word_index,duration_ms\n"
        "a,s1,0,0,200\na,s1,1,2,180\nb,s1,0,1,210\na,s2,0,0,190\n"
    )
    return folder
