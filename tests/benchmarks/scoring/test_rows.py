from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.pairing import UNNAMED
from scandl.statistics.clustered import CROSSED, ONE_WAY, codes, means_uncertainty
from scandl_eval.score_table import ScoreColumn
from scandl_eval.scoring.estimates import MeanEstimates
from scandl_eval.scoring.rows import (
    Row,
    best_cells,
    empty_row,
    row_dicts,
    summary_rows,
    table_lines,
    with_column,
    with_companions,
)

READERS = tuple(f"r{i}" for i in range(6) for _ in range(8))
SENTENCES = tuple(f"s{j}" for _ in range(6) for j in range(8))
FOLDS = tuple(str(j % 4) for _ in range(6) for j in range(8))


def column(values, readers=READERS):
    return ScoreColumn(
        FOLDS[: len(values)], readers[: len(values)], SENTENCES[: len(values)], np.asarray(values)
    )


@pytest.fixture
def values():
    return np.random.default_rng(7).random(48)


def test_a_row_holds_every_uncertainty(values):
    (row,) = summary_rows("nld", "ns", MeanEstimates({"m": column(values)}))
    folds = [values[[f == fold for f in FOLDS]].mean() for fold in "0123"]
    assert row.mean == pytest.approx(values.mean())
    assert row.mean_of_folds == pytest.approx(np.mean(folds))
    assert row.sd_folds == pytest.approx(np.std(folds))
    assert row.se_folds == pytest.approx(np.std(folds, ddof=1) / 2)
    expected = means_uncertainty(values[:, None], codes(READERS), codes(SENTENCES))
    assert row.ci95 == pytest.approx(expected.interval(values.mean(), [1.0]))
    assert (row.n, row.n_folds, row.n_readers, row.n_sentences, row.resampled) == (48, 4, 6, 8, CROSSED)
    assert (row.kind, row.model, row.setting, row.metric) == ("model", "m", "ns", "nld")


def test_models_have_the_interval_they_have_alone(values):
    together = summary_rows("nld", "ns", MeanEstimates({"a": column(values), "b": column(values**2)}))
    for row, own in zip(together, (values, values**2), strict=True):
        (alone,) = summary_rows("nld", "ns", MeanEstimates({row.model: column(own)}))
        assert row == alone


def test_kinds_are_told(values):
    found = summary_rows(
        "nld", "ns", MeanEstimates({"m": column(values), "l": column(values)}), {"l": "baseline"}
    )
    assert [row.kind for row in found] == ["model", "baseline"]


def test_unnamed_readers_are_said(values):
    unnamed = tuple(f"{UNNAMED}{i}" for i in range(48))
    (row,) = summary_rows("nld", "ns", MeanEstimates({"m": column(values, unnamed)}))
    assert (row.resampled, row.n_readers) == (ONE_WAY, None)
    expected = means_uncertainty(values[:, None], None, codes(SENTENCES))
    assert row.ci95 == pytest.approx(expected.interval(values.mean(), [1.0]))


def test_one_item_has_no_interval():
    (row,) = summary_rows("nld", "ns", MeanEstimates({"m": column(np.array([0.25]))}))
    assert (row.mean, row.ci95, row.resampled, row.n) == (0.25, None, None, 1)


def test_nothing_defined_is_a_row_without_numbers():
    row = empty_row("scasim", "ns", "m", n_undefined=3)
    assert (row.n, row.mean, row.ci95, row.n_undefined) == (0, None, None, 3)
    assert table_lines([row])[1] == "m     | ns      | scasim | –    | –          | –             | 0"


def test_what_only_the_column_tells_is_added(values):
    part = ScoreColumn(("0",) * 3, ("a", "b", "a"), ("s", "s", "t"), np.array([0.1, 0.3, 0.8]), n_undefined=2)
    row = with_column(empty_row("nld", "ns", "m"), part)
    assert row.mean_over_sentences == pytest.approx((0.2 + 0.8) / 2)
    assert row.n_undefined == 2


def rows_of_one_model():
    given = {"model": "ScanDL", "setting": "nrns", "se_folds": None}
    return [
        Row(**given | {"se_folds": 0.00625}, metric="nld", n=12, mean=1 / 3, ci95=(0.3, 0.375)),
        Row(**given, metric="energy", n=4, mean=-0.00004, ci95=(-0.1, 0.1)),
        Row(**given, metric="diversity", n=4, mean=math.nan, ci95=(0.5, 1.5)),
    ]


def test_the_console_table_shows_four_decimals_and_companions_below():
    assert table_lines(rows_of_one_model()) == [
        "model  | setting | metric | mean   | ± SE folds | 95 % interval    | n",
        "ScanDL | nrns    | nld    | 0.3333 | 0.0063     | [0.3000, 0.3750] | 12",
        "",
        "model  | setting | energy  | 95 % interval     | diversity | 95 % interval",
        "ScanDL | nrns    | -0.0000 | [-0.1000, 0.1000] | –         | [0.5000, 1.5000]",
    ]


def test_with_several_metrics_every_row_stands_for_itself():
    rows = rows_of_one_model()
    other = empty_row("scasim", "nrns", "ScanDL")
    main, beside = with_companions([*rows, other])
    assert main == [*rows, other]
    assert beside == [{}] * 4
    assert len(table_lines([*rows, other])) == 5
    assert with_companions(rows[1:]) == (rows[1:], [{}, {}])  # energy and diversity alone


def test_json_rows_hold_energy_and_diversity_of_their_model():
    (row,) = row_dicts(rows_of_one_model())
    assert (row["mean"], row["energy_distance"], row["energy_ci95"]) == (1 / 3, -0.00004, (-0.1, 0.1))
    assert (row["energy_sentences"], row["diversity_ci95"]) == (4, (0.5, 1.5))


def test_the_best_of_each_metric_in_each_setting_people_left_aside():
    def row(model, metric, mean, setting="ns", kind="model"):
        return Row(setting=setting, model=model, kind=kind, metric=metric, n=9, mean=mean)

    rows = [row("a", "nld", 0.5), row("b", "nld", 0.6), row("Human", "nld", 0.4, kind="human")]
    rows += [
        row("a", "diversity", 1.4),
        row("b", "diversity", 0.7),
        row("Human", "diversity", 1.0, kind="human"),
    ]
    rows += [row("a", "nld", 0.5, setting="nr")]  # alone there
    assert best_cells(rows) == {(0, 3), (1, 7)}
    rows += [row("a", "scanmatch", 0.5), row("b", "scanmatch", 0.6)]  # every row by itself
    assert best_cells(rows) == {(0, 3), (4, 3), (8, 3)}
