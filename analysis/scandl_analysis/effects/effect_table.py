"""Effects of word length, frequency and surprisal on reading: a row each, with and without edge words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.diagnostics import Summary, summarise, summarise_draws
from scandl_analysis.glm.spec import Fit, Glm
from scandl_analysis.words.analysed_run import HUMAN

NOTHING = Summary(*[float("nan")] * 4)
NO_TIME: dict[str, Any] = {"ms": math.nan, "ms_low": math.nan, "ms_high": math.nan}
WARNING = "warning: "
"""How the note of an effect begins that was not sampled well."""
MOST_SAID = 3

EDGE_COLUMNS = [
    "measure",
    "predictor",
    "inside",
    "inside_low",
    "inside_high",
    "all",
    "all_low",
    "all_high",
    "note",
]
HANGS = "sign hangs on the edges"


@dataclass(frozen=True, slots=True)
class EffectRow:
    """One row of ``effects.csv``; where nothing is estimable numbers are missing and ``note`` says why."""

    setting: str
    model: str
    measure: str
    predictor: str
    mean: float
    sd: float
    ci_low: float
    ci_high: float
    rhat: float
    ess_bulk: float
    ess_tail: float
    n_rows: int
    engine: str
    priors: str
    note: str = ""
    ms: float = math.nan  # of log-normal times: what one unit adds at the mean of all predictors
    ms_low: float = math.nan
    ms_high: float = math.nan


@dataclass(frozen=True)
class Effects:
    """The effects one source shows in one measure: rows to print, draws to compare.

    ``draws`` is empty where the effects are not estimable.
    """

    setting: str
    model: str
    glm: Glm
    rows: tuple[EffectRow, ...]
    draws: dict[str, Floats]  # by predictor, all chains in one row

    @property
    def measure(self) -> str:
        """The measure that was regressed."""
        return self.glm.measure

    @property
    def means(self) -> dict[str, float]:
        """The effects as they are printed, by predictor; none where nothing is estimable."""
        return {row.predictor: row.mean for row in self.rows if row.predictor in self.draws}

    @property
    def clear(self) -> tuple[str, ...]:
        """The predictors whose 95 % interval leaves out 0: the sign of their effect is known."""
        return tuple(r.predictor for r in self.rows if r.predictor in self.draws and r.ci_low * r.ci_high > 0)

    @property
    def notes(self) -> dict[str, str]:
        """What has to be said of each effect, by predictor."""
        return {row.predictor: row.note for row in self.rows}


def effects_of(fit: Fit, setting: str, model: str) -> Effects:
    """Return the effects of a fit of one source."""
    summaries = summarise(fit)
    names = fit.glm.predictors
    rows = tuple(
        replace(_row(setting, model, fit, name, summaries[name]), **_added_time(fit, name)) for name in names
    )
    return Effects(setting, model, fit.glm, rows, {name: fit.flat(name) for name in names})


def joint_effects(fit: Fit, setting: str, model: str) -> tuple[Effects, Effects]:
    """Return the effects of humans and of the model from a fit of both together.

    The model's effect is the human one plus the interaction.
    """
    names = fit.glm.predictors
    human = effects_of(fit, setting, HUMAN)
    draws = {name: fit.draws[name] + fit.draws[f"{fit.glm.by}[{model}]:{name}"] for name in names}
    rows = tuple(
        _row(setting, model, fit, name, summarise_draws(draws[name], chains=fit.has_chains)) for name in names
    )
    return human, Effects(setting, model, fit.glm, rows, {name: d.reshape(-1) for name, d in draws.items()})


def not_estimable(
    error: NotEstimableError, glm: Glm, setting: str, model: str, *, n_rows: int, engine: str, priors: str
) -> Effects:
    """Return rows that say why there are no numbers."""
    rows = tuple(
        EffectRow(
            setting=setting,
            model=model,
            measure=glm.measure,
            predictor=name,
            **_cells(NOTHING),
            n_rows=n_rows,
            engine=engine,
            priors=priors,
            note=str(error),
        )
        for name in glm.predictors
    )
    return Effects(setting, model, glm, rows, {})


def without(effects: Effects, predictor: str, note: str) -> Effects:
    """Return the effects with one more row, of a predictor that could not enter the model."""
    first = effects.rows[0]
    row = replace(first, predictor=predictor, note=note, **asdict(NOTHING), **NO_TIME)
    return replace(effects, rows=(*effects.rows, row))


def without_effects(effects: Effects, name: str) -> Effects:
    """Return what a reader called ``name`` would show whose slopes are all 0, in the same cells.

    >>> glm = Glm("sr", "bernoulli", ("word_length",))
    >>> known = not_estimable(NotEstimableError("x"), glm, "s", "human", n_rows=1, engine="e", priors="p")
    >>> without_effects(known, "no effects").rows[0].mean
    0.0
    """
    zero = asdict(replace(NOTHING, mean=0.0, sd=0.0, ci_low=0.0, ci_high=0.0))
    rows = tuple(replace(row, model=name, note="", **zero, **NO_TIME) for row in effects.rows)
    draws = {predictor: np.zeros_like(drawn) for predictor, drawn in effects.draws.items()}
    return replace(effects, model=name, rows=rows, draws=draws)


def flagged(effects: Effects, warnings: Sequence[str]) -> Effects:
    """Return the effects with the sampler's warnings in the note of every row: none of them is to be used.

    >>> glm = Glm("sr", "bernoulli", ("word_length",))
    >>> known = not_estimable(NotEstimableError("x"), glm, "s", "m", n_rows=1, engine="e", priors="p")
    >>> flagged(known, ["3 divergent transitions"]).rows[0].note
    'x; warning: 3 divergent transitions'
    """
    if not warnings:
        return effects
    said = [*warnings[:MOST_SAID], *([f"{len(warnings) - MOST_SAID} more"] if warnings[MOST_SAID:] else [])]
    note = f"{WARNING}{'; '.join(said)}"
    return replace(
        effects,
        rows=tuple(replace(row, note="; ".join(filter(None, (row.note, note)))) for row in effects.rows),
    )


def remarked(effects: Effects, remarks: Mapping[str, str]) -> Effects:
    """Return the effects with something said of some predictors, in the notes of their rows.

    >>> glm = Glm("sr", "bernoulli", ("word_length",))
    >>> known = not_estimable(NotEstimableError("x"), glm, "s", "m", n_rows=1, engine="e", priors="p")
    >>> remarked(known, {"word_length": "VIF 3.4"}).rows[0].note
    'x; VIF 3.4'
    """
    rows = (
        replace(row, note="; ".join(filter(None, (row.note, remarks.get(row.predictor, "")))))
        for row in effects.rows
    )
    return replace(effects, rows=tuple(rows))


def effects_table(effects: Sequence[Effects]) -> pd.DataFrame:
    """Return all rows as a table, in the contract's columns and order; with times, ms come after them."""
    rows = [row for each in effects for row in each.rows]
    timed = any(not math.isnan(row.ms) for row in rows)
    columns: dict[str, list[Any]] = {
        field.name: [getattr(row, field.name) for row in rows]
        for field in fields(EffectRow)
        if timed or field.name not in NO_TIME
    }
    return pd.DataFrame(columns)


def _row(setting: str, model: str, fit: Fit, name: str, summary: Summary) -> EffectRow:
    return EffectRow(
        setting=setting,
        model=model,
        measure=fit.glm.measure,
        predictor=name,
        **_cells(summary),
        n_rows=fit.n_rows,
        engine=fit.engine,
        priors=fit.priors,
        note=fit.note,
    )


def _added_time(fit: Fit, name: str) -> dict[str, Any]:
    """Return what one unit of a predictor adds in ms where all predictors are 0, of log-normal times only.

    Standardised predictors are 0 at their human mean, so that times of all sources are on one scale.
    """
    if fit.glm.family != "lognormal":
        return {}
    added = np.exp(fit.flat("Intercept")) * np.expm1(fit.flat(name))
    low, high = np.quantile(added, [0.025, 0.975])
    return {
        key: float(f"{value:.6g}")
        for key, value in (("ms", float(added.mean())), ("ms_low", low), ("ms_high", high))
    }


def _cells(summary: Summary) -> dict[str, Any]:
    """Return the numbers of a summary with six digits, which is more than any sampler knows."""
    return {name: float(f"{value:.6g}") for name, value in asdict(summary).items()}


def listed(names: Sequence[str]) -> str:
    """Return names as a reader says them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def edge_table(inside: Sequence[Effects], everywhere: Sequence[Effects]) -> pd.DataFrame:
    """Return the human effects without and with the edges of sentences, one row per measure and predictor.

    ``note`` says where the sign hangs on the edges: two intervals that leave out 0 on different sides, or one
    that leaves it out while the other mean is on the other side.
    """
    whole = {(each.measure, row.predictor): row for each in everywhere for row in each.rows if each.draws}
    rows: list[dict[str, Any]] = []
    for each in inside:
        for row in each.rows if each.draws else ():
            other = whole.get((each.measure, row.predictor))
            if other is None:
                continue
            clear = row.ci_low * row.ci_high > 0 or other.ci_low * other.ci_high > 0
            rows.append(
                {
                    "measure": each.measure,
                    "predictor": row.predictor,
                    "inside": row.mean,
                    "inside_low": row.ci_low,
                    "inside_high": row.ci_high,
                    "all": other.mean,
                    "all_low": other.ci_low,
                    "all_high": other.ci_high,
                    "note": HANGS if clear and row.mean * other.mean < 0 else "",
                }
            )
    return pd.DataFrame(rows, columns=EDGE_COLUMNS)


def edge_verdict(table: pd.DataFrame) -> str:
    """Say which signs hang on the edges of sentences; nothing where none does.

    >>> import pandas as pd
    >>> row = {"measure": "sr", "predictor": "surprisal", "note": HANGS}
    >>> edge_verdict(pd.DataFrame([row]))
    'The sign of the human effect of surprisal on sr hangs on the first and last words of sentences.'
    """
    if table.empty or not (table["note"] == HANGS).any():
        return ""
    found = table[table["note"] == HANGS]
    names = [f"{p} on {m}" for m, p in zip(found["measure"], found["predictor"], strict=True)]
    what, verb = (
        ("sign of the human effect", "hangs") if len(names) == 1 else ("signs of the human effects", "hang")
    )
    return f"The {what} of {listed(names)} {verb} on the first and last words of sentences."
