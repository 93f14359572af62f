"""What is said of data before any model: simulated readers are said to be."""

from __future__ import annotations

from scandl.corpora.corpus import Card
from scandl_eval.reporting.data_chapter import data_findings

HUMAN = Card(name="celer", kind="human", notes="read by people")
SIMULATED = Card(name="demo", kind="simulated", notes="made by simplified SWIFT")


def test_people_are_not_mentioned_and_simulations_are_quoted_once() -> None:
    assert data_findings([HUMAN]) == []
    (finding,) = data_findings([HUMAN, SIMULATED, SIMULATED])
    assert finding.text.startswith("The readers of demo are simulated: ")
    assert finding.text.endswith("From the card of the corpus: “made by simplified SWIFT”")


def test_a_card_that_does_not_name_the_model() -> None:
    (finding,) = data_findings([Card(name="x", kind="simulated")])
    assert finding.text.endswith("The card of the corpus does not say which model that is.")
