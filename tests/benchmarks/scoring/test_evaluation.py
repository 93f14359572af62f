from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

from scandl.corpora import read_corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import LeftOutWarning, ScandlError
from scandl.records import Prediction
from scandl.statistics.clustered import CROSSED
from scandl.statistics.energy import half_against_half
from scandl_eval.references.reference_rows import SIMULATED
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.rows import BY_SPLIT
from scandl_eval.scoring.scoring_spec import Spec

DEMO = open_corpus("demo")
SENTENCES = ("s01", "s02", "s03")


@pytest.fixture(scope="module")
def mertzen():
    return {}


@pytest.fixture
def evaluated(shared, mertzen):
    """Evaluate two published simulations; the corpus is read once."""
    folder = shared("mertzen")
    if not mertzen:
        mertzen["corpus"] = read_corpus(folder)
    files = [folder / "simulated_swift.csv", folder / "simulated_seam.csv"]

    def run(**choices):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LeftOutWarning)  # simulations of items that nobody read
            found = evaluate(files, corpus=mertzen["corpus"], spec=Spec(**choices))
        return {(row.model, row.metric): row for row in found.rows}

    return run


NAMES = ("simulated_swift", "simulated_seam", "left-to-right", "Human")


def test_simulations_in_the_published_convention(evaluated):
    rows = evaluated(convention="scandl", reference="all")
    found = [rows[name, "nld"].mean for name in NAMES]
    assert found == pytest.approx([0.6507, 0.6920, 0.6156, 0.6687], abs=5e-5)


def test_simulations_against_all_humans_of_the_sentence(evaluated):
    rows = evaluated(against="all-readers", reference="all")
    found = [rows[name, "nld"].mean_over_sentences for name in NAMES]
    assert found == pytest.approx([0.6936, 0.7436, 0.6502, 0.7078], abs=5e-5)
    assert rows["left-to-right", "energy"].mean == pytest.approx(0.5926, abs=5e-4)


def test_only_a_model_with_folds_has_a_spread_over_them(predictions):
    folded = [replace(p, model="folded", fold=str(n % 3)) for n, p in enumerate(predictions)]
    rows = {
        row.model: row for row in evaluate([*predictions, *folded], corpus=DEMO).rows if row.metric == "nld"
    }
    assert rows["folded"].n_folds == 3
    assert rows["folded"].se_folds is not None
    assert (rows["m"].n_folds, rows["m"].se_folds, rows["m"].sd_folds) == (1, None, None)
    assert rows["m"].mean_of_folds == rows["m"].mean == rows["folded"].mean


@pytest.fixture
def predictions():
    """Return predictions for three sentences of the demo: each reader's path without its first fixation."""
    return [
        Prediction(path.sentence_id, path.positions[1:], reader_id=path.reader_id, model="m")
        for sentence in SENTENCES
        for path in DEMO.by_sentence[sentence]
    ]


def rows_of(*given, **choices):
    return {(row.model, row.metric): row for row in evaluate(*given, **choices).rows}


def test_records_and_files_and_corpora_by_name_are_the_same_to_it(predictions, tmp_path):
    lines = [f"m,{p.reader_id},{p.sentence_id},{' '.join(map(str, p.predicted))}\n" for p in predictions]
    file = tmp_path / "m.csv"
    file.write_text("model,reader_id,sentence_id,predicted\n" + "".join(lines))
    expected = evaluate(predictions, corpus=DEMO).rows
    for source in (file, str(file), [file]):
        for corpus in (DEMO, "demo"):
            assert evaluate(source, corpus=corpus).rows == expected


def test_the_readers_own_energy_is_one_half_of_them_against_the_other(predictions):
    row = rows_of(predictions, corpus=DEMO, seed=5)[SIMULATED, "energy"]
    halves = half_against_half({s: DEMO.by_sentence[s] for s in SENTENCES}, seed=5)
    assert (row.mean, row.ci95, row.n) == (halves.mean, halves.ci95, 3)
    assert (row.resampled, row.kind) == (BY_SPLIT, "human")
    assert row.note == "one random half of the readers against the other"
    assert rows_of(predictions, corpus=DEMO)[SIMULATED, "diversity"].mean == 1.0


def test_reference_readers_are_those_of_the_tested_items_unless_all_are_asked_for(predictions):
    readers = sorted({p.reader_id for p in predictions})[:5]
    some = [p for p in predictions if p.reader_id in readers]
    tested, everybody = (rows_of(some, corpus=DEMO, spec=Spec(reference=r)) for r in ("tested", "all"))
    only = DEMO.restricted_to({(p.reader_id, p.sentence_id) for p in some})
    alone = rows_of(some, corpus=only)
    for key in (("m", "energy"), ("m", "diversity"), (SIMULATED, "nld"), (SIMULATED, "energy")):
        assert tested[key] == alone[key]
        if key != (SIMULATED, "diversity"):
            assert tested[key].mean != everybody[key].mean
    assert tested["m", "nld"] == everybody["m", "nld"]
    assert tested["m", "energy"].resampled == everybody["m", "energy"].resampled == CROSSED
    specs = [evaluate(some, corpus=DEMO, spec=Spec(reference=r)) for r in ("tested", "all")]
    assert [found.metric_spec["reference"] for found in specs] == ["tested", "all"]
    assert "models are compared with the readers of the items that were predicted" in specs[0].notes
    assert (
        "models are compared with all readers of the corpus who read a predicted sentence" in specs[1].notes
    )


def test_only_what_is_asked_for_is_computed(predictions):
    assert {row.metric for row in evaluate(predictions, corpus=DEMO, metrics=["diversity"]).rows} == {
        "diversity"
    }
    names = ["energy-yujian-bo", "scanmatch"]
    assert {row.metric for row in evaluate(predictions, corpus=DEMO, metrics=names).rows} == set(names)
    with pytest.raises(ScandlError, match="no metric 'enrgy'; did you mean 'energy'"):
        evaluate(predictions, corpus=DEMO, metrics=["enrgy"])


def test_what_is_unlike_the_corpus_is_warned_of_and_refused_when_strict(predictions):
    other = [replace(p, human=(0,)) if p.sentence_id == "s02" else p for p in predictions]
    n = sum(p.sentence_id == "s02" for p in predictions)
    found = evaluate(other, corpus=DEMO)
    told = (
        f"{n} of {len(other)} human scanpaths are not those of corpus 'demo' for the same reader and sentence"
    )
    assert found.warnings[0].startswith(told)
    with pytest.raises(ScandlError, match=f"the predictions: {told}"):
        evaluate(other, corpus=DEMO, strict=True)
    assert not any("are not those of corpus" in line for line in evaluate(predictions, corpus=DEMO).warnings)


def test_the_seed_changes_what_is_drawn_and_nothing_else(predictions):
    first, again, other = (rows_of(predictions, corpus=DEMO, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first["m", "nld"] == other["m", "nld"]
    assert first["m", "energy"] == other["m", "energy"]
    assert first[SIMULATED, "energy"].ci95 != other[SIMULATED, "energy"].ci95
