"""Paths per CPU-second of the word-pointing models, with torch and with onnxruntime.

Run ``OMP_NUM_THREADS=1 python benchmarks/speed/bench_pointer.py``. The speed depends on the length of the
paths, so the models are trained for a while; 12-word sentences are drawn for.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.pointer_generator import one_thread
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.models.pointer.runners.onnx_runner import load_onnx
from scandl.models.pointer.runners.pointer_export import export_onnx
from scandl.records import Sentence

TEXT = "The old lighthouse keeper counted every ship that passed the rocky harbour."
N_PATHS = 2048


def main() -> None:
    corpus = open_corpus("demo")
    requests = [Request(Sentence("s", TEXT), f"r{k % 64}", k) for k in range(N_PATHS)]
    for process in ("autoregressive", "absorbing"):
        network = NetworkConfig(process=process)
        config = PointerConfig(network=network, training=replace(PointerConfig().training, steps=150))
        with tempfile.TemporaryDirectory() as folder, one_thread():
            checkpoint = train(config, corpus, folder)
            file = export_onnx(checkpoint, Path(folder) / "m.onnx")
            for name, model in (("torch", load(checkpoint)), ("onnxruntime", load_onnx(file))):
                model.generate(requests[:64], seed=1)
                start = time.process_time()
                paths = model.generate(requests, seed=1)
                seconds = time.process_time() - start
                mean = sum(path.n_fixations for path in paths) / len(paths)
                print(
                    f"{process}, {name}: {N_PATHS / seconds:.0f} paths a CPU-second, mean length {mean:.1f}"
                )


if __name__ == "__main__":
    main()
