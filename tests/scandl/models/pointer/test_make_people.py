"""Making the shipped model: the same twice, and what is written is what was trained."""

from __future__ import annotations

import json
from pathlib import Path

from scandl.corpora import Corpus
from scandl.models.model import Request
from scandl.models.pointer.make_people import make
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.runners.onnx_runner import load_onnx
from scandl.training.training_settings import TrainingConfig

SMALL = PointerConfig(
    network=NetworkConfig(width=16, heads=2, word_layers=1, path_layers=1),
    training=TrainingConfig(steps=3, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1),
)


def test_the_same_corpora_give_the_same_bytes(four_corpora: list[Corpus], tmp_path: Path) -> None:
    one = make(four_corpora, tmp_path / "one.onnx", config=SMALL, quiet=True)
    two = make(four_corpora, tmp_path / "two.onnx", config=SMALL, quiet=True)
    assert one.read_bytes() == two.read_bytes()
    model = load_onnx(one)
    assert model.conditions.labels == {"group": ("L1",), "task": ("paragraph", "part", "sentence")}
    assert model.conditions.like("", "paragraph") == ["provo-passages/x", "provo-passages/y"]
    (path,) = model.generate([Request(next(iter(four_corpora[0].sentences.values())))], seed=1)
    assert path.durations
    card = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert card["name"] == "people"
    assert len(card["corpora"]) == 3
