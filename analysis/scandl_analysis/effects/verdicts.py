"""Equivalent, different or undecided: a model's effect beside that of people, against a margin.

The margin says how large a difference would matter: a share of the effect of people (half of it unless chosen
otherwise), or an amount in the unit of the measure. A verdict is given where its posterior probability is at
least 95 %. At the edge of the margin either verdict is then wrong at most one time in twenty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from scandl.errors import ConfigError
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.spec import known_measure

SURE = 0.95
"""Posterior probability from which on a verdict is given."""
EQUIVALENT, WEAK, STRONG, WRONG, UNDECIDED = "equivalent", "too weak", "too strong", "wrong sign", "undecided"
VERDICTS = (EQUIVALENT, WEAK, STRONG, WRONG, UNDECIDED)
UNITS = ("pp", "ms", "fixations")


@dataclass(frozen=True)
class Margins:
    """How large a difference matters: a share of the effect of people, or an amount by measure.

    >>> print(Margins.read(["0.3", "FPRT=5ms", "sr=2pp"]))
    30 % of the readers' effect; FPRT 5 ms; sr 2 percentage points
    """

    share: float = 0.5
    amounts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def read(cls, texts: Sequence[str]) -> Margins:
        """Return the margins that were typed: ``0.5``, ``FPRT=5ms``, ``sr=2pp``, ``tfc=0.1``."""
        share, amounts = cls.share, {}
        for text in texts:
            name, given, amount = text.partition("=")
            number = (amount if given else name).strip()
            for unit in UNITS:
                number = number.removesuffix(unit).strip()
            try:
                value = float(number)
            except ValueError:
                value = -1.0
            if not value > 0:
                raise ConfigError(f"margin {text!r}: give a share such as 0.5, or an amount such as FPRT=5ms")
            if given:
                amounts[known_measure(name.strip())] = value
            else:
                share = value
        return cls(share, amounts)

    def around(self, measure: str, human: Floats) -> Floats:
        """Return for each draw how far a model's effect may be from that of people."""
        if measure in self.amounts:
            return np.full_like(human, self.amounts[measure])
        return np.asarray(self.share * np.abs(human))

    def __str__(self) -> str:
        units = {
            "sr": "percentage points",
            "fpr": "percentage points",
            "ffc": "fixations",
            "tfc": "fixations",
        }
        amounts = [f"{name} {value:g} {units.get(name, 'ms')}" for name, value in self.amounts.items()]
        return "; ".join([f"{100 * self.share:g} % of the readers' effect", *amounts])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of one effect of a model, and the posterior probabilities it rests on."""

    verdict: str
    p_equivalent: float
    p_too_weak: float  # by more than the margin, wrong signs included
    p_too_strong: float
    p_wrong_sign: float

    @property
    def p_wrong(self) -> float:
        """The posterior probability that the verdict is wrong; 0 where none is given."""
        right = {
            EQUIVALENT: self.p_equivalent,
            WEAK: self.p_too_weak,
            STRONG: self.p_too_strong,
            WRONG: self.p_wrong_sign,
        }
        return 1 - right.get(self.verdict, 1.0)


def judged(human: Floats, model: Floats, margins: Margins, measure: str) -> Verdict:
    """Return the verdict on an effect from draws of the effect of people and of the model.

    >>> people = np.array([-1.0, -1.1, -0.9])
    >>> models = {"near": people + 0.1, "none": 0 * people, "double": 2 * people, "mirror": -people}
    >>> {name: judged(people, model, Margins(), "sr").verdict for name, model in models.items()}
    {'near': 'equivalent', 'none': 'too weak', 'double': 'too strong', 'mirror': 'wrong sign'}
    """
    sign = 1.0 if human.mean() > 0 else -1.0
    beyond, margin = sign * (model - human), margins.around(measure, human)
    equivalent = float((np.abs(beyond) <= margin).mean())
    weak, strong = float((beyond < -margin).mean()), float((beyond > margin).mean())
    wrong = float(((beyond < -margin) & (sign * model < 0)).mean())
    sure = ((wrong, WRONG), (weak, WEAK), (strong, STRONG), (equivalent, EQUIVALENT))
    verdict = next((name for p, name in sure if p >= SURE), UNDECIDED)
    return Verdict(verdict, equivalent, weak, strong, wrong)
