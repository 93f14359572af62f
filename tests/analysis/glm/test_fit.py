"""What engines need: asked for before the work, and named with what brings it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.glm.fit import ENGINES, Engine, check_engine, fit
from scandl_analysis.glm.spec import Fit, Glm, Problem, Sampling, make_fit

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def test_aggregation_changes_nothing(made_words: Made, assert_agree: Agree) -> None:
    frame = pd.concat([made_words("poisson", n_readers=5)] * 2)
    glm = Glm("y", "poisson", groups=("reader_id",))
    on, off = (fit(frame, glm, sampling=SHORT, aggregate=aggregate) for aggregate in (True, False))
    assert_agree(on, off)


def test_same_seed_same_draws(made_words: Made) -> None:
    frame, glm = made_words(), Glm("y", "bernoulli")
    draws = [
        fit(frame, glm, sampling=Sampling(draws=50, seed=seed, patience=1)).draws["word_length"]
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0], draws[2])


def test_unknown_engine_is_named(made_words: Made) -> None:
    with pytest.raises(ScandlError, match="no engine 'nutpy'; did you mean 'nutpie'"):
        fit(made_words(), Glm("y", "bernoulli"), engine="nutpy")


@pytest.mark.parametrize("spoil", [lambda z: z[:, :-1], lambda z: np.where(z < 0, np.nan, z)])
def test_what_an_interrupted_sampler_returns_is_not_a_fit(
    made_words: Made, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Ctrl-C makes a library return the draws it had, cut off or padded."""

    def interrupted(problem: Problem, sampling: Sampling) -> Fit:
        return make_fit(problem, "nutpie", {"y": spoil(np.random.default_rng(1).normal(size=(4, 50)))})

    monkeypatch.setitem(ENGINES._items, "nutpie", Engine(interrupted))
    with pytest.raises(KeyboardInterrupt):
        fit(made_words(), Glm("y", "bernoulli"), engine="nutpie", sampling=Sampling(draws=50))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of the extra be found."""
    found = importlib.util.find_spec
    absent = {"arviz_stats", "nutpie", "bambi"}
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name in absent else found(name, *more)
    )


def test_a_quick_look_needs_nothing(bare: None) -> None:
    check_engine("laplace")


@pytest.mark.parametrize("engine", ["hmc", "nutpie", "pymc"])
def test_samplers_name_the_extra(bare: None, engine: str) -> None:
    with pytest.raises(ScandlError, match="analysis"):
        check_engine(engine)


def test_with_everything_installed_every_engine_may_start() -> None:
    pytest.importorskip("nutpie")
    pytest.importorskip("bambi")
    for engine in ENGINES:
        check_engine(engine)
