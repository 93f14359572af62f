"""Where an analysis is kept unless told otherwise."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing_files import home_of
from scandl_analysis.words.analysed_run import demo_run, open_run


def test_home_is_the_folder_of_the_run_unless_it_is_a_quick_look() -> None:
    demo = open_run(demo_run(), "nrns")
    mine = replace(demo, folder=Path("runs/mine"), setting="ns")
    assert home_of(mine, Options()) == (Path("runs/mine/psycholing/ns"), "")
    assert home_of(demo, Options()) == (Path("psycholing-demo"), "")
    assert home_of(replace(mine, folder=None), Options()) == (None, "")
    assert home_of(mine, Options(engine="laplace")) == (None, "")


def test_an_analysis_made_otherwise_is_not_replaced(tmp_path: Path) -> None:
    run = replace(open_run(demo_run(), "nrns"), folder=tmp_path)
    home = tmp_path / "psycholing" / "nrns"
    home.mkdir(parents=True)

    def kept(analysis: object) -> None:
        (home / "effects.csv.json").write_text(json.dumps({"settings": {"analysis": analysis}}))

    kept({"engine": "hmc", "drop": "()"})
    assert home_of(run, Options(design="paper")) == (home, "")
    said = f"{home} holds an analysis with engine hmc: this one is only printed"
    assert home_of(run, Options(engine="pymc", design="paper")) == (None, said)
    assert "with drop ():" in home_of(run, Options(drop=("first",)))[1]
    kept(["not", "ours"])
    assert home_of(run, Options(engine="pymc", design="paper")) == (home, "")


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = replace(open_run(demo_run(), "nrns"), folder=tmp_path)
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path)
    home = tmp_path / "psycholing" / "nrns"
    assert home_of(run, Options(design="paper")) == (
        None,
        f"{home} cannot be written: this analysis is only printed",
    )
