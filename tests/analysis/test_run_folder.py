"""Which run is analysed, and what is said about it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl_analysis.run_folder import demo_run, newest_run, open_run


def make_run(folder: Path, age: int, setting: str = "nrns") -> Path:
    (folder / "predictions" / "m").mkdir(parents=True)
    (folder / "predictions" / "m" / f"{setting}.csv").write_text("sentence_id,predicted,model\ns01,0 1,m\n")
    (folder / "run.toml").write_text('corpus = "demo"\n')
    os.utime(folder / "run.toml", (age, age))
    return folder


def test_the_newest_run_with_the_setting_is_taken(tmp_path: Path) -> None:
    make_run(tmp_path / "old", 100)
    newest = make_run(tmp_path / "new", 200)
    make_run(tmp_path / "other", 300, setting="ns")
    assert newest_run(tmp_path, "nrns") == newest
    run = open_run(None, "nrns", runs=tmp_path)
    assert run.folder == newest
    assert run.note.startswith("no run given: the newest below")
    assert list(run.predictions) == ["m"]


def test_without_any_run_the_demo_is_and_says_so(tmp_path: Path) -> None:
    run = open_run(None, "nrns", runs=tmp_path)
    assert run.folder == demo_run()
    assert "embedded demo" in run.note
    assert run.corpus.card.kind == "simulated"
    # The packaged predictions fit the packaged corpus: each names a scanpath that exists.
    for predictions in run.predictions.values():
        assert len(predictions) > 100
        assert {(p.reader_id, p.sentence_id) for p in predictions} <= set(run.corpus.by_pair)


def test_faults_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match=r"found 'no run\.toml', expected the folder of a benchmark run"):
        open_run(tmp_path, "nrns")
    run = make_run(tmp_path / "r", 1)
    with pytest.raises(ScandlError, match="no predictions for setting 'ns'; it has: nrns"):
        open_run(run, "ns")
    (run / "run.toml").write_text("corpus = [")
    with pytest.raises(ScandlError, match="expected well-formed TOML"):
        open_run(run, "nrns")
    (run / "run.toml").write_text("")
    with pytest.raises(ScandlError, match="expected the name or folder of a corpus"):
        open_run(run, "nrns")
