"""Regressions by formula: parsed, coded by contrasts, fitted by the engines of `glm`."""
