"""What a source of surprisal is: the protocol, and the record that goes with every value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

UNITS = {"nats": 1.0, "bits": math.log(2.0)}
"""How many nats one unit is."""


class Provider(Protocol):
    """Gives every word of a text its surprisal −ln p(word | the words before it in the text)."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Everything that decides the values, in terms that are known before the model is loaded."""
        ...

    @property
    def record(self) -> Mapping[str, str]:
        """The same for a reader of the values: provider, model, revision, context, conventions."""
        ...

    @property
    def cached(self) -> bool:
        """Whether computing is slow enough for the disk cache."""
        ...

    def nats(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one value per word of ``text.split()`` for each text; NaN = the source has none."""
        ...


@dataclass(frozen=True, slots=True)
class Surprisal:
    """The values by text, and how they came about."""

    values: Mapping[str, tuple[float, ...]]
    record: Mapping[str, str]
    unit: str = "nats"
    from_cache: int = 0  # texts that were not computed again
    reason: str = ""  # why this provider and no other

    def __str__(self) -> str:
        model = self.record.get("model", "")
        name = f"{self.record['provider']} ({model})" if model else self.record["provider"]
        return f"surprisal: {name}, {self.unit}; {self.reason}"
