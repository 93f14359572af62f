from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.statistics.bootstrap import bootstrap_interval
from scandl_eval.metrics.score_table import Column
from scandl_eval.scoring.summary_rows import CROSSED, ONE_WAY, Row, paired_difference, summarise, table_lines

READERS = tuple(f"r{i}" for i in range(6) for _ in range(8))
SENTENCES = tuple(f"s{j}" for _ in range(6) for j in range(8))
FOLDS = tuple(str(j % 4) for _ in range(6) for j in range(8))


def column(values, readers=READERS):
    return Column(FOLDS[: len(values)], readers[: len(values)], SENTENCES[: len(values)], np.asarray(values))


@pytest.fixture
def values():
    return np.random.default_rng(7).random(48)


def test_a_row_holds_every_uncertainty(values):
    (row,) = summarise({("m", "ns"): column(values)}, "nld", seed=1)
    folds = [values[[f == fold for f in FOLDS]].mean() for fold in "0123"]
    assert row.mean == pytest.approx(values.mean())
    assert row.mean_of_folds == pytest.approx(np.mean(folds))
    assert row.sd_folds == pytest.approx(np.std(folds))
    assert row.se_folds == pytest.approx(np.std(folds, ddof=1) / 2)
    assert row.ci95 == bootstrap_interval(values, READERS, SENTENCES, seed=1)
    assert (row.n, row.n_folds, row.n_readers, row.n_sentences, row.resampled) == (48, 4, 6, 8, CROSSED)


def test_columns_on_the_same_items_have_the_interval_they_have_alone(values):
    together = summarise({("a", "ns"): column(values), ("b", "ns"): column(values**2)}, "nld", seed=1)
    alone = [row for name, v in (("a", values), ("b", values**2))
             for row in summarise({(name, "ns"): column(v)}, "nld", seed=1)]  # fmt: skip
    for row, expected in zip(together, alone, strict=True):
        assert row.ci95 == pytest.approx(expected.ci95)


def test_unnamed_readers_are_said(values):
    unnamed = tuple(f"unnamed reader {i}" for i in range(48))
    (row,) = summarise({("m", "ns"): column(values, unnamed)}, "nld", seed=1)
    assert (row.resampled, row.n_readers) == (ONE_WAY, None)
    assert row.ci95 == bootstrap_interval(values, None, SENTENCES, seed=1)


def test_nothing_defined_is_a_row_without_numbers():
    empty = Column((), (), (), np.zeros(0), n_undefined=3)
    (row,) = summarise({("m", "ns"): empty}, "scasim", seed=1)
    assert (row.n, row.mean, row.ci95, row.n_undefined) == (0, None, None, 3)
    assert table_lines([row])[1] == "m     | ns      | scasim | –    | –          | –             | 0"


def test_a_paired_difference_is_surer_than_two_intervals(values):
    other = values + 0.05 + np.random.default_rng(1).normal(0, 0.01, 48)
    gap = paired_difference(column(other), column(values), seed=1)
    assert gap.difference == pytest.approx(gap.mean_a - gap.mean_b)
    assert gap.separable
    assert gap.p < 0.01
    rows = summarise({("a", ""): column(other), ("b", ""): column(values)}, "nld", seed=1)
    assert rows[0].ci95[0] < rows[1].ci95[1]  # the two intervals overlap all the same


def test_only_shared_items_are_compared(values):
    gap = paired_difference(column(values), column(values[:20] + 0.1), seed=1)
    assert (gap.n, gap.difference) == (20, pytest.approx(-0.1))
    nowhere = Column(("9",), ("x",), ("y",), np.array([0.5]))
    assert paired_difference(column(values), nowhere, seed=1) is None


def test_one_item_has_a_difference_and_no_interval():
    one = column(np.array([0.25]))
    gap = paired_difference(one, one, seed=1)
    assert (gap.difference, gap.ci95, gap.p, gap.separable) == (0.0, None, None, False)


def test_the_console_table_shows_four_decimals():
    row = Row(
        model="ScanDL", setting="nrns", metric="nld", n=12, mean=1 / 3, se_folds=0.00625, ci95=(0.3, 0.375),
        energy_distance=-0.00004, energy_ci95=(-0.1, 0.1), diversity_ratio=math.nan, diversity_ci95=(0.5, 1.5),
    )  # fmt: skip
    header, line = table_lines([row])
    assert header.split(" | ")[:4] == ["model ", "setting", "metric", "mean  "]
    assert line == (
        "ScanDL | nrns    | nld    | 0.3333 | 0.0063     | [0.3000, 0.3750] | 12 | -0.0000 | [-0.1000, 0.1000] | –         "
        "| [0.5000, 1.5000]"
    )
