from __future__ import annotations

import csv
import json
from dataclasses import asdict, replace
from statistics import fmean

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.files.manifest import Pieces
from scandl.measures.catalogue import METRICS
from scandl.measures.metric import DURATIONS
from scandl.pairing import pair
from scandl.records import Prediction, Scanpath
from scandl.statistics.energy import energy_terms, permutation_p
from scandl.workers import workers
from scandl_eval.running.scored_run import (
    DistributionTests,
    Job,
    distribution_tests,
    make_tests,
    score_run,
    write_score_tables,
)
from scandl_eval.running.tasks import Corpora
from scandl_eval.score_table import read_scores
from scandl_eval.scoring.engine import known_metric, score_predictions
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.scoring_spec import Spec

KERNELS = tuple(metric.name for metric in METRICS.values() if metric.kernel)


@pytest.fixture
def corpus(corpus_folder):
    return read_corpus(corpus_folder)


@pytest.fixture
def predictions(corpus):
    """Two models in two settings; the second draws twice and gives likelihoods."""
    rng = np.random.default_rng(3)

    def of(model, setting, samples, **given):
        return [
            Prediction(
                path.sentence_id,
                tuple(rng.integers(0, 5, 4).tolist()),
                path.positions,
                path.reader_id,
                model,
                setting,
                str(k % 3),
                sample,
                corpus.sentences[path.sentence_id].text,
                **given,
            )
            for k, path in enumerate(corpus.scanpaths)
            for sample in range(samples)
        ]

    return {
        (m, setting): of(m, setting, 1 + (m == "b"), log_prob=-5.0 if m == "b" else None)
        for m in "ab"
        for setting in ("ns", "nr")
    }


def timed_corpus(corpus):
    rng = np.random.default_rng(8)
    paths = (
        replace(path, durations=tuple(rng.uniform(60, 400, len(path.positions)).tolist()))
        for path in corpus.scanpaths
    )
    return replace(corpus, scanpaths=tuple(paths))


def test_a_run_is_scored_as_its_predictions_are(corpus, predictions):
    """The run's engine and ``evaluate`` are one."""
    timed = {
        group: [replace(p, durations=(180.0, 90.0, 400.0, 250.0)) for p in found]
        for group, found in predictions.items()
    }
    corpus = timed_corpus(corpus)
    runs = score_run(timed, Corpora(corpus), seed=1)
    assert [run.found.setting for run in runs] == ["ns", "nr"]
    rows = {
        (row.model, row.setting, row.metric): row
        for row in evaluate(
            [p for found in timed.values() for p in found],
            corpus=corpus,
            metrics=["nld", "nld-time", *KERNELS],
        ).rows
    }
    for run in runs:
        for name in ("nld", "nld-time", *KERNELS):
            for model in "ab":
                joint = run.found.estimates[name].joint([model])
                row = rows[model, run.found.setting, name]
                assert joint.values[0] == pytest.approx(row.mean)
                assert joint.ci95(model) == pytest.approx(row.ci95)


def test_a_setting_without_durations_has_no_metric_of_time(corpus, predictions):
    for run in score_run(predictions, Corpora(corpus), seed=1):
        found = {*run.found.estimates, *run.scores.values}
        assert not any(DURATIONS in METRICS[name].needs for name in found)


def test_draws_and_likelihoods_are_counted(corpus, predictions):
    first, _ = score_run(predictions, Corpora(corpus), seed=1)
    assert first.n_log_prob == {"a": 0, "b": len(corpus.scanpaths)}
    assert [len(first.counts[m].by_sample["nld"]) for m in "ab"] == [1, 2]
    scores = dict(zip(first.scores.keys, first.scores.values["nld"].tolist(), strict=True))
    for sample in (0, 1):
        own = [v for key, v in scores.items() if key.model == "b" and key.sample == sample]
        assert first.counts["b"].by_sample["nld"][sample] == pytest.approx(fmean(own))
    assert first.counts["a"].cells("nld")["sd_samples"] is None


def test_tables_hold_what_every_aggregate_follows_from(corpus, predictions, tmp_path):
    runs = score_run(predictions, Corpora(corpus), seed=1)
    write_score_tables(runs, tmp_path)
    for run in runs:
        setting = run.found.setting
        for model in "ab":
            table = read_scores(tmp_path / model / f"{setting}.csv")
            assert len(table) == len(predictions[model, setting])
            with (tmp_path / model / f"{setting}-sentences.csv").open(newline="") as stream:
                rows = list(csv.DictReader(stream))
            human = {row["sentence_id"]: corpus.by_sentence[row["sentence_id"]] for row in rows}
            paths = {s: [] for s in human}
            for (_, _, s), found in run.found.compared.paths[model].items():
                paths[s] += found
            for kernel in ("nld", "yujian-bo"):
                terms = energy_terms(human, {model: paths}, kernel)
                written = [float(row[f"energy {kernel}"]) for row in rows]
                assert written == pytest.approx(terms.by_sentence[:, 0].tolist(), abs=1e-11)
                assert fmean(written) == pytest.approx(terms.distances[0], abs=1e-11)


def paths(seed, pace, readers=6, sentences=6):
    rng = np.random.default_rng(seed)
    return tuple(
        Scanpath(f"r{r}", f"s{s}", tuple(np.clip(np.cumsum(rng.integers(-1, pace, 7)), 0, 7).tolist()))
        for s in range(sentences)
        for r in range(readers)
    )


JOB = Job(paths(1, 3), paths(2, 6), {f"s{s}": 8 for s in range(6)}, 50, 3)


def test_the_tests_are_those_of_the_statistics_room():
    found = distribution_tests(None, JOB)
    sides = [
        {s: [p for p in side if p.sentence_id == s] for s in JOB.n_words}
        for side in (JOB.human, JOB.generated)
    ]
    for kernel in ("nld", "yujian-bo"):
        assert found.p_values[kernel] == permutation_p(*sides, kernel, seed=3)
    assert found.n_paths == len(JOB.generated)
    assert 0.5 < found.auc <= 1.0
    low, high = found.auc_ci95
    assert low <= found.auc <= high


def test_they_survive_being_kept_as_json():
    found = distribution_tests(None, JOB)
    assert DistributionTests.from_dict(json.loads(json.dumps(asdict(found)))) == found


def test_too_few_readers_leave_what_can_be_said():
    few = distribution_tests(None, replace(JOB, human=paths(1, 3, 1, 1), generated=paths(2, 3, 1, 1)))
    assert (few.auc, few.auc_ci95, few.p_values) == (None, None, {})


@pytest.fixture
def setting():
    text = " ".join("abcdefgh")
    given = [
        Prediction(h.sentence_id, g.positions, h.positions, h.reader_id, "m", "ns", text=text)
        for h, g in zip(JOB.human, JOB.generated, strict=True)
    ]
    spec = Spec()
    scored = score_predictions(pair(given), None, spec, {"nld": known_metric("nld", spec)}, trivial=False)
    return scored.settings[0]


def test_finished_pieces_are_not_made_again(setting, tmp_path, monkeypatch):
    pieces = Pieces(tmp_path)
    with workers(None, jobs=1, scheduler=None) as team:
        first, kept = make_tests([setting], pieces, team, resamples=50, seed=3, quiet=True)
        assert first == {("m", "ns"): distribution_tests(None, JOB)}
        monkeypatch.setattr("scandl_eval.running.scored_run.distribution_tests", None)
        assert make_tests([setting], pieces, team, resamples=50, seed=3, quiet=True) == (first, kept)
    assert len(kept) == 1


def test_other_texts_are_other_pieces(setting, tmp_path):
    """The classifier looks at where in a sentence fixations are, so its length is part of the key."""
    longer = {
        item: replace(unit, text=f"{unit.text} more words") for item, unit in setting.beside.units.items()
    }
    other = replace(setting, beside=replace(setting.beside, units=longer))
    with workers(None, jobs=1, scheduler=None) as team:
        kept = [
            make_tests([found], Pieces(tmp_path), team, resamples=20, seed=3, quiet=True)[1]
            for found in (setting, other)
        ]
    assert kept[0].isdisjoint(kept[1])
