"""Engines: ways to the posterior of a model, by name."""

from scandl_analysis.glm.engines import hmc, imh, mle, nuts, reference

__all__ = ["gaussian", "hmc", "imh", "mle", "nuts", "reference"]
