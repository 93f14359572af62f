"""A BERT of one's own trains with every preset, and reads sentences of many word pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.settings import PRESETS, preset
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import find_encoder

SENTENCE = Sentence("s1", "abcd abc a abc abc a a a")
FEW = (
    "model.layers=1",
    "model.feed_forward=16",
    "training.steps=2",
    "training.batch=4",
    "diffusion.steps=20",
    "diffusion.bins=4",
)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT with random weights and one piece a letter."""
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("bert")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "##c", "##d"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    transformers.BertModel(config).save_pretrained(folder / "model")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder / "model")
    return folder / "model"


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_trains_with_it(name: str, bert: Path, tmp_path: Path) -> None:
    assert len(find_encoder(str(bert)).encode(SENTENCE.words).word_ids) == 17 + 2  # 8 words, CLS and SEP
    paths = tuple(Scanpath(f"r{r}", "s1", (0, 1, r % 8, 7)) for r in range(20))
    corpus = Corpus(Card(name="toy"), {"s1": SENTENCE}, paths)
    config = preset(name, [f"model.encoder={bert}", *FEW])
    last = train(config, corpus, tmp_path, device="cpu", quiet=True, tested=[SENTENCE])
    (path,) = TrainedScandl.load(last).read([Request(SENTENCE)], seed=1, sampling=Denoising(steps=4))
    assert all(0 <= word < 8 for word in path.positions)  # hardly trained: it may be repaired to nothing
    assert path.extra["repairs"] or path.positions
    logged = (tmp_path / "log.csv").read_text()
    assert ("validation_loss" in logged) == (name == "paper")
