from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.diagnostics import diagnose
from scandl_analysis.glm.engines.imh import accept
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def test_nuts_and_imh_draw_from_one_posterior(made_words: Made, assert_agree: Agree) -> None:
    frame = made_words(n_readers=20)  # imh often hands fewer readers over to nuts
    glm = Glm("y", "bernoulli", groups=("reader_id",))
    nuts = fit(frame, glm, engine="nuts", sampling=SHORT)
    imh = fit(frame, glm, engine="imh", sampling=Sampling(draws=1000))
    assert (nuts.engine, imh.engine) == ("nuts", "imh")
    assert_agree(nuts, imh)
    assert nuts.draws["1|reader_id"].shape == (4, 200, 20)
    np.testing.assert_allclose(
        nuts.draws["1|reader_id"].mean((0, 1)), imh.draws["1|reader_id"].mean((0, 1)), atol=0.1
    )
    assert not [line for line in diagnose(imh).warnings if "R-hat" in line]


def test_imh_declines_a_poor_approximation(made_words: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scandl_analysis.glm.engines.imh.pareto_k", lambda ratios: 0.83)
    found = fit(made_words(), Glm("y", "bernoulli"), engine="imh", sampling=Sampling(draws=50, patience=1))
    assert (found.engine, found.note) == ("nuts", "imh declined: k-hat 0.83")


def test_accepting_leaves_the_target_unchanged() -> None:
    """Proposals from a uniform distribution, target proportional to 1, 2, 3 … on ten cells."""
    rng = np.random.default_rng(1)
    proposed = rng.integers(0, 10, 40_000)
    where = accept(np.log(proposed + 1.0), rng)
    share = np.bincount(proposed[where], minlength=10) / len(where)
    np.testing.assert_allclose(share, np.arange(1, 11) / 55, atol=0.01)


def test_imh_declines_when_a_chain_stands_still(made_words: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scandl_analysis.glm.engines.imh.longest_stay", lambda kept: 150)
    found = fit(made_words(), Glm("y", "bernoulli"), engine="imh", sampling=Sampling(draws=50, patience=1))
    assert (found.engine, found.note) == ("nuts", "imh declined: stood still 150 draws")
