"""The log posterior density of a model, its gradient and its curvature."""

from __future__ import annotations

import numpy as np

from scandl_analysis.glm.arrow import Arrow
from scandl_analysis.glm.columns import Columns
from scandl_analysis.glm.design import Design
from scandl_analysis.glm.kernels import Floats, group_prior
from scandl_analysis.glm.likelihood import Gaussian, likelihood
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
