"""How well a fit predicts: the log-likelihood of each row, fits compared by ArviZ, outcomes drawn anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammaln

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl_analysis.formulas.formula import read_formula, with_known_names
from scandl_analysis.formulas.model_frame import used_columns
from scandl_analysis.glm.kernels import conway_maxwell
from scandl_analysis.glm.marginal import drawn
from scandl_analysis.glm.spec import SHAPE_NAMES

if TYPE_CHECKING:
    import pandas as pd

    from scandl_analysis.formulas.regression import Regression

MOST_NUMBERS = 40_000_000
"""Draws times rows that are held at once; of more rows fewer draws are taken."""
FEWEST_DRAWS = 100  # per chain


def linear_predictor(found: Regression) -> tuple[Floats, Floats]:
    """Return the linear predictor (chain, draw, row) of the rows analysed, and which draws were taken."""
    fit, frame = found.fit, found.words.frame
    chains, n_draws = fit.draws["Intercept"].shape
    wanted = max(FEWEST_DRAWS, MOST_NUMBERS // (chains * len(frame)))
    some = np.unique(np.linspace(0, n_draws - 1, min(n_draws, wanted)).astype(int))
    eta = np.repeat(fit.draws["Intercept"][:, some, None], len(frame), axis=2)
    for name in found.effects:
        eta += fit.draws[name][:, some, None] * frame[name].to_numpy(float)
    for name, levels in fit.levels.items():
        predictor, _, factor = name.partition("|")
        place = {level: k for k, level in enumerate(levels)}
        own = fit.draws[name][:, some][:, :, [place[str(level)] for level in frame[factor]]]
        eta += own if predictor == "1" else own * frame[predictor].to_numpy(float)
    return eta, some


def log_likelihood(found: Regression) -> Floats:
    """Return the log density of each row's outcome, (chain, draw, row); of times that of the milliseconds."""
    eta, some = linear_predictor(found)
    y = found.words.frame[found.fit.glm.measure].to_numpy(float)
    family, draws = found.fit.glm.family, found.fit.draws
    if family == "bernoulli":
        return np.asarray(y * eta - np.logaddexp(0.0, eta))
    if family == "poisson":
        return np.asarray(y * eta - np.exp(eta) - gammaln(y + 1))
    if family == "negativebinomial":
        shape = draws["alpha"][:, some, None]
        total = np.logaddexp(eta, np.log(shape))
        ways = gammaln(y + shape) - gammaln(shape) - gammaln(y + 1)
        return np.asarray(ways + y * (eta - total) + shape * (np.log(shape) - total))
    if family == "conwaymaxwell":
        shapes = draws["nu"][:, some]
        rows = zip(eta.reshape(-1, len(y)), shapes.flat, strict=True)
        log_z = np.reshape([conway_maxwell(row, nu)[0] for row, nu in rows], eta.shape)
        return np.asarray(y * eta - shapes[..., None] * gammaln(y + 1) - log_z)
    sigma = draws["sigma"][:, some, None]
    outcome, jacobian = (np.log(y), np.log(y)) if family == "lognormal" else (y, 0.0)
    constant = np.log(sigma) + 0.5 * np.log(2 * np.pi) + jacobian
    return np.asarray(-0.5 * ((outcome - eta) / sigma) ** 2 - constant)


def with_log_likelihood(found: Regression) -> Any:
    """Return the draws as ArviZ has them, with the log-likelihood of each row."""
    arviz = need("arviz", "analysis")
    if found.fit.versions > 1:
        raise ScandlError(
            "LOO and WAIC: not defined for several versions of imputed readings, fit one of them"
        )
    eta = log_likelihood(found)
    thinned = {"Intercept": found.fit.draws["Intercept"][:, : eta.shape[1]]}
    groups = {"posterior": thinned, "log_likelihood": {"y": eta}}
    if hasattr(arviz, "convert_to_datatree"):
        return arviz.from_dict(groups)
    return arviz.from_dict(**groups)


def compare(fits: Mapping[str, Regression]) -> pd.DataFrame:
    """Return ArviZ's comparison of several fits of the same rows by LOO, the best first.

    ``elpd_diff`` is the difference from the best, ``dse`` its standard error. Other rows are an error.
    """
    arviz = need("arviz", "analysis")
    outcomes = {name: found.words.frame[found.fit.glm.measure].to_numpy() for name, found in fits.items()}
    first = next(iter(outcomes.values()))
    for name, outcome in outcomes.items():
        if not np.array_equal(first, outcome):
            raise ScandlError(f"compare: {name} has other rows or another outcome than {next(iter(fits))}")
    return arviz.compare({name: with_log_likelihood(found) for name, found in fits.items()})


def common_rows(formulas: Sequence[str], words: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that have a value in every column that any of the formulas uses."""
    columns = list(map(str, words.columns))
    parsed = [with_known_names(read_formula(text), columns) for text in formulas]
    used = dict.fromkeys(name for formula in parsed for name in used_columns(formula) if name in columns)
    kept = words.dropna(subset=list(used)).reset_index(drop=True)
    kept.attrs = words.attrs
    return kept


def new_outcomes(found: Regression, n: int = 50, seed: int = 1) -> Floats:
    """Return outcomes of the same readers and words, drawn anew: (n, row)."""
    eta, some = linear_predictor(found)
    flat = eta.reshape(-1, eta.shape[2])
    chosen = np.unique(np.linspace(0, len(flat) - 1, n).astype(int))
    shape = found.fit.draws.get(SHAPE_NAMES.get(found.fit.glm.family, ""))
    spread = None if shape is None else shape[:, some].reshape(-1)[chosen]
    return drawn(found.fit.glm.family, flat[chosen], spread, stream(seed, "predictive"))
