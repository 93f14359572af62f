"""The three kinds of correlation against pandas and scipy on the same pairs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl.errors import ScandlError
from scandl.measures.scanpath_measures import NAMES, scanpath_measures
from scandl.records import Prediction
from scandl.statistics import bootstrap
from scandl.statistics.distances import nld, nld_scandl
from scandl_analysis.behaviour.correlations import (
    KINDS,
    STRENGTH,
    correlations,
    paired_scanpaths,
)
from scandl_analysis.behaviour.pearson import correlation_influences, strengths
from scandl_analysis.behaviour.variability import Behaviour, variability
from scandl_analysis.chapters.correlations_chapter import read_correlations
from scandl_analysis.chapters.variability_chapter import read_variability
from scandl_analysis.words.analysed_run import Run, demo_run, open_run


@pytest.fixture(scope="module")
def demo() -> Behaviour:
    return correlations(open_run(demo_run(), "nrns"), resamples=200)


def rows(found: Behaviour, **keys: str) -> pd.DataFrame:
    table = found.table[found.table["origin"] == "run"]
    for name, value in keys.items():
        table = table[table[name] == value]
    return table


@pytest.mark.parametrize("convention", ["words", "scandl"])
def test_by_reader(demo: Behaviour, convention: str) -> None:
    pairs = demo.rows[(demo.rows["convention"] == convention) & (demo.rows["model"] == "ezreader")]
    means = pairs.groupby("reader_id")[["nld", *NAMES]].mean()
    found = rows(demo, convention=convention, kind="reader", model="ezreader")
    assert found["other"].tolist() == list(NAMES)
    for row in found.itertuples():
        known = stats.pearsonr(means["nld"], means[row.other])
        assert (row.n, row.r) == (30, pytest.approx(known.statistic))
        assert row.p == pytest.approx(known.pvalue)


def test_by_scanpath(demo: Behaviour) -> None:
    pairs = demo.rows[(demo.rows["convention"] == "words") & (demo.rows["model"] == "uniform")]
    for row in rows(demo, convention="words", kind="scanpath", model="uniform").itertuples():
        known = stats.pearsonr(pairs["nld"], pairs[row.other])
        assert (row.n, row.r) == (len(pairs), pytest.approx(known.statistic))
        assert row.p == pytest.approx(known.pvalue)


def test_between_models_by_sentence(demo: Behaviour) -> None:
    words = demo.rows[demo.rows["convention"] == "words"]
    wide = words.pivot_table(index="sentence_id", columns="model", values="nld")
    found = rows(demo, convention="words", kind="sentence")
    assert len(found) == 6  # pairs of four models, each once
    for row in found.itertuples():
        assert row.r == pytest.approx(wide[row.model].corr(wide[row.other]))
        assert row.n == 80


def test_intervals_hold_r_and_depend_on_the_seed_alone(demo: Behaviour) -> None:
    known = demo.table.dropna(subset=["ci_low"])
    assert len(known) == len(rows(demo))
    assert ((known["ci_low"] <= known["r"]) & (known["r"] <= known["ci_high"])).all()
    run = open_run(demo_run(), "nrns")
    fewer = replace(run, predictions={"uniform": run.predictions["uniform"]})
    again = correlations(fewer, resamples=200)
    same = rows(demo, model="uniform").reset_index(drop=True)
    alone = rows(again)
    pd.testing.assert_frame_equal(alone[alone["kind"].isin(KINDS)].reset_index(drop=True), same)


def test_strengths_are_means_over_models_and_only_the_strongest_is_not_tested(demo: Behaviour) -> None:
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


def one(frame: pd.DataFrame, **keys: str) -> pd.Series:
    (row,) = (frame.loc[i] for i in frame.index if all(frame.loc[i, k] == v for k, v in keys.items()))
    return row


def test_a_pair_has_its_distance_and_the_measures_of_the_human_path(behaviour_run: Run) -> None:
    frame, notes = paired_scanpaths(behaviour_run)
    assert notes == ()
    assert len(frame) == 2 * 2 * 6  # conventions, models, human scanpaths
    human, n_words = (0, 0, 3, 1, 2, 3), 4
    for convention, distance in (("words", nld), ("scandl", nld_scandl)):
        row = one(frame, convention=convention, model="straight", reader_id="r3", sentence_id="s1")
        assert row["nld"] == distance(human, (0, 1, 2, 3))
        for name, value in scanpath_measures(human, n_words, convention).items():
            assert row[name] == value


def test_samples_of_one_prediction_are_averaged(behaviour_run: Run) -> None:
    first = behaviour_run.predictions["straight"][0]  # r1 read s1 straight: distance 0
    more = [first, replace(first, sample=1, predicted=(3, 2, 1, 0))]
    frame, _ = paired_scanpaths(replace(behaviour_run, predictions={"straight": more}))
    row = one(frame, convention="words")
    assert row["nld"] == nld((0, 1, 2, 3), (3, 2, 1, 0)) / 2 == 0.5


def test_without_a_reader_every_reader_of_the_sentence_is_meant(behaviour_run: Run) -> None:
    run = replace(behaviour_run, predictions={"m": [Prediction("s1", (0, 1, 2, 3), model="m")]})
    frame, _ = paired_scanpaths(run)
    words = frame[frame["convention"] == "words"]
    assert words["reader_id"].tolist() == ["r1", "r2", "r3"]


def test_a_human_path_of_the_file_counts_where_the_reader_is_not_named(behaviour_run: Run) -> None:
    rows = [Prediction("s1", (0, 1), human, model="m") for human in ((0, 1), (2, 3))]
    frame, _ = paired_scanpaths(replace(behaviour_run, predictions={"m": rows}))
    words = frame[frame["convention"] == "words"]
    assert words["reader_id"].tolist() == ["", ""]
    assert words["nld"].tolist() == [0.0, 1.0]


def test_predictions_without_a_human_are_counted_or_refused(behaviour_run: Run) -> None:
    stranger = replace(behaviour_run.predictions["copy"][0], reader_id="r9", human=None)
    added = {"copy": [*behaviour_run.predictions["copy"], stranger]}
    _, notes = paired_scanpaths(replace(behaviour_run, predictions=added))
    assert notes == ("copy: 1 of 7 predictions have no human scanpath",)
    with pytest.raises(ScandlError, match="corpus 'small' has no scanpath of the readers and sentences"):
        paired_scanpaths(replace(behaviour_run, predictions={"copy": [stranger]}))


def test_the_packaged_run_pairs_every_prediction() -> None:
    run = open_run(demo_run(), "nrns")
    frame, notes = paired_scanpaths(run)
    assert notes == ()
    sizes = frame.groupby(["convention", "model"]).size()
    assert set(sizes) == {len({(p.reader_id, p.sentence_id) for p in run.predictions["uniform"]})}


def made(seed: int, n_readers: int = 12, n_sentences: int = 10, models: int = 2) -> pd.DataFrame:
    """Readers and sentences differ in a trait that both measures and NLD follow, more or less."""
    rng = np.random.default_rng(seed)
    readers, sentences = rng.normal(size=n_readers), rng.normal(size=n_sentences)
    rows = []
    for r in range(n_readers):
        for s in range(n_sentences):
            trait = readers[r] + sentences[s] + rng.normal()
            noise = rng.normal(size=6)
            first = trait + 0.5 * noise[0]
            values = [first, trait + 0.6 * noise[1], 0.3 * trait + noise[2], *noise[3:], -trait][:6]
            for m in range(models):
                rows.append((f"m{m}", f"r{r}", f"s{s}", trait + rng.normal(), *values))
    return pd.DataFrame(rows, columns=["model", "reader_id", "sentence_id", "nld", *NAMES])


def mean_strength(pairs: pd.DataFrame, measure: str) -> float:
    """The definition: the mean over models of |r|."""
    return float(np.mean([abs(part["nld"].corr(part[measure])) for _, part in pairs.groupby("model")]))


def test_strengths_are_mean_correlations_over_models_in_order() -> None:
    pairs = made(1)
    found = strengths(pairs)
    assert {each.measure for each in found} == set(NAMES)
    for each in found:
        assert each.mean == pytest.approx(mean_strength(pairs, each.measure))
        assert each.ci95 is not None
        assert 0.0 <= each.ci95[0] <= each.mean <= each.ci95[1] <= 1.0
    assert [each.mean for each in found] == sorted((each.mean for each in found), reverse=True)
    assert found[0].p is None
    assert all(each.p is not None for each in found[1:])


def test_influences_are_derivatives_by_the_weights_of_points() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(30, 2))
    y = 0.5 * x[:, :1] + rng.normal(size=(30, 3))
    r, influence = correlation_influences(x, y)
    step = 1e-6
    for i in range(30):
        weight = np.ones((1, 30))
        weight[0, i] += step
        for a in range(2):
            moved = bootstrap.correlation(weight, x[:, [a]], y)[0]
            np.testing.assert_allclose((moved - r[a]) / step, influence[i, a] / 30, atol=1e-5)


def test_differences_are_told_as_a_paired_bootstrap_tells_them() -> None:
    """Intervals of the two strongest meet, although one is farther from NLD in nearly every resample."""
    pairs = made(3, n_readers=20, n_sentences=15)
    first, *others = strengths(pairs)
    keys = ["reader_id", "sentence_id"]
    wide = pairs.pivot(index=keys, columns="model", values="nld")
    humans = pairs.drop_duplicates(keys).set_index(keys).loc[wide.index, list(NAMES)].to_numpy()
    clusters = [wide.index.get_level_values(key).tolist() for key in keys]
    draws = bootstrap.drawn(
        bootstrap.weights(*clusters, rng=np.random.default_rng(0), resamples=1000),
        lambda weight: np.mean(
            [np.abs(bootstrap.correlation(weight, wide[[m]].to_numpy(), humans)) for m in wide], axis=0
        ),
    )
    at = {name: k for k, name in enumerate(NAMES)}
    assert first.ci95 is not None
    width = np.ptp(np.quantile(draws[:, at[first.measure]], [0.025, 0.975]))
    assert np.ptp(first.ci95) == pytest.approx(width, rel=0.35)  # the bootstrap counts noise three times
    for other in others:
        p = bootstrap.two_sided_p(draws[:, at[first.measure]] - draws[:, at[other.measure]])
        assert other.p is not None
        if p > 0.2 or p <= 0.002:
            assert (other.p > 0.05) == (p > 0.05), other


@pytest.mark.slow
def test_the_interval_of_a_difference_holds_what_it_says() -> None:
    """Two measures that are equally strong by construction are told apart in about 5 % of data sets."""
    told = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        pairs = made(seed, n_readers=15, n_sentences=12, models=1)
        trait = pairs["nld"] + rng.normal(size=len(pairs))
        for name in NAMES[:2]:
            pairs[name] = trait + rng.normal(size=len(pairs))
        pairs[list(NAMES[2:])] = 1.0
        _, second = strengths(pairs)
        told += second.p is not None and second.p < 0.05
    assert told <= 12  # three standard errors above 5


def test_what_is_constant_or_too_little_has_no_strength() -> None:
    pairs = made(4)
    pairs[NAMES[2]] = 1.0
    assert NAMES[2] not in [each.measure for each in strengths(pairs)]
    assert strengths(pairs[pairs["sentence_id"] == "s0"].head(2)) == []
    assert strengths(pairs.assign(nld=0.5)) == []


def test_only_scanpaths_of_all_models_count() -> None:
    pairs = made(5)
    lacking = pairs[(pairs["model"] == "m0") | (pairs["reader_id"] != "r0")]
    both = pairs[pairs["reader_id"] != "r0"]
    assert strengths(lacking) == strengths(both)


def test_readers_without_names_vary_by_sentence_only() -> None:
    named = made(6)
    found = strengths(named.assign(reader_id=""))
    assert [each.mean for each in found] == pytest.approx([each.mean for each in strengths(named)])
    assert found[0].n == 120


def test_tables_come_back(tmp_path: Path) -> None:
    spread = variability(demo_run(), resamples=20)
    spread.write(tmp_path)
    related = correlations(demo_run(), resamples=20)
    related.write(tmp_path)
    for read, found in (
        (read_variability(tmp_path / "variability.csv"), spread.table),
        (read_correlations(tmp_path / "correlations.csv"), related.table),
    ):
        numbers = found.select_dtypes("number").columns
        pd.testing.assert_frame_equal(read[numbers].astype(float), found[numbers].astype(float))
    assert len(pd.read_csv(tmp_path / "scanpaths.csv")) == len(spread.rows)
    assert len(pd.read_csv(tmp_path / "pairs.csv")) == len(related.rows)


def test_beside_a_table_stands_how_it_was_made(tmp_path: Path) -> None:
    found = variability(demo_run(), seed=7, resamples=20)
    found.write(tmp_path)
    told = json.loads((tmp_path / "variability.csv.json").read_text())
    assert told["settings"]["bootstrap"]["seed"] == "7"
    assert told["notes"] == list(found.notes)
