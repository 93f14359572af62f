"""Tables as they are printed and written."""

from __future__ import annotations

import pandas as pd

from scandl_analysis.piloting.pilot_tables import (
    aligned,
    confound_cells,
    design_cells,
    effect_cells,
    power_cells,
    write_tables,
)


def test_files_hold_what_was_found(piloted, tmp_path):
    write_tables(piloted, tmp_path)
    effects, power = (pd.read_csv(tmp_path / name) for name in ("effects.csv", "power.csv"))
    assert len(effects) == len(piloted.effects)
    assert effects["effect"].tolist() == [e.effect for e in piloted.effects]
    assert {"ci95_low", "ci95_high", "type_s", "readers", "items"} <= set(power.columns)
    assert len(pd.read_csv(tmp_path / "lists.csv")) == 8
    assert "d" in pd.read_csv(tmp_path / "confounds.csv").columns
    assert pd.read_csv(tmp_path / "agreement.csv")["one"].tolist() == ["ezreader"]


def test_printed_tables_have_a_cell_for_every_column(piloted):
    for header, rows in (
        effect_cells(piloted),
        power_cells(piloted.power),
        design_cells(piloted.power),
        confound_cells(piloted.confounds, piloted.stimuli.conditions),
    ):
        assert {len(row) for row in rows} == {len(header)}
        assert len(aligned((header, rows)).splitlines()) == len(rows) + 1


def test_regions_can_be_chosen(piloted):
    _, rows = effect_cells(piloted, regions=("critical",))
    assert {row[1] for row in rows} == {"critical"}
