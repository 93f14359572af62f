"""Prior distributions: the sets by name, resolved to numbers for one model and one data set."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.errors import ConfigError, did_you_mean
from scandl.extras import Registry
from scandl.files.cell_values import parse_number
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import Design, GroupEffects
from scandl_analysis.glm.spec import TIMES, Glm

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Prior:
    """A distribution of one parameter, in PyMC's names.

    >>> print(Prior("StudentT", {"nu": 3, "mu": 0.0, "sigma": 2.5}))
    StudentT(nu=3, mu=0, sigma=2.5)
    """

    name: str
    values: dict[str, float]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={value:.6g}' for key, value in self.values.items())})"

    def slope(self, x: float) -> tuple[float, float, float]:
        """Return log density (up to a constant), its derivative, and a positive precision at ``x``."""
        return _SHAPES[self.name](x, self.values)

    def above_0(self) -> Prior:
        """Return the prior of a deviation: the half above 0 of one around 0.

        >>> print(Prior("Normal", {"mu": 0.0, "sigma": 2.0}).above_0())
        HalfNormal(sigma=2)
        """
        if self.values.get("mu"):
            raise ConfigError(f"{self}: expected 0 as the centre of a prior of a deviation")
        return Prior(f"Half{self.name}", {key: each for key, each in self.values.items() if key != "mu"})

    @property
    def is_proper(self) -> bool:
        """Whether anything can be drawn from it."""
        return self.name != "Flat"

    def draw(self, rng: np.random.Generator, n: int) -> Floats:
        """Return independent draws."""
        values = self.values
        standard: dict[str, Callable[[int], Any]] = {
            "Normal": rng.standard_normal,
            "StudentT": lambda size: rng.standard_t(values["nu"], size),
            "Cauchy": rng.standard_cauchy,
        }
        if self.name == "InverseGamma":
            return np.asarray(values["beta"] / rng.gamma(values["alpha"], size=n))
        kind = self.name.removeprefix("Half")
        spread = values["beta" if kind == "Cauchy" else "sigma"]
        drawn = values.get("mu", 0.0) + spread * standard[kind](n)
        return np.asarray(np.abs(drawn) if kind != self.name else drawn)


@dataclass(frozen=True)
class Priors:
    """The resolved priors of one fit; the intercept is the one of the centred design."""

    name: str
    intercept: Prior
    slopes: tuple[Prior, ...]
    deviations: tuple[Prior, ...]  # standard deviation of each group's effects
    shape: Prior | None = None  # shape of counts, deviation σ of a normal outcome

    @property
    def are_proper(self) -> bool:
        """Whether words can be drawn from the model before any were seen."""
        every = (self.intercept, *self.slopes, *self.deviations, *([self.shape] if self.shape else []))
        return all(prior.is_proper for prior in every)

    @property
    def bound_slopes(self) -> bool:
        """Whether the slopes have a posterior even where the predictors separate the outcomes."""
        return all(prior.is_proper for prior in self.slopes)

    def table(self, glm: Glm, design: Design) -> dict[str, str]:
        """Return what each parameter was given, for the report."""
        rows = {"Intercept (centred)": str(self.intercept)}
        rows |= {name: str(prior) for name, prior in zip(design.terms, self.slopes, strict=True)}
        for group, prior in zip(design.groups, self.deviations, strict=True):
            rows[f"sd({group.name.removeprefix('1|')})"] = str(prior)
        return rows | ({shape_name(glm): str(self.shape)} if self.shape else {})


def shape_name(glm: Glm) -> str:
    """Return how a user calls the parameter beside the mean."""
    return "sigma" if glm.family in TIMES else "shape"


NO_PRIORS: Mapping[str, Prior] = {}
_WRITTEN = {
    "normal": ("Normal", ("mu", "sigma")),
    "student_t": ("StudentT", ("nu", "mu", "sigma")),
}
"""Distributions as a user writes them, and the names of their numbers."""
PRIORS: Registry[Callable[[Glm, Design], Priors]] = Registry("prior set")


def resolve(name: str, glm: Glm, design: Design, own: Mapping[str, Prior] = NO_PRIORS) -> Priors:
    """Return the prior set called ``name`` with its numbers for this data, and a user's own in their places.

    ``own`` is by the name of a slope, ``Intercept`` (of centred predictors), ``sd(reader)`` or
    ``sd(length|reader)`` for deviations of groups, and ``sigma`` or ``shape``.
    """
    priors = PRIORS[name](glm, design)
    if not own:
        return priors
    deviations = [f"sd({group.name.removeprefix('1|')})" for group in design.groups]
    last = shape_name(glm)
    known = ["Intercept", *design.terms, *deviations, *([last] if priors.shape is not None else [])]
    for parameter in own:
        if parameter not in known:
            raise ConfigError(f"no parameter {parameter!r} to give a prior{did_you_mean(parameter, known)}")
    positive = {n: prior.above_0() for n, prior in own.items() if n in (*deviations, last)}
    return replace(
        priors,
        name=f"{name} and {len(own)} of your own",
        intercept=own.get("Intercept", priors.intercept),
        slopes=tuple(own.get(n, prior) for n, prior in zip(design.terms, priors.slopes, strict=True)),
        deviations=tuple(
            positive.get(n, prior) for n, prior in zip(deviations, priors.deviations, strict=True)
        ),
        shape=positive.get(last, priors.shape),
    )


def read_prior(text: str) -> tuple[str, Prior]:
    """Return the parameter and the distribution of a prior as brms writes it.

    >>> name, prior = read_prior("scale(word_length) ~ normal(0, 0.1)")
    >>> name, str(prior)
    ('scale(word_length)', 'Normal(mu=0, sigma=0.1)')
    """
    parameter, _, rest = (part.strip() for part in text.partition("~"))
    match = re.fullmatch(r"(\w+)\(([^()]*)\)", rest)
    name, names = _WRITTEN.get(match[1], ("", ())) if match else ("", ())
    try:
        numbers = [parse_number(part.strip()) for part in match[2].split(",")] if match else []
    except ValueError:
        numbers = []
    positive = all(number > 0 for key, number in zip(names, numbers, strict=False) if key != "mu")
    if not parameter or not name or len(numbers) != len(names) or not positive:
        forms = ", ".join(f"{written}({', '.join(keys)})" for written, (_, keys) in _WRITTEN.items())
        raise ConfigError(f"--prior {text!r}: expected 'PARAMETER ~ DISTRIBUTION', one of {forms}")
    return parameter, Prior(name, dict(zip(names, numbers, strict=True)))


@PRIORS.register("brms")
def brms(glm: Glm, design: Design) -> Priors:
    """Return brms's defaults: flat slopes, Student-t intercept, half-Student-t deviations."""
    if glm.family in TIMES:
        loc, scale = _location_scale(design.outcome)
    else:
        loc, scale = brms_location_scale(design.outcome, log_link=glm.family != "bernoulli")
    deviation = Prior("HalfStudentT", {"nu": 3, "sigma": scale})
    return Priors(
        "brms",
        Prior("StudentT", {"nu": 3, "mu": loc, "sigma": scale}),
        (Prior("Flat", {}),) * len(design.terms),
        (deviation,) * len(design.groups),
        deviation if glm.family in TIMES else _brms_shape(glm),
    )


@PRIORS.register("weak")
def weak(glm: Glm, design: Design) -> Priors:
    """Return proper, weakly informative priors for standardised predictors.

    Raw outcomes are met in units of their own deviation, around their mean; logarithms around theirs.
    """
    unit = float(design.outcome.std()) if glm.family == "gaussian" else 1.0
    centre = float(design.outcome.mean()) if glm.family in TIMES else 0.0
    deviation = Prior("HalfNormal", {"sigma": unit})
    return Priors(
        "weak",
        Prior("Normal", {"mu": centre, "sigma": 1.5 * unit}),
        (Prior("Normal", {"mu": 0.0, "sigma": unit}),) * len(design.terms),
        (deviation,) * len(design.groups),
        deviation if glm.family in TIMES else _brms_shape(glm),
    )


@PRIORS.register("bambi")
def bambi(glm: Glm, design: Design) -> Priors:
    """Return bambi's automatic priors (0.15 and later)."""
    times, bernoulli = glm.family in TIMES, glm.family == "bernoulli"
    unit = 2.5 * (float(design.outcome.std()) if times else 1.0)
    sd = np.sqrt(np.average(design.x**2, axis=0, weights=design.trials))  # columns are centred
    widths = np.where(design.is_indicator, 1.0, 1.0 / sd) if bernoulli else unit / sd
    spread = math.sqrt(unit**2 + float((widths**2 * design.x_mean**2).sum()))
    return Priors(
        "bambi",
        Prior(
            "Normal",
            {
                "mu": float(design.outcome.mean()) if times else 0.0,
                "sigma": 1.5 if bernoulli else spread,
            },
        ),
        tuple(Prior("Normal", {"mu": 0.0, "sigma": float(width)}) for width in widths),
        tuple(
            Prior("HalfNormal", {"sigma": spread if g.values is None else unit / _deviation(g, design)})
            for g in design.groups
        ),
        Prior("HalfStudentT", {"nu": 4, "sigma": unit / 2.5})
        if times
        else Prior("HalfCauchy", {"beta": 1.0})
        if glm.family == "negativebinomial"
        else _brms_shape(glm),
    )


def _brms_shape(glm: Glm) -> Prior | None:
    """Return the prior of a shape; brms has no default of Conway and Maxwell's."""
    if glm.family == "conwaymaxwell":
        return Prior("HalfStudentT", {"nu": 3, "sigma": 2.5})
    return Prior("InverseGamma", {"alpha": 0.4, "beta": 0.3}) if glm.family == "negativebinomial" else None


def _deviation(group: GroupEffects, design: Design) -> float:
    """Return the standard deviation of a slope's predictor over all rows."""
    assert group.values is not None
    mean = np.average(group.values, weights=design.trials)
    return float(np.sqrt(np.average((group.values - mean) ** 2, weights=design.trials)))


def brms_location_scale(
    outcome: pd.Series[Any] | np.ndarray[Any, Any], *, log_link: bool
) -> tuple[float, float]:
    """Return location and scale of brms's intercept prior; the scale serves the deviations too.

    For a log link zeros count as 0.1; location and scale are median and MAD of the logarithms,
    rounded to one digit, the scale at least 2.5. Other links have 0 and 2.5.

    >>> brms_location_scale(np.array([0, 0, 0, 1, 2]), log_link=True)
    (-2.3, 2.5)
    >>> brms_location_scale(np.array([1, 0, 1]), log_link=False)
    (0.0, 2.5)
    """
    if not log_link:
        return 0.0, 2.5
    y = np.asarray(outcome, dtype=float)
    return _location_scale(np.log(np.where(y == 0, 0.1, y)))


def _location_scale(linked: Floats) -> tuple[float, float]:
    """Return median and MAD of what has gone through the link, as brms rounds them.

    >>> _location_scale(np.array([200.0, 230.0, 262.0]))
    (230.0, 44.5)
    """
    median = float(np.median(linked))
    mad = 1.4826 * float(np.median(np.abs(linked - median)))
    return round(median, 1) + 0.0, max(2.5, round(mad, 1))


def _flat(x: float, values: dict[str, float]) -> tuple[float, float, float]:
    return 0.0, 0.0, 0.0


def _normal(x: float, values: dict[str, float]) -> tuple[float, float, float]:
    precision = values["sigma"] ** -2
    d = x - values.get("mu", 0.0)
    return -0.5 * precision * d * d, -precision * d, precision


def _student(x: float, values: dict[str, float]) -> tuple[float, float, float]:
    nu, d = values["nu"], x - values.get("mu", 0.0)
    spread = nu * values["sigma"] ** 2 + d * d
    # As a precision the slope per unit is taken: the true curvature turns negative in the tails.
    value = -0.5 * (nu + 1) * math.log(spread / (nu * values["sigma"] ** 2))
    return value, -(nu + 1) * d / spread, (nu + 1) / spread


def _cauchy(x: float, values: dict[str, float]) -> tuple[float, float, float]:
    return _student(x, {"nu": 1.0, "sigma": values["beta"]})


def _inverse_gamma(x: float, values: dict[str, float]) -> tuple[float, float, float]:
    a, b = values["alpha"], values["beta"]
    return -(a + 1) * math.log(x) - b / x, (b / x - (a + 1)) / x, (a + 1) / (x * x)


_SHAPES: dict[str, Callable[[float, dict[str, float]], tuple[float, float, float]]] = {
    "Flat": _flat,
    "Normal": _normal,
    "HalfNormal": _normal,
    "StudentT": _student,
    "HalfStudentT": _student,
    "HalfCauchy": _cauchy,
    "InverseGamma": _inverse_gamma,
}
