"""Agreement: counted by hand."""

from __future__ import annotations

from scandl_analysis.piloting.expected_effects import ExpectedEffect
from scandl_analysis.piloting.model_agreement import agreements


def effect(source, measure, value, margin):
    return ExpectedEffect(
        source,
        "critical",
        measure,
        "b − a",
        "log ms",
        value,
        (value - margin, value + margin),
        0.5,
        None,
        None,
        9,
        0.0,
    )


def test_signs_are_counted_two_by_two():
    effects = [
        effect("a", "FFD", 0.2, 0.1),
        effect("a", "TFT", -0.2, 0.1),
        effect("a", "sr", 0.1, 0.3),
        effect("b", "FFD", 0.3, 0.1),
        effect("b", "TFT", 0.2, 0.1),
        effect("c", "FFD", 0.1, 0.5),
    ]
    found = {(a.one, a.other): (a.n, a.same_sign, a.n_clear, a.clear_same_sign) for a in agreements(effects)}
    assert found == {("a", "b"): (2, 1, 2, 1), ("a", "c"): (1, 1, 0, 0), ("b", "c"): (1, 1, 0, 0)}
