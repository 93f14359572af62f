"""Noise levels of a process: the posterior, and what a respaced process knows."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.respacing import grid


@pytest.fixture
def paper() -> Diffusion:
    return Diffusion.named("sqrt", 2000)


def test_posterior_constants(paper: Diffusion) -> None:
    c0, c1, variance = paper.posterior
    np.testing.assert_allclose(
        [c0[1000], c1[1000], variance[1000]], [0.00093165469, 0.99888995, 0.0012063644], rtol=1e-7
    )
    np.testing.assert_allclose([c0[1], c1[1], variance[1]], [0.37708032, 0.62290322, 0.0055618163], rtol=1e-7)
    assert (c0[0], c1[0]) == (1.0, 0.0)
    assert paper.start_std() == pytest.approx(0.121001, abs=1e-6)


def test_a_respaced_process_knows_the_trained_steps(paper: Diffusion) -> None:
    steps = grid(2000, 10)
    fewer = paper.respaced(steps)
    assert fewer.trained_steps == tuple(steps)
    np.testing.assert_allclose(fewer.alpha_bar, paper.alpha_bar[steps], rtol=1e-9)
