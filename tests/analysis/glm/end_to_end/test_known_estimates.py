"""With flat priors, mode and curvature on real corpora are the estimates and errors that others computed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus, read_corpus
from scandl.files.tables import read_table
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.laplace import approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import Prior, Priors
from scandl_analysis.glm.spec import FAMILIES, Glm
from scandl_analysis.words.analysed_run import Reading, human_readings

Shared = Callable[[str], Path]
Standardised = Callable[[Corpus, list[Reading], str, tuple[str, ...]], pd.DataFrame]

SCHILLING = {  # measure: (estimate, standard error) of intercept, length, log frequency, cloze
    "sr": [(-0.5215, 0.0193), (-0.9851, 0.0338), (0.2742, 0.0290), (-0.0155, 0.0194)],
    "fpr": [(-2.2721, 0.0282), (0.3188, 0.0351), (-0.1498, 0.0407), (0.0319, 0.0296)],
    "ffc": [(-0.3151, 0.0096), (0.2105, 0.0116), (-0.1869, 0.0134), (-0.0666, 0.0104)],
    "tfc": [(-0.2111, 0.0092), (0.2222, 0.0109), (-0.1956, 0.0127), (-0.0821, 0.0099)],
    "fpr firstpass": [(-1.7715, 0.0319), (0.1350, 0.0387), (-0.0044, 0.0452), (0.0938, 0.0318)],
    "ffc firstpass": [(-0.4756, 0.0105), (0.2715, 0.0120), (-0.2008, 0.0144), (-0.0270, 0.0110)],
}
MERTZEN = {
    "human": {
        "sr": [(-0.4549, 0.0114), (-1.1269, 0.0209), (0.0696, 0.0173)],
        "fpr": [(-1.7087, 0.0134), (0.0791, 0.0180), (-0.3110, 0.0177)],
        "ffc": [(-0.2798, 0.0055), (0.2641, 0.0072), (-0.0183, 0.0077)],
        "tfc": [(0.1920, 0.0044), (0.3617, 0.0053), (-0.0146, 0.0059)],
        "fpr firstpass": [(-1.3295, 0.0167), (-0.1990, 0.0206), (-0.3806, 0.0202)],
        "ffc firstpass": [(-0.5303, 0.0064), (0.3350, 0.0075), (-0.0844, 0.0082)],
    },
    "swift": {
        "sr": [(-0.4786, 0.0170), (-0.2934, 0.0290), (0.5748, 0.0298)],
        "fpr": [(-3.3354, 0.0422), (0.1063, 0.0573), (-0.1448, 0.0575)],
        "ffc": [(-0.3656, 0.0094), (0.1319, 0.0116), (-0.2450, 0.0115)],
        "tfc": [(-0.3500, 0.0093), (0.1393, 0.0115), (-0.2402, 0.0114)],
    },
    "seam": {
        "sr": [(-0.4033, 0.0165), (-0.3526, 0.0277), (0.3843, 0.0275)],
        "fpr": [(-1.3628, 0.0191), (0.0875, 0.0271), (-0.1950, 0.0270)],
        "ffc": [(-0.1831, 0.0085), (0.1410, 0.0109), (-0.1860, 0.0109)],
        "tfc": [(0.1736, 0.0072), (0.2471, 0.0086), (-0.1855, 0.0089)],
    },
}


def check(
    frames: dict[str, pd.DataFrame], expected: dict[str, list[tuple[float, float]]], names: tuple[str, ...]
) -> None:
    for key, cells in expected.items():
        measure, _, variant = key.partition(" ")
        known = maximum_likelihood(frames[variant or "paper"], Glm(measure, FAMILIES[measure], names))
        for name, expected_cell, ours in zip(("Intercept", *names), cells, known, strict=True):
            assert ours == pytest.approx(expected_cell, abs=5.1e-5), (key, name)


def maximum_likelihood(frame: pd.DataFrame, glm: Glm) -> list[tuple[float, float]]:
    """Return estimate and standard error of the intercept, for predictors as they came, and of each slope."""
    design = build_design(frame, glm)
    flat = Prior("Flat", {})
    at_mode = approximate(Posterior(glm, design, Priors("none", flat, (flat,) * len(design.terms), ())))
    uncentred = np.eye(1 + len(design.terms))
    uncentred[0, 1:] = -design.x_mean
    covariance = uncentred @ np.linalg.inv(at_mode.curvature.border) @ uncentred.T
    return list(zip(uncentred @ at_mode.effects, np.sqrt(np.diag(covariance)), strict=True))


def test_schilling(shared: Shared, standardised: Standardised) -> None:
    corpus = read_corpus(shared("schilling"))
    columns = ("frequency_per_million", "cloze")
    frames = {v: standardised(corpus, human_readings(corpus), v, columns) for v in ("paper", "firstpass")}
    assert len(frames["paper"]) == 15_868
    check(frames, SCHILLING, ("length", *columns))


@pytest.mark.parametrize("source", MERTZEN)
def test_mertzen(shared: Shared, standardised: Standardised, source: str) -> None:
    folder = shared("mertzen")
    corpus = read_corpus(folder)
    readings = human_readings(corpus) if source == "human" else simulated(corpus, folder, source)
    variants = ("paper", "firstpass") if source == "human" else ("paper",)
    frames = {v: standardised(corpus, readings, v, ("frequency_count",)) for v in variants}
    assert len(frames["paper"]) == (44_973 if source == "human" else 17_351)
    check(frames, MERTZEN[source], ("length", "frequency_count"))


def simulated(corpus: Corpus, folder: Path, model: str) -> list[Reading]:
    paths: dict[tuple[str, str], list[int]] = {}
    for row in read_table(folder / f"simulated_{model}.csv").rows():
        paths.setdefault((row["reader_id"], row["sentence_id"]), []).append(int(row["word_index"]))
    return [
        Reading(model, sentence, corpus.sentences[sentence].text, tuple(path), reader_id=reader)
        for (reader, sentence), path in paths.items()
    ]
