"""The models that ship with the package: what each was trained on, what it is good for, what to cite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from scandl.config import from_table
from scandl.errors import ScandlError, did_you_mean

SHIPPED = "scandl.models.shipped"
DEFAULT = "people"
"""The model that reads where none is named."""
MASKED = {"people-masked": "people"}
"""Models that draw by masked diffusion from the weights of another, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCorpus:
    """A corpus that a model has learned from."""

    name: str
    readers: int
    texts: int
    scanpaths: int
    licence: str
    citation: str
    digests: Mapping[str, str] = field(default_factory=dict)  # by corpus, the key of what was learned from


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What one should know before using a model."""

    name: str
    about: str  # one line, told before its scanpaths are shown
    engine: str
    kind: str  # of its readers: human or simulated
    corpora: tuple[TrainingCorpus, ...]
    language: str = "en"
    groups: tuple[str, ...] = ()
    default_group: str = ""
    tasks: tuple[str, ...] = ()
    durations: bool = False
    longest_text: int  # words of the longest text it was trained on
    licence: str = "MIT"
    good_for: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()  # what it reaches, a line each, with the command that says so
    made_by: str = ""
    bytes: int = 0

    @property
    def readers(self) -> int:
        """The number of readers it has learned from."""
        return sum(corpus.readers for corpus in self.corpora)


def shipped_models() -> list[str]:
    """Return the names of the models of this package, that which reads by default first."""
    names = sorted(
        path.name.removesuffix(".json") for path in files(SHIPPED).iterdir() if path.name.endswith(".json")
    )
    return sorted([*names, *MASKED], key=lambda name: name != DEFAULT)


def shipped_file(name: str) -> Traversable:
    """Return the file of a shipped model."""
    return files(SHIPPED).joinpath(f"{MASKED.get(name, name)}.npz")


def model_card(name: str) -> ModelCard:
    """Return the card of a shipped model.

    >>> model_card("demo").kind
    'simulated'
    """
    if name not in shipped_models():
        raise ScandlError(f"no shipped model {name!r}{did_you_mean(name, shipped_models())}")
    if name in MASKED:
        card = model_card(MASKED[name])
        engine = f"{card.engine}; here drawn by masked diffusion, in random order in 20 steps"
        return replace(card, name=name, engine=engine)
    told: dict[str, Any] = json.loads(files(SHIPPED).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    told["corpora"] = [from_table(TrainingCorpus, corpus) for corpus in told["corpora"]]
    table: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in told.items()
    }
    return ModelCard(**table, bytes=len(shipped_file(name).read_bytes()))


def card_rows(card: ModelCard) -> list[tuple[str, str]]:
    """Return what ``scandl models show`` prints: one (what, value) a line."""
    rows = [
        ("name", card.name),
        ("what it is", card.about),
        ("engine", card.engine),
        ("size", f"{card.bytes / 1e6:.1f} MB; runs on the CPU without torch"),
        ("readers", f"{card.readers:,} {card.kind} readers"),
        ("language", card.language),
        ("groups", ", ".join(card.groups) or "none"),
        ("tasks", ", ".join(card.tasks) or "none"),
        ("durations", "yes" if card.durations else "no"),
        ("longest text", f"{card.longest_text} words in training"),
        ("licence", card.licence),
    ]
    for corpus in card.corpora:
        size = f"{corpus.readers} readers, {corpus.texts} texts, {corpus.scanpaths:,} scanpaths"
        rows.append(("trained on", f"{corpus.name}: {size}; {corpus.licence}"))
        rows += [("content", f"{name}: {digest}") for name, digest in corpus.digests.items()]
    rows += [("cite", citation) for citation in dict.fromkeys(c.citation for c in card.corpora)]
    rows += [("good for", line) for line in card.good_for]
    rows += [("limits", line) for line in card.limits]
    rows += [("numbers", line) for line in card.numbers]
    return [*rows, ("made by", card.made_by)]
