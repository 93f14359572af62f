"""What a terminal shows of the analysis is what its tables hold."""

from __future__ import annotations

import pytest

from scandl_analysis.chapters.effects_text import text_lines
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing import Psycholing, psycholing
from scandl_analysis.words.analysed_run import demo_run


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
    for row in result.effects[result.effects["mean"].notna()].itertuples():
        (line,) = [each for each in lines if each.split()[:2] == [row.model, row.measure]]
        assert f"{row.mean:.2f} [{row.ci_low:.2f}, {row.ci_high:.2f}]" in line


def test_what_has_no_estimate_says_why_once(result: Psycholing) -> None:
    said = [line for line in text_lines(result) if "not estimable: sr is 0" in line]
    assert said == ["left-to-right: not estimable: sr is 0 in all 5,025 words"]


def test_how_it_was_made_and_who_recovers_what(result: Psycholing) -> None:
    lines = text_lines(result)
    assert lines[0] == "measures as in paper, design paper, scaling human, priors brms, engine laplace"
    assert lines[1].startswith("effect (Laplace approximation, a quick look) [95 % interval]")
    for row in result.recovery_summary.itertuples():
        (line,) = [
            each for each in lines if each.startswith(f"{row.model}  ") and "[" not in each.split()[1]
        ][-1:]
        assert f"{row.same_sign}/{row.cells}" in line or not row.cells
