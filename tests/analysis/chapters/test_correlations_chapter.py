"""What is said of correlations: nothing is called the most that was not told from others."""

from __future__ import annotations

import pandas as pd
import pytest

from scandl_analysis.chapters.correlations_chapter import correlations_finding, correlations_section
from scandl_reports.document import Figure, Table


def correlation(
    kind: str, model: str, other: str, r: float, low: float, high: float, p: float = 0.0
) -> dict[str, object]:
    return {
        "setting": "nrns",
        "corpus": "c",
        "convention": "words",
        "kind": kind,
        "model": model,
        "other": other,
        "origin": "run",
        "n": 100,
        "r": r,
        "p": p,
        "stars": "***",
        "ci_low": low,
        "ci_high": high,
        "note": "",
    }


SCANPATH = [
    correlation("scanpath", "m", "skipping_rate", 0.43, 0.35, 0.5),
    correlation("scanpath", "m", "progressive_length", -0.42, -0.5, -0.36, p=0.04),
    correlation("scanpath", "m", "fixation_count", 0.1, 0.0, 0.2),
]

STRENGTHS = [
    correlation("strength", "2 models", "skipping_rate", 0.43, 0.35, 0.5) | {"p": None},
    correlation("strength", "2 models", "progressive_length", 0.42, 0.36, 0.5, p=0.31),
    correlation("strength", "2 models", "fixation_count", 0.3, 0.2, 0.4, p=0.04),
]

PAIRS = [correlation("sentence", "m", other, r, r - 0.1, r + 0.1) for other, r in (("a", 0.3), ("b", 0.7))]


def test_a_paired_test_tells_measures_apart_although_their_intervals_meet() -> None:
    assert correlations_finding(pd.DataFrame(SCANPATH + STRENGTHS)).text == (
        "Of the measures of a reader's scanpath, skipping rate is most closely tied to its NLD: mean |r| over 2 models is "
        "0.430 [0.350, 0.500]. A paired test does not tell from it: progressive length (0.420 [0.360, 0.500])."
    )
    alone = pd.DataFrame([STRENGTHS[0] | {"model": "m", "ci_low": None, "ci_high": None}])
    assert "mean |r| for m is 0.430." in correlations_finding(alone).text
    assert correlations_finding(pd.DataFrame(SCANPATH)).text.startswith("No correlation of NLD is defined")


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (PAIRS[:1], "between m and a with r = 0.300 [0.200, 0.400]."),
        (PAIRS, "between models with r = 0.500 in the median of 2 pairs of models, 0.300 to 0.700."),
    ],
)
def test_one_pair_of_models_has_no_median(pairs: list[dict[str, object]], said: str) -> None:
    text = correlations_finding(pd.DataFrame(STRENGTHS + pairs)).text
    assert text.endswith(f" Mean NLDs of sentences correlate {said}")


def test_stars_are_explained_where_they_stand_and_no_p_is_zero() -> None:
    section = correlations_section(pd.DataFrame(SCANPATH + STRENGTHS))
    (figure,) = [block for block in section.everything if isinstance(block, Figure)]
    (table,) = [block for block in section.everything if isinstance(block, Table)]
    for text in (figure.caption, table.note):
        assert text.endswith("*** p ≤ .001, ** p ≤ .01, * p ≤ .05, points taken as independent.")
    column = [column.name for column in table.columns].index("p")
    assert [row[column] for row in table.shown] == ["< .001", "0.040", "< .001"]
