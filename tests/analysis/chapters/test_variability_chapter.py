"""What is said of variability: nothing is called the nearest that was not told from others."""

from __future__ import annotations

import pandas as pd

from scandl_analysis.chapters.variability_chapter import variability_finding


def spread(source: str, measure: str, mean: float, half: float = 0.1) -> dict[str, object]:
    return {
        "setting": "nr",
        "convention": "words",
        "origin": "run",
        "source": source,
        "measure": measure,
        "mean": mean,
        "sd": 0.5,
        "ci_low": mean - half,
        "ci_high": mean + half,
    }


def test_the_model_nearest_in_the_mean_is_not_called_tested() -> None:
    human = [spread("human", "skipping_rate", 0.5), spread("human", "fixation_count", 1.0)]
    near = [spread("near", "skipping_rate", 0.6), spread("near", "fixation_count", 2.0)]
    far = [spread("far", "skipping_rate", 2.0), spread("far", "fixation_count", 2.0)]
    text = variability_finding(pd.DataFrame(human + near + far)).text
    assert text == (
        "near comes nearest to the readers in 2 scanpath measures, in the mean, which is not tested: its means are 1.10 "
        "standard deviations of the readers away on average, 1 of them with a 95 % interval that does not meet theirs, "
        "and its own standard deviations are 1.00 to 1.00 times theirs."
    )
    assert variability_finding(pd.DataFrame(human + near)).text.startswith(
        "near is the only model; in 2 scanpath"
    )
