"""What else differs between conditions: length, frequency, surprisal and position of the critical region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t as student

from scandl.statistics.bootstrap import Floats
from scandl_analysis.piloting.expected_effects import leaves_out_0
from scandl_analysis.piloting.planned_regression import Contrasts
from scandl_analysis.piloting.stimuli import ItemVersion, Stimuli
from scandl_analysis.predictors.word_predictors import Predictors

NOTABLE = 0.2  # of |d|: what Cohen calls a small effect
FEATURES = ("length", "frequency", "surprisal", "position", "sentence length")
"""Characters, mean Zipf frequency and summed surprisal of the region, its first word, words of the text."""


@dataclass(frozen=True, slots=True)
class Confound:
    """How far a property of the stimuli differs along a contrast."""

    feature: str
    contrast: str
    means: tuple[float, ...]  # of the conditions
    difference: float
    ci95: tuple[float, float] | None  # over items; None where all items differ by the same
    d: float | None  # the difference in standard deviations within conditions; None where they are 0

    @property
    def notable(self) -> bool:
        """Whether the difference is one that reviewers ask about."""
        if abs(self.difference) < 1e-9:
            return False
        return self.d is None or abs(self.d) >= NOTABLE or (self.ci95 is not None and leaves_out_0(self.ci95))

    def as_dict(self, conditions: tuple[str, ...]) -> dict[str, Any]:
        """Return the row of a table."""
        means = {f"mean {name}": mean for name, mean in zip(conditions, self.means, strict=True)}
        found = {"difference": self.difference, "ci95": self.ci95, "d": self.d, "notable": self.notable}
        return {"feature": self.feature, "contrast": self.contrast, **means, **found}


def confounds(stimuli: Stimuli, contrasts: Contrasts, predictors: Predictors) -> list[Confound]:
    """Compare the conditions in every property, item by item."""
    found = []
    for feature in FEATURES:
        values = _values(feature, stimuli, predictors)
        if values is not None:
            rows = zip(contrasts.names, contrasts.weights, strict=True)
            found += [compare(feature, name, values, weights) for name, weights in rows]
    return found


def compare(feature: str, contrast: str, values: Floats, weights: Floats) -> Confound:
    """Return how a property, (items, conditions), differs along a contrast; items without it are left out.

    >>> compare("length", "b − a", np.array([[4.0, 6], [5, 6], [6, 9]]), np.array([-1.0, 1])).difference
    2.0
    """
    known = values[~np.isnan(values).any(axis=1)]
    differences = known @ weights
    n, mean = len(differences), float(differences.mean()) if len(differences) else float("nan")
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    margin = float(student.ppf(0.975, n - 1)) * spread / np.sqrt(n) if n > 1 and spread > 1e-12 else None
    within = float(np.sqrt(known.var(axis=0, ddof=1).mean())) if n > 1 else 0.0
    d = mean / within if within > 1e-12 else (0.0 if abs(mean) < 1e-12 else None)
    ci95 = None if margin is None else (mean - margin, mean + margin)
    return Confound(feature, contrast, tuple(known.mean(axis=0).tolist()), mean, ci95, d)


def _values(feature: str, stimuli: Stimuli, predictors: Predictors) -> Floats | None:
    if feature != "sentence length" and not stimuli.has_region:
        return None
    values = [_value(feature, stimulus, predictors) for stimulus in stimuli.every]
    return np.array(values).reshape(len(stimuli.items), len(stimuli.conditions))


def _value(feature: str, stimulus: ItemVersion, predictors: Predictors) -> float:
    if feature == "sentence length":
        return float(len(stimulus.words))
    first, last = stimulus.region or (0, 0)
    if feature == "position":
        return float(first)
    if feature == "length":
        return float(len(" ".join(stimulus.words[first : last + 1])))
    values = predictors.columns[feature][stimulus.text][first : last + 1]
    return float(np.mean(values) if feature == "frequency" else np.sum(values))
