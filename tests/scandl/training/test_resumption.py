"""Resumption: more steps are welcome, other settings are another training."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.training.resumption import check_same

OLD = {
    "config": {"training": {"steps": 9, "lr": 0.1, "save_every": 3}},
    "fold": {"fold_id": "ns-0"},
    "step": 9,
}


def now(fold: str = "ns-0", **training: float) -> dict[str, object]:
    changed = {"steps": 9, "lr": 0.1, "save_every": 3, **training}
    return {"config": {"training": changed}, "fold": {"fold_id": fold}}


def test_what_may_differ() -> None:
    check_same(Path("last.pt"), OLD, now(), 9)
    check_same(Path("last.pt"), OLD, now(steps=20, save_every=5), 20)


@pytest.mark.parametrize(
    ("contents", "steps", "reason"),
    [
        (now(lr=0.2), 9, "last.pt: its config differs from this run's"),
        (now("ns-1"), 9, "last.pt: its fold differs from this run's"),
        (now(steps=5), 5, "last.pt: has done 9 steps, found training.steps=5, expected at least as many"),
    ],
)
def test_what_may_not(contents: dict[str, object], steps: int, reason: str) -> None:
    with pytest.raises(ScandlError, match=reason):
        check_same(Path("last.pt"), OLD, contents, steps)
