"""The whole analysis on small runs, with quick engines."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora.corpus_folder import LOST, open_corpus
from scandl.errors import ScandlError
from scandl.models.imputation import impute
from scandl_analysis.chapters.psycholing_output import text_lines, write_psycholing
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing import Psycholing, psycholing
from scandl_analysis.glm.spec import FAMILIES
from scandl_analysis.words.analysed_run import demo_run, open_readers, open_run

QUICK = Options(engine="laplace", surprisal="unigram", frequency="proportion", draws=100, design="paper")

pytest.importorskip("arviz", reason="scandl[analysis] is not installed")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fits")


@pytest.fixture(scope="module")
def found(store: Path) -> Psycholing:
    return psycholing("nrns", run=demo_run(), options=QUICK, store=store)


def test_every_cell_has_a_number_or_a_reason(found: Psycholing) -> None:
    models = {
        "human",
        "ezreader",
        "left-to-right",
        "train-label-dist",
        "uniform",
        "human-half-1",
        "human-half-2",
    }
    assert set(found.effects["model"]) == models
    assert len(found.effects) == len(models) * 4 * 3
    missing = found.effects[found.effects["mean"].isna()]
    assert set(missing["model"]) == {"left-to-right"}
    assert missing["note"].str.startswith("not estimable: ").all()


def test_simulated_readers_skip_frequent_words(found: Psycholing) -> None:
    rows = found.effects[(found.effects["model"] == "human") & (found.effects["measure"] == "sr")]
    assert rows.set_index("predictor").loc["surprisal", "ci_high"] < 0


def test_halves_of_the_readers_are_closer_to_each_other_than_any_model_to_them(found: Psycholing) -> None:
    table = found.recovery_summary.set_index("model")
    assert table.loc["two halves of the readers", "distance"] == table["distance"].min()
    nothing = table.loc["no effects"]
    assert (nothing["too_weak"], nothing["distance"]) == (nothing["shown"], pytest.approx(1.0))
    assert table.loc["left-to-right", "too_weak"] == nothing["shown"]  # it shows none, which is known


def test_slopes_and_marginal_effects_have_one_sign_and_errors_of_one_size(found: Psycholing) -> None:
    known = found.effects[found.effects["mean"].notna() & (found.effects["mean"].abs() > found.effects["sd"])]
    assert (known["mean"] * known["marginal"] > 0).all()
    human = known[known["model"] == "human"]
    assert (human["robust_sd"] / human["marginal_sd"]).between(0.3, 4).all()
    np.testing.assert_allclose(
        human["sd"] / human["mean"].abs(), human["marginal_sd"] / human["marginal"].abs(), rtol=0.35
    )


def test_how_many_words_humans_and_models_have_is_said(found: Psycholing) -> None:
    (said,) = [note for note in found.notes if note.startswith("rows of readers: ")]
    n = found.words["source"].value_counts()
    paths = len(open_run(demo_run(), "nrns").corpus.scanpaths)
    assert said == (
        f"rows of readers: {n['human']:,} words, {paths:,} scanpaths (whole corpus); of models: {n['uniform']:,} words,"
        " 420 scanpaths (their test items)"
    )


def test_files(found: Psycholing, tmp_path: Path) -> None:
    import arviz

    write_psycholing(found, tmp_path)
    effects = pd.read_csv(tmp_path / "effects.csv")
    assert len(effects) == len(found.effects)
    assert (tmp_path / "words.csv").exists()
    sampled = pd.read_csv(tmp_path / "diagnostics.csv")
    assert len(sampled) == sum(done.fit is not None for done in found.fits)
    assert sampled["rhat"].isna().all()  # a quick look has no chains
    made_by = json.loads((tmp_path / "effects.csv.json").read_text())["provenance"]
    assert (made_by["seed"], list(made_by["inputs"])) == (QUICK.seed, list(found.provenance.inputs))
    draws = arviz.from_netcdf(str(tmp_path / "draws.nc")).posterior["b"]
    assert draws.dims == ("chain", "draw", "model", "measure", "parameter")
    mean = float(draws.sel(model="uniform", measure="sr", parameter="word_length").mean())
    row = effects.query("model == 'uniform' and measure == 'sr' and predictor == 'word_length'")
    assert mean == pytest.approx(float(row["mean"].iloc[0]), abs=0.02)
    assert np.isnan(draws.sel(model="left-to-right", measure="sr")).all()


def test_finished_fits_are_used_again(
    found: Psycholing, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scandl_analysis.effects.fitting.fit", lambda *_, **__: pytest.fail("fitted again"))
    again = psycholing("nrns", run=demo_run(), options=QUICK, store=store)
    pd.testing.assert_frame_equal(found.effects, again.effects)
    pd.testing.assert_frame_equal(found.recovery, again.recovery)
    pd.testing.assert_frame_equal(found.checks, again.checks)
    pd.testing.assert_frame_equal(found.diagnostics, again.diagnostics)


def test_a_damaged_fit_is_made_again(found: Psycholing, store: Path) -> None:
    files = sorted(store.glob("*.npz"))
    whole = [path.read_bytes() for path in files]
    files[0].write_bytes(whole[0][:50])
    files[1].write_bytes(b"")
    again = psycholing("nrns", run=demo_run(), options=QUICK, store=store)
    pd.testing.assert_frame_equal(found.effects, again.effects)
    with np.load(files[0]) as mended, np.load(BytesIO(whole[0])) as before:
        assert {name: mended[name].tobytes() for name in mended.files} == {
            name: before[name].tobytes() for name in before.files
        }


@pytest.mark.slow
def test_joint_design_has_the_same_cells(found: Psycholing) -> None:
    options = replace(QUICK, engine="laplace", design="joint", measures=tuple(FAMILIES), ceiling=False)
    joint = psycholing("nrns", run=demo_run(), options=options)
    keys = ["model", "measure", "predictor"]
    paper = found.effects[~found.effects["model"].str.startswith("human-half")]
    both = joint.effects.merge(paper, on=keys)
    assert len(both) == len(paper) == len(joint.effects)
    assert np.abs(both["mean_x"] - both["mean_y"]).median() < 0.05
    # A generator that never skips cannot enter the joint model of skipping, and this is said.
    left = joint.effects[(joint.effects["model"] == "left-to-right") & (joint.effects["measure"] == "sr")]
    assert left["note"].tolist() == ["not estimable: sr is 0 in all 5,025 words"] * 3
    assert set(joint.diagnostics["model"]) == set(joint.priors["model"]) == {"all sources"}
    checked = joint.checks[joint.checks["check"] == "mean by word length"]
    assert set(checked["model"]) == {"human", "ezreader", "train-label-dist", "uniform"}


def test_unigram_surprisal_beside_its_own_logarithm_is_left_out_and_said(found: Psycholing) -> None:
    options = Options(
        engine="laplace", surprisal="unigram", frequency="zipf", draws=50, ceiling=False, design="paper"
    )
    frame = psycholing("nrns", run=demo_run(), options=options).effects
    rows = frame[frame["predictor"] == "surprisal"]
    assert rows["mean"].isna().all()
    assert "surprisal is a linear function of frequency" in rows["note"].iloc[0]


def test_words_at_the_edges_of_sentences_can_be_left_out(found: Psycholing) -> None:
    inner = psycholing("nrns", run=demo_run(), options=replace(QUICK, drop=("first", "last"), ceiling=False))
    n_words = found.words.groupby(["source", "sentence_id"])["word_index"].transform("max") + 1
    kept = found.words[found.words["word_index"].between(1, n_words - 2)]
    keys = ["source", "sample", "reader_id", "sentence_id", "word_index"]
    assert inner.words[keys].sort_values(keys).to_numpy().tolist() == (
        kept[keys].sort_values(keys).to_numpy().tolist()
    )
    assert "first and last words of sentences are left out" in inner.notes
    with pytest.raises(ScandlError, match="no edge 'frist' of a sentence; did you mean 'first'"):
        psycholing("nrns", run=demo_run(), options=replace(QUICK, drop=("frist",)))


def test_previous_words_can_be_predictors_too(found: Psycholing) -> None:
    options = replace(QUICK, engine="laplace", priors="weak", spillover=True, ceiling=False)
    spilled = psycholing("nrns", run=demo_run(), options=options)
    names = ["word_length", "frequency", "surprisal"]
    both = [*names, *(f"previous_{name}" for name in names)]
    assert list(dict.fromkeys(spilled.effects["predictor"])) == both
    assert spilled.words["word_index"].min() == 1
    assert "first words of sentences are left out" in spilled.notes
    assert set(spilled.scaling["predictor"]) == set(spilled.collinearity["predictor"]) == set(both)
    # What stands beside a word is what its neighbour on the left has in the whole table.
    keys = ["source", "sample", "fold", "reader_id", "sentence_id", "word_index"]
    right = found.words.assign(word_index=found.words["word_index"] + 1)[[*keys, *names]]
    merged = spilled.words.merge(right, on=keys, suffixes=("", "_left"))
    assert len(merged) == len(spilled.words)
    for name in names:
        np.testing.assert_array_equal(merged[f"previous_{name}"], merged[f"{name}_left"])
    # With proper priors there is something to check before the data; a reader's mean is checked for humans only.
    checks = spilled.checks.groupby("check")["model"].agg(set)
    assert checks["mean by reader"] == {"human"}
    assert checks["prior predictive mean"] == checks["mean by word length"]
    row = spilled.checks[spilled.checks["check"] == "prior predictive mean"].iloc[0]
    assert row["ci_low"] < row["observed"] < row["ci_high"]


def test_unknown_design_is_named() -> None:
    with pytest.raises(ScandlError, match="no design 'joined'; did you mean 'joint'"):
        psycholing(options=Options(design="joined"))


def test_readers_of_a_corpus_by_themselves(tmp_path: Path) -> None:
    from scandl_analysis.chapters.effects_chapter import effects_verdict
    from scandl_analysis.chapters.result_tables import read_effects

    options = replace(QUICK, design="crossed", ceiling=True, measures=("sr",))
    alone = psycholing(run=open_readers("demo"), options=options)
    assert set(alone.effects["model"]) == {"human", "human-half-1", "human-half-2"}
    assert alone.recovery_summary["model"].tolist() == ["no effects", "two halves of the readers"]
    write_psycholing(alone, tmp_path)
    said = effects_verdict(read_effects(tmp_path))
    assert said.startswith("The simulated readers show ")
    assert "skipping rises with frequency" in said
    for file in ("effects.csv", "recovery.csv", "recovery-summary.csv", "words.csv", "checks.csv"):
        assert "human" not in (tmp_path / file).read_text()  # they are no people
    assert "readers" in set(pd.read_csv(tmp_path / "effects.csv")["model"])
    assert set(alone.sensitivity["definition"]) == {"firstpass"}  # skipping is defined alike
    assert set(alone.sensitivity["edges"]) == {"left out", "kept"}


def test_edges_are_left_out_unless_as_published() -> None:
    assert Options().edges == ("first", "last")
    assert Options(design="paper").edges == Options(drop=()).edges == ()
    assert Options(design="paper", spillover=True).edges == ("first",)
    assert Options(drop=("last",)).edges == ("last",)
    assert Options(design="maximal").engine_used == "nutpie"
    assert Options(design="maximal", engine="laplace").engine_used == "laplace"


@pytest.mark.slow
def test_crossed_intervals_are_wider_than_the_published_ones(found: Psycholing) -> None:
    """Words of one token and paths of one reader are alike, so they tell less than as many others."""
    options = replace(QUICK, engine="laplace", design="crossed", ceiling=False, drop=())
    crossed = psycholing("nrns", run=demo_run(), options=options).effects
    keys = ["model", "measure", "predictor"]
    both = crossed.merge(found.effects, on=keys, suffixes=("", "_paper")).dropna(
        subset=["mean", "mean_paper"]
    )
    human = both[both["model"] == "human"]
    assert len(human) == 12
    assert (human["sd"] > human["sd_paper"]).mean() > 0.9
    assert np.abs(human["mean"] - human["mean_paper"]).median() < 0.1


def test_effects_of_imputed_readings_are_pooled_and_say_what_was_lost(tmp_path: Path) -> None:
    """The effect is Rubin's mean of the versions' own; every door says which share was filled in."""
    demo = open_corpus("demo")
    demo = demo.restricted_to([pair for pair in demo.by_pair if pair[1] in list(demo.sentences)[:12]])
    lost = [replace(path, positions=(*path.positions[:-1], LOST)) for path in demo.scanpaths]
    impute(replace(demo, scanpaths=tuple(lost)), versions=2).write(tmp_path / "filled")
    options = replace(QUICK, measures=("sr",), design="intercepts", ceiling=False, edge_check=False)
    found = psycholing(run=open_readers(tmp_path / "filled"), options=options, store=tmp_path / "store")
    assert any("filled in by model people: 2 versions, pooled by Rubin's rules" in n for n in found.notes)
    each = [
        psycholing(run=open_readers(tmp_path / "filled" / k), options=options).effects for k in ("1", "2")
    ]
    assert found.effects["mean"].tolist() == pytest.approx(
        np.mean([one["mean"] for one in each], axis=0).tolist(), abs=0.02
    )
    assert found.effects["missing_information"].between(0, 1).all()
    assert "missing_information" not in each[0]
    # A stored fit is still known to be pooled.
    again = psycholing(run=open_readers(tmp_path / "filled"), options=options, store=tmp_path / "store")
    assert again.effects.equals(found.effects)
    write_psycholing(found, tmp_path / "out")
    assert any(line.startswith("missing information") for line in text_lines(found))
