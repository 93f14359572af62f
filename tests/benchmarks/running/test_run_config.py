from __future__ import annotations

import pytest

from scandl.errors import ConfigError, ScandlError
from scandl_eval.models.generator_catalogue import QUICKLY_TRAINED, all_names, baseline_names
from scandl_eval.running.run_config import RunConfig


def test_all_is_without_what_cannot_be_trained_here(monkeypatch):
    monkeypatch.setattr("scandl_eval.models.generator_catalogue.is_installed", lambda name: name != "torch")
    line = "all: without scanpath-transformer, which needs torch: pip install"
    with pytest.warns(UserWarning, match=line):
        assert all_names() == baseline_names()


def test_all_means_every_baseline_and_the_quick_model_once():
    checked = RunConfig(models=("markov", "all"), folds=(3, 1, 1)).checked()
    assert checked.models[0] == "markov"
    assert sorted(checked.models) == sorted([*baseline_names(), *QUICKLY_TRAINED])
    assert checked.folds == (1, 3)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"settings": ("nsr",)}, "no setting 'nsr'; did you mean"),
        ({"models": ("markof",)}, "no generator 'markof'; did you mean 'markov'"),
        ({"scheme": "papers"}, "no scheme 'papers'; did you mean 'paper'"),
        ({"predictability": "surprise"}, "no predictability 'surprise'; did you mean 'surprisal'"),
        ({"folds": (5,)}, "no fold 5; known: 0 to 4"),
        ({"samples": 0}, "setting 'samples': found 0, expected a number from 1"),
        ({"seed": -1}, "setting 'seed': found -1, expected a number from 0"),
        ({"n_folds": 1, "folds": (0,)}, "setting 'n_folds': found 1"),
        ({"settings": ("cross",)}, "setting 'cross' needs a second corpus"),
        ({"models": ()}, "at least one setting, one model and one fold"),
    ],
)
def test_what_cannot_be_is_one_line(wrong, text):
    with pytest.raises((ConfigError, ScandlError), match=text):
        RunConfig(**wrong).checked()
