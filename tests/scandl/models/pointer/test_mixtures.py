"""Durations: a known log-normal is learned, drawn and scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import lognorm

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer import objective
from scandl.models.pointer.mixtures import (
    N_LENGTH_PARAMETERS,
    N_OF_TEXT,
    N_PARAMETERS,
    TYPICAL_LENGTH_SD,
    draw_durations,
    draw_lengths,
    duration_log_density,
    length_log_prob,
    length_parameters,
    length_probabilities,
    of_text,
)
from scandl.models.pointer.path_batch import TextBatch, longest, word_features
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.records import Scanpath, Sentence


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


@pytest.mark.parametrize("n_words", [1, 7, 60])
def test_probabilities_sum_to_one(n_words: int) -> None:
    parameters = np.random.default_rng(n_words).normal(size=N_LENGTH_PARAMETERS)
    probabilities = length_probabilities(parameters, n_words, 40 * n_words + 40)
    assert probabilities.sum() == pytest.approx(1.0, abs=1e-4)
    assert (probabilities >= 0).all()


def test_one_component_is_scipy_s_log_normal() -> None:
    parameters = np.array([0, -40, -40, 0.2, 0, 0, -0.7 - TYPICAL_LENGTH_SD, 0, 0])
    law = lognorm(s=np.exp(-0.7), scale=np.exp(0.2))
    expected = law.cdf((4 + 0.5) / 6) - law.cdf((4 - 0.5) / 6)
    assert length_log_prob(parameters, 6, 4) == pytest.approx(np.log(expected), abs=1e-6)


def test_lengths_are_drawn_as_often_as_they_are_probable(make_model: Callable[..., PointerModel]) -> None:
    model, sentence = make_model(), Sentence("four", "One two three four.")
    batch = model.text_batch([Request(sentence, "a")] * 4000, 1)
    rng = np.random.default_rng(1)
    drawn = Counter(draw_lengths(model.network, batch, [rng] * 4000).tolist())
    probabilities = length_probabilities(length_parameters(model.network, batch)[0], 4, longest(4))
    for n, probability in enumerate(probabilities / probabilities.sum(), start=1):
        assert drawn[n] / 4000 == pytest.approx(probability, abs=0.03)
    assert max(drawn) <= longest(4)


def test_what_is_told_of_a_text_is_a_mean_over_its_words_alone() -> None:
    texts = [word_features(tuple(text.split())) for text in ("The cat sat.", "Well, it fell down 3 times.")]
    both = of_text(TextBatch.of(texts, np.zeros((2, 1), np.float32)))
    alone = of_text(TextBatch.of(texts[:1], np.zeros((1, 1), np.float32)))
    assert both.shape == (2, N_OF_TEXT)
    np.testing.assert_allclose(both[0], alone[0], rtol=1e-6)
    np.testing.assert_allclose(both[1, 0], texts[1][:, 0].mean(), rtol=1e-6)
