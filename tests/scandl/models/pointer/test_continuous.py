"""The Gaussian process: its posterior by moments, a toy language that is known, a model that was trained."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.special import log_softmax

from scandl.cli import main
from scandl.config import TrainingConfig
from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer.continuous import NoisyPaths, denoised, even_pace, less_noisy, levels, noised
from scandl.models.pointer.given import fill
from scandl.models.pointer.pointer_generator import ScandlContinuous
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.trained_model import open_trained

M, N, B = 6, 3, 4000
MANY = np.full(B, N), np.full(B, M)
WORDS = np.tile(np.array([0, 2, 5]), (B, 1))


def noisy(sigma: float, seed: int = 1) -> NoisyPaths:
    normals = np.random.default_rng(seed).standard_normal((B, N))
    return noised(WORDS, *MANY, np.full(B, sigma), normals)


def test_the_posterior_keeps_the_marginal_and_the_covariance_of_the_forward_process() -> None:
    """With x_σ = x_σ' + noise, the covariance of both levels is that of the lower one, σ'²."""
    before = noisy(4.0)
    after = less_noisy(before, WORDS, np.full(B, 1.5), np.random.default_rng(2).standard_normal((B, N)))
    np.testing.assert_allclose(after.x.mean(axis=0), WORDS[0], atol=0.1)
    np.testing.assert_allclose(after.x.std(axis=0), 1.5, rtol=0.05)
    both = ((after.x - WORDS) * (before.x - WORDS)).mean()
    assert both == pytest.approx(1.5**2, rel=0.08)


def test_what_x_says_is_the_density_of_the_noise() -> None:
    paths = noisy(2.0)
    density = np.exp(-((np.arange(M) - paths.x[7, 1]) ** 2) / 8.0)
    told = np.exp(paths.evidence(M)[7, 1])
    np.testing.assert_allclose(told / told.sum(), density / density.sum(), rtol=1e-5)


def test_likely_words_are_the_nearest_or_those_of_an_even_pace() -> None:
    np.testing.assert_array_equal(noisy(0.05).words, WORDS)
    even = even_pace(np.array([N]), np.array([M]), N)
    assert np.abs(noisy(1000.0).words - even).max() < 0.51  # the nearest


class Toy:
    """A network that knows what is true: every place has its own distribution over words."""

    def __init__(self, shares: np.ndarray) -> None:
        self.log_shares = np.log(shares)

    def places(self, tokens: Any, *_: Any) -> Any:
        return np.zeros((*tokens.shape[:2], 1))

    def point(self, text: Any, x: Any, *_: Any) -> Any:
        return np.broadcast_to(self.log_shares, (len(x), *self.log_shares.shape))


@pytest.mark.parametrize("steps", [1, 2, 20])
def test_independent_places_are_drawn_as_they_are_distributed_in_any_number_of_steps(steps: int) -> None:
    """Total variation below .04 at each place: 4,000 draws of six words leave about .015."""
    shares = np.exp(log_softmax(np.random.default_rng(3).normal(0.0, 1.5, (N, M)), axis=1))
    text = SimpleNamespace(near=np.zeros((B, M + 1, 1)))
    batch = SimpleNamespace(n_words=MANY[1], n_columns=M, conditions=None)
    streams = [np.random.default_rng(k) for k in range(B)]
    drawn = np.array(denoised(Toy(shares), text, batch, MANY[0], streams, steps))  # type: ignore[arg-type]
    for place in range(N):
        found = np.bincount(drawn[:, place], minlength=M) / B
        assert 0.5 * np.abs(found - shares[place]).sum() < 0.04


def test_levels_fall_to_where_the_nearest_word_is_the_right_one() -> None:
    sigma = levels(np.array([6, 60]), np.linspace(1.0, 0.0, 20)[:, None])
    assert (np.diff(sigma, axis=0) < 0).all()
    assert sigma[0].tolist() == [8.0, 60.0]
    assert (noisy(float(sigma[-1, 0])).words == WORDS).mean() > 0.95


@pytest.fixture
def trained(corpus: Corpus, tmp_path: Path) -> ScandlContinuous:
    config = PointerConfig(
        network=NetworkConfig(width=16, heads=2, word_layers=1, path_layers=1),
        training=TrainingConfig(steps=6, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1),
    )
    return ScandlContinuous(config, tmp_path).fit(corpus, seed=1)


def test_an_exported_model_draws_the_same_in_any_company_without_torch(
    trained: ScandlContinuous, corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = [Request(s, who, k) for s in corpus.sentences.values() for who in ("a", "") for k in (0, 1)]
    together = [path.positions for path in trained.read(requests, seed=3)]
    assert together == [path.positions for path in trained.read(requests[::-1], seed=3)[::-1]]
    assert together == [trained.read([request], seed=3)[0].positions for request in requests]
    (checkpoint,) = tmp_path.rglob("last.pt")
    assert main(["export", str(checkpoint), "--out", str(tmp_path / "m.npz"), "--quiet"]) == 0
    exported = open_trained(tmp_path / "m.npz")
    assert exported.likelihood == ""
    assert [path.positions for path in exported.read(requests, seed=3)] == together
    sentences = {request.sentence.sentence_id: request.sentence.n_words for request in requests}
    for request, path in zip(requests, together, strict=True):
        assert 0 <= min(path) <= max(path) < sentences[request.sentence.sentence_id]


def test_what_it_cannot_do_is_refused(trained: ScandlContinuous, corpus: Corpus) -> None:
    sentence, path = corpus.sentences["s"], corpus.by_pair["a", "s"]
    with pytest.raises(ScandlError, match="noise on positions does not say how probable a path is"):
        trained.log_prob(sentence, path)
    for given in ([0, None, 2], [0, ..., 2]):
        with pytest.raises(ScandlError, match="completes none; scandl-masked does both"):
            fill(trained, sentence, given)
