"""Where models have been held against people: which effects of which corpora they recovered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from scandl_analysis.piloting.pilot_tables import signed, span
from scandl_reports.document import Block, Column, Note, Table, Text

FILE = "pilot_recovery.json"


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """An effect of people who read the same stimuli, and what a model says of it."""

    corpus: str
    model: str
    region: str
    measure: str
    contrast: str
    human: tuple[float, float, float]  # effect and the ends of its 95 % interval
    expected: tuple[float, float, float]

    @property
    def human_clear(self) -> bool:
        """Whether people's interval leaves out 0."""
        return self.human[1] > 0 or self.human[2] < 0

    @property
    def model_clear(self) -> bool:
        """Whether the model's interval leaves out 0."""
        return self.expected[1] > 0 or self.expected[2] < 0

    @property
    def same_sign(self) -> bool:
        """Whether both have one sign."""
        return (self.human[0] > 0) == (self.expected[0] > 0)


def known_effects() -> list[HeldAgainst]:
    """Return what the package knows of its models beside people."""
    path = files("scandl_analysis").joinpath("published", FILE)
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return [
        HeldAgainst(
            corpus["name"],
            row["source"],
            row["region"],
            row["measure"],
            row["contrast"],
            tuple(row["human"]),
            tuple(row["effect"]),
        )
        for corpus in told["corpora"]
        for row in corpus["effects"]
    ]


def summary(effects: Sequence[HeldAgainst], model: str) -> str:
    """Say in words how right a model was.

    >>> one = HeldAgainst("c", "m", "sentence", "TFT", "b − a", (0.1, 0.05, 0.2), (0.2, 0.1, 0.3))
    >>> summary([one], "m")
    'c: m showed 1 of 1 clear human effects; of 1 effects it was sure of, people showed 1'
    """
    said = []
    for corpus in dict.fromkeys(e.corpus for e in effects if e.model == model):
        own = [e for e in effects if e.model == model and e.corpus == corpus]
        both = sum(e.human_clear and e.model_clear and e.same_sign for e in own)
        people, sure = sum(e.human_clear for e in own), sum(e.model_clear for e in own)
        said.append(
            f"{corpus}: {model} showed {both} of {people} clear human effects; of {sure} effects it was sure"
            f" of, people showed {both}"
        )
    return "; ".join(said)


def recovery_blocks(models: Sequence[str]) -> tuple[Block, ...]:
    """Return what is known of these models, and which have not been held against people."""
    effects = known_effects()
    tried = [model for model in models if any(e.model == model for e in effects)]
    untried = [model for model in models if model not in tried]
    blocks: list[Block] = [Text(f"Held against people, {summary(effects, model)}.") for model in tried]
    shown = [e for e in effects if e.model in tried and (e.human_clear or e.model_clear)]
    if shown:
        columns = (
            "model",
            "corpus",
            "region",
            "measure",
            "contrast",
            "people",
            "95 %",
            "model's",
            "95 % (model)",
        )
        rows = tuple(
            (
                e.model,
                e.corpus,
                e.region,
                e.measure,
                e.contrast,
                signed(e.human[0]),
                span((e.human[1], e.human[2])),
                signed(e.expected[0]),
                span((e.expected[1], e.expected[2])),
            )
            for e in shown
        )
        title = "Effects that people or models were sure of, on the scale of the measure"
        blocks.append(Table(title, tuple(map(Column, columns)), rows))
    if untried:
        blocks.append(
            Note(f"Not held against people in such experiments yet: {', '.join(untried)}.", "warning")
        )
    return tuple(blocks)
