"""What may be chosen in the psycholinguistic analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scandl.errors import ConfigError
from scandl_analysis.glm.spec import FAMILIES, Family, family_of, known_measure
from scandl_analysis.words.word_table import EDGES, PREDICTORS, PREVIOUS

DEFAULT_TIMES = ("FPRT", "TFT")
"""The times that are regressed where durations are: gaze duration and total time, an early and a late one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be chosen; the defaults compare fairly, ``paper`` values reproduce the publication."""

    engine: str = "hmc"
    priors: str = "brms"
    design: str = "crossed"
    measures: tuple[str, ...] | None = None  # None: the paper's four, and times where durations are
    variant: str = "paper"  # how the paper's measures are defined: paper, firstpass
    counts: Literal["poisson", "negativebinomial"] = "poisson"
    surprisal: str = "auto"
    frequency: str = "zipf"
    alignment: str = "offsets"  # of tokens to words; scandl-v1 is the published way
    bow: bool = False  # surprisal corrected for beginnings of words
    unit: str = "nats"
    punctuation: bool = True  # counts as part of a word's length
    scaling: str = "human"
    drop: tuple[str, ...] | None = None  # first, last: edges of sentences left out; None: as the design
    spillover: bool = False  # the predictors of the previous word too
    ceiling: bool = True  # also fit the two halves of the readers, a scale for the models
    edge_check: bool = True  # also look at the readers with the edges of sentences, by a quick look
    by: str | None = None  # column of readers.csv or sentences.csv whose levels are compared
    draws: int = 1000
    chains: int = 4
    seed: int = 1

    @property
    def priors_used(self) -> str:
        """The name of the priors; maximum likelihood has none."""
        return "none" if self.engine.startswith("mle") else self.priors

    @property
    def edges(self) -> tuple[str, ...]:
        """The edges of sentences whose words are left out: both, unless the design is the published one."""
        chosen = self.drop if self.drop is not None else () if self.design == "paper" else EDGES
        # First words have no previous one.
        return tuple(dict.fromkeys(("first", *chosen) if self.spillover else chosen))

    @property
    def engine_used(self) -> str:
        """The engine; correlated slopes are beyond the fast ones."""
        return "nutpie" if self.design == "maximal" and self.engine in ("hmc", "nuts", "imh") else self.engine

    def measured(self, *, timed: bool) -> tuple[str, ...]:
        """Return the measures to regress; ``timed``: the readers have durations."""
        if self.measures is not None:
            chosen = tuple(dict.fromkeys(map(known_measure, self.measures)))
            if not timed and (lacking := [name for name in chosen if name not in FAMILIES]):
                raise ConfigError(f"measure {lacking[0]!r}: the corpus has no durations")
            return chosen
        published = self.design == "paper" or self.engine.startswith("mle")
        return (*FAMILIES, *(DEFAULT_TIMES if timed and not published else ()))

    def family(self, measure: str) -> Family:
        """Return the family of a measure."""
        return self.counts if family_of(measure) == "poisson" else family_of(measure)

    @property
    def predictors(self) -> tuple[str, ...]:
        """What the measures are regressed on."""
        return (*PREDICTORS, *PREVIOUS) if self.spillover else PREDICTORS
