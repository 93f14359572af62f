"""Make the demonstration model: train on all of the demo corpus, export.

Run with ``python -m scandl.models.diffusion.make_shipped``; it takes some minutes of one CPU core.
"""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.diffusion.settings import ScandlConfig, preset

FILE = Path(str(files("scandl.models.shipped").joinpath("demo.npz")))
ABOUT = (
    "demonstration model: a small ScanDL trained on the simulated readers of the demo corpus"
    " (80 English sentences of 5 to 20 words); for trying the tools, never for conclusions about reading"
)


def demonstration_config() -> ScandlConfig:
    """Return what the demonstration model is: a quarter of a million weights."""
    return preset(
        "small",
        [
            "model.layers=3",
            "model.dim=64",
            "model.feed_forward=256",
            "training.steps=9000",
            "training.lr=2e-3",
            "training.save_every=250",
        ],
    )


def make(out: Path | str = FILE, *, folder: Path | str | None = None, quiet: bool = False) -> Path:
    """Train into ``folder`` (default: one that is thrown away), write the model to ``out`` and return it."""
    from scandl.models.diffusion.fold_training import train
    from scandl.models.diffusion.torch_model import export

    if folder is None:
        with tempfile.TemporaryDirectory(prefix="scandl-") as temporary:
            return make(out, folder=temporary, quiet=quiet)
    fold = {"fold_id": "all", "setting": "all", "corpus": "demo"}
    corpus = open_corpus("demo")
    checkpoint = train(demonstration_config(), corpus, folder, fold=fold, device="cpu", quiet=quiet)
    return export(checkpoint, out, about=ABOUT)


if __name__ == "__main__":
    print(make())
