"""What engines need: asked for before the work, and named with what brings it."""

from __future__ import annotations

import importlib.util

import pytest

from scandl.errors import ScandlError
from scandl_analysis.glm.fit import ENGINES
from scandl_analysis.glm.requirements import check_engine


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
