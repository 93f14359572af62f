"""The log posterior density of a model, its gradient and its curvature; the likelihood on reduced data.

For the canonical links the outcomes enter only through their sums per column, which are taken once;
of a normal outcome the products of the columns with each other are all that is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gammaln

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.arrow import Arrow
from scandl_analysis.glm.columns import Columns, Runs
from scandl_analysis.glm.design import Design, Indices
from scandl_analysis.glm.kernels import conway_maxwell, group_prior, poisson_pass
from scandl_analysis.glm.priors import Prior, Priors
from scandl_analysis.glm.spec import Glm


class Posterior:
    """The density over hyper-parameters and effects, up to a constant.

    Hyper-parameters are the logarithms of the groups' deviations and of the family's shape or σ. The
    density is the one of the logarithms, so it contains their Jacobian.
    """

    def __init__(self, glm: Glm, design: Design, priors: Priors) -> None:
        self.design, self.priors = design, priors
        self.columns = Columns.of(design)
        self.likelihood = likelihood(glm, design, self.columns)
        self.is_normal = isinstance(self.likelihood, Gaussian)
        """Whether outcomes have a normal error: then nothing can be separated, whatever their scale."""
        self.n_groups = len(design.groups)
        self.n_hyper = self.n_groups + (priors.shape is not None)
        self.n_effects = self.columns.n_effects
        self.n_common = 1 + len(design.terms)
        sizes = [len(group.levels) for group in design.groups]
        self.group_of = np.repeat(np.arange(self.n_groups), sizes)  # of each effect behind the common ones
        common = [priors.intercept, *priors.slopes]
        self._informative = [(i, prior) for i, prior in enumerate(common) if prior.name != "Flat"]

    def value_and_gradient(self, hyper: Floats, effects: Floats) -> tuple[float, Floats, Floats]:
        """Return the log density and its gradients by hyper-parameters and by effects."""
        value, by_effects, by_shape = self.likelihood.value_and_gradient(effects, self._log_shape(hyper))
        by_hyper = np.zeros(self.n_hyper)
        for i, prior in self._informative:
            log_p, slope, _ = prior.slope(float(effects[i]))
            value += log_p
            by_effects[i] += slope
        for k, prior in enumerate(self._hyper_priors()):
            natural = float(np.exp(hyper[k]))
            log_p, slope, _ = prior.slope(natural)
            value += log_p + hyper[k]
            by_hyper[k] = slope * natural + 1
        if self.n_groups:
            value += group_prior(hyper, effects, self.group_of, by_hyper, by_effects)
        by_hyper[self.n_groups :] += by_shape
        return float(value), by_hyper, by_effects

    def information(self, hyper: Floats, effects: Floats) -> Arrow:
        """Return the likelihood's part of the curvature."""
        return self.likelihood.information(effects, self._log_shape(hyper))

    def curvature(self, hyper: Floats, effects: Floats, information: Arrow | None = None) -> Arrow:
        """Return minus the second derivatives by the effects; the likelihood's part may be known already."""
        common = np.zeros(self.n_common)
        for i, prior in self._informative:
            common[i] = prior.slope(float(effects[i]))[2]
        diagonal = np.concatenate([common, np.exp(-2 * hyper[: self.n_groups])[self.group_of]])
        return (information or self.information(hyper, effects)).plus(diagonal)

    def _log_shape(self, hyper: Floats) -> float:
        return float(hyper[-1]) if self.priors.shape is not None else 0.0

    def _hyper_priors(self) -> list[Prior]:
        return [*self.priors.deviations, *([self.priors.shape] if self.priors.shape else [])]


class LogLikelihood(Protocol):
    """What the posterior needs of a likelihood.

    ``log_shape`` is the logarithm of the shape of counts or of a normal outcome's deviation.
    """

    def value_and_gradient(self, effects: Floats, log_shape: float) -> tuple[float, Floats, float]:
        """Return the value and its derivatives by the effects and by the log shape."""
        ...

    def information(self, effects: Floats, log_shape: float) -> Arrow:
        """Return minus the second derivatives by the effects."""
        ...


class _ByRuns:
    """Outcomes whose sums are taken run by run of the rows: Σ y η − Σ n f(η), with f of the family."""

    _bernoulli: bool

    def __init__(self, design: Design, columns: Columns) -> None:
        self._columns, self._trials = columns, design.trials
        self._sums = columns.collect(design.total)
        self._runs = Runs.of(design)

    def value_and_gradient(self, effects: Floats, log_shape: float = 0.0) -> tuple[float, Floats, float]:
        """Return Σ y η − Σ n f(η) and its gradient."""
        gradient = self._sums.copy()
        total = self._runs.subtract(effects, gradient, bernoulli=self._bernoulli)
        return float(self._sums @ effects) - total, gradient, 0.0


class Bernoulli(_ByRuns):
    """Successes out of trials with a logit link: f is log(1 + e^η)."""

    _bernoulli = True

    def information(self, effects: Floats, log_shape: float = 0.0) -> Arrow:
        """Weigh each row with n p (1 − p)."""
        eta = self._columns.predict(effects)
        half = 0.5 / np.cosh(0.5 * np.clip(eta, -700, 700))
        return self._columns.information(self._trials * half**2)


class Poisson:
    """Counts with a log link, factorised over the word tokens.

    Readers of one sentence meet the same tokens, so Σ exp(xβ + u) over rows is, for each set of
    tokens with the same readers, the product of a sum over tokens and a sum over readers.
    """

    def __init__(self, design: Design, columns: Columns) -> None:
        self._all = columns
        self._trials = design.trials
        self._sums = columns.collect(design.total)
        self._factor: slice | None = None
        if not columns.blocks:
            self._exposure, self._block = np.unique(design.trials, return_inverse=True)
            self._x, self._groups, self._places = _stacked(columns, slice(None))
            return
        reader, *rest = columns.blocks
        token, representative = _tokens(design.x, [block.level for block in rest])
        self._block, self._readers = _reader_sets(token, reader.level, design.trials, reader.n)
        self._by_reader = self._readers.T
        self._factor = slice(reader.place, reader.place + reader.n)
        self._x, self._groups, self._places = _stacked(
            Columns(design.x, tuple(rest), columns.n_effects), representative
        )

    def value_and_gradient(self, effects: Floats, log_shape: float = 0.0) -> tuple[float, Floats, float]:
        """Return Σ y η − Σ n e^η and its gradient."""
        gradient = self._sums.copy()
        if self._factor is None:
            exposure = self._exposure
        else:
            rates = np.exp(np.minimum(effects[self._factor], 700))
            exposure = self._readers @ rates
        by_block = np.empty(len(exposure))
        total = poisson_pass(
            effects, self._x, self._groups, self._places, self._block, exposure, by_block, gradient
        )
        if self._factor is not None:
            gradient[self._factor] -= rates * (self._by_reader @ by_block)
        return float(self._sums @ effects) - total, gradient, 0.0

    def information(self, effects: Floats, log_shape: float = 0.0) -> Arrow:
        """Weigh each row with n e^η."""
        return self._all.information(self._trials * np.exp(np.minimum(self._all.predict(effects), 700)))


class PoissonSlopes(_ByRuns):
    """Counts with a log link whose effects differ between readers, so that no sum is shared: f is e^η."""

    _bernoulli = False

    def information(self, effects: Floats, log_shape: float = 0.0) -> Arrow:
        """Weigh each row with n e^η."""
        rates = np.exp(np.minimum(self._columns.predict(effects), 700))
        return self._columns.information(self._trials * rates)


class NegativeBinomial:
    """Over-dispersed counts with a log link: variance μ + μ²/φ, φ the shape."""

    def __init__(self, design: Design, columns: Columns) -> None:
        self._columns = columns
        self._trials = design.trials
        self._y = design.total / design.trials
        # log Γ(y + φ) − log Γ(φ) = Σ log(φ + j) over j < y; this many rows have a term j:
        below = np.arange(self._y.max())
        self._j, self._n_above = below, np.array([design.trials[self._y > j].sum() for j in below])

    def value_and_gradient(self, effects: Floats, log_shape: float) -> tuple[float, Floats, float]:
        """Return the log-likelihood and its derivatives by effects and log φ."""
        eta, shape = self._columns.predict(effects), float(np.exp(log_shape))
        share, log_sum = self._mixture(eta, log_shape)
        n, y = self._trials, self._y
        log_ratio = np.logaddexp(0.0, eta - log_shape)  # log(1 + μ/φ)
        value = self._n_above @ np.log(shape + self._j) + n @ (y * (eta - log_sum) - shape * log_ratio)
        slope = n * (y - (y + shape) * share)
        by_shape = self._n_above @ (1 / (shape + self._j))
        by_shape += n @ (share - y * (1 - share) / shape - log_ratio)
        return float(value), self._columns.collect(slope), float(shape * by_shape)

    def information(self, effects: Floats, log_shape: float) -> Arrow:
        """Weigh each row with n (y + φ) s (1 − s), s = μ / (μ + φ)."""
        share, _ = self._mixture(self._columns.predict(effects), log_shape)
        weights = self._trials * (self._y + np.exp(log_shape)) * share * (1 - share)
        return self._columns.information(weights)

    @staticmethod
    def _mixture(eta: Floats, log_shape: float) -> tuple[Floats, Floats]:
        """Return μ / (μ + φ) and log(μ + φ)."""
        log_sum = np.logaddexp(eta, log_shape)
        return np.exp(eta - log_sum), log_sum


class ConwayMaxwell:
    """Counts with P(y) ∝ λ^y / (y!)^ν and a log link for λ: less spread than Poisson's where ν > 1.

    λ is the mean only where ν is 1 (Shmueli et al., 2005, Journal of the Royal Statistical Society C 54).
    """

    def __init__(self, design: Design, columns: Columns) -> None:
        self._columns, self._trials = columns, design.trials
        self._sums = columns.collect(design.total)
        self._log_factorials = float(design.trials @ gammaln(design.total / design.trials + 1))

    def value_and_gradient(self, effects: Floats, log_shape: float) -> tuple[float, Floats, float]:
        """Return Σ y η − ν Σ log y! − Σ n log Z and its derivatives by effects and log ν."""
        nu, n = float(np.exp(log_shape)), self._trials
        log_z, mean, _, _, log_factorial = conway_maxwell(self._columns.predict(effects), nu)
        value = float(self._sums @ effects) - nu * self._log_factorials - n @ log_z
        by_nu = n @ log_factorial - self._log_factorials
        return float(value), self._sums - self._columns.collect(n * mean), float(nu * by_nu)

    def information(self, effects: Floats, log_shape: float) -> Arrow:
        """Weigh each row with n times its variance."""
        moments = conway_maxwell(self._columns.predict(effects), float(np.exp(log_shape)))
        return self._columns.information(self._trials * moments[2])


class Gaussian:
    """Normal outcomes around the linear predictor, or log-normal ones, which are normal in the logarithm.

    The columns' products with each other and with the outcome are sufficient, so no row is met again.
    """

    def __init__(self, design: Design, columns: Columns) -> None:
        # Outcomes are taken from their mean: the sums of squares below nearly cancel otherwise.
        self._mean = float(design.outcome.mean())
        self._products = columns.information(design.trials)
        self._sums = columns.collect(design.total - design.trials * self._mean)
        self._squares = float(((design.outcome - self._mean) ** 2).sum())
        self._n = design.n_rows

    def value_and_gradient(self, effects: Floats, log_shape: float) -> tuple[float, Floats, float]:
        """Return −n log σ − Σ (y − η)² / 2σ² and its derivatives by effects and log σ."""
        moved = effects.copy()
        moved[0] -= self._mean
        product = self._products.product(moved)
        squares = self._squares + float(moved @ (product - 2 * self._sums))
        precision = float(np.exp(-2 * log_shape))
        value = -self._n * log_shape - 0.5 * precision * squares
        return value, precision * (self._sums - product), precision * squares - self._n

    def information(self, effects: Floats, log_shape: float) -> Arrow:
        """Return the products of the columns over σ²."""
        return self._products.times(float(np.exp(-2 * log_shape)))


def likelihood(glm: Glm, design: Design, columns: Columns | None = None) -> LogLikelihood:
    """Return the likelihood of a model on its design."""
    slopes = any(group.values is not None for group in design.groups)
    kinds: dict[str, Callable[[Design, Columns], LogLikelihood]] = {
        "bernoulli": Bernoulli,
        "poisson": PoissonSlopes if slopes else Poisson,
        "negativebinomial": NegativeBinomial,
        "conwaymaxwell": ConwayMaxwell,
        "gaussian": Gaussian,
        "lognormal": Gaussian,
    }
    return kinds[glm.family](design, columns or Columns.of(design))


def _stacked(columns: Columns, rows: Indices | slice) -> tuple[Floats, Indices, Indices]:
    """Return predictors (p, n), levels (q, n) and places (q,) of some rows, as the kernels read them."""
    x = np.ascontiguousarray(columns.x[rows].T)
    levels = [block.level[rows] for block in columns.blocks]
    groups = np.array(levels, dtype=np.int64).reshape(len(levels), x.shape[1])
    return x, groups, np.array([block.place for block in columns.blocks], dtype=np.int64)


def _tokens(x: Floats, groups: list[Indices]) -> tuple[Indices, Indices]:
    """Return the token of each row (rows that differ by reader only) and one row of each token."""
    key = np.column_stack([x, *groups]) if groups else x
    _, representative, token = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return token.reshape(-1), representative


def _reader_sets(
    token: Indices, reader: Indices, trials: Floats, n_readers: int
) -> tuple[Indices, csr_array | Floats]:
    """Return the block of each token, and how often each reader met the tokens of each block.

    Tokens met by the same readers equally often form a block.
    """
    met = csr_array((trials, (token, reader)), shape=(int(token.max()) + 1, n_readers))
    met.sum_duplicates()
    met.sort_indices()
    known: dict[bytes, int] = {}
    block = np.empty(met.shape[0], dtype=np.int64)
    for t, (start, end) in enumerate(zip(met.indptr[:-1], met.indptr[1:], strict=True)):
        key = met.indices[start:end].tobytes() + met.data[start:end].tobytes()
        block[t] = known.setdefault(key, len(known))
    _, representative = np.unique(block, return_index=True)
    readers = csr_array(met[representative])
    small = readers.shape[0] * n_readers < 100_000  # a dense product beats a sparse one's overhead
    return block, readers.toarray() if small else readers
