"""Calibrated styles: readers drawn by a network that follows styles by half still show their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import Corpus
from scandl.models.model import Request
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.durations import TYPICAL
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_task import make_network
from scandl.models.pointer.runners.runner import Floats
from scandl.models.pointer.runners.torch_runner import TorchRunner
from scandl.models.pointer.style import STYLE, style_of, styles_of
from scandl.models.pointer.style_calibration import calibrated
from scandl.records import Scanpath

LOG_DURATION = STYLE.index("log_duration")


@pytest.fixture
def readers(corpus: Corpus) -> Corpus:
    """Readers of the two sentences who differ in how long they look, forty paths each."""
    rng = np.random.default_rng(1)
    paths = []
    for k in range(12):
        typical = TYPICAL + (0.3 if k % 2 else -0.3)
        for n in range(40):
            words = (0, 1, 2) if n % 2 else (0, 2, 3, 5, 7)
            ms = np.exp(typical + 0.2 * rng.standard_normal(len(words)))
            paths.append(Scanpath(f"r{k}", "s" if n % 2 else "t", words, tuple(ms.tolist())))
    return replace(corpus, scanpaths=tuple(paths), readers={})


class HalfAsMuch(TorchRunner):
    """Durations follow the told deviation of a reader by half; everything else as it is."""

    sd: float

    def durations(self, features: Floats) -> Floats:
        told = features[:, -(len(STYLE) + 2) + LOG_DURATION]
        mean = 0.5 * self.sd * told
        zero = np.zeros_like(mean)
        return np.stack([zero, zero, mean, mean, zero - 0.6, zero - 0.6], axis=1).astype(np.float32)


@pytest.fixture
def half(make_model: Callable[..., PointerModel], readers: Corpus) -> PointerModel:
    conditions = Conditions.of(readers)
    config = make_model("autoregressive").config
    runner = HalfAsMuch(make_network(config.network, conditions))
    runner.sd = conditions.sd[LOG_DURATION]
    return PointerModel(config, conditions, runner, timed=True)


def slope(model: PointerModel, readers: Corpus) -> float:
    """Return by how much the log durations of drawn paths follow those of the readers."""
    shown = {}
    for reader in readers.reader_ids:
        requests = [Request(readers.sentences["t"], reader, sample) for sample in range(100)]
        shown[reader] = style_of(model.generate(requests, seed=9), readers.sentences).values[LOG_DURATION]
    own = [styles_of(readers)[reader].values[LOG_DURATION] for reader in shown]
    return float(np.polyfit(own, list(shown.values()), 1)[0])


def test_drawn_readers_show_their_own_style_though_the_network_follows_by_half(
    half: PointerModel, readers: Corpus
) -> None:
    assert slope(half, readers) == pytest.approx(0.5, abs=0.06)
    told = calibrated(half, readers)
    after = PointerModel(half.config, told, half.runner, timed=True)
    # Each round halves what is missing: 1/2, 1/4, 1/8, and 1/16 is left.
    assert slope(after, readers) == pytest.approx(0.94, abs=0.1)
    assert told.readers == half.conditions.readers
    assert {style.n_paths for style in told.styles.values()} == {40}


def test_a_style_that_is_wanted_in_place_of_their_own_is_shown(half: PointerModel, readers: Corpus) -> None:
    own = {reader: np.array(style.values) for reader, style in styles_of(readers).items()}
    turned = {reader: 2 * np.array(half.conditions.mean) - values for reader, values in own.items()}
    told = calibrated(half, readers, turned)
    after = PointerModel(half.config, told, half.runner, timed=True)
    assert slope(after, readers) == pytest.approx(-0.94, abs=0.1)


def test_the_same_seed_gives_the_same_styles_and_no_style_leaves_what_the_network_knows(
    half: PointerModel, readers: Corpus
) -> None:
    one, two = (calibrated(half, readers, rounds=1, seed=3) for _ in range(2))
    assert one == two
    z = (np.array([style.values for style in one.styles.values()]) - one.mean) / one.sd
    assert np.abs(z).max() <= 3.0 + 1e-9


def test_a_reader_of_one_path_has_no_style_to_calibrate(half: PointerModel, readers: Corpus) -> None:
    alone = replace(half.conditions.styles["r0"], n_paths=1)
    conditions = replace(half.conditions, styles={**half.conditions.styles, "r0": alone})
    model = PointerModel(half.config, conditions, half.runner, timed=True)
    assert calibrated(model, readers, rounds=1).styles["r0"] == alone
