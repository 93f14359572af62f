"""The result in a notebook: frames, tables, a page."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.expected_effects import HUMAN
from scandl_analysis.piloting.pilot_result import (
    aligned,
    component_cells,
    component_records,
    confound_cells,
    design_cells,
    effect_cells,
    power_cells,
    sentences,
    spread_note,
)
from scandl_analysis.piloting.power import STATED, curves, smallest


def test_a_pilot_is_a_table(piloted):
    frame = piloted.to_frame()
    assert {"source", "region", "measure", "contrast", "effect", "ci95_low", "ms"} <= set(frame.columns)
    assert len(frame) == len(piloted.effects)
    assert piloted.to_markdown().startswith("| source | region |")
    assert piloted.to_latex().startswith(r"\begin{tabular}")
    assert "<table>" in piloted._repr_html_()
    assert repr(piloted).startswith("<Pilot of 4 items in 2 conditions by ezreader, swift; ")
    assert len(piloted.power_frame()) == len(piloted.power)
    assert set(piloted.confound_frame()["feature"]) >= {"length", "frequency", "surprisal", "position"}


def test_the_page_is_written_by_its_ending(piloted, tmp_path):
    piloted.report(tmp_path / "page.txt")
    assert "What this simulation cannot know" in (tmp_path / "page.txt").read_text(encoding="utf-8")
    with pytest.raises(ScandlError, match="a report is written as"):
        piloted.report(tmp_path / "page.doc")


def test_files_hold_what_was_found(piloted, tmp_path):
    piloted.write(tmp_path)
    effects, power = (pd.read_csv(tmp_path / name) for name in ("effects.csv", "power.csv"))
    assert len(effects) == len(piloted.effects)
    assert effects["effect"].tolist() == [e.effect for e in piloted.effects]
    assert {"ci95_low", "ci95_high", "type_s", "readers", "items"} <= set(power.columns)
    assert len(pd.read_csv(tmp_path / "lists.csv")) == 8
    assert "d" in pd.read_csv(tmp_path / "confounds.csv").columns
    assert pd.read_csv(tmp_path / "agreement.csv")["one"].tolist() == ["ezreader"]


def test_standard_deviations_stand_beside_those_of_people(piloted):
    frame = piloted.component_frame()
    assert {"readers", "items", "residual"} <= set(frame["term"])
    assert frame["of_people"].isna().all()  # nobody has read these
    assert spread_note(piloted) == ""
    key = next(key for key in piloted.components if key[0] == "ezreader")
    own = replace(piloted.components[key], reader=(0.1, 0.0), residual=0.4)
    double = replace(own, reader=(0.2, 0.1))
    both = {key: own, (HUMAN, *key[1:]): double}
    read = replace(piloted, components=both, used=both)
    rows = [r for r in component_records(read) if r["source"] == "ezreader"]
    shares = {r["term"]: r["of_people"] for r in rows}
    assert (shares["readers"], shares["residual"]) == (0.5, 1.0)
    assert spread_note(read).startswith("Simulated readers differ less from each other than people")
    wider = replace(piloted, components={key: own}, used={key: double})
    assert [r["used"] for r in component_records(wider)][:2] == [0.2, 0.1]
    assert spread_note(wider).startswith("The card of ezreader knows that its readers differ too little")


def test_printed_tables_have_a_cell_for_every_column(piloted):
    for header, rows in (
        effect_cells(piloted),
        component_cells(piloted),
        power_cells(piloted.power),
        design_cells(piloted.power),
        confound_cells(piloted.confounds, piloted.stimuli.conditions),
    ):
        assert {len(row) for row in rows} == {len(header)}
        assert len(aligned((header, rows)).splitlines()) == len(rows) + 1


def test_regions_can_be_chosen(piloted):
    _, rows = effect_cells(piloted, regions=("critical",))
    assert {row[1] for row in rows} == {"critical"}


def test_stated_effects_come_first_and_sizes_are_named(piloted):
    found = sentences(piloted)
    clear = {(e.source, e.measure) for e in piloted.effects if e.clear and e.region == "critical"}
    assert len(found) == 2 + len(clear)
    stated = [key for key in curves(piloted.power) if key[1] == STATED]
    assert all("an effect of 25 ms" in line for line in found[: len(stated)])
    assert not any("an effect of 25 ms" in line for line in found[len(stated) :])
    for line in found:
        assert line.startswith(
            ("With 8 readers and 4 items, power for", "With 12 readers and 4 items, power for")
        )
        assert "Monte-Carlo interval" in line
        assert "α = .05" in line


def test_designs_that_do_not_suffice_say_so(piloted):
    clear = {effect.place for effect in piloted.effects if effect.clear}
    told = [points for key, points in curves(piloted.power).items() if key[1] == STATED or key[0] in clear]
    assert sum("no design that was tried reaches 80 %" in line for line in sentences(piloted)) == sum(
        smallest(points) is None for points in told
    )
