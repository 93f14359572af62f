"""Decoding progress: counted by hand, drawn at the steps that were asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from scandl.errors import ScandlError
from scandl.models.diffusion.decoding_progress import (
    Decoding,
    find_places,
    frames_figure,
    watch_decodings,
    write_places,
    write_progress,
)
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.diffusion_model import Sampling
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.records import Sentence
from scandl.text.lexical import Lexical

MODEL = ModelConfig(layers=1, heads=2, dim=16, feed_forward=32, seq_len=32, buckets=(32,), encoder="lexical")
SENTENCE = Sentence("s", "The cat sat on the mat.")


def model() -> TrainedScandl:
    torch.manual_seed(1)
    config = ScandlConfig(model=MODEL, diffusion=DiffusionConfig(steps=30))
    return TrainedScandl(config, Lexical(), Denoiser(MODEL, Lexical.dim, 30), {})


def test_the_share_is_counted_on_the_generated_side() -> None:
    ids = np.array([[9, 9, 1, 2, 3], [0, 1, 5, 2, 7], [0, 1, 5, 4, 7]])
    noised = np.array([False, False, True, True, True])
    decoding = Decoding((2, 1, 0), ids, noised, 7, {})
    assert decoding.settled().tolist() == [0.0, 2 / 3, 1.0]
    assert decoding.kinds() == ["sentence", "sentence", "scanpath", "scanpath", "PAD"]


def test_every_step_is_seen_and_the_last_is_settled(tmp_path: Path) -> None:
    decodings = watch_decodings(model(), SENTENCE, 2, seed=1, sampling=Sampling(steps=10), frames=[29, 0])
    (alone,) = watch_decodings(model(), SENTENCE, 1, seed=1, sampling=Sampling(steps=10))
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


def test_the_figure_has_a_panel_a_frame_and_the_table_its_points(tmp_path: Path) -> None:
    (decoding,) = watch_decodings(model(), SENTENCE, 1, seed=1, sampling=Sampling(steps=5), frames=[29, 0])
    places = find_places(decoding, seed=1)
    figure = frames_figure(places)
    assert [axes.get_title() for axes in figure.axes] == ["t = 29", "t = 0"]
    assert sum(len(line.get_xdata()) for line in figure.axes[0].lines) == 32  # type: ignore[arg-type]
    write_places(tmp_path / "places.csv", places)
    rows = [line.split(",") for line in (tmp_path / "places.csv").read_text().splitlines()]
    assert rows[0] == ["step", "position", "kind", "x", "y"]
    assert len(rows) == 1 + 2 * 32
    assert [row[2] for row in rows[1:33]] == decoding.kinds()
    assert float(rows[33][3]) == pytest.approx(places.points[0][0, 0], abs=1e-4)


def test_a_step_that_is_not_taken_is_refused() -> None:
    with pytest.raises(ScandlError, match="--frames: step 28 is not among the 5 steps that were taken"):
        watch_decodings(model(), SENTENCE, 1, seed=1, sampling=Sampling(steps=5), frames=[29, 28])
