"""The exported network is the trained one, and runs where there is no torch."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.models.pointer.runners.onnx_runner import load_onnx
from scandl.models.pointer.runners.pointer_export import export_onnx
from scandl.records import Sentence
from scandl.training.training_settings import TrainingConfig


def trained(process: str, corpus: Corpus, folder: Path) -> Path:
    network = NetworkConfig(process=process, width=16, heads=2)  # type: ignore[arg-type]
    training = TrainingConfig(steps=5, batch=4, lr=5e-2, ema_decay=0.5, save_every=100, seed=1)
    return train(PointerConfig(network=network, training=training), corpus, folder)


@pytest.mark.parametrize("process", ["autoregressive", "absorbing"])
def test_both_say_the_same(process: str, corpus: Corpus, tmp_path: Path) -> None:
    checkpoint = trained(process, corpus, tmp_path)
    one, two = load(checkpoint), load_onnx(export_onnx(checkpoint, tmp_path / "m.onnx"))
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    assert one.log_probs(sentences, corpus.scanpaths) == pytest.approx(
        two.log_probs(sentences, corpus.scanpaths), abs=1e-4
    )
    times = [np.concatenate(m.duration_log_probs(sentences, corpus.scanpaths)) for m in (one, two)]
    assert times[0] == pytest.approx(times[1], abs=1e-4)
    long = Sentence("long", " ".join(["Words", "of", "all,", "lengths"] * 8))
    requests = [Request(s, "new", k) for s in (*sentences, long) for k in range(5)]
    assert one.generate(requests, seed=1) == two.generate(requests, seed=1)


def test_it_runs_without_torch(corpus: Corpus, tmp_path: Path) -> None:
    path = export_onnx(trained("autoregressive", corpus, tmp_path), tmp_path / "m.onnx")
    code = (
        "import sys\n"
        "from scandl.models.pointer.runners.onnx_runner import load_onnx\n"
        "from scandl.models.model import Request\nfrom scandl.records import Sentence\n"
        f"print(load_onnx({str(path)!r}).generate([Request(Sentence('s', 'It runs.'))], seed=1)[0].n_fixations)\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 1


def test_other_files_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="no such model"):
        load_onnx(tmp_path / "none.onnx")
    with pytest.raises(ScandlError, match=r"expected a name that ends in \.onnx"):
        export_onnx(tmp_path / "last.pt", tmp_path / "m.pt")
    demo = Path(str(files("scandl.models.shipped").joinpath("demo.onnx")))
    with pytest.raises(ScandlError, match="found format none, expected a word-pointing model"):
        load_onnx(demo)
