from __future__ import annotations

import pytest

from scandl.errors import ScandlError
from scandl_eval.references.published_tables import published_rows

TABLE_1 = {
    "Uniform": (0.779, 0.781, 0.782, 0.802),
    "Train-label-dist": (0.672, 0.672, 0.674, 0.723),
    "E-Z Reader": (0.619, 0.620, 0.622, 0.667),
    "SWIFT": (0.607, 0.608, 0.607, 0.703),
    "Eyettention": (0.580, 0.580, 0.578, 0.697),
    "ScanDL": (0.516, 0.509, 0.515, 0.647),
    "Human": (0.538, 0.536, 0.538, 0.646),
}


def test_table_1_as_printed():
    found = {(row.model, row.setting): row for row in published_rows()}
    assert len(found) == 28
    for model, means in TABLE_1.items():
        for setting, mean in zip(("ns", "nr", "nrns", "cross"), means, strict=True):
            assert found[model, setting].mean == mean
    assert found["ScanDL", "nrns"].spread == 0.014
    assert found["SWIFT", "ns"].worse_than_best
    assert not found["ScanDL", "ns"].worse_than_best


def test_every_row_names_convention_and_corpus():
    for row in (*published_rows(), *published_rows(table="ablations")):
        assert row.convention == "scandl"
        assert "CELER" in row.corpus
        assert "population SD" in row.spread_is
    assert all("ZuCo" in row.corpus for row in published_rows("cross"))


def test_ablations_belong_to_one_setting():
    assert [row.mean for row in published_rows("nrns", "ablations")] == [0.515, 0.514, 0.519, 0.667, 0.968]
    assert published_rows("ns", "ablations") == []


def test_an_unknown_table_is_named():
    with pytest.raises(ScandlError, match="no published table 'nlds'; did you mean 'nld'"):
        published_rows(table="nlds")
