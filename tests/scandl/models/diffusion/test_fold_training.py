"""Training on a fold: what it sets aside validates, and a new training keeps no best of another."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import ScanpathModel
from scandl.models.diffusion.fold_training import (
    Validate,
    energy_distance,
    hold_out,
    train,
    train_fold,
    validation,
)
from scandl.models.diffusion.settings import preset
from scandl.records import Scanpath, Sentence
from scandl.splits import make_cross
from scandl.statistics.distances import nld
from scandl.training.checkpoint import read_checkpoint

SENTENCES = {name: Sentence(name, f"The cat {name} sat on the mat.") for name in ("s1", "s2")}

CORPUS = Corpus(
    Card(name="toy"),
    SENTENCES,
    tuple(Scanpath(f"r{r}", s, (0, 1, r % 7)) for s in SENTENCES for r in range(10)),
)

CONFIG = preset(
    "small",
    [
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "diffusion.steps=20",
        "training.steps=6",
        "training.batch=4",
        "training.save_every=2",
        "training.validation=energy",
        "training.validation_share=0.4",
        "training.validation_steps=4",
    ],
)


def test_what_a_fold_sets_aside_is_what_validates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import scandl.models.diffusion.fold_training

    seen: list[Corpus] = []

    def remember(model: ScanpathModel, held: Corpus, config: TrainingConfig) -> Validate:
        seen.append(held)
        return validation(model, held, config)

    monkeypatch.setattr(scandl.models.diffusion.fold_training, "validation", remember)
    other = replace(CORPUS, card=Card(name="other"))
    fold = make_cross(CORPUS, other, seed=1, validation_share=0.3)
    for name, expected in (("nld", [set(fold.validation)]), ("none", [])):
        seen.clear()
        config = replace(CONFIG, training=replace(CONFIG.training, validation=name))  # type: ignore[arg-type]
        path = train_fold(config, CORPUS, fold, tmp_path / name, tested=other, device="cpu", quiet=True)
        assert [set(held.by_pair) for held in seen] == expected
        assert path.name == ("best.pt" if expected else "last.pt")
        assert len(read_checkpoint(path)["fold"]["train"]) == 20


def test_a_training_that_starts_anew_leaves_no_best_of_another(tmp_path: Path) -> None:
    best = train(CONFIG, CORPUS, tmp_path, device="cpu", quiet=True)
    assert best.exists()
    unvalidated = replace(CONFIG, training=replace(CONFIG.training, validation="none"))
    last = train(unvalidated, CORPUS, tmp_path, device="cpu", quiet=True, resume=False)
    assert last.exists()
    assert not best.exists()


def test_energy_distance_is_its_definition() -> None:
    rng = np.random.default_rng(3)
    human, model = ([tuple(rng.integers(0, 5, 6).tolist()) for _ in range(n)] for n in (5, 7))
    between = np.mean([nld(x, y) for x in human for y in model])
    within = [np.mean([nld(x, y) for x, y in itertools.permutations(side, 2)]) for side in (human, model)]
    assert energy_distance(human, model) == pytest.approx(2 * between - sum(within))


def test_what_is_held_out_is_not_trained_on() -> None:
    trained, held = hold_out(CORPUS, TrainingConfig(validation_share=0.25))
    assert (len(trained.scanpaths), len(held.scanpaths)) == (15, 5)
    assert not set(trained.by_pair) & set(held.by_pair)
    with pytest.raises(
        ScandlError, match="validation_share: 0.01 of 20 scanpaths leaves nothing to validate with"
    ):
        hold_out(CORPUS, TrainingConfig(validation_share=0.01))


def test_the_best_checkpoint_is_the_one_that_validated_best(tmp_path: Path) -> None:
    path = train(CONFIG, CORPUS, tmp_path, device="cpu", quiet=True)
    assert path == tmp_path / "best.pt"
    rows = [line.split(",") for line in (tmp_path / "log.csv").read_text().splitlines()]
    energy = {int(row[0]): float(row[5]) for row in rows if row[4] == "validation_energy"}
    assert set(energy) == {2, 4, 6}
    assert {row[4] for row in rows[1:]} >= {"validation_nld", "validation_energy"}
    best = read_checkpoint(path)
    assert best["step"] == min(energy, key=lambda step: energy[step])
    assert read_checkpoint(tmp_path / "last.pt")["best"] == min(energy.values())


def test_sentences_of_single_readers_have_no_energy_distance(tmp_path: Path) -> None:
    lonely = replace(CORPUS, scanpaths=(CORPUS.scanpaths[0], CORPUS.scanpaths[10]))
    config = replace(CONFIG, training=replace(CONFIG.training, validation_share=0.5, batch=1))
    with pytest.raises(ScandlError, match="needs sentences with two held-out readers; there is none"):
        train(config, lonely, tmp_path / "out", device="cpu", quiet=True)
    assert not (tmp_path / "out").exists()  # it is refused before anything is trained
