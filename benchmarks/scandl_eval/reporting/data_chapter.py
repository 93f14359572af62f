"""What a report says of its data before it says anything of models."""

from __future__ import annotations

from collections.abc import Iterable

from scandl.corpora.corpus import Card
from scandl_reports.document import Finding


def data_findings(cards: Iterable[Card]) -> list[Finding]:
    """Say of each corpus whose readers are simulated that they are, and what its card tells of them.

    The card is quoted because it names the model that made the readers: that model, and models like
    it, are nearer to them by construction.
    """
    simulated = {card.name: card for card in cards if card.kind == "simulated"}
    return [Finding("Data", _said(card)) for card in simulated.values()]


def _said(card: Card) -> str:
    start = (
        f"The readers of {card.name} are simulated: the numbers show the method and say nothing about "
        "people. The model that made the readers, and models like it, come near to them by construction."
    )
    if not card.notes:
        return f"{start} The card of the corpus does not say which model that is."
    return f"{start} From the card of the corpus: “{card.notes}”"
