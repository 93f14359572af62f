"""What is known of models beside people: counted by hand, and there for the models of the package."""

from __future__ import annotations

from scandl_analysis.chapters.recovered_effects import HeldAgainst, known_effects, recovery_blocks, summary
from scandl_reports.document import Note, Table


def effect(measure, human, expected):
    return HeldAgainst("c", "m", "critical", measure, "b − a", human, expected)


def test_effects_are_counted():
    effects = [
        effect("FFD", (0.2, 0.1, 0.3), (0.1, 0.05, 0.2)),  # both sure, one sign
        effect("TFT", (0.2, 0.1, 0.3), (-0.1, -0.2, -0.05)),  # both sure, other signs
        effect("sr", (0.2, -0.1, 0.5), (0.1, 0.05, 0.2)),  # the model alone
        effect("tfc", (0.2, 0.1, 0.3), (0.1, -0.05, 0.2)),  # people alone
    ]
    assert summary(effects, "m") == (
        "c: m showed 1 of 3 clear human effects; of 3 effects it was sure of, people showed 1"
    )


def test_models_of_the_package_have_been_tried():
    known = known_effects()
    assert {e.model for e in known} == {"scandl", "ezreader", "swift"}
    assert {e.corpus for e in known} == {"mertzen"}
    people = {(e.region, e.measure, e.contrast): e.human for e in known}
    for e in known:  # one truth for all models
        assert people[e.region, e.measure, e.contrast] == e.human
        assert e.expected[1] <= e.expected[0] <= e.expected[2]


def test_a_model_nobody_has_tried_is_named():
    blocks = recovery_blocks(["ezreader", "mine.npz"])
    assert any(isinstance(block, Table) for block in blocks)
    (note,) = [block for block in blocks if isinstance(block, Note)]
    assert note.text == "Not held against people in such experiments yet: mine.npz."
