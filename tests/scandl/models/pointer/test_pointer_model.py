from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer.pointer_model import PointerModel, load_file, save
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.records import Scanpath, Sentence
from scandl.training.weight_files import write_weights

Make = Callable[..., PointerModel]


@pytest.mark.parametrize("order", ["time", "random"])
def test_a_path_is_the_same_in_any_company_and_order(order: str, make_model: Make, corpus: Corpus) -> None:
    model = make_model(order)
    requests = [
        Request(s, reader, k) for s in corpus.sentences.values() for reader in ("a", "new") for k in (0, 1)
    ]
    together = model.read(requests, seed=3)
    for again in (
        model.read(requests[::-1], seed=3)[::-1],
        [model.read([request], seed=3)[0] for request in requests],
    ):
        assert [path.positions for path in again] == [path.positions for path in together]
        for one, other in zip(again, together, strict=True):  # of untrained weights some are hours long
            assert one.durations == pytest.approx(other.durations, rel=1e-4)
    assert model.read(requests, seed=4) != together
    for path in together:
        assert path.durations is not None
        assert len(path.durations) == path.n_fixations
        assert max(path.positions) < corpus.sentences[path.sentence_id].n_words


def test_probabilities_of_all_paths_of_one_word_sum_to_one(make_model: Make) -> None:
    """A text of one word has one path of each length; what is left is that of longer ones."""
    model = make_model()
    sentence = Sentence("one", "Word.")
    paths = [Scanpath("new", "one", (0,) * n) for n in range(1, 30)]
    shares = np.exp(model.log_probs([sentence] * len(paths), paths))
    assert shares.sum() == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "message"),
    [((), "sentence 's' is empty"), ((0, 7), "sentence 's': found word 7, expected 0 to 2")],
)
def test_paths_a_text_cannot_have_are_refused(
    words: tuple[int, ...], message: str, make_model: Make, corpus: Corpus
) -> None:
    with pytest.raises(ScandlError, match=message):
        make_model().log_probs([corpus.sentences["s"]], [Scanpath("a", "s", words)])


def test_durations_are_asked_for_where_they_are_scored(make_model: Make, corpus: Corpus) -> None:
    model = make_model()
    found = model.duration_log_probs([corpus.sentences["s"]], [corpus.by_pair["a", "s"]])
    assert [len(one) for one in found] == [3]
    with pytest.raises(ScandlError, match="the path of reader 'a', sentence 's' has no durations"):
        model.duration_log_probs([corpus.sentences["s"]], [Scanpath("a", "s", (0,))])


def test_a_text_without_words_is_refused(make_model: Make) -> None:
    with pytest.raises(ScandlError, match="sentence 'empty' has no words"):
        make_model().read([Request(Sentence("empty", " "))], seed=1)


@pytest.fixture
def checkpoint(corpus: Corpus, tmp_path: Path) -> Path:
    training = TrainingConfig(steps=3, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1)
    config = PointerConfig(network=NetworkConfig(width=16, heads=2), training=training)
    return train(config, corpus, tmp_path / "trained")


@pytest.mark.parametrize("weights", ["ema", "weights"])
def test_a_file_reads_as_its_checkpoint_does(
    checkpoint: Path, corpus: Corpus, tmp_path: Path, weights: str
) -> None:
    model = load(checkpoint, weights=weights)
    found = load_file(save(model, tmp_path / "model.npz", about="a test"))
    assert (found.config, found.conditions, found.timed) == (model.config, model.conditions, model.timed)
    requests = [Request(s, "new", k) for s in corpus.sentences.values() for k in range(5)]
    assert found.read(requests, seed=1) == model.read(requests, seed=1)
    assert found.read(requests, seed=1) != load(checkpoint, weights="weights").read(requests, seed=2)


def test_a_file_runs_without_torch(make_model: Make, tmp_path: Path) -> None:
    path = save(make_model(), tmp_path / "m.npz")
    code = (
        "import sys\n"
        "from scandl.models.pointer.pointer_model import load_file\n"
        "from scandl.models.model import Request\nfrom scandl.records import Sentence\n"
        f"print(load_file({str(path)!r}).read([Request(Sentence('s', 'It runs.'))], seed=1)[0].n_fixations)\n"
        "assert not {'torch', 'numba', 'pandas'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 1


def test_one_model_gives_one_file_byte_by_byte(make_model: Make, tmp_path: Path) -> None:
    model = make_model()
    first, second = (save(model, tmp_path / f"{n}.npz").read_bytes() for n in (1, 2))
    assert first == second


def test_other_files_are_refused(make_model: Make, tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="none.npz: no such model"):
        load_file(tmp_path / "none.npz")
    model = make_model()
    with pytest.raises(ScandlError, match=r"--out .*m.pt: expected a name that ends in \.npz"):
        save(model, tmp_path / "m.pt")
    write_weights(tmp_path / "other.npz", {"format": "1"}, {})
    with pytest.raises(ScandlError, match="other.npz: found format 1, expected 3: made by another version"):
        load_file(tmp_path / "other.npz")
    path = save(model, tmp_path / "model.npz")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ScandlError, match="model.npz: not a whole model file"):
        load_file(path)
