"""The sentence for the preregistration says what was simulated, and of which size."""

from __future__ import annotations

from scandl_analysis.piloting.power import STATED, curves, smallest
from scandl_analysis.piloting.preregistration import sentences


def test_stated_effects_come_first_and_sizes_are_named(piloted):
    found = sentences(piloted)
    clear = {(e.source, e.measure) for e in piloted.effects if e.clear and e.region == "critical"}
    assert len(found) == 2 + len(clear)
    stated = [key for key in curves(piloted.power) if key[4] == STATED]
    assert all("an effect of 25 ms" in line for line in found[: len(stated)])
    assert not any("an effect of 25 ms" in line for line in found[len(stated) :])
    for line in found:
        assert line.startswith(
            ("With 8 readers and 4 items, power for", "With 12 readers and 4 items, power for")
        )
        assert "Monte-Carlo interval" in line
        assert "α = .05" in line


def test_designs_that_do_not_suffice_say_so(piloted):
    clear = {(e.source, e.region, e.measure, e.contrast) for e in piloted.effects if e.clear}
    told = [points for key, points in curves(piloted.power).items() if key[4] == STATED or key[:4] in clear]
    assert sum("no design that was tried reaches 80 %" in line for line in sentences(piloted)) == sum(
        smallest(points) is None for points in told
    )
