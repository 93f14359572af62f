"""How well a model recovers the human effects: differences of posteriors, not two tables side by side.

For each cell (measure × predictor) the difference human − model is taken draw by draw; the fits are
independent, so any pairing of draws is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl_analysis.effects import Effects
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.readings import HALVES, HUMAN

if TYPE_CHECKING:
    import pandas as pd

ROPE = {"bernoulli": 0.1, "poisson": 0.05, "negativebinomial": 0.05}
"""Half-width of the region of practical equivalence: 0.1 on the logit, 0.05 on the log scale."""

Cell = tuple[str, str]
"""(measure, predictor)"""


@dataclass(frozen=True, slots=True)
class RecoveryRow:
    """One cell: the human effect, the model's, and what is known of their difference (human − model)."""

    setting: str
    model: str
    measure: str
    predictor: str
    human: float
    model_effect: float
    human_minus_model: float
    sd: float
    ci_low: float
    ci_high: float
    p_same_sign: float
    rope: float
    p_in_rope: float
    ratio: float  # model / human
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecoverySummary:
    """All cells of one model: sign agreement and size of the differences of posterior means."""

    setting: str
    model: str
    cells: int
    same_sign: int
    mean_abs: float
    rmse: float
    mean_abs_low: float = float("nan")  # 95 % interval over draws; noise widens differences, so it
    mean_abs_high: float = float("nan")  # lies above ``mean_abs`` where effects are known poorly


def recover(human: Effects, model: Effects, *, rope: float | None = None) -> list[RecoveryRow]:
    """Compare the effects of one measure, predictor by predictor."""
    width = ROPE[human.glm.family] if rope is None else rope
    note = next((rows.rows[0].note for rows in (human, model) if not rows.draws), "")
    if note:
        return [
            RecoveryRow(
                model.setting, model.model, row.measure, row.predictor, mine.mean, row.mean,
                math.nan, math.nan, math.nan, math.nan, math.nan,
                rope=width, p_in_rope=math.nan, ratio=math.nan, note=note,
            )
            for mine, row in zip(human.rows, model.rows, strict=True)
        ]  # fmt: skip
    return [_compared(human, model, name, width) for name in model.glm.predictors]


def summarise_recovery(
    human: Mapping[Cell, float], model: Mapping[Cell, float], *, setting: str = "", name: str = ""
) -> RecoverySummary:
    """Return sign agreement, mean absolute difference and RMSE over the cells both have.

    >>> cell, other = ("sr", "surprisal"), ("sr", "frequency")
    >>> summarise_recovery({cell: 0.2, other: -0.1}, {cell: 0.1, other: 0.1}, name="m").same_sign
    1
    """
    cells = [cell for cell in human if cell in model]
    if not cells:
        return RecoverySummary(setting, name, 0, 0, math.nan, math.nan)
    a, b = (np.array([means[cell] for cell in cells]) for means in (human, model))
    difference = a - b
    return RecoverySummary(
        setting, name, len(cells), int((a * b > 0).sum()),
        float(np.abs(difference).mean()), float(np.sqrt((difference**2).mean())),
    )  # fmt: skip


def summarise_effects(human: Sequence[Effects], model: Sequence[Effects]) -> RecoverySummary:
    """Return the summary of all estimable cells, with an interval of the mean absolute difference."""
    pairs = [(a, b) for a in human for b in model if a.measure == b.measure and a.draws and b.draws]
    summary = summarise_recovery(
        _means(a for a, _ in pairs), _means(b for _, b in pairs),
        setting=model[0].setting, name=model[0].model,
    )  # fmt: skip
    if not pairs:
        return summary
    differences = [_difference(a.draws[name], b.draws[name]) for a, b in pairs for name in b.glm.predictors]
    n = min(map(len, differences))
    low, high = np.quantile(np.abs(np.stack([d[:n] for d in differences])).mean(axis=0), [0.025, 0.975])
    return RecoverySummary(**asdict(summary) | {"mean_abs_low": float(low), "mean_abs_high": float(high)})


def recover_all(effects: Sequence[Effects]) -> tuple[list[RecoveryRow], list[RecoverySummary]]:
    """Compare each model with the humans, and as the ceiling one half of the readers with the other."""
    by_model: dict[str, list[Effects]] = {}
    for each in effects:
        by_model.setdefault(each.model, []).append(each)
    first = by_model.pop(HALVES[0], None)
    rows: list[RecoveryRow] = []
    summaries = []
    for model, theirs in by_model.items():
        ours = first if model == HALVES[1] else by_model[HUMAN]
        if model == HUMAN or ours is None:
            continue
        for effect in theirs:
            rows += [
                row for human in ours if human.measure == effect.measure for row in recover(human, effect)
            ]
        summaries.append(summarise_effects(ours, theirs))
    return rows, [replace(s, model="human split-half") if s.model == HALVES[1] else s for s in summaries]


def recovery_table(rows: Iterable[RecoveryRow | RecoverySummary]) -> pd.DataFrame:
    """Return rows as a table."""
    import pandas as pd

    return pd.DataFrame([asdict(row) for row in rows])


def _compared(human_effects: Effects, model: Effects, name: str, rope: float) -> RecoveryRow:
    human, other = human_effects.draws[name], model.draws[name]
    difference = _difference(human, other)
    n = len(difference)
    low, high = np.quantile(difference, [0.025, 0.975])
    # The means are those of effects.csv: the draws of a quick look are simulated, and would differ.
    ours, theirs = human_effects.means[name], model.means[name]
    numbers: dict[str, Any] = {
        "human": ours, "model_effect": theirs, "human_minus_model": ours - theirs,
        "sd": difference.std(ddof=1), "ci_low": low, "ci_high": high,
        "p_same_sign": (human[:n] * other[:n] > 0).mean(), "rope": rope,
        "p_in_rope": (np.abs(difference) < rope).mean(), "ratio": theirs / ours if ours else math.nan,
    }  # fmt: skip
    rounded: dict[str, Any] = {key: float(f"{value:.6g}") for key, value in numbers.items()}
    notes = dict.fromkeys(side.notes[name] for side in (human_effects, model))
    return RecoveryRow(
        setting=model.setting, model=model.model, measure=model.measure, predictor=name, **rounded,
        note="; ".join(filter(None, notes)),
    )  # fmt: skip


def _difference(human: Floats, model: Floats) -> Floats:
    n = min(len(human), len(model))
    return human[:n] - model[:n]


def _means(effects: Iterable[Effects]) -> dict[Cell, float]:
    return {(e.measure, name): mean for e in effects for name, mean in e.means.items()}
