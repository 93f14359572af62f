"""Parameters of E-Z Reader, and the published sets of them."""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

from scandl.errors import ConfigError, did_you_mean


class EZReaderParameters(NamedTuple):
    """The values of E-Z Reader 10.2 (2019): times in ms, distances in characters."""

    alpha1: float = 115.0  # mean familiarity check of a word of frequency 1, without context
    alpha2: float = 2.2  # ms less per unit of ln(frequency per million)
    alpha3: float = 13.0  # ms less per unit of cloze
    delta: float = 0.22  # lexical completion as a share of the familiarity check
    epsilon: float = 1.15  # slowing per character of eccentricity
    vision: float = 50.0  # V, constant
    attention: float = 25.0  # A
    integration: float = 25.0  # I
    p_failure: float = 0.01  # of rapid integration failure
    labile: float = 125.0  # M1
    xi: float = 0.5  # share of a labile programme that a successor can inherit
    nonlabile: float = 25.0  # M2
    saccade: float = 25.0  # S, constant
    psi: float = 7.0  # preferred saccade length
    omega1: float = 6.0  # range error: (omega1 − ln T) / omega2 of the distance from psi
    omega2: float = 3.0
    eta1: float = 0.5  # SD of the landing error: eta1 + eta2 · |intended length|
    eta2: float = 0.10
    refixation: float = 0.25  # λ: probability of a refixation per character off the centre
    shape: float = 20.0  # of all gamma distributed stages; infinity = no variability


EZREADER_10_2 = EZReaderParameters()
_SETS = {
    "10.2": EZREADER_10_2,
    "rs2015": EZReaderParameters(
        alpha1=104.0, alpha2=3.4, alpha3=39.0, delta=0.34, eta2=0.15, refixation=0.16, shape=math.inf
    ),
    "rwm2009": EZReaderParameters(
        alpha1=104.0,
        alpha2=3.4,
        alpha3=39.0,
        delta=0.34,
        omega1=7.3,
        eta2=0.15,
        refixation=0.16,
        shape=1.0 / 0.22**2,
    ),
}
PRESETS = tuple(_SETS)


def ezreader_preset(name: str) -> EZReaderParameters:
    """Return a published set of parameters; all but ``10.2`` warn, for they were fitted to other rules."""
    if name not in _SETS:
        raise ConfigError(f"no E-Z Reader preset {name!r}{did_you_mean(name, PRESETS)}")
    if name != "10.2":
        warnings.warn(
            f"E-Z Reader preset {name!r} was fitted to an earlier version of the rules: "
            "in those of 10.2 its fixations are too short",
            stacklevel=2,
        )
    return _SETS[name]


def check_ezreader(parameters: EZReaderParameters) -> EZReaderParameters:
    """Return the parameters as numbers the simulator can run with, or say which one it cannot."""
    values = EZReaderParameters(*map(float, parameters))
    for name, value in values._asdict().items():
        if math.isnan(value) or value < 0.0 or (math.isinf(value) and name != "shape"):
            raise ConfigError(f"E-Z Reader parameter {name!r}: found {value:g}, expected a number from 0")
    for name in ("epsilon", "omega2", "shape"):
        if not getattr(values, name) > 0.0:
            raise ConfigError(f"E-Z Reader parameter {name!r}: found 0, expected a number above 0")
    return values
