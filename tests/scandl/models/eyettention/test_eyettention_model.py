"""A trained Eyettention: it comes back from its file, and other encoders are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.eyettention.eyettention_model import TrainedEyettention
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    NetworkConfig,
)
from scandl.models.eyettention.eyettention_training import make_task
from scandl.models.model import Request
from scandl.training.checkpoint import write_checkpoint

SMALL = NetworkConfig(
    word_layers=1,
    word_units=4,
    fixation_layers=1,
    fixation_units=8,
    decoder=(8,),
    positions=32,
    input_dropout=0.0,
    dropout=0.0,
)
DEMO = open_corpus("demo")


@pytest.fixture(scope="module")
def saved() -> dict[str, object]:
    part = DEMO.restricted_to([(path.reader_id, path.sentence_id) for path in DEMO.scanpaths[:6]])
    task = make_task(EyettentionConfig(network=SMALL, learning=LearningConfig()), part, part)
    return {**task.contents(), "weights": task.module.state_dict()}


def test_it_comes_back_from_its_file(saved: dict[str, object], tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model.pt", saved)
    model = TrainedEyettention.load(tmp_path / "model.pt")
    for name, value in model.sampler.network.state_dict().items():
        torch.testing.assert_close(value, saved["weights"][name])  # type: ignore[index]
    sentence = DEMO.sentences[DEMO.scanpaths[0].sentence_id]
    (path,) = model.generate([Request(sentence, "r01")], seed=1)
    assert all(0 <= word < sentence.n_words for word in path.words)
    (by_words,) = model.log_probs([sentence], [path])
    (by_classes,) = model.log_probs([sentence], [path], outcome=False)
    assert by_classes <= by_words <= 0  # several classes can lead to the same word


def test_another_encoder_is_refused(saved: dict[str, object], tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model.pt", saved | {"encoders": ["lexical/1", "lexical/2"]})
    with pytest.raises(ScandlError, match="trained with encoder lexical/1, found lexical/2"):
        TrainedEyettention.load(tmp_path / "model.pt")
