"""A word-pointing model of a few readers, trained for two steps: nothing was learned, any law must hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.records import Scanpath, Sentence

TEXTS = ("The cat sat.", "Well, the (old) horse fell down 3 times.", "A dog barked at the moon again.")


def few_readers() -> Corpus:
    """Return a corpus of eight readers of two groups and tasks; each fixates more than the one before."""
    sentences = {f"s{n}": Sentence(f"s{n}", text) for n, text in enumerate(TEXTS)}
    readers = {
        f"r{n}": {"group": "L1" if n < 4 else "L2", "task": "sentence" if n % 2 else "paragraph"}
        for n in range(8)
    }
    paths = tuple(
        Scanpath(f"r{n}", key, (words := tuple(k % 3 for k in range(2 + n))), (150.0 + 20 * n,) * len(words))
        for n in range(8)
        for key in sentences
    )
    return Corpus(Card(name="few"), sentences, paths, readers=readers)


@pytest.fixture(scope="session")
def pointer_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from scandl.pointer.pointer_settings import NetworkConfig, PointerConfig
    from scandl.pointer.training import train

    config = PointerConfig(network=NetworkConfig(width=8, heads=2, word_layers=1, path_layers=1))
    config = replace(config, training=replace(config.training, steps=2, batch=8, warmup=1))
    return train(config, few_readers(), tmp_path_factory.mktemp("pointer"))


@pytest.fixture(scope="session")
def pointer_file(pointer_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the model as a file that runs without torch."""
    from scandl.pointer.runners.pointer_export import export_onnx

    return export_onnx(pointer_checkpoint, tmp_path_factory.mktemp("onnx") / "few.onnx")
