"""What engines need: asked for before the work, and named with what brings it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.glm.diagnostics import summarise
from scandl_analysis.glm.fit import ENGINES, Sampling, check_engine, fit
from scandl_analysis.glm.spec import Glm

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


def test_intercept_belongs_to_the_predictors_as_they_came(made_words: Made) -> None:
    frame, glm = made_words(slopes=(0.5,)), Glm("y", "bernoulli", ("word_length",))
    moved = frame.assign(word_length=frame["word_length"] + 10)
    here, there = (fit(each, glm, engine="mle").gaussian for each in (frame, moved))
    assert there["word_length"] == pytest.approx(here["word_length"])
    assert there["Intercept"][0] == pytest.approx(here["Intercept"][0] - 10 * here["word_length"][0])


def test_unknown_engine_is_named(made_words: Made) -> None:
    with pytest.raises(ScandlError, match="no engine 'nut'; did you mean 'nuts'"):
        fit(made_words(), Glm("y", "bernoulli"), engine="nut")


def test_negative_binomial_recovers_its_shape(made_words: Made) -> None:
    frame = made_words("negativebinomial", slopes=(0.3,), n_own=6, n_readers=10, shape=1.0)
    found = fit(frame, Glm("y", "negativebinomial", ("word_length",), ("reader_id",)), sampling=SHORT)
    shape = summarise(found)["alpha"]
    assert shape.ci_low < 1.0 < shape.ci_high


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of the extra be found."""
    found = importlib.util.find_spec
    absent = {"arviz_stats", "nutpie", "bambi"}
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name in absent else found(name, *more)
    )


def test_quick_looks_need_nothing(bare: None) -> None:
    for engine in ("laplace", "mle"):
        check_engine(engine)


@pytest.mark.parametrize("engine", ["nuts", "imh", "pymc"])
def test_samplers_name_the_extra(bare: None, engine: str) -> None:
    with pytest.raises(ScandlError, match="analysis"):
        check_engine(engine)


def test_with_everything_installed_every_engine_may_start() -> None:
    pytest.importorskip("nutpie")
    pytest.importorskip("bambi")
    import scandl_analysis.glm.engines  # noqa: F401

    for engine in ENGINES:
        check_engine(engine)
