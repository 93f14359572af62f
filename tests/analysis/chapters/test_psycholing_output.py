"""Where an analysis is kept unless told otherwise, and what a terminal shows of its tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scandl_analysis.chapters.effects_chapter import build_psycholing_report
from scandl_analysis.chapters.psycholing_output import home_of, text_lines
from scandl_analysis.chapters.result_tables import interval
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing import Psycholing, psycholing
from scandl_analysis.words.analysed_run import demo_run, open_run

NEEDED = ("marginal", "marginal_low", "marginal_high", "unit")


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


@pytest.fixture(scope="module")
def result() -> Psycholing:
    options = Options(
        engine="laplace",
        surprisal="unigram",
        frequency="proportion",
        draws=50,
        ceiling=False,
        measures=("sr",),
    )
    return psycholing("nrns", run=demo_run(), options=options)


def test_every_effect_is_a_cell_of_its_line(result: Psycholing) -> None:
    lines = text_lines(result)
    assert any(line.startswith("skipping, percentage points  length") for line in lines)
    for row in result.effects[result.effects["mean"].notna()].itertuples():
        source = row.model.replace("human", "readers")
        found = [each for each in lines if each.split()[:1] == [source]]
        said = interval({name: getattr(row, name) for name in NEEDED}, "marginal")
        assert any(said in each for each in found)


def test_what_has_no_estimate_says_why_once(result: Psycholing) -> None:
    said = [line for line in text_lines(result) if "not estimable: sr is 0" in line]
    assert said == ["left-to-right: not estimable: sr is 0 in all 4,185 words"]


def test_how_it_was_made_and_who_recovers_what(result: Psycholing) -> None:
    lines = text_lines(result)
    assert lines[0] == (
        "measures as in firstpass, design intercepts, scaling human, priors brms, engine laplace"
    )
    assert lines[1].startswith("Effects: ")
    assert any(
        "what one standard deviation adds (Laplace approximation, a quick look)" in line for line in lines
    )
    assert "human" not in " ".join(lines[1:])  # the readers of the demo are simulated
    assert max(map(len, lines)) <= 110
    report = build_psycholing_report(result)
    assert report.verdict[0].text in " ".join(lines)
    for row in result.recovery_summary.itertuples():
        counts = [row.shown, row.equivalent, row.too_weak, row.too_strong, row.wrong_sign, row.undecided]
        found = [line.split()[-6:] for line in lines if line.startswith(f"{row.model}  ")]
        assert [f"{count}" for count in counts] in found
