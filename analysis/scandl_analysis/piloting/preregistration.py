"""Sentences for a preregistration, and what a simulation cannot know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl_analysis.piloting.pilot_tables import share, signed
from scandl_analysis.piloting.power import ENOUGH, OWN, STATED, PowerPoint, curves, smallest

if TYPE_CHECKING:
    from scandl_analysis.piloting.pilot_result import PilotResult

CANNOT_KNOW = (
    "The models were not made for such contrasts. E-Z Reader and SWIFT know length, frequency and"
    " (E-Z Reader) predictability of words and nothing of syntax or meaning; a trained model knows what its"
    " training sentences taught it. An effect that people show for other reasons is absent here.",
    "A model's own effect is an expectation, not a fact: power for it holds if readers are like this model."
    " Power for an effect you state does not depend on the model's effect, only on its variances.",
    "Simulated readers differ less from each other than people do, and react alike to the condition. Where"
    " the slopes of readers vary in fact, real power is lower: on the stimuli of mertzen (56 readers, 40"
    " items) power for 25 ms on TFT was 76 to 80 % with people's variances, 95 to 100 % with models'.",
    "Experiments drawn from the pool use the items of the file: their power is for these items. Tracker"
    " loss, blinks, excluded readers and trials, comprehension and fatigue are not simulated: plan for"
    " more readers.",
)


def sentences(found: PilotResult) -> list[str]:
    """Return a sentence per curve of power, for stated effects first: those belong in a preregistration.

    A model's own effect is left out where it may as well be 0: there is nothing to find then.
    """
    clear = {(e.source, e.region, e.measure, e.contrast, OWN) for e in found.effects if e.clear}
    told = {key: points for key, points in curves(found.power).items() if key[4] == STATED or key in clear}
    ordered = sorted(told.items(), key=lambda pair: pair[0][4] != STATED)
    return [_sentence(found, points) for _, points in ordered]


def _sentence(found: PilotResult, points: list[PowerPoint]) -> str:
    """Return the sentence about the smallest design that suffices, else about the largest."""
    enough = smallest(points)
    point = enough or max(points, key=lambda p: (p.design.readers * p.design.items, p.design.readers))
    place = f"{point.contrast} on {point.measure} of the {_where(point.region)}"
    if point.effect_of == STATED:
        size = next(str(e) for e in found.stated if e.measure.name == point.measure)
        what = f"an effect of {size} of {place}, with the variances of {point.source},"
    else:
        what = f"the effect of {place} that {point.source} expects ({_size(found, point)})"
    end = "" if enough else f"; no design that was tried reaches {share(ENOUGH)}"
    return (
        f"With {point.design.readers} readers and {point.design.items} items, power for {what} is"
        f" {share(point.power)}"
        f" (95 % Monte-Carlo interval {share(point.ci95[0])} to {share(point.ci95[1])};"
        f" {point.n} simulated experiments, {_regression(found, point.measure)}, α = .05){end}."
    )


def _regression(found: PilotResult, measure: str) -> str:
    return found.formula.replace("{measure}", measure)


def _where(region: str) -> str:
    return {"critical": "critical region", "spillover": "spill-over word", "sentence": "whole sentence"}[
        region
    ]


def _size(found: PilotResult, point: PowerPoint) -> str:
    """Return the effect in ms where it is one of times."""
    for e in found.effects:
        if (e.source, e.region, e.measure, e.contrast) == (
            point.source,
            point.region,
            point.measure,
            point.contrast,
        ):
            return f"{signed(e.ms, 0)} ms" if e.ms is not None else f"{signed(e.effect)} {e.scale}"
    return signed(point.effect)
