"""Evaluate scanpath models: scores, baselines, ceilings, rankings."""
