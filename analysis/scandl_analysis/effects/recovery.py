"""How well a model shows the effects of people: a verdict on each effect, and the distance of all of them.

Everything is about average marginal effects, in percentage points, fixations or milliseconds per standard
deviation of a predictor. Fits of people and of models are independent, so any pairing of draws is right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from scandl_analysis.effects.effect_table import WARNING, EffectRow, Effects, without_effects
from scandl_analysis.effects.verdicts import (
    EQUIVALENT,
    STRONG,
    UNDECIDED,
    WEAK,
    WRONG,
    Cell,
    Draws,
    Interval,
    Margins,
    Scale,
    Verdict,
    distance,
    further,
    judged,
)
from scandl_analysis.words.analysed_run import HALVES, HUMAN

NO_EFFECTS = "no effects"
"""The far end of the scale: a reader on whom no property of words has any effect."""
SPLIT_HALF = "two halves of the readers"
"""The near end of the scale: one random half of the readers beside the other."""
NOT_SHOWN = "no effect of the readers"
"""Stands for a verdict where the margin is a share of an effect of people that may be 0."""


@dataclass(frozen=True, slots=True)
class RecoveryRow:
    """One cell: the marginal effect of people, that of a model, their difference and the verdict on it."""

    setting: str
    model: str
    measure: str
    predictor: str
    unit: str
    readers: float
    readers_low: float
    readers_high: float
    model_effect: float
    model_low: float
    model_high: float
    readers_minus_model: float
    ci_low: float
    ci_high: float
    ratio: float  # model / readers
    margin: float  # around the effect of people, in the unit
    verdict: str
    p_equivalent: float = math.nan
    p_too_weak: float = math.nan
    p_too_strong: float = math.nan
    p_wrong_sign: float = math.nan
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecoverySummary:
    """All effects of one model: the verdicts on those that people show, and the distance of all.

    ``cells``, ``same_sign``, ``mean_abs`` and ``rmse`` are of slopes on the scale of the link, as published
    tables allow; logits and logs are mixed there, so nothing else rests on them.
    """

    setting: str
    model: str
    shown: int = 0  # effects of people whose 95 % interval leaves out 0
    equivalent: int = 0
    too_weak: int = 0
    too_strong: int = 0
    wrong_sign: int = 0
    undecided: int = 0
    missing: int = 0  # of those shown, the effects of the model that cannot be estimated
    expected_wrong: float = math.nan  # verdicts that are wrong, by their own probabilities
    distance: float = math.nan  # 0: the effects of people; 1: no effects
    distance_low: float = math.nan
    distance_high: float = math.nan
    minus_nearest: float = math.nan  # distance less that of the nearest model, paired
    minus_nearest_low: float = math.nan
    minus_nearest_high: float = math.nan
    minus_none: float = math.nan  # distance less that of a reader without any effect, paired
    minus_none_low: float = math.nan
    minus_none_high: float = math.nan
    cells: int = 0
    same_sign: int = 0
    mean_abs: float = math.nan
    rmse: float = math.nan
    note: str = ""  # fits that were not sampled well, measures that the distance leaves out


def recover(human: Effects, model: Effects, margins: Margins | None = None) -> list[RecoveryRow]:
    """Compare the effects of one measure, predictor by predictor."""
    ours = {row.predictor: row for row in human.rows}
    pairs = [(ours[row.predictor], row) for row in model.rows if row.predictor in ours]
    return [_compared(human, model, a, b, margins or Margins()) for a, b in pairs]


def summarise_recovery(
    human: Mapping[Cell, float], model: Mapping[Cell, float], *, setting: str = "", name: str = ""
) -> RecoverySummary:
    """Return what published tables allow: sign agreement, mean absolute difference and RMSE of slopes.

    >>> cell, other = ("sr", "surprisal"), ("sr", "frequency")
    >>> summarise_recovery({cell: 0.2, other: -0.1}, {cell: 0.1, other: 0.1}, name="m").same_sign
    1
    """
    cells = [cell for cell in human if cell in model]
    if not cells:
        return RecoverySummary(setting, name)
    a, b = (np.array([means[cell] for cell in cells]) for means in (human, model))
    difference = a - b
    return RecoverySummary(
        setting,
        name,
        cells=len(cells),
        same_sign=int((a * b > 0).sum()),
        mean_abs=float(np.abs(difference).mean()),
        rmse=float(np.sqrt((difference**2).mean())),
    )


def recover_all(
    effects: Sequence[Effects], margins: Margins | None = None
) -> tuple[list[RecoveryRow], list[RecoverySummary]]:
    """Compare each model with people; then no effects, and one half of the readers with the other."""
    by_model: dict[str, list[Effects]] = {}
    for each in effects:
        by_model.setdefault(each.model, []).append(each)
    first, second = (by_model.pop(half, None) for half in HALVES)
    human = by_model.pop(HUMAN, [])
    if not any(each.marginal for each in human):
        return [], []
    nothing = [without_effects(each, NO_EFFECTS) for each in human]
    scale = Scale.of(_marginal(human))
    shown = {(each.measure, name) for each in human for name in each.clear}
    pairs = [(human, theirs) for theirs in (*by_model.values(), nothing)]
    if first is not None and second is not None:
        pairs.append((first, second))
    rows, summaries = [], []
    for people, theirs in pairs:
        found = _rows(people, theirs, margins)
        rows += [] if theirs is nothing else found
        summaries.append(_summary(people, theirs, found, shown, scale))
    if first is not None and second is not None:
        summaries[-1] = replace(summaries[-1], model=SPLIT_HALF)
    return rows, _with_comparisons(summaries, human, {**by_model, NO_EFFECTS: nothing}, scale)


def recovery_table(rows: Iterable[RecoveryRow | RecoverySummary]) -> pd.DataFrame:
    """Return rows as a table."""
    return pd.DataFrame([asdict(row) for row in rows])


def _rows(human: Sequence[Effects], model: Sequence[Effects], margins: Margins | None) -> list[RecoveryRow]:
    return [row for b in model for a in human if a.measure == b.measure for row in recover(a, b, margins)]


def _compared(human: Effects, model: Effects, a: EffectRow, b: EffectRow, margins: Margins) -> RecoveryRow:
    both = [side.marginal.get(a.predictor) for side in (human, model)]
    notes = "; ".join(filter(None, dict.fromkeys((a.note, b.note))))
    numbers: dict[str, Any] = dict.fromkeys(
        ("readers_minus_model", "ci_low", "ci_high", "ratio", "margin"), math.nan
    )
    verdict, found = "", Verdict("", *[math.nan] * 4)
    if both[0] is not None and both[1] is not None:
        n = min(map(len, (both[0], both[1])))
        ours, theirs = both[0][:n], both[1][:n]
        low, high = np.quantile(ours - theirs, [0.025, 0.975])
        margin = float(margins.around(human.measure, ours.mean(keepdims=True))[0])
        numbers = {
            "readers_minus_model": a.marginal - b.marginal,
            "ci_low": low,
            "ci_high": high,
            "ratio": b.marginal / a.marginal if a.marginal else math.nan,
            "margin": margin,
        }
        if a.predictor in human.clear or human.measure in margins.amounts:
            found = judged(ours, theirs, margins, human.measure)
            verdict = found.verdict
        else:
            verdict = NOT_SHOWN
    rounded: dict[str, Any] = {key: float(f"{value:.6g}") for key, value in numbers.items()}
    return RecoveryRow(
        setting=model.setting,
        model=model.model,
        measure=model.measure,
        predictor=a.predictor,
        unit=a.unit or b.unit,
        readers=a.marginal,
        readers_low=a.marginal_low,
        readers_high=a.marginal_high,
        model_effect=b.marginal,
        model_low=b.marginal_low,
        model_high=b.marginal_high,
        **rounded,
        verdict=verdict,
        p_equivalent=found.p_equivalent,
        p_too_weak=found.p_too_weak,
        p_too_strong=found.p_too_strong,
        p_wrong_sign=found.p_wrong_sign,
        note=notes,
    )


def _summary(
    human: Sequence[Effects],
    model: Sequence[Effects],
    rows: Sequence[RecoveryRow],
    shown: set[Cell],
    scale: Scale,
) -> RecoverySummary:
    """Return the verdicts on the effects that people show, and the distance from people."""
    judged_rows = [row for row in rows if (row.measure, row.predictor) in shown]
    counts = Counter(row.verdict for row in judged_rows)
    given = [row for row in judged_rows if row.verdict in (EQUIVALENT, WEAK, STRONG, WRONG)]
    far = distance(_marginal(human), _marginal(model), scale)
    of_slopes = summarise_recovery(_slopes(human), _slopes(model))
    said = [_doubts([*human, *model])]
    if scale.left_out and far is not None:
        said.append(f"distance without {', '.join(scale.left_out)}: the effects there are too poorly known")
    return replace(
        of_slopes,
        setting=model[0].setting,
        model=model[0].model,
        shown=len(shown),
        equivalent=counts[EQUIVALENT],
        too_weak=counts[WEAK],
        too_strong=counts[STRONG],
        wrong_sign=counts[WRONG],
        undecided=counts[UNDECIDED] + counts[NOT_SHOWN],
        missing=len(shown) - len([row for row in judged_rows if row.verdict]),
        expected_wrong=sum(_p_wrong(row) for row in given),
        **_spread("distance", far),
        note="; ".join(filter(None, said)),
    )


def _p_wrong(row: RecoveryRow) -> float:
    chances = (row.p_equivalent, row.p_too_weak, row.p_too_strong, row.p_wrong_sign)
    return Verdict(row.verdict, *chances).p_wrong


def _with_comparisons(
    summaries: Sequence[RecoverySummary],
    human: Sequence[Effects],
    models: Mapping[str, Sequence[Effects]],
    scale: Scale,
) -> list[RecoverySummary]:
    """Add how much further each model is than the nearest, and than a reader without any effect.

    The nearest is sought among the models with all effects that count, or the one with the easiest effects
    would come out nearest.
    """
    people = _marginal(human)
    profiles = {name: _marginal(theirs) for name, theirs in models.items()}
    n_cells = {name: len(scale.cells(people, each)) for name, each in profiles.items() if name != NO_EFFECTS}
    most = max(n_cells.values(), default=0)
    values = {s.model: s.distance for s in summaries if n_cells.get(s.model) == most and most}
    nearest = min(values, key=lambda name: values[name], default=None)
    done = []
    for s in summaries:
        own = profiles.get(s.model)
        if own is not None and nearest is not None and (s.model in values or s.model == NO_EFFECTS):
            gap = further(people, own, profiles[nearest], scale)
            s = replace(s, **_spread("minus_nearest", gap if s.model != nearest else Interval(0.0, 0.0, 0.0)))
        if own is not None and s.model != NO_EFFECTS:
            s = replace(s, **_spread("minus_none", further(people, own, profiles[NO_EFFECTS], scale)))
        done.append(s)
    return done


def _spread(name: str, interval: Interval | None) -> dict[str, Any]:
    """Return an interval as the columns of a summary."""
    if interval is None:
        return {}
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}


def _marginal(effects: Sequence[Effects]) -> Draws:
    return {(each.measure, name): draws for each in effects for name, draws in each.marginal.items()}


def _slopes(effects: Iterable[Effects]) -> dict[Cell, float]:
    return {(e.measure, name): mean for e in effects for name, mean in e.means.items()}


def _doubts(effects: Iterable[Effects]) -> str:
    """Name the fits with warnings that a comparison rests on."""
    fits = {
        f"{each.model} {each.measure}": None
        for each in effects
        if any(WARNING in note for note in each.notes.values())
    }
    return f"not sampled well: {', '.join(fits)}" if fits else ""
