from __future__ import annotations

import pytest

from scandl.corpora import read_corpus
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.scoring_spec import Spec


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
        found = evaluate(files, corpus=mertzen["corpus"], spec=Spec(**choices))
        return {row.model: row for row in found.rows}

    return run


NAMES = ("simulated_swift", "simulated_seam", "left-to-right", "Human")


def test_simulations_in_the_published_convention(evaluated):
    rows = evaluated(convention="scandl")
    assert [rows[name].mean for name in NAMES] == pytest.approx([0.6507, 0.6920, 0.6156, 0.6687], abs=5e-5)


def test_simulations_against_all_humans_of_the_sentence(evaluated):
    rows = evaluated(against="all-readers")
    found = [rows[name].mean_over_sentences for name in NAMES]
    assert found == pytest.approx([0.6936, 0.7436, 0.6502, 0.7078], abs=5e-5)
    assert rows["left-to-right"].energy_distance == pytest.approx(0.5926, abs=5e-4)
