"""Where SWIFT's saccades land: gamma distributed lengths, cut off at the ends of the sentence."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.compiled import compiled
from scandl.models.cognitive.random_numbers import State, gamma_cdf, truncated_gamma, uniform
from scandl.models.cognitive.simulator import Word
from scandl.models.swift.swift_parameters import SaccadeError, SwiftParameters

_SHORTEST = 0.5  # the least mean length of a saccade, characters


@compiled
def landing(
    text: Sequence[Word], p: SwiftParameters, rng: State, gaze: float, word: int, target: int
) -> float:
    """Return where a saccade from ``gaze``, on ``word``, to the centre of ``target`` lands."""
    centre = text[target].centre
    room = text[-1].border - gaze
    if target > word + 1:
        return gaze + _length(rng, p.skip, gaze, centre, 1.0, room)
    if target == word + 1:
        return gaze + _length(rng, p.forward, gaze, centre, 1.0, room)
    if target < word:
        return gaze - _length(rng, p.regression, gaze, centre, -1.0, gaze)
    width = text[word].length + 1.0
    progress = (gaze - (text[word].border - width)) / width
    backward = progress * _fits(p.refixation_backward, gaze, centre, -1.0, gaze)
    forward = (1.0 - progress) * _fits(p.refixation_forward, gaze, centre, 1.0, room)
    if uniform(rng) * (backward + forward) < backward:
        return gaze - _length(rng, p.refixation_backward, gaze, centre, -1.0, gaze)
    return gaze + _length(rng, p.refixation_forward, gaze, centre, 1.0, room)


@compiled
def mean_and_shape(error: SaccadeError, gaze: float, centre: float, direction: float) -> tuple[float, float]:
    """Return mean and shape of the length of a saccade in ``direction`` (1 right, −1 left)."""
    distance = abs(centre - gaze)
    aim = centre + error.s1 - error.s2 * distance
    mean = max(_SHORTEST, direction * (aim - gaze))
    sd = error.o1 + error.o2 * distance
    return mean, (mean / sd) ** 2


@compiled
def _length(
    rng: State, error: SaccadeError, gaze: float, centre: float, direction: float, room: float
) -> float:
    mean, shape = mean_and_shape(error, gaze, centre, direction)
    return truncated_gamma(rng, shape, mean, room)


@compiled
def _fits(error: SaccadeError, gaze: float, centre: float, direction: float, room: float) -> float:
    """Return the probability that an unlimited saccade would stay within the sentence."""
    mean, shape = mean_and_shape(error, gaze, centre, direction)
    return gamma_cdf(room, shape, mean)
