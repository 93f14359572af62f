"""Training on a fold: what it sets aside validates, and a new training keeps no best of another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.models.diffusion.diffusion_model import ScanpathModel
from scandl.models.diffusion.fold_training import train, train_fold
from scandl.models.diffusion.held_out import Validate, validation
from scandl.models.diffusion.settings import preset
from scandl.records import Scanpath, Sentence
from scandl.splits import make_cross
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
