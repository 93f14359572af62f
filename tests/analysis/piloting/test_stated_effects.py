"""Effects as users write them."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.stated_effects import read_effects
from scandl_analysis.piloting.variance_components import Components


def test_ms_become_a_difference_of_logs():
    (effect,) = read_effects(["TFT=25ms"])
    b = effect.on_scale(Components((5.5, 0.0), (), (), 0.4, ()))
    assert np.exp(5.5 + b / 2) - np.exp(5.5 - b / 2) == pytest.approx(25)
    assert read_effects(["TFT=0.1"])[0].on_scale(Components((5.5, 0.0), (), (), 0.4, ())) == 0.1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("TFT", "expected a measure and its effect, such as TFT=25ms or sr=0.3"),
        ("TFT=fast", "expected a measure and its effect"),
        ("TTF=25ms", "no reading measure 'TTF'; did you mean 'TFT'"),
        ("sr=5ms", "sr is no time; its effect is a number of log odds"),
        ("TFT=25", "on the log scale that is a factor of 7.2e+10; write 25ms"),
    ],
)
def test_what_is_no_effect_is_said(text, said):
    with pytest.raises(ScandlError) as error:
        read_effects([text])
    assert said in str(error.value)
