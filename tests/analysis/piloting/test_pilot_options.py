"""Options: what cannot be is said in one line."""

from __future__ import annotations

import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.experiments import Design
from scandl_analysis.piloting.pilot_options import PilotOptions


def test_designs_grow():
    options = PilotOptions(readers=(48, 24), items=(40, 20))
    assert options.sizes(32) == [Design(24, 20), Design(48, 20), Design(24, 40), Design(48, 40)]
    assert PilotOptions(readers=(24,)).sizes(32) == [Design(24, 32)]
    assert options.pool_size == 4 * 48
    assert PilotOptions(readers=(24,), pool=10).pool_size == 24


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"readers": (2,)}, "--readers 2: expected 4 to 2,000"),
        ({"items": (9999,)}, "--items 9999: expected 4 to 2,000"),
        ({"experiments": 5}, "--experiments 5: expected at least 20"),
        ({"regions": ("criticla",)}, "no region 'criticla'; did you mean 'critical'"),
        ({"models": ()}, "a pilot needs a model, a measure and a number of readers"),
    ],
)
def test_what_cannot_be_is_said(chosen, said):
    with pytest.raises(ScandlError) as error:
        PilotOptions(**chosen)
    assert said in str(error.value)
