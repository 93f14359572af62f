"""Parameters of SWIFT 3, and how readers differ in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from scandl.errors import ConfigError
from scandl.text.word_facts import LARGEST

if TYPE_CHECKING:
    import numpy as np


class SaccadeError(NamedTuple):
    """Where a type of saccade lands: SD o1 + o2·d, systematic range error s1 − s2·d (characters)."""

    o1: float
    o2: float
    s1: float
    s2: float


class SwiftParameters(NamedTuple):
    """The defaults of SWIFT 3 (program 14.1); times in units of 100 ms, distances in characters."""

    delta0: float = 7.23  # processing span
    delta1: float = 0.0  # how much an easy fixated word widens the span to the right
    asymmetry: float = 1.0  # span to the left as a share of delta0
    eta: float = 0.5  # exponent of word length
    alpha: float = 1.5  # processing rate
    beta: float = 0.75  # effect of frequency on the activation a word needs
    gamma: float = 0.7  # exponent of target selection
    min_activation: float = -5.0  # log of the least activation, per word from the left-most unread one
    t_sac: float = 2.67  # mean interval of the saccade timer
    h: float = 2.0  # inhibition of the timer by the fixated word
    h1: float = 0.0  # and by the words to its right
    p: float = 0.0  # inhibition of processing by unread words to the left
    R: float = 0.7  # factor on the rate of the labile stage after a refixation
    M: float = 1.5  # and after a mislocated fixation
    kappa0: float = 0.0  # slowing of the non-labile stage near the target
    kappa1: float = 0.0
    proc: float = 1.0  # post-lexical processing rate
    decay: float = 0.07  # least post-lexical rate
    tau_l: float = 1.20  # labile stage
    tau_n: float = 0.80  # non-labile stage
    tau_x: float = 0.20  # saccade
    order_word: float = 30.0
    order_timer: float = 15.0
    order_labile: float = 12.0
    order_nonlabile: float = 10.0
    order_saccade: float = 20.0
    forward: SaccadeError = SaccadeError(0.8, 0.03, 2.4, 0.3)
    skip: SaccadeError = SaccadeError(0.8, 0.14, 2.0, 0.1)
    refixation_forward: SaccadeError = SaccadeError(0.8, 0.03, 2.5, 0.5)
    refixation_backward: SaccadeError = SaccadeError(0.8, 0.03, -2.5, -0.5)
    regression: SaccadeError = SaccadeError(0.8, 0.03, 0.0, 0.0)
    theta: float = 0.0  # extension, not in program 14.1: processing × exp(theta · cloze²)
    max_frequency: float = LARGEST  # the frequency that needs the least activation, per million


SWIFT_3 = SwiftParameters()

READER_PARAMETERS = ("delta0", "M", "R", "t_sac")
"""The parameters in which readers differ, in the order of the columns of ``draw_reader``."""

# Posterior means of 61 readers (Rabe et al. 2023): delta0, ln M, ln R, t_sac.
_MEAN = (12.158, -0.044, 0.099, 2.003)
_SD = (2.344, 0.178, 0.191, 0.426)
_CORRELATION = (
    (1.00, -0.35, -0.04, 0.14),
    (-0.35, 1.00, 0.73, -0.85),
    (-0.04, 0.73, 1.00, -0.72),
    (0.14, -0.85, -0.72, 1.00),
)


def draw_reader(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """Draw delta0, M, R and t_sac of a reader from the fitted population (preset ``rabe2023-readers``)."""
    import numpy as np

    covariance = np.outer(_SD, _SD) * np.array(_CORRELATION)
    while True:
        delta0, log_m, log_r, t_sac = rng.multivariate_normal(_MEAN, covariance).tolist()
        if delta0 > 0.0 and t_sac > 0.0:
            return delta0, math.exp(log_m), math.exp(log_r), t_sac


def around(centre: SwiftParameters, reader: tuple[float, float, float, float]) -> tuple[float, ...]:
    """Return a drawn reader moved so that the population's average reader has the ``centre`` values.

    >>> average = (12.158, math.exp(-0.044), math.exp(0.099), 2.003)
    >>> [round(value, 6) for value in around(SWIFT_3, average)]  # delta0, M, R, t_sac
    [7.23, 1.5, 0.7, 2.67]
    """
    population = (_MEAN[0], math.exp(_MEAN[1]), math.exp(_MEAN[2]), _MEAN[3])
    return tuple(
        getattr(centre, name) * value / mean
        for name, value, mean in zip(READER_PARAMETERS, reader, population, strict=True)
    )


def check_swift(parameters: SwiftParameters) -> SwiftParameters:
    """Return the parameters as numbers the simulator can run with, or say which one it cannot."""
    values = SwiftParameters(
        *(SaccadeError(*map(float, v)) if isinstance(v, tuple) else float(v) for v in parameters)  # type: ignore[arg-type]
    )
    for name, value in values._asdict().items():
        if not all(map(math.isfinite, value if isinstance(value, tuple) else (value,))):
            raise ConfigError(f"SWIFT parameter {name!r}: found {value}, expected finite numbers")
    positive = (
        "delta0",
        "asymmetry",
        "alpha",
        "t_sac",
        "R",
        "M",
        "decay",
        "tau_l",
        "tau_n",
        "tau_x",
        "order_word",
        "order_timer",
        "order_labile",
        "order_nonlabile",
        "order_saccade",
    )
    for name in positive:
        if not getattr(values, name) > 0.0:
            raise ConfigError(
                f"SWIFT parameter {name!r}: found {getattr(values, name):g}, expected a number above 0"
            )
    if values.max_frequency <= 1.0:
        raise ConfigError(
            f"SWIFT parameter 'max_frequency': found {values.max_frequency:g}, expected per million, above 1"
        )
    return values
