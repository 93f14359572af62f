"""Bayesian generalised linear models of reading measures: specification, engines, diagnostics."""
