"""Means, their differences and curves on the scale of the outcome: ms, percent or counts, with intervals.

For a cell, every row that was analysed is given the cell's levels, and keeps the rest of what it is. Its
mean outcome is averaged over new readers and items, whose effects are normal, and then over rows; every
draw of the posterior has one such mean. An interaction in ms is a difference of differences of these means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import t

from scandl.errors import ConfigError, did_you_mean
from scandl.measures.word_measures import DURATIONS
from scandl.statistics.bootstrap import Floats
from scandl_analysis.formulas.model_frame import bare_name, names_in
from scandl_analysis.glm.marginal import mean_outcomes, thinned
from scandl_analysis.glm.spec import FAMILIES, Fit

if TYPE_CHECKING:
    from scandl_analysis.formulas.regression import Regression

MOST_CELLS = 24
"""Cells of all factors that are averaged without being asked for."""
ROWS = 400
"""Rows that a curve is averaged over: as many as are told apart in a figure."""
POINTS = 21
MOST_DRAWS = 400
Cell = tuple[str, ...]
"""One level of each factor."""


@dataclass(frozen=True)
class Means:
    """The means of all cells by draw, and what they are printed in."""

    factors: tuple[str, ...]
    draws: dict[Cell, Floats]
    unit: str
    factor: float  # what draws are multiplied by for the unit
    observed: pd.DataFrame

    def table(self) -> pd.DataFrame:
        """Return one row per cell: mean and interval, and the data's own mean with its own."""
        rows = []
        for cell, drawn in self.draws.items():
            low, high = np.quantile(drawn * self.factor, [0.025, 0.975])
            about: dict[str, Any] = dict(zip(self.factors, cell, strict=True))
            about |= {"mean": drawn.mean() * self.factor, "ci_low": low, "ci_high": high, "unit": self.unit}
            rows.append(about)
        return pd.DataFrame(rows).merge(self.observed, on=list(self.factors), how="left")

    def contrasts(self, asked: Sequence[str] = (), *, rope: float | None = None) -> pd.DataFrame:
        """Return differences of means: of levels of each factor, and of differences for two factors.

        ``asked`` are differences of levels such as ``hard-easy``; without any each level less the one before
        it. ``rope`` is a bound in the unit of the means: the share of draws nearer to 0 than it.
        """
        found = dict(self._asked(asked) if asked else self._simple())
        found |= dict(self._interactions())
        rows = []
        for name, drawn in found.items():
            drawn = drawn * self.factor
            low, high = np.quantile(drawn, [0.025, 0.975])
            row = {
                "contrast": name,
                "mean": drawn.mean(),
                "sd": drawn.std(ddof=1),
                "ci_low": low,
                "ci_high": high,
            }
            row |= {"unit": self.unit, "p_direction": max((drawn > 0).mean(), (drawn < 0).mean())}
            rows.append(row | ({} if rope is None else {"p_in_rope": (np.abs(drawn) < rope).mean()}))
        return pd.DataFrame(rows)

    def _levels(self, k: int) -> list[str]:
        return list(dict.fromkeys(cell[k] for cell in self.draws))

    def _at(self, fixed: Mapping[int, str]) -> Floats:
        """Return the mean over the cells that have these levels."""
        cells = [drawn for cell, drawn in self.draws.items() if all(cell[k] == v for k, v in fixed.items())]
        return np.asarray(np.mean(cells, axis=0))

    def _simple(self) -> Iterator[tuple[str, Floats]]:
        for k, factor in enumerate(self.factors):
            for early, late in pairwise(self._levels(k)):
                yield f"{factor}: {late} − {early}", self._at({k: late}) - self._at({k: early})

    def _interactions(self) -> Iterator[tuple[str, Floats]]:
        for one, other in combinations(range(len(self.factors)), 2):
            for (a, b), (c, d) in product(pairwise(self._levels(one)), pairwise(self._levels(other))):
                at_d = self._at({one: b, other: d}) - self._at({one: a, other: d})
                at_c = self._at({one: b, other: c}) - self._at({one: a, other: c})
                yield f"{self.factors[one]} × {self.factors[other]}: ({b} − {a}) at {d} − at {c}", at_d - at_c

    def _asked(self, asked: Sequence[str]) -> Iterator[tuple[str, Floats]]:
        levels = {level: k for k in range(len(self.factors)) for level in self._levels(k)}
        for text in asked:
            pairs = [
                (a, b) for a, b in product(levels, levels) if f"{a}-{b}" == text and levels[a] == levels[b]
            ]
            if not pairs:
                pairs_known = [
                    f"{b}-{a}" for k in range(len(self.factors)) for a, b in pairwise(self._levels(k))
                ]
                raise ConfigError(f"no contrast {text!r}{did_you_mean(text, pairs_known)}")
            (late, early) = pairs[0]
            k = levels[late]
            yield f"{self.factors[k]}: {late} − {early}", self._at({k: late}) - self._at({k: early})


def marginal_means(found: Regression, factors: Sequence[str] = ()) -> Means | None:
    """Return the means of all cells of some factors; without names of all, None where there is none."""
    levels = found.words.levels
    for name in factors:
        if name not in levels:
            raise ConfigError(f"no factor {name!r} in {found.formula}{did_you_mean(name, levels)}")
    chosen = tuple(factors or levels)
    if not chosen or np.prod([len(levels[name]) for name in chosen]) > MOST_CELLS:
        return None
    rows, fit = _distinct(found), _fewer(found)
    draws = {}
    for cell in product(*(levels[name] for name in chosen)):
        changed = rows.assign(**dict(zip(chosen, cell, strict=True)))
        draws[cell] = mean_outcomes(fit, pd.DataFrame(found.words.columns_for(changed), index=changed.index))
    unit, factor = unit_of_outcome(found)
    return Means(chosen, draws, unit, factor, _observed(found, chosen, factor))


def curves(found: Regression) -> dict[str, pd.DataFrame]:
    """Return the mean outcome over each column of numbers, from its 2.5 to its 97.5 % quantile."""
    rows, fit = _distinct(found), _fewer(found)
    rows = rows.iloc[np.unique(np.linspace(0, len(rows) - 1, ROWS).astype(int))]
    factor = unit_of_outcome(found)[1]
    tables = {}
    for name in _numeric(found):
        low, high = np.quantile(found.words.data[name], [0.025, 0.975])
        table = []
        for value in np.linspace(low, high, POINTS):
            changed = rows.assign(**{name: value})
            drawn = mean_outcomes(fit, pd.DataFrame(found.words.columns_for(changed))) * factor
            table.append((value, drawn.mean(), *np.quantile(drawn, [0.025, 0.975])))
        tables[name] = pd.DataFrame(table, columns=[name, "mean", "ci_low", "ci_high"])
    return tables


def _fewer(found: Regression) -> Fit:
    """Return the fit; Conway and Maxwell's means have no formula, so with fewer draws."""
    return thinned(found.fit, MOST_DRAWS) if found.fit.glm.family == "conwaymaxwell" else found.fit


def unit_of_outcome(found: Regression) -> tuple[str, float]:
    """Return the unit of the outcome's mean and what it is multiplied by."""
    if found.fit.glm.family == "bernoulli":
        return "%", 100.0
    measure = re.sub(r"^\w+\((\w+)\)$", r"\1", found.formula.response)
    if measure in DURATIONS:
        return "ms", 1.0
    return ("fixations" if measure in FAMILIES else found.formula.response), 1.0


def _numeric(found: Regression) -> list[str]:
    """Return the columns of numbers that the terms are functions of."""
    names = dict.fromkeys(name for term in found.formula.terms for atom in term for name in names_in(atom))
    return [name for name in names if name not in found.words.levels]


def _distinct(found: Regression) -> pd.DataFrame:
    """Return the predictors of the rows analysed, as often as they occur, in an order of their own."""
    group_terms = [term for group in found.formula.groups for term in group.terms]
    atoms = [atom for term in (*found.formula.terms, *group_terms) for atom in term]
    names = list(dict.fromkeys(name for atom in atoms for name in names_in(bare_name(atom))))
    data = found.words.data
    return data[names].sort_values(names, kind="stable") if names else data.iloc[:, :0]


def _observed(found: Regression, factors: Sequence[str], factor: float) -> pd.DataFrame:
    """Return the means of the data by cell, with intervals within readers (Cousineau, 2005; Morey, 2008).

    The interval is of readers who have every cell: their deviations from their own mean.
    """
    outcome = found.words.frame[found.fit.glm.measure].to_numpy(float) * factor
    data = found.words.data[list(factors)].astype(str).assign(outcome=outcome)
    means = data.groupby(list(factors), sort=False)["outcome"].mean().rename("observed").reset_index()
    who = next((name for name in ("reader", "reader_id") if name in found.words.data), None)
    if who is None or who in factors:
        return means
    by_reader = data.assign(who=found.words.data[who]).groupby(["who", *factors])["outcome"].mean()
    wide = by_reader.unstack(list(range(1, len(factors) + 1))).dropna()
    n, cells = wide.shape
    if n < 2 or cells < 2:
        return means
    own = wide.sub(wide.mean(axis=1), axis=0)
    half = t.ppf(0.975, n - 1) * own.std(ddof=1) * np.sqrt(cells / (cells - 1) / n)
    half = half.rename("half").reset_index()
    means = means.merge(half, on=list(factors), how="left")
    low, high = means["observed"] - means["half"], means["observed"] + means["half"]
    return means.assign(observed_low=low, observed_high=high).drop(columns="half")
