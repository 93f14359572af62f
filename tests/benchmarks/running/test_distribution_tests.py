from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from scandl.pairing import pair
from scandl.piece_cache import Pieces
from scandl.records import Prediction, Scanpath
from scandl.statistics.energy_tests import permutation_p
from scandl.workers import workers
from scandl_eval.running.distribution_tests import DistributionTests, Job, distribution_tests, make_tests
from scandl_eval.scoring.engine import known_metric, score_predictions
from scandl_eval.scoring.scoring_spec import Spec


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
        Prediction(h.sentence_id, g.words, h.words, h.reader_id, "m", "ns", text=text)
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
        monkeypatch.setattr("scandl_eval.running.distribution_tests.distribution_tests", None)
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
