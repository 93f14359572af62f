"""A regression by formula: ``fit("sr ~ scale(length) * condition + (1 | reader)", words)``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.extras import need
from scandl.files.results import atomic_file
from scandl.files.tables import write_frame, write_table
from scandl.statistics.bootstrap import Floats
from scandl_analysis.formulas.formula import Formula, read_formula, with_known_names
from scandl_analysis.formulas.marginal_means import Means, curves, marginal_means
from scandl_analysis.formulas.model_frame import ModelFrame, model_frame
from scandl_analysis.formulas.predictive import with_log_likelihood
from scandl_analysis.glm import fit as engines
from scandl_analysis.glm.diagnostics import Summary, diagnose, summarise, summarise_draws
from scandl_analysis.glm.priors import read_prior
from scandl_analysis.glm.spec import Fit, Sampling

if TYPE_CHECKING:
    import pandas as pd

    from scandl_analysis.glm.spec import Family

AUTO = "auto"
"""The fast engine, or nutpie where group effects are correlated."""
SCALES = {
    "bernoulli": "logit",
    "poisson": "log",
    "negativebinomial": "log",
    "conwaymaxwell": "log of the rate",
    "gaussian": "units of the outcome",
    "lognormal": "log",
}


@dataclass(frozen=True)
class Regression:
    """A fitted formula: its effects, draws and how well they are known."""

    formula: Formula
    fit: Fit
    words: ModelFrame
    about_words: tuple[str, ...] = ()  # what the table says of itself: predictors, words that are left out

    @property
    def effects(self) -> tuple[str, ...]:
        """The names of the effects common to all rows."""
        return self.fit.glm.predictors

    @property
    def notes(self) -> tuple[str, ...]:
        """What the table says of itself, how it was fitted and what was not sampled well, one line each."""
        glm, fit, dropped = self.fit.glm, self.fit, self.words.n_dropped
        lines = [f"{glm.family}, {fit.n_rows:,} rows, engine {fit.engine}, priors {fit.priors}"]
        lines += [f"{dropped:,} rows lack a value and are left out"] * bool(dropped)
        lines += [f"{fit.versions} versions of imputed readings, pooled"] * (fit.versions > 1)
        lines += [f"{name}: {coding} contrasts" for name, coding in self.words.contrasts.items()]
        lines += [fit.note] * bool(fit.note)
        return (*self.about_words, *lines, *(f"warning: {line}" for line in diagnose(fit).warnings))

    def summary(self) -> pd.DataFrame:
        """Return one row per parameter: mean, sd, 95 % equal-tailed interval, R-hat and ESS.

        Of imputed readings also the fraction of missing information, by Rubin's rules.
        Of log-normal times also what one unit of a predictor adds, in ms where times are, at the mean of
        all predictors; not of interactions, which have no time of their own.
        """
        pandas = need("pandas", "analysis")
        rows = {name: _cells(found) for name, found in self._summaries.items()}
        table = pandas.DataFrame.from_dict(rows, orient="index")
        if self.fit.versions > 1:
            lost = {name: found.missing_information for name, found in self._summaries.items()}
            table["missing_information"] = pandas.Series(lost)
        if self.fit.glm.family == "lognormal":
            ms = {
                name: summarise_draws(self._added_time(name), self.fit)
                for name in self.effects
                if ":" not in name
            }
            table["ms"] = pandas.Series({name: found.mean for name, found in ms.items()})
            table["ms_low"] = pandas.Series({name: found.ci_low for name, found in ms.items()})
            table["ms_high"] = pandas.Series({name: found.ci_high for name, found in ms.items()})
        table.index.name = "parameter"
        return table

    def means(self, *factors: str) -> Means | None:
        """Return the mean outcome of each cell of some factors, or of all, in ms, percent or counts."""
        return marginal_means(self, factors)

    def curves(self) -> dict[str, pd.DataFrame]:
        """Return the mean outcome over each column of numbers, in ms, percent or counts."""
        return curves(self)

    def loo(self) -> Any:
        """Return the expected log predictive density by Pareto-smoothed leave-one-out, as ArviZ has it."""
        return need("arviz", "analysis").loo(with_log_likelihood(self))

    def waic(self) -> Any:
        """Return the widely applicable information criterion, as ArviZ has it."""
        return need("arviz", "analysis").waic(with_log_likelihood(self))

    def contrast(self, weights: dict[str, float]) -> Summary:
        """Return the summary of a weighted sum of effects, such as the difference of two."""
        return summarise_draws(
            np.sum([w * self.fit.draws[name] for name, w in weights.items()], axis=0), self.fit
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the draws: one row per draw, one column per parameter but the levels of groups."""
        pandas = need("pandas", "analysis")
        scalars = {name: each.reshape(-1) for name, each in self.fit.draws.items() if each.ndim == 2}
        chains, draws = next(iter(self.fit.draws.values())).shape[:2]
        place = {"chain": np.repeat(np.arange(chains), draws), "draw": np.tile(np.arange(draws), chains)}
        return pandas.DataFrame(place | scalars)

    def to_inference_data(self) -> Any:
        """Return the draws as ArviZ has them, the levels of groups as coordinates."""
        arviz, levels = need("arviz", "analysis"), self.fit.levels
        groups = {
            "posterior": {name: np.asarray(draws) for name, draws in self.fit.draws.items()},
            "sample_stats": {name: np.asarray(each) for name, each in self.fit.stats.items()},
        }
        named = {
            "coords": {f"{name}_level": list(each) for name, each in levels.items()},
            "dims": {name: [f"{name}_level"] for name in levels},
        }
        if hasattr(arviz, "convert_to_datatree"):  # from 1.0 on groups are one dictionary
            return arviz.from_dict(groups, **named)
        return arviz.from_dict(**groups, **named)

    def plot_forest(self, axes: Any = None) -> Any:
        """Draw the effects with their 50 and 95 % intervals; returns matplotlib's axes."""
        if axes is None:
            axes = need("matplotlib.pyplot", "analysis").subplots(figsize=(6, 0.4 * len(self.effects) + 1))[1]
        for row, name in enumerate(reversed(self.effects)):
            low, quarter, middle, three, high = np.quantile(
                self.fit.flat(name), [0.025, 0.25, 0.5, 0.75, 0.975]
            )
            axes.plot([low, high], [row, row], color="black", linewidth=1)
            axes.plot([quarter, three], [row, row], color="black", linewidth=3)
            axes.plot([middle], [row], marker="o", color="black")
        axes.axvline(0, color="grey", linestyle=":", linewidth=1)
        axes.set_yticks(range(len(self.effects)), reversed(self.effects))
        axes.set_xlabel(f"effect on {self.fit.glm.measure} ({SCALES[self.fit.glm.family]})")
        return axes

    def __repr__(self) -> str:
        first = ", ".join(f"{name} {s.mean:.2f} [{s.ci_low:.2f}, {s.ci_high:.2f}]" for name, s in self._shown)
        return f"<Regression {self.formula}; {self.fit.n_rows:,} rows; {first}>"

    def __str__(self) -> str:
        return self.text()

    def text(self, *, quiet: bool = False) -> str:
        """Return formula, notes and summary; ``quiet`` leaves out what the table says of itself."""
        notes = self.notes[len(self.about_words) :] if quiet else self.notes
        table = self.summary().to_string(float_format="{:.3f}".format, na_rep="")
        return "\n".join([str(self.formula), *notes, table])

    def write(self, folder: Path | str, *, contrasts: Sequence[str] = (), rope: float | None = None) -> Path:
        """Write summary, means, contrasts, curves, priors, draws and the forest plot; return the folder."""
        target = Path(folder)
        means = self.means()
        if means is not None:
            write_frame(target / "means.csv", means.table())
            write_frame(target / "contrasts.csv", means.contrasts(contrasts, rope=rope))
        for name, curve in self.curves().items():
            write_frame(target / f"curve-{name}.csv", curve)
        write_table(
            target / "priors.csv",
            {"parameter": list(self.fit.prior_table), "prior": list(self.fit.prior_table.values())},
        )
        write_frame(target / "summary.csv", self.summary().reset_index())
        with atomic_file(target / "draws.nc") as temporary:
            self.to_inference_data().to_netcdf(str(temporary), engine="h5netcdf")
        figure = self.plot_forest().figure
        with atomic_file(target / "forest.png") as temporary:
            figure.savefig(temporary, format="png", bbox_inches="tight", dpi=150)
        return target

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in (str(self.formula), *self.notes))
        return lines + str(self.summary().to_html(float_format="{:.3g}".format))

    @property
    def _shown(self) -> list[tuple[str, Summary]]:
        return [(name, self._summaries[name]) for name in self.effects]

    @cached_property
    def _summaries(self) -> dict[str, Summary]:
        return summarise(self.fit)

    def _added_time(self, name: str) -> Floats:
        """Return what one unit of a predictor adds to the median time at the mean of all predictors."""
        draws, frame = self.fit.draws, self.words.frame
        centre = draws["Intercept"] + sum(draws[each] * float(frame[each].mean()) for each in self.effects)
        return np.asarray(np.exp(centre) * np.expm1(draws[name]))


def fit(
    formula: str,
    data: pd.DataFrame,
    *,
    family: Family | None = None,
    contrast: str = "treatment",
    engine: str = AUTO,
    priors: str = "brms",
    prior: Sequence[str] = (),
    draws: int = 1000,
    chains: int = 4,
    seed: int = 1,
) -> Regression:
    """Fit a formula to a table and return its effects.

    The rows are those of the table: ``word_table`` leaves out the first and last words of sentences, as the
    command does, and a printed result says so.

    Parameters
    ----------
    formula
        ``(1 + x || group)`` has uncorrelated effects, sampled by the fast engine in seconds.
        ``(1 + x | group)`` has correlated ones, sampled by nutpie on a PyMC model in minutes.
        Functions: scale, center, log, sqrt, exp, poly(x, degree), natural splines ns(x, df), B-splines
        bs(x, df); C(x) makes a factor of numbers.
    data
        A table with the columns of the formula. Columns of text are factors.
    family
        The family of the outcome. None: 0 and 1 are bernoulli, small whole numbers poisson, other numbers
        above 0 lognormal, the rest gaussian.
    contrast
        How factors are coded: ``treatment``, ``sum`` or ``sdif``.
    engine
        Who samples; ``auto`` follows the formula.
    priors
        The set of priors, such as ``brms``.
    prior
        Priors of your own for single parameters, as in ``"scale(word_length) ~ normal(0, 0.1)"`` and
        ``"sd(reader) ~ normal(0, 0.5)"``.
    draws, chains
        Draws per chain, and chains.
    seed
        The seed of the sampler.

    Returns
    -------
    Regression
        Effects with intervals, draws and diagnostics.
    """
    parsed = with_known_names(read_formula(formula), map(str, data.columns))
    words = model_frame(parsed, data, family=family, contrast=contrast)
    chosen = ("nutpie" if words.glm.correlated else "hmc") if engine == AUTO else engine
    engines.check_engine(chosen)
    sampling = Sampling(draws=draws, chains=chains, seed=seed)
    own = {name.replace(" ", ""): each for name, each in map(read_prior, prior)}
    own = {
        next((p for p in words.glm.predictors if p.replace(" ", "") == n), n): each for n, each in own.items()
    }
    fitted = engines.fit(
        words.frame, words.glm, engine=chosen, priors=priors, sampling=sampling, own_priors=own
    )
    notes = data.attrs.get("notes")
    return Regression(parsed, fitted, words, tuple(notes) if isinstance(notes, list) else ())


def _cells(found: Summary) -> dict[str, float]:
    return {
        "mean": found.mean,
        "sd": found.sd,
        "ci_low": found.ci_low,
        "ci_high": found.ci_high,
        "rhat": found.rhat,
        "ess_bulk": found.ess_bulk,
        "ess_tail": found.ess_tail,
    }
