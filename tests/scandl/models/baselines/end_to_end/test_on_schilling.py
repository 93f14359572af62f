"""The baselines on new sentences of a real corpus, beside independently made prototypes."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

import pytest

from scandl.measures.pair.nld import pairwise
from scandl.models.fold_predictions import baseline_predictions
from scandl.statistics.energy import energy_distance

# NLD to all readers of the sentence and energy distance; prototypes were run on one fold of their own.
PROTOTYPES = {
    "left-to-right": (0.4586, 0.3885, 0.0005),  # no chance, no fold: the value itself
    "train-label-dist": (0.773, 0.203, 0.035),
    "markov": (0.746, 0.183, 0.035),
    "markov-text": (0.610, 0.047, 0.035),
}


@pytest.mark.parametrize("name", PROTOTYPES)
def test_new_sentences(name, shared):
    predictions = baseline_predictions(name, str(shared("schilling")), setting="ns")
    human, model = defaultdict(list), defaultdict(list)
    for prediction in predictions:
        human[prediction.sentence_id].append(prediction.human)
        model[prediction.sentence_id].append(prediction.predicted)
    nld = fmean(float(pairwise(human[key], model[key]).mean()) for key in human)
    energy = fmean(energy_distance(human[key], model[key]) for key in human)
    expected_nld, expected_energy, tolerance = PROTOTYPES[name]
    assert nld == pytest.approx(expected_nld, abs=tolerance)
    assert energy == pytest.approx(expected_energy, abs=tolerance)


def test_knowing_the_text_raises_the_likelihood(shared):
    bits = {}
    for name in ("uniform", "train-label-dist", "markov", "markov-text"):
        found = baseline_predictions(name, str(shared("schilling")), setting="ns", fold=0)
        bits[name] = sum(p.log_prob for p in found) / sum(len(p.human) + 1 for p in found)
    assert sorted(bits, key=bits.__getitem__) == ["uniform", "train-label-dist", "markov", "markov-text"]
