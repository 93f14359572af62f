"""Effects of word length, frequency and surprisal on reading: a row each, their draws beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.diagnostics import Summary, summarise, summarise_draws
from scandl_analysis.glm.marginal import unit_of
from scandl_analysis.glm.spec import Fit, Glm
from scandl_analysis.words.analysed_run import HUMAN

NOTHING = Summary(*[float("nan")] * 4)
MARGINAL = (
    *("marginal", "marginal_low", "marginal_high", "marginal_sd", "robust_sd"),
    *("natural", "natural_low", "natural_high"),
)
NO_MARGINAL: dict[str, Any] = dict.fromkeys(MARGINAL, math.nan)
WARNING = "warning: "
"""How the note of an effect begins that was not sampled well."""
MOST_SAID = 3


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
    unit: str = ""  # of the marginal effect: percentage points, fixations, ms
    marginal: float = math.nan  # what one standard deviation of the predictor adds to the mean outcome
    marginal_low: float = math.nan
    marginal_high: float = math.nan
    marginal_sd: float = math.nan
    robust_sd: float = math.nan  # of a pooled regression, clustered by readers and by sentences
    per: str = ""  # a natural unit of the predictor: letter, Zipf, bit
    natural: float = math.nan  # the marginal effect of one such unit
    natural_low: float = math.nan
    natural_high: float = math.nan
    missing_information: float = math.nan  # of imputed readings: the share that is due to what was lost


@dataclass(frozen=True)
class Effects:
    """The effects one source shows in one measure: rows to print, draws to compare.

    ``draws`` are slopes on the scale of the link, empty where they are not estimable. ``marginal`` are draws
    of the average marginal effects in the unit that is printed. A measure that is the same in all words has
    no slopes, but marginal effects: all are 0.
    """

    setting: str
    model: str
    glm: Glm
    rows: tuple[EffectRow, ...]
    draws: dict[str, Floats]  # by predictor, all chains in one row
    marginal: dict[str, Floats] = field(default_factory=dict)

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
        rows = [row for row in self.rows if row.predictor in self.marginal]
        return tuple(row.predictor for row in rows if row.marginal_low * row.marginal_high > 0)

    @property
    def notes(self) -> dict[str, str]:
        """What has to be said of each effect, by predictor."""
        return {row.predictor: row.note for row in self.rows}


def effects_of(fit: Fit, setting: str, model: str) -> Effects:
    """Return the effects of a fit of one source."""
    summaries = summarise(fit)
    names = fit.glm.predictors
    rows = tuple(_row(setting, model, fit, name, summaries[name]) for name in names)
    return Effects(setting, model, fit.glm, rows, {name: fit.flat(name) for name in names})


def joint_effects(fit: Fit, setting: str, model: str) -> tuple[Effects, Effects]:
    """Return the effects of humans and of the model from a fit of both together.

    The model's effect is the human one plus the interaction.
    """
    names = fit.glm.predictors
    human = effects_of(fit, setting, HUMAN)
    draws = {name: fit.draws[name] + fit.draws[f"{fit.glm.by}[{model}]:{name}"] for name in names}
    rows = tuple(_row(setting, model, fit, name, summarise_draws(draws[name], fit)) for name in names)
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
    row = replace(first, predictor=predictor, note=note, **asdict(NOTHING), **NO_MARGINAL)
    return replace(effects, rows=(*effects.rows, row))


def without_effects(effects: Effects, name: str) -> Effects:
    """Return what a reader called ``name`` would show whose slopes are all 0, in the same cells.

    >>> glm = Glm("sr", "bernoulli", ("word_length",))
    >>> known = not_estimable(NotEstimableError("x"), glm, "s", "human", n_rows=1, engine="e", priors="p")
    >>> without_effects(known, "no effects").rows[0].mean
    0.0
    """
    zero = asdict(replace(NOTHING, mean=0.0, sd=0.0, ci_low=0.0, ci_high=0.0))
    rows = tuple(replace(row, model=name, note="", **zero) for row in effects.rows)
    draws = {predictor: np.zeros_like(drawn) for predictor, drawn in effects.draws.items()}
    marginal = {predictor: np.zeros_like(drawn) for predictor, drawn in effects.marginal.items()}
    return with_marginal(replace(effects, model=name, rows=rows, draws=draws), marginal, {})


def with_marginal(
    effects: Effects,
    marginal: Mapping[str, Floats],
    natural: Mapping[str, tuple[str, float]],
    robust: Mapping[str, float] | None = None,
) -> Effects:
    """Return the effects with draws of the average marginal effects per standard deviation.

    ``natural`` has for each predictor a natural unit, and how many of them a standard deviation is;
    ``robust`` errors that do not rest on the model.
    """
    unit, factor = unit_of(effects.glm.family)
    drawn = {name: factor * draws for name, draws in marginal.items()}
    rows = []
    for row in effects.rows:
        if row.predictor not in drawn:
            rows.append(row)
            continue
        draws = drawn[row.predictor]
        mean, (low, high) = float(draws.mean()), np.quantile(draws, [0.025, 0.975])
        per, size = natural.get(row.predictor, ("", math.nan))
        sds = (float(draws.std(ddof=1)), factor * (robust or {}).get(row.predictor, math.nan))
        numbers = (mean, low, high, *sds, mean / size, low / size, high / size)
        rounded: dict[str, Any] = {
            name: float(f"{value:.6g}") for name, value in zip(MARGINAL, numbers, strict=True)
        }
        rows.append(replace(row, unit=unit, per=per, **rounded))
    return replace(effects, rows=tuple(rows), marginal=drawn)


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
    """Return all rows as a table, in the contract's columns and order; marginal effects come after them."""
    table = pd.DataFrame(
        [asdict(row) for each in effects for row in each.rows],
        columns=[column.name for column in fields(EffectRow)],
    )
    lost = "missing_information"
    return table.drop(columns=lost) if table[lost].isna().all() else table


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


def _cells(summary: Summary) -> dict[str, Any]:
    """Return the numbers of a summary with six digits, which is more than any sampler knows."""
    return {name: float(f"{value:.6g}") for name, value in asdict(summary).items()}


def listed(names: Sequence[str]) -> str:
    """Return names as a reader says them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
