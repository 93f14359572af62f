"""How well a model recovers the human effects: differences of posteriors, not two tables side by side.

For each cell (measure × predictor) the difference human − model is taken draw by draw; the fits are
independent, so any pairing of draws is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd

from scandl.statistics.bootstrap import Floats
from scandl_analysis.effects.effect_table import WARNING, Effects, without_effects
from scandl_analysis.glm.spec import QUICK_LOOK
from scandl_analysis.words.analysed_run import HALVES, HUMAN

ROPE = {"bernoulli": 0.1, "poisson": 0.05, "negativebinomial": 0.05, "lognormal": 0.05, "gaussian": 5.0}
"""Half-width of the region of practical equivalence: 0.1 on the logit, 0.05 on the log scale, 5 ms."""

NO_EFFECTS = "no effects"
"""The reference: a reader whose slopes are all 0, so that its differences are the human effects."""
SPLIT_HALF = "human split-half"
"""A scale, not a bound: each half knows its effects worse than all readers together do."""

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
    """All cells of one model: sign agreement, and how far its effects are from the human ones.

    ``mean_abs`` and ``rmse`` are of the differences of posterior means, as for published tables.
    ``mean_abs_posterior`` is the mean over draws of the mean absolute difference, to which the interval
    belongs: noise adds to every absolute difference, so both lie above ``mean_abs`` where effects are
    known poorly.
    """

    setting: str
    model: str
    cells: int
    same_sign: int
    mean_abs: float
    rmse: float
    mean_abs_posterior: float = math.nan
    mean_abs_low: float = math.nan
    mean_abs_high: float = math.nan
    minus_nearest: float = math.nan  # mean |difference| less that of the nearest model, whose own is 0
    minus_nearest_low: float = math.nan
    minus_nearest_high: float = math.nan
    note: str = ""  # fits that were not sampled well
    clear: float = math.nan  # cells whose human 95 % interval leaves out 0; not known of printed means
    clear_same_sign: float = math.nan


def recover(human: Effects, model: Effects, *, rope: float | None = None) -> list[RecoveryRow]:
    """Compare the effects of one measure, predictor by predictor."""
    width = ROPE[human.glm.family] if rope is None else rope
    note = next((rows.rows[0].note for rows in (human, model) if not rows.draws), "")
    if note:
        return [
            RecoveryRow(
                model.setting,
                model.model,
                row.measure,
                row.predictor,
                mine.mean,
                row.mean,
                math.nan,
                math.nan,
                math.nan,
                math.nan,
                math.nan,
                rope=width,
                p_in_rope=math.nan,
                ratio=math.nan,
                note=note,
            )
            for mine, row in zip(human.rows, model.rows, strict=True)
        ]
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
        setting,
        name,
        len(cells),
        int((a * b > 0).sum()),
        float(np.abs(difference).mean()),
        float(np.sqrt((difference**2).mean())),
    )


def summarise_effects(human: Sequence[Effects], model: Sequence[Effects]) -> RecoverySummary:
    """Return the summary of all estimable cells, with an interval of the mean absolute difference."""
    pairs = _estimable(human, model)
    summary = summarise_recovery(
        _means(a for a, _ in pairs),
        _means(b for _, b in pairs),
        setting=model[0].setting,
        name=model[0].model,
    )
    if not pairs:
        return summary
    mean, low, high = _described(_mean_over(_distances(human, model)))
    clear = [(a.means[name] * b.means[name]) > 0 for a, b in pairs for name in a.clear if name in b.means]
    return replace(
        summary,
        mean_abs_posterior=mean,
        mean_abs_low=low,
        mean_abs_high=high,
        note=_doubts(pairs),
        clear=len(clear),
        clear_same_sign=sum(clear),
    )


def recover_all(effects: Sequence[Effects]) -> tuple[list[RecoveryRow], list[RecoverySummary]]:
    """Compare each model with the humans; then no effects, and one half of the readers with the other."""
    if not effects:
        return [], []
    by_model: dict[str, list[Effects]] = {}
    for each in effects:
        by_model.setdefault(each.model, []).append(each)
    first, second = (by_model.pop(half, None) for half in HALVES)
    human = by_model.pop(HUMAN, [])
    rows = [row for theirs in by_model.values() for row in _rows(human, theirs)]
    by_model[NO_EFFECTS] = [without_effects(each, NO_EFFECTS) for each in human]
    summaries = [summarise_effects(human, theirs) for theirs in by_model.values() if theirs]
    if not summaries[-1].cells:  # of humans nothing is estimable
        summaries.pop()
    summaries = _with_nearest(
        summaries, {name: _distances(human, theirs) for name, theirs in by_model.items()}, human
    )
    if first is not None and second is not None:
        rows += _rows(first, second)
        summaries.append(replace(summarise_effects(first, second), model=SPLIT_HALF))
    return rows, summaries


def _rows(human: Sequence[Effects], model: Sequence[Effects]) -> list[RecoveryRow]:
    return [row for b in model for a in human if a.measure == b.measure for row in recover(a, b)]


def _with_nearest(
    summaries: Sequence[RecoverySummary],
    distances: Mapping[str, Mapping[Cell, Floats]],
    human: Sequence[Effects],
) -> list[RecoverySummary]:
    """Add what each model is further away than the nearest one, draw by draw.

    Human draws are the same on both sides. Only models with the most cells are compared, on the cells
    all of them have, or the one with the easiest cells would come out nearest. Draws of a quick look are
    not those of a posterior, so nothing is tested with them.
    """
    cells = {name: set(each) for name, each in distances.items() if name != NO_EFFECTS}
    most = max(map(len, cells.values()), default=0)
    ranked = [name for name, theirs in cells.items() if len(theirs) == most]
    shared = reduce(set.intersection, (cells[name] for name in ranked)) if ranked else set()
    if not shared or any(row.engine == QUICK_LOOK for each in human for row in each.rows):
        return list(summaries)
    compared = {
        name: _mean_over({cell: distances[name][cell] for cell in shared}) for name in (*ranked, NO_EFFECTS)
    }
    nearest = compared[min(ranked, key=lambda name: float(compared[name].mean()))]
    apart = {name: _described(_difference(each, nearest)) for name, each in compared.items()}
    return [
        replace(s, minus_nearest=mean, minus_nearest_low=low, minus_nearest_high=high)
        for s in summaries
        for mean, low, high in [apart.get(s.model, (math.nan,) * 3)]
    ]


def recovery_table(rows: Iterable[RecoveryRow | RecoverySummary]) -> pd.DataFrame:
    """Return rows as a table."""
    return pd.DataFrame([asdict(row) for row in rows])


def _compared(human_effects: Effects, model: Effects, name: str, rope: float) -> RecoveryRow:
    human, other = human_effects.draws[name], model.draws[name]
    difference = _difference(human, other)
    n = len(difference)
    low, high = np.quantile(difference, [0.025, 0.975])
    # The means are those of effects.csv: the draws of a quick look are simulated, and would differ.
    ours, theirs = human_effects.means[name], model.means[name]
    numbers: dict[str, Any] = {
        "human": ours,
        "model_effect": theirs,
        "human_minus_model": ours - theirs,
        "sd": difference.std(ddof=1),
        "ci_low": low,
        "ci_high": high,
        "p_same_sign": (human[:n] * other[:n] > 0).mean(),
        "rope": rope,
        "p_in_rope": (np.abs(difference) < rope).mean(),
        "ratio": theirs / ours if ours else math.nan,
    }
    rounded: dict[str, Any] = {key: float(f"{value:.6g}") for key, value in numbers.items()}
    notes = dict.fromkeys(side.notes[name] for side in (human_effects, model))
    return RecoveryRow(
        setting=model.setting,
        model=model.model,
        measure=model.measure,
        predictor=name,
        **rounded,
        note="; ".join(filter(None, notes)),
    )


def _estimable(human: Sequence[Effects], model: Sequence[Effects]) -> list[tuple[Effects, Effects]]:
    return [(a, b) for a in human for b in model if a.measure == b.measure and a.draws and b.draws]


def _distances(human: Sequence[Effects], model: Sequence[Effects]) -> dict[Cell, Floats]:
    """Return |human − model| of every estimable cell, draw by draw."""
    return {
        (b.measure, name): np.abs(_difference(a.draws[name], b.draws[name]))
        for a, b in _estimable(human, model)
        for name in b.glm.predictors
    }


def _mean_over(cells: Mapping[Cell, Floats]) -> Floats:
    """Return the mean over cells of each draw."""
    n = min(map(len, cells.values()))
    return np.asarray(np.stack([cells[cell][:n] for cell in sorted(cells)]).mean(axis=0))


def _described(draws: Floats) -> tuple[float, float, float]:
    """Return mean and 95 % interval."""
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(draws.mean()), float(low), float(high)


def _doubts(pairs: Iterable[tuple[Effects, Effects]]) -> str:
    """Name the fits with warnings that a comparison rests on."""
    fits = {
        f"{side.model} {side.measure}": None
        for pair in pairs
        for side in pair
        if any(WARNING in note for note in side.notes.values())
    }
    return f"not sampled well: {', '.join(fits)}" if fits else ""


def _difference(human: Floats, model: Floats) -> Floats:
    n = min(len(human), len(model))
    return human[:n] - model[:n]


def _means(effects: Iterable[Effects]) -> dict[Cell, float]:
    return {(e.measure, name): mean for e in effects for name, mean in e.means.items()}
