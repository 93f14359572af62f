"""Surprisal of words in their context, from the best source that is here, and which one it was."""

from __future__ import annotations

from scandl_analysis.predictors.surprisal.sources import Provider, Surprisal, surprisal

__all__ = ["Provider", "Surprisal", "surprisal"]
