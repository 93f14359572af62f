"""Decoding progress: counted by hand, drawn at the steps that were asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.decoding_progress import (
    Decoding,
    inspect_decoding,
    watch_decodings,
    watch_pointing,
    write_progress,
)
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.model import Request
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.pointer_settings import (
    NetworkConfig,
    Order,
    PointerConfig,
    Process,
    SamplingConfig,
)
from scandl.models.pointer.pointer_training import initial_weights
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import Lexical

MODEL = ModelConfig(layers=1, heads=2, dim=16, feed_forward=32, seq_len=32, buckets=(32,), encoder="lexical")
SENTENCE = Sentence("s", "The cat sat on the mat.")


def model() -> TrainedScandl:
    torch.manual_seed(1)
    config = ScandlConfig(model=MODEL, diffusion=DiffusionConfig(steps=30))
    return TrainedScandl(config, Lexical(), Denoiser(MODEL, Lexical.dim, 30), {})


def test_the_share_is_counted_on_the_generated_side() -> None:
    ids = np.array([[9, 9, 1, 2, 3], [0, 1, 5, 2, 7], [0, 1, 5, 4, 7]])
    noised = np.array([False, False, True, True, True])
    decoding = Decoding((2, 1, 0), ids, noised, {}, 7)
    assert decoding.settled().tolist() == [0.0, 2 / 3, 1.0]
    assert decoding.kinds(1) == ["sentence", "sentence", "scanpath", "scanpath", "PAD"]
    assert decoding.entropy() is None


def test_every_step_is_seen_and_the_last_is_settled(tmp_path: Path) -> None:
    decodings = watch_decodings(model(), SENTENCE, 2, seed=1, sampling=Denoising(steps=10), frames=[29, 0])
    (alone,) = watch_decodings(model(), SENTENCE, 1, seed=1, sampling=Denoising(steps=10))
    assert np.array_equal(alone.ids, decodings[0].ids)
    assert len(decodings[0].steps) == 10
    assert (decodings[0].steps[0], decodings[0].steps[-1]) == (29, 0)
    assert {step: state.shape for step, state in decodings[0].states.items()} == {29: (32, 16), 0: (32, 16)}
    rows = write_progress(tmp_path / "progress.csv", decodings)
    assert rows[-1] == (0, 1.0)
    first = np.mean([(d.ids[0][d.noised] == d.ids[-1][d.noised]).mean() for d in decodings])
    assert rows[0] == (29, pytest.approx(first))
    lines = (tmp_path / "progress.csv").read_text().splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("step,settled_share", "0,1.000000", 11)


def test_a_step_that_is_not_taken_is_refused() -> None:
    with pytest.raises(ScandlError, match="--frames: step 28 is not among the 5 steps that were taken"):
        watch_decodings(model(), SENTENCE, 1, seed=1, sampling=Denoising(steps=5), frames=[29, 28])


def pointing(process: Process, order: Order = "random") -> PointerModel:
    """Return a word-pointing network that has learned nothing."""
    config = PointerConfig(
        network=NetworkConfig(process=process, width=16, heads=2), sampling=SamplingConfig(order=order)
    )
    paths = tuple(Scanpath(reader, "s", (0, 1, 2, 3, 4, 5)) for reader in "ab")
    conditions = Conditions.of(Corpus(Card(name="one"), {"s": SENTENCE}, paths))
    torch.manual_seed(2)
    weights = initial_weights(config.network, conditions).state_dict()
    network = PointerNetwork.of(2, {name: value.numpy() for name, value in weights.items()})
    return PointerModel(config, conditions, network, timed=False)


@pytest.mark.parametrize("process", ["masked", "gaussian"])
def test_what_is_watched_is_the_path_that_is_read(process: Process) -> None:
    model = pointing(process)
    decodings = watch_pointing(model, SENTENCE, 5, seed=3)
    paths = [path.positions for path in model.read([Request(SENTENCE, "", k) for k in range(5)], seed=3)]
    assert [tuple(decoding.ids[-1].tolist()) for decoding in decodings] == paths
    for decoding in decodings:
        assert decoding.steps[-1] == 0
        assert decoding.settled()[-1] == 1.0
        assert decoding.shares is not None
        np.testing.assert_allclose(decoding.shares.sum(axis=2), 1.0)
        entropy = decoding.entropy()
        assert entropy is not None
        assert entropy[0] > 0.0 == entropy[-1]


def test_a_masked_place_stays_once_it_is_known(tmp_path: Path) -> None:
    decodings = watch_pointing(pointing("masked"), SENTENCE, 4, seed=1)
    for decoding in decodings:
        known = decoding.ids >= 0
        assert (known[1:] >= known[:-1]).all()
        assert (decoding.ids[known] == np.broadcast_to(decoding.ids[-1], known.shape)[known]).all()
        np.testing.assert_allclose(decoding.settled(), known.mean(axis=1))
    rows = write_progress(tmp_path / "progress.csv", decodings)
    lines = (tmp_path / "progress.csv").read_text().splitlines()
    assert lines[0] == "step,settled_share,entropy"
    assert lines[-1] == "0,1.000000,0.000000"
    assert [share for _, share in rows] == sorted(share for _, share in rows)


def test_an_animation_has_a_picture_for_each_step_and_time_order_is_no_diffusion(tmp_path: Path) -> None:
    for name, kind in (("published", model()), ("masked", pointing("masked"))):
        plot = tmp_path / f"{name}.gif"
        rows = inspect_decoding(kind, SENTENCE.text, tmp_path / "p.csv", samples=2, steps=6, plot=plot)
        with Image.open(plot) as animation:
            assert animation.n_frames <= len(rows) <= 6  # type: ignore[attr-defined]
            assert animation.n_frames > 1  # type: ignore[attr-defined]
    with pytest.raises(ScandlError, match="draws from left to right: there is no diffusion to watch"):
        watch_pointing(pointing("masked", "time"), SENTENCE, 1, seed=1)
    with pytest.raises(ScandlError, match="--frames: step 77 is not among the"):
        watch_pointing(pointing("masked"), SENTENCE, 1, seed=1, frames=[77])
