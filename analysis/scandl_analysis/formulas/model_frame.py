"""From a formula and a table to columns of numbers: functions, factors, interactions."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from scandl.errors import ScandlError, did_you_mean
from scandl.statistics.bootstrap import Floats
from scandl_analysis.formulas.formula import (
    CONTRASTS,
    INTERCEPT,
    Formula,
    FormulaError,
    GroupTerm,
    Term,
    indicators,
)
from scandl_analysis.formulas.functions import FUNCTIONS, Transform
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Family, Glm, Slope
from scandl_analysis.words.word_table import VERSION


@dataclass(frozen=True)
class ModelFrame:
    """The columns of a regression as numbers, and the regression of them."""

    frame: pd.DataFrame
    glm: Glm
    n_dropped: int
    contrasts: Mapping[str, str]  # of each factor
    builder: ColumnBuilder
    formula: Formula

    @property
    def data(self) -> pd.DataFrame:
        """The rows analysed, with the columns of the table as they came."""
        return self.builder.data

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of each factor common to all rows, by the name of its column."""
        return {
            name: factor.levels
            for name, factor in self.builder.factors.items()
            if any(name == bare_name(atom) for term in self.formula.terms for atom in term)
        }

    def columns_for(self, data: pd.DataFrame) -> dict[str, Floats]:
        """Return the columns of other rows, those of slopes too, coded and scaled as those analysed."""
        builder = self.builder.on(data)
        columns = builder.columns_of(self.formula.terms)
        for group in self.formula.groups:
            columns |= {
                name: each for name, each in builder.columns_of(group.terms).items() if name not in columns
            }
        return columns


@dataclass(frozen=True)
class _Factor:
    """A categorical column: its levels and which of them each row has."""

    levels: tuple[str, ...]
    codes: Any


def model_frame(
    formula: Formula, data: pd.DataFrame, *, family: Family | None = None, contrast: str = "treatment"
) -> ModelFrame:
    """Return the numbers a formula asks for; rows without a value are dropped.

    Raises one clear line where a column is unknown, where a factor or a group has one level, where a
    level has one row, and where there are more columns than rows.
    """
    used = used_columns(formula)
    for name in used:
        if name not in data.columns:
            meant = did_you_mean(name, map(str, data.columns))
            raise FormulaError(f"{formula}: the table has no column {name!r}{meant}")
    kept = data.dropna(subset=used).reset_index(drop=True)
    if kept.empty:
        raise NotEstimableError(f"not estimable: none of {len(data):,} rows has a value in {', '.join(used)}")
    builder = ColumnBuilder(kept, contrast)
    outcome = builder.numbers(formula.response)
    columns = builder.columns_of(formula.terms)
    factors: dict[str, Any] = {}
    slopes, groups, correlated = [], [], []
    for group in formula.groups:
        factors[group.factor] = _grouping(group, kept)
        varying = builder.columns_of(group.terms)
        factors |= {name: values for name, values in varying.items() if name not in columns}
        slopes += [Slope(name, group.factor) for name in varying]
        groups += [group.factor] if INTERCEPT in group.terms else []
        correlated += [group.factor] if group.correlated else []
    frame = pd.DataFrame({formula.response: outcome, **columns, **factors})
    _check_size(frame, len(columns), formula)
    if VERSION in kept:
        frame[VERSION] = kept[VERSION]
    glm = Glm(
        formula.response,
        family or likely_family(outcome),
        tuple(columns),
        tuple(groups),
        slopes=tuple(slopes),
        correlated=tuple(correlated),
    )
    return ModelFrame(frame, glm, len(data) - len(kept), builder.contrasts, builder, formula)


def likely_family(outcome: Floats) -> Family:
    """Return the family that outcomes look like.

    >>> likely_family(np.array([0.0, 1.0])), likely_family(np.array([0.0, 3.0]))
    ('bernoulli', 'poisson')
    >>> likely_family(np.array([180.5, 230.0])), likely_family(np.array([-1.0, 2.0]))
    ('lognormal', 'gaussian')
    """
    if np.isin(outcome, (0, 1)).all():
        return "bernoulli"
    if (outcome < 0).any():
        return "gaussian"
    return "poisson" if np.all(outcome == np.round(outcome)) and np.median(outcome) < 30 else "lognormal"


def full_rank_codings(new: Sequence[frozenset[str]], factors: Sequence[str]) -> list[dict[str, bool]]:
    """Return how the factors of a term are coded: by contrasts, or with a column for each level (True).

    Columns for each level of a factor span what its contrasts and their absence span. ``new`` are the
    subsets of the factors whose interactions no earlier term spans; two that differ by one factor are
    told together by that factor's levels.

    >>> full_rank_codings([frozenset(), frozenset({"a"})], ["a"])  # nothing spanned yet: y ~ 0 + a
    [{'a': True}]
    >>> full_rank_codings([frozenset({"a"})], ["a"])  # beside an intercept
    [{'a': False}]
    """
    codings = [dict.fromkeys((factor for factor in factors if factor in some), False) for some in new]
    joined = True
    while joined:
        joined = False
        for less, more, factor in ((a, b, f) for a in codings for b in codings for f in factors):
            if more == {**less, factor: False} and factor not in less:
                codings = [coding for coding in codings if coding is not less]
                more[factor] = joined = True
                break
    return codings


class ColumnBuilder:
    """Makes the columns of terms; what is fitted to the first rows holds for others."""

    def __init__(self, data: pd.DataFrame, contrast: str) -> None:
        self.data = data
        self.factors: dict[str, _Factor] = {}
        self.contrasts: dict[str, str] = {}
        self._coding = CONTRASTS[contrast]
        self._contrast = contrast
        self._fitted: dict[str, Transform] = {}

    def on(self, data: pd.DataFrame) -> ColumnBuilder:
        """Return a builder for other rows with the levels and the constants of this one."""
        other = ColumnBuilder(data, self._contrast)
        other._fitted = self._fitted
        for name, factor in self.factors.items():
            if name in data.columns:
                codes = {level: code for code, level in enumerate(factor.levels)}
                other.factors[name] = _Factor(
                    factor.levels, np.array([codes[str(cell)] for cell in data[name]], dtype=np.int64)
                )
        return other

    def columns_of(self, terms: tuple[Term, ...]) -> dict[str, Floats]:
        """Return the columns of all terms but the intercept, by name."""
        columns: dict[str, Floats] = {}
        spanned: set[tuple[frozenset[str], frozenset[str]]] = set()
        for term in terms:
            factors = [atom for atom in term if self._factor(atom) is not None]
            numeric = frozenset(term) - set(factors)
            subsets = [frozenset(some) for k in range(len(factors) + 1) for some in combinations(factors, k)]
            new = [some for some in subsets if (numeric, some) not in spanned]
            spanned |= {(numeric, some) for some in subsets}
            for coding in full_rank_codings(new, factors) if term != INTERCEPT else ():
                columns |= self._term([atom for atom in term if atom in numeric or atom in coding], coding)
        return columns

    def _term(self, atoms: Sequence[str], full: Mapping[str, bool]) -> dict[str, Floats]:
        columns: dict[str, Floats] = {"": np.ones(len(self.data))}
        for atom in atoms:
            columns = {
                f"{left}:{right}".lstrip(":"): a * b
                for left, a in columns.items()
                for right, b in self._atom(atom, full.get(atom, False)).items()
            }
        return columns

    def _atom(self, atom: str, full: bool) -> dict[str, Floats]:
        factor = self._factor(atom)
        if factor is None:
            values = self._evaluated(ast.parse(atom, mode="eval").body, atom)
            if values.ndim == 1:
                return {atom: values}
            return {f"{atom}[{k + 1}]": values[:, k] for k in range(values.shape[1])}
        names, matrix = (indicators if full else self._coding)(factor.levels)
        self.contrasts[atom] = self._contrast
        return {f"{atom}[{name}]": matrix[factor.codes, k] for k, name in enumerate(names)}

    def _factor(self, atom: str) -> _Factor | None:
        """Return the levels of a column of text; None for numbers."""
        name = bare_name(atom)
        if name not in self.data.columns:
            return None
        column = self.data[name]
        if atom == name and pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            return None
        if name in self.factors:
            return self.factors[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.cat.remove_unused_categories()
            levels, codes = tuple(map(str, column.cat.categories)), column.cat.codes.to_numpy()
        else:
            levels_, codes = np.unique(
                column.astype(str).to_numpy(dtype=object).astype(str), return_inverse=True
            )
            levels = tuple(levels_.tolist())
        _check_levels(name, levels, codes)
        return self.factors.setdefault(name, _Factor(levels, codes.astype(np.int64)))

    def numbers(self, atom: str) -> Floats:
        """Return a numeric column, or a function of one."""
        values = self._evaluated(ast.parse(atom, mode="eval").body, atom)
        if values.ndim != 1:
            raise FormulaError(f"{atom}: one column is expected")
        return values

    def _evaluated(self, node: ast.expr, atom: str) -> Floats:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            maker = FUNCTIONS[node.func.id]
            more = [_number(each) for each in node.args[1:]]
            if not node.args or None in more or len(more) > (node.func.id in OF_DEGREE):
                behind = " and a number" if node.func.id in OF_DEGREE else ""
                raise FormulaError(f"{atom}: a function of one column{behind} is expected")
            inner = self._evaluated(node.args[0], atom)
            if inner.ndim != 1:
                raise FormulaError(f"{atom}: a function of one column is expected")
            key = ast.unparse(node)
            with np.errstate(all="ignore"):
                if key not in self._fitted:
                    self._fitted[key] = maker(inner, *more)
                values = np.asarray(self._fitted[key](inner), dtype=float)
            if not np.isfinite(values).all():
                row = int(np.flatnonzero(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))[0])
                raise ScandlError(f"{atom}: row {row + 1} has no finite value")
            return values
        assert isinstance(node, ast.Name), atom
        try:
            return self.data[node.id].to_numpy(dtype=float)
        except (TypeError, ValueError):
            found = self.data[node.id].iloc[0]
            raise ScandlError(
                f"{atom}: column {node.id!r} holds text such as {str(found)!r}, expected numbers"
            ) from None


OF_DEGREE = ("poly", "bs", "ns")
"""Functions that take a number behind the column."""


def _number(node: ast.expr) -> float | None:
    return (
        float(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None
    )


def bare_name(atom: str) -> str:
    """Return the column of a factor.

    >>> bare_name("C(block)"), bare_name("cond")
    ('block', 'cond')
    """
    return atom[2:-1] if atom.startswith("C(") else atom


def _check_levels(name: str, levels: tuple[str, ...], codes: Any) -> None:
    if len(levels) < 2:
        raise NotEstimableError(f"not estimable: {name} is {levels[0]!r} in all {len(codes):,} rows")
    counts = np.bincount(codes, minlength=len(levels))
    if counts.min() < 2:
        raise NotEstimableError(f"not estimable: {name} is {levels[int(counts.argmin())]!r} in one row only")


def _grouping(group: GroupTerm, data: pd.DataFrame) -> pd.Series[Any]:
    """Return the level each row has in a grouping factor."""
    labels = data[group.factors[0]].astype(str)
    for name in group.factors[1:]:
        labels = labels + ":" + data[name].astype(str)
    if labels.nunique() < 2:
        raise NotEstimableError(
            f"not estimable: {group} needs several levels, {group.factor} has {labels.iloc[0]!r} only"
        )
    return labels


def _check_size(frame: pd.DataFrame, n_columns: int, formula: Formula) -> None:
    if n_columns + 1 >= len(frame):
        raise NotEstimableError(f"not estimable: {n_columns + 1} columns and {len(frame)} rows")
    for group in formula.groups:
        if len(group.terms) > 1 and frame[group.factor].nunique() == len(frame):
            raise NotEstimableError(
                f"not estimable: {group.factor} has a level for each of {len(frame):,} rows"
            )


def used_columns(formula: Formula) -> list[str]:
    """Return the names of the columns a formula uses, each once."""
    atoms = [formula.response, *(atom for term in formula.terms for atom in term)]
    for group in formula.groups:
        atoms += [*(atom for term in group.terms for atom in term), *group.factors]
    return list(dict.fromkeys(name for atom in atoms for name in names_in(atom)))


def names_in(atom: str) -> list[str]:
    """Return the columns in an atom of a formula.

    >>> names_in("scale(log(x))"), names_in("cond")
    (['x'], ['cond'])
    """
    tree = list(ast.walk(ast.parse(atom, mode="eval")))
    called = [node.func for node in tree if isinstance(node, ast.Call)]
    return [node.id for node in tree if isinstance(node, ast.Name) and node not in called]
