from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from scandl.corpora import Card, Corpus
from scandl.files.prediction_files import write_predictions
from scandl.measures.distribution.classifier import classifier_test
from scandl.measures.distribution.panel import panel
from scandl.models.baselines.trivial import TrainLabelDist
from scandl.records import Prediction, Scanpath, Sentence
from scandl.seeds import stream
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.scoring_spec import Spec

TEXT = "one two three four five six"
READERS, SENTENCES = [f"r{n}" for n in range(6)], [f"s{n}" for n in range(6)]


def path(*names):
    rng = stream(3, *names)
    return tuple(int(word) for word in rng.integers(0, 6, size=int(rng.integers(3, 8))))


HUMAN = [Scanpath(r, s, path("human", r, s)) for r in READERS for s in SENTENCES]
MODEL = [Scanpath(r, s, tuple(sorted(path("model", r, s)))) for r in READERS for s in SENTENCES]
N_WORDS = dict.fromkeys(SENTENCES, 6)


@pytest.fixture
def rows(tmp_path):
    """Score the model with a log-likelihood of its own for each human path; return rows and notes."""

    def run(*metrics, log_prob=lambda k: -float(k)):
        predictions = [
            Prediction(
                h.sentence_id, m.positions, h.positions, h.reader_id, "m", text=TEXT, log_prob=log_prob(k)
            )
            for k, (h, m) in enumerate(zip(HUMAN, MODEL, strict=True))
        ]
        write_predictions(tmp_path / "m.csv", predictions)
        found = evaluate([tmp_path / "m.csv"], metrics=metrics, seed=2)
        return {(row.metric, row.model): row for row in found.rows}, found.notes

    return run


def test_the_rows_are_those_of_the_functions(rows):
    found, notes = rows("classifier-auc", "distribution-panel")
    told_apart = classifier_test(HUMAN, MODEL, N_WORDS, seed=2)
    assert (found["classifier-auc", "m"].mean, found["classifier-auc", "m"].ci95) == (
        told_apart.auc,
        told_apart.ci95,
    )
    skips = panel(HUMAN, MODEL, N_WORDS, seed=2).differences["skip rate"]
    row, human = (found["skip-rate-wasserstein", model] for model in ("m", "Human"))
    assert (row.mean, row.ci95, row.n) == (skips.wasserstein, skips.wasserstein_ci95, 6)
    readers = panel(HUMAN, HUMAN, N_WORDS, resamples=0, seed=2).differences["skip rate"]  # whatever models do
    assert (human.mean, human.kind) == (readers.wasserstein_floor, "human")
    assert found["run-length-jensen-shannon", "left-to-right"].kind == "baseline"
    assert any("random halves of the readers" in note for note in notes)
    assert ("bits-per-fixation", "m") not in found


def test_information_is_gained_over_histograms_of_other_sentences(rows):
    found, _ = rows("log-likelihood")
    events = sum(len(h.positions) + 1 for h in HUMAN)
    bits = -sum(range(36)) / math.log(2) / events
    assert found["bits-per-fixation", "m"].mean == pytest.approx(bits)
    # The baseline's bits follow, and lie between those of histograms that saw all or nothing.
    baseline = bits - found["information-gain", "m"].mean
    corpus = Corpus(Card(name="c"), {s: Sentence(s, TEXT) for s in SENTENCES}, tuple(HUMAN))
    seen_all = TrainLabelDist().fit(corpus, seed=2)
    best = sum(seen_all.log_prob(corpus.sentences[h.sentence_id], h) for h in HUMAN) / math.log(2) / events
    assert best - 0.5 < baseline < best


def test_an_impossible_path_is_counted_not_averaged(rows):
    found, notes = rows("log-likelihood", log_prob=lambda k: -math.inf if k < 2 else -1.0)
    row = found["bits-per-fixation", "m"]
    assert (row.mean, row.ci95, row.n, row.n_undefined) == (None, None, 34, 2)
    told = "is minus infinity: the model gives the probability 0 to 2 of 36 instances of m (all)"
    assert [note for note in notes if "minus" in note] == [
        f"bits-per-fixation {told}",
        f"information-gain {told}",
    ]


def test_a_model_without_likelihood_has_no_such_row(rows):
    assert not [
        metric for metric, _ in rows("log-likelihood", log_prob=lambda k: None)[0] if "bits" in metric
    ]


def test_symbols_that_are_no_words_are_no_fixations(tmp_path):
    # Raw symbols: 0 is CLS, 7 is SEP, 127 is PAD; remove-pad leaves those inside the path.
    lists = {
        "predicted_sp_ids": [[0, *(w + 1 for w in m.positions), 0, 127, 2, 7] for m in MODEL],
        "original_sp_ids": [[0, *(w + 1 for w in h.positions), 7] for h in HUMAN],
        "original_sn": [f"[CLS] {TEXT} [SEP]"] * len(HUMAN),
        "sn_ids": [h.sentence_id for h in HUMAN],
        "reader_ids": [h.reader_id for h in HUMAN],
    }
    (tmp_path / "m.json").write_text(json.dumps(lists))
    found = evaluate([tmp_path / "m.json"], metrics=["distribution-panel"], spec=Spec(repair="remove-pad"))
    row = next(row for row in found.rows if (row.metric, row.model) == ("path-length-wasserstein", "m"))
    one_more = [replace(m, positions=(*m.positions, 1)) for m in MODEL]
    assert row.mean == panel(HUMAN, one_more, N_WORDS, resamples=0).differences["path length"].wasserstein
