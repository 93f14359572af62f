"""The model that ships: small, labelled, and readable without torch."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.config import to_table
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.diffusion.diffusion_model import Sampling
from scandl.models.diffusion.make_shipped import ABOUT, demonstration_config
from scandl.models.diffusion.onnx_model import OnnxScandl
from scandl.models.diffusion.trained_models import demonstration_model, open_model
from scandl.models.model import Request
from scandl.records import Sentence


def test_it_is_small_and_says_what_it_is() -> None:
    file = Path(str(files("scandl.models.shipped").joinpath("demo.onnx")))
    assert file.stat().st_size < 8_000_000
    model = demonstration_model()
    assert model.about == ABOUT
    assert ABOUT.startswith("demonstration model: ")
    assert to_table(model.config.model) == to_table(demonstration_config().model)
    assert (model.encoder.identity, model.fold["corpus"]) == ("lexical/2", "demo")
    assert isinstance(open_model(file), OnnxScandl)


def test_it_reads_like_the_simulated_readers() -> None:
    """A loose check that it has learned: it starts early, moves on and does not stop at once."""
    demo = open_corpus("demo")
    sentences = list(demo.sentences.values())[:12]
    requests = [Request(sentence, "", k) for sentence in sentences for k in range(5)]
    model = demonstration_model()
    paths = model.generate(requests, seed=1, sampling=Sampling(steps=30))
    assert sum(not path.words for path in paths) <= 0.05 * len(paths)
    starts = sum(path.words[:1] == (0,) for path in paths) / len(paths)
    assert starts > 0.8  # every simulated reader starts on the first word
    human = [p.n_fixations for s in sentences for p in demo.by_sentence[s.sentence_id]]
    generated = [path.n_fixations for path in paths]
    assert sum(generated) / len(generated) == pytest.approx(sum(human) / len(human), rel=0.35)


def test_the_first_line_of_output_is_its_label(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--model", "demo", "--text", "The cat sat on the mat.", "--steps", "10"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == ABOUT


def test_it_is_not_for_corpora(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = [
        "generate",
        "--corpus",
        "demo",
        "--setting",
        "ns",
        "--fold",
        "0",
        "--out",
        str(tmp_path / "p.csv"),
    ]
    assert main(command) == 2
    assert "--corpus needs --checkpoint: the models of the package are for texts" in capsys.readouterr().err


def test_it_imports_no_torch() -> None:
    script = (
        "import sys; from scandl.cli import main; main(['generate', '--model', 'demo', '--text', 'A cat sat.']);"
        "sys.exit(int('torch' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0


def test_a_text_may_be_longer_than_what_it_saw_but_not_without_end() -> None:
    model = demonstration_model()
    (path,) = model.generate([Request(Sentence("t", "word " * 30))], seed=1, sampling=Sampling(steps=5))
    assert all(0 <= word < 30 for word in path.words)
