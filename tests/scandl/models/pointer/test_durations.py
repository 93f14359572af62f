"""Durations: a known log-normal is learned, drawn and scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.integrate import quad

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer import objective
from scandl.models.pointer.durations import N_PARAMETERS, draw_durations, duration_log_density
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.records import Scanpath, Sentence
from scandl.training.training_settings import TrainingConfig


def test_a_density_integrates_to_one() -> None:
    parameters = np.random.default_rng(1).normal(size=(1, N_PARAMETERS)).astype(np.float32)
    total, _ = quad(
        lambda x: float(np.exp(duration_log_density(parameters, np.array([x]))[0])), 1e-3, 5e4, limit=500
    )
    assert total == pytest.approx(1.0, abs=1e-3)


def test_what_is_trained_is_what_is_scored() -> None:
    """The loss is of log durations; the density per ms has the derivative 1 / ms besides."""
    rng = np.random.default_rng(2)
    parameters, ms = rng.normal(size=(30, N_PARAMETERS)).astype(np.float32), rng.uniform(50, 600, 30)
    learned = objective.log_duration_density(torch.from_numpy(parameters), torch.from_numpy(np.log(ms)))
    assert learned.numpy() - np.log(ms) == pytest.approx(duration_log_density(parameters, ms), abs=1e-3)


def test_what_is_drawn_is_what_is_scored() -> None:
    """Mean log density of draws is minus the entropy, which quadrature gives."""
    parameters = np.array([[0.3, -0.2, -0.5, 0.4, 0.2, -0.4]], dtype=np.float32)
    drawn = draw_durations(
        np.repeat(parameters, 40_000, axis=0), np.random.default_rng(0).random((40_000, 2))
    )

    def integrand(log_ms: float) -> float:
        log_density = float(duration_log_density(parameters, np.exp([log_ms]))[0])
        return float(np.exp(log_density + log_ms) * log_density)

    negative_entropy, _ = quad(integrand, -2.0, 12.0, limit=200)
    scored = duration_log_density(np.repeat(parameters, 40_000, axis=0), drawn).mean()
    assert scored == pytest.approx(negative_entropy, abs=0.02)


def test_a_known_log_normal_is_recovered(tmp_path: Path) -> None:
    """Long words take exp(5.6), short ones exp(5.2), with spread .3: mean and spread come back."""
    rng = np.random.default_rng(0)
    sentence = Sentence("s", "extraordinarily it phenomenally is")
    means = np.array([5.6, 5.2, 5.6, 5.2])
    words = (0, 1, 2, 3)
    paths = tuple(
        Scanpath(f"r{k}", "s", words, tuple(np.exp(rng.normal(means, 0.3)).tolist())) for k in range(300)
    )
    training = TrainingConfig(
        steps=250, batch=64, lr=5e-3, ema_decay=0.98, warmup=20, save_every=1000, seed=1
    )
    config = PointerConfig(network=NetworkConfig(width=16, heads=2, dropout=0.0), training=training)
    model = load(train(config, Corpus(Card(name="known"), {"s": sentence}, paths), tmp_path))
    drawn = model.read([Request(sentence, "", k) for k in range(600)], seed=1)
    logs = {word: [] for word in words}
    for path in drawn:
        for word, ms in zip(path.positions, path.durations or (), strict=True):
            logs[word].append(np.log(ms))
    assert [np.mean(logs[word]) for word in words] == pytest.approx(means.tolist(), abs=0.06)
    assert [np.std(logs[word]) for word in words] == pytest.approx([0.3] * 4, abs=0.05)
    entropy = 0.5 * np.log(2 * np.pi * np.e * 0.3**2)
    scored = model.duration_log_probs([sentence] * 50, paths[:50])
    assert -np.mean(scored) == pytest.approx(entropy + means.mean(), abs=0.08)


def test_a_path_without_durations_is_named(make_model: Callable[..., PointerModel], corpus: Corpus) -> None:
    path = replace(corpus.scanpaths[0], durations=None)
    with pytest.raises(ScandlError, match="path of reader 'a', sentence 's' has no durations"):
        make_model().duration_log_probs([corpus.sentences["s"]], [path])
