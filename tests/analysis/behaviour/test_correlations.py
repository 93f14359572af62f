"""The three kinds of correlation against pandas and scipy on the same pairs."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from scipy import stats

from scandl.measures.scanpath_measures import NAMES
from scandl_analysis.behaviour.correlations import KINDS, STRENGTH, Correlations, correlations
from scandl_analysis.words.analysed_run import Run, demo_run, open_run


@pytest.fixture(scope="module")
def demo() -> Correlations:
    return correlations(open_run(demo_run(), "nrns"), resamples=200)


def rows(found: Correlations, **keys: str) -> pd.DataFrame:
    table = found.table[found.table["origin"] == "run"]
    for name, value in keys.items():
        table = table[table[name] == value]
    return table


@pytest.mark.parametrize("convention", ["words", "scandl"])
def test_by_reader(demo: Correlations, convention: str) -> None:
    pairs = demo.pairs[(demo.pairs["convention"] == convention) & (demo.pairs["model"] == "ezreader")]
    means = pairs.groupby("reader_id")[["nld", *NAMES]].mean()
    found = rows(demo, convention=convention, kind="reader", model="ezreader")
    assert found["other"].tolist() == list(NAMES)
    for row in found.itertuples():
        known = stats.pearsonr(means["nld"], means[row.other])
        assert (row.n, row.r) == (30, pytest.approx(known.statistic))
        assert row.p == pytest.approx(known.pvalue)


def test_by_scanpath(demo: Correlations) -> None:
    pairs = demo.pairs[(demo.pairs["convention"] == "words") & (demo.pairs["model"] == "uniform")]
    for row in rows(demo, convention="words", kind="scanpath", model="uniform").itertuples():
        known = stats.pearsonr(pairs["nld"], pairs[row.other])
        assert (row.n, row.r) == (len(pairs), pytest.approx(known.statistic))
        assert row.p == pytest.approx(known.pvalue)


def test_between_models_by_sentence(demo: Correlations) -> None:
    words = demo.pairs[demo.pairs["convention"] == "words"]
    wide = words.pivot_table(index="sentence_id", columns="model", values="nld")
    found = rows(demo, convention="words", kind="sentence")
    assert len(found) == 6  # pairs of four models, each once
    for row in found.itertuples():
        assert row.r == pytest.approx(wide[row.model].corr(wide[row.other]))
        assert row.n == 80


def test_intervals_hold_r_and_depend_on_the_seed_alone(demo: Correlations) -> None:
    known = demo.table.dropna(subset=["ci_low"])
    assert len(known) == len(rows(demo))
    assert ((known["ci_low"] <= known["r"]) & (known["r"] <= known["ci_high"])).all()
    run = open_run(demo_run(), "nrns")
    fewer = replace(run, predictions={"uniform": run.predictions["uniform"]})
    again = correlations(fewer, resamples=200)
    same = rows(demo, model="uniform").reset_index(drop=True)
    alone = rows(again)
    pd.testing.assert_frame_equal(alone[alone["kind"].isin(KINDS)].reset_index(drop=True), same)


def test_strengths_are_means_over_models_and_only_the_strongest_is_not_tested(demo: Correlations) -> None:
    for convention in ("words", "scandl"):
        found = rows(demo, kind=STRENGTH, convention=convention)
        scanpath = rows(demo, kind="scanpath", convention=convention)
        means = scanpath.assign(r=scanpath["r"].abs()).groupby("other")["r"].mean()
        assert found.set_index("other")["r"].to_dict() == pytest.approx(means.to_dict())
        assert found["r"].is_monotonic_decreasing
        assert found["p"].isna().tolist() == [True] + [False] * (len(found) - 1)
        assert set(found["model"]) == {"4 models"}


def test_degenerate_cases_are_said(behaviour_run: Run) -> None:
    found = correlations(behaviour_run, resamples=200)
    notes = rows(found, convention="words", model="copy", kind="scanpath")["note"]
    assert set(notes) == {"NLD is 0 for all 6 scanpaths"}
    (sentence,) = rows(found, convention="words", kind="sentence")["note"]
    assert sentence == "2 sentences: a correlation needs at least 3"
    part = {"straight": [p for p in behaviour_run.predictions["straight"] if p.reader_id != "r3"]}
    two = correlations(replace(behaviour_run, predictions=part), resamples=50)
    assert set(rows(two, kind="reader")["note"]) == {"2 readers: a correlation needs at least 3"}
    assert rows(two, kind="reader")["r"].isna().all()


def test_readers_without_a_name_are_no_points(behaviour_run: Run) -> None:
    unnamed = [replace(p, reader_id=None) for p in behaviour_run.predictions["straight"]]
    found = correlations(replace(behaviour_run, predictions={"straight": unnamed}), resamples=50)
    assert set(rows(found, kind="reader")["note"]) == {"0 readers: a correlation needs at least 3"}
    assert rows(found, kind="scanpath", convention="words")["n"].tolist() == [6] * 6


def test_published_numbers_stand_beside(behaviour_run: Run) -> None:
    table = correlations(behaviour_run, resamples=20).table
    published = table[table["origin"] == "published"]
    assert published["kind"].value_counts().to_dict() == {"scanpath": 36, "reader": 12, "sentence": 5}
    assert set(published["convention"]) == {"scandl"}
    row = published.query("kind == 'scanpath' and model == 'swift' and other == 'skipping_rate'").iloc[0]
    assert (row["r"], row["stars"]) == (-0.24, "***")
    other = correlations(replace(behaviour_run, setting="ns"), resamples=20).table
    assert (other["origin"] == "published").sum() == 17  # those whose setting is not on record
