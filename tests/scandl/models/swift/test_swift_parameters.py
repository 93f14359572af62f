from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ConfigError
from scandl.models.swift.swift_parameters import SWIFT_3, around, check_swift, draw_reader
from scandl.seeds import stream


def test_drawn_readers_have_the_published_moments(reference):
    published = reference["swift_3_program_14_1"]["reader_posterior_means_61_readers"]
    drawn = np.array([draw_reader(stream(1, "reader", n)) for n in range(1_500)])
    drawn[:, 1:3] = np.log(drawn[:, 1:3])
    names = ("delta0", "log_M", "log_R", "t_sac_x100ms")
    assert drawn.mean(axis=0) == pytest.approx([published[name][0] for name in names], abs=0.15)
    assert drawn.std(axis=0) == pytest.approx([published[name][1] for name in names], rel=0.05)
    assert np.corrcoef(drawn.T) == pytest.approx(np.array(published["corr"]), abs=0.05)


def test_readers_around_the_defaults_keep_their_proportions():
    reader = draw_reader(stream(1, "reader", "r"))
    moved = around(SWIFT_3, reader)
    assert moved[0] / SWIFT_3.delta0 == pytest.approx(reader[0] / 12.158)
    assert moved[3] / SWIFT_3.t_sac == pytest.approx(reader[3] / 2.003)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"delta0": 0.0}, "SWIFT parameter 'delta0': found 0, expected a number above 0"),
        ({"h": float("nan")}, "SWIFT parameter 'h': found nan, expected finite numbers"),
        ({"max_frequency": 0.9}, "SWIFT parameter 'max_frequency': found 0.9, expected per million, above 1"),
    ],
)
def test_impossible_values_are_refused(changes, text):
    with pytest.raises(ConfigError, match=text):
        check_swift(SWIFT_3._replace(**changes))
