"""What a model may say instead of predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl.corpora import read_corpus
from scandl.errors import ConfigError, ScandlError, StoppedError
from scandl.models.catalogue import BASELINES, QUICKLY_TRAINED, all_names
from scandl.models.model import Model
from scandl.splits import make_folds
from scandl_eval.references.reference_rows import published_rows
from scandl_eval.running import tasks
from scandl_eval.running.published_comparison import PUBLISHED_AS
from scandl_eval.running.tasks import (
    Corpora,
    Refused,
    RunConfig,
    Task,
    generate,
    read_run_config,
    recipe_names,
)


def told(error: ScandlError) -> object:
    class Learner(Model):
        def fit(self, training, *, seed):
            raise error

    return Learner()


def test_a_corpus_that_does_not_suit_is_a_reason_and_a_stop_is_not(corpus_folder, monkeypatch):
    corpus = read_corpus(corpus_folder)
    task = Task("markov", "markov", make_folds(corpus, "ns", n_folds=3)[0], 1, 1)
    monkeypatch.setattr(tasks, "open_model", lambda *_: told(ScandlError("no durations")))
    assert generate(Corpora(corpus, None), task) == Refused("no durations")
    # Whoever tells a training to stop means the whole run, not that the next fold be begun.
    monkeypatch.setattr(tasks, "open_model", lambda *_: told(StoppedError("told to stop at step 3")))
    with pytest.raises(StoppedError, match="told to stop at step 3"):
        generate(Corpora(corpus, None), task)


def test_all_is_without_what_cannot_be_trained_here(monkeypatch):
    monkeypatch.setattr("scandl.models.catalogue.is_installed", lambda name: name != "torch")
    line = "all: without scanpath-transformer, which needs torch: pip install"
    with pytest.warns(UserWarning, match=line):
        assert all_names() == list(BASELINES)


def test_all_variants_means_every_baseline_and_the_quick_model_once():
    checked = RunConfig(models=("markov", "all-variants"), folds=(3, 1, 1)).checked()
    assert checked.models[0] == "markov"
    assert sorted(checked.models) == sorted([*list(BASELINES), *QUICKLY_TRAINED])
    assert checked.folds == (1, 3)


def test_all_means_one_of_each_family():
    short, long = (set(RunConfig(models=(name,)).checked().models) for name in ("all", "all-variants"))
    assert long - short == {"uniform-45", "uniform-m", "uniform-n", "uniform-saccade"}
    assert "uniform" in short
    assert short < long


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"settings": ("nsr",)}, "no setting 'nsr'; did you mean"),
        ({"models": ("markof",)}, "no model 'markof'; did you mean 'markov'"),
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


@pytest.mark.parametrize("name", recipe_names())
def test_each_can_be_run_in_the_published_conventions(name: str) -> None:
    found = read_run_config(f"{name}.toml").checked()
    assert found == read_run_config(name).checked()
    assert (found.scheme, found.seed, found.changes, found.folds) == (
        "paper",
        60,
        ("training.seed=101",),
        (0, 1, 2, 3, 4),
    )
    assert found.keep_checkpoints
    assert set(found.models) <= set(PUBLISHED_AS)


def test_table_1_has_every_model_and_setting_that_was_published() -> None:
    found = read_run_config("paper.toml")
    printed = published_rows(None)
    assert {row.setting for row in printed} == set(found.settings)
    assert {row.model for row in printed} == {PUBLISHED_AS[model] for model in found.models} | {"Human"}
    ablations = read_run_config("paper-ablations.toml")
    assert {PUBLISHED_AS[model] for model in ablations.models} == {
        row.model for row in published_rows(None, "ablations")
    }


def test_a_file_of_ones_own_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.toml").write_text("seed = 3\n")
    assert read_run_config("paper.toml") == replace(RunConfig(), seed=3)
    assert read_run_config(None) == RunConfig()
    with pytest.raises(OSError, match="absent.toml"):
        read_run_config("absent.toml")
