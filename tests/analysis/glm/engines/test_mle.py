"""Maximum likelihood on real corpora: the estimates and standard errors that others computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl.corpora import Corpus, read_corpus
from scandl.files.tables import read_table
from scandl_analysis.effects.effect_table import effects_of, joint_effects
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import Sampling, fit
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
        found = fit(frames[variant or "paper"], Glm(measure, FAMILIES[measure], names), engine="mle").gaussian
        for name, (estimate, error) in zip(("Intercept", *names), cells, strict=True):
            assert found[name] == pytest.approx((estimate, error), abs=5.1e-5), (key, name)


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


def test_robust_errors_are_the_sandwich_written_slowly(made_words: Callable[..., pd.DataFrame]) -> None:
    frame = made_words(slopes=(0.5,))
    found = fit(frame, Glm("y", "bernoulli", ("word_length",), ("reader_id",)), engine="mle-robust").gaussian
    x = np.column_stack([np.ones(len(frame)), frame["word_length"]])
    p = 1 / (1 + np.exp(-x @ [found["Intercept"][0], found["word_length"][0]]))
    bread = np.linalg.inv((x * (p * (1 - p))[:, None]).T @ x)
    scores = [
        ((frame["y"] - p).to_numpy()[:, None] * x)[frame["reader_id"] == r].sum(0)
        for r in frame["reader_id"].unique()
    ]
    meat = sum(np.outer(s, s) for s in scores) * len(scores) / (len(scores) - 1)
    expected = np.sqrt(np.diag(bread @ meat @ bread))
    assert (found["Intercept"][1], found["word_length"][1]) == pytest.approx(expected.tolist(), rel=1e-5)


def test_intervals_of_few_readers_are_those_of_t(made_words: Callable[..., pd.DataFrame]) -> None:
    frame, glm = (
        made_words(n_readers=6, slopes=(0.5,)),
        Glm("y", "bernoulli", ("word_length",), ("reader_id",)),
    )
    found = fit(frame, glm, engine="mle-robust", sampling=Sampling(draws=20_000))
    (row,) = effects_of(found, "ns", "human").rows
    assert [row.ci_low, row.ci_high] == pytest.approx(
        stats.t.interval(0.95, 5, *found.gaussian["word_length"]), rel=1e-4
    )
    # So are the draws that differences are made of.
    ends = np.quantile(found.flat("word_length"), [0.025, 0.975])
    assert ends.tolist() == pytest.approx([row.ci_low, row.ci_high], abs=0.1 * row.sd)
    (plain,) = effects_of(fit(frame, glm, engine="mle"), "ns", "human").rows
    assert (plain.ci_high - plain.mean) / plain.sd == pytest.approx(stats.norm.ppf(0.975), rel=1e-4)


def test_intervals_of_six_readers_cover_the_truth() -> None:
    """Readers differ in their slopes; 95 % of 150 data sets is 142.5 ± 2.7."""
    glm, covered = Glm("y", "poisson", ("x",), ("reader_id",)), {"t": 0, "normal": 0}
    rng = np.random.default_rng(3)
    for _ in range(150):
        x, reader = rng.normal(size=600), np.repeat(np.arange(6), 100)
        y = rng.poisson(np.exp(0.3 + (0.2 + 0.15 * rng.normal(size=6))[reader] * x))
        frame = pd.DataFrame({"y": y, "x": x, "reader_id": reader.astype(str)})
        found = fit(frame, glm, engine="mle-robust", sampling=Sampling(draws=2))
        mean, error = found.gaussian["x"]
        covered["t"] += abs(mean - 0.2) < stats.t.ppf(0.975, found.freedom) * error
        covered["normal"] += abs(mean - 0.2) < stats.norm.ppf(0.975) * error
    assert 134 <= covered["t"] <= 149
    assert covered["normal"] < covered["t"]


def test_a_source_with_too_few_readers_has_no_joint_estimate(made_words: Callable[..., pd.DataFrame]) -> None:
    """Clusters of other sources cannot stand in for its own."""
    other = made_words(n_readers=2, seed=3).assign(source="m")
    other["reader_id"] = "m" + other["reader_id"]
    glm = Glm("y", "bernoulli", groups=("reader_id",), by="source")
    with pytest.raises(NotEstimableError, match="need more than 4 of them, there are 2 in m$"):
        fit(pd.concat([made_words(), other]), glm, engine="mle-robust")


@pytest.mark.parametrize("n_readers", [1, 2, 3, 4])
def test_robust_errors_need_readers(made_words: Callable[..., pd.DataFrame], n_readers: int) -> None:
    frame, glm = made_words(n_readers=n_readers), Glm("y", "bernoulli", groups=("reader_id",))
    with pytest.raises(NotEstimableError) as caught:
        fit(frame, glm, engine="mle-robust")
    expected = f"errors clustered by reader_id need more than 4 of them, there are {n_readers}"
    assert str(caught.value) == f"not estimable: {expected}"
    assert fit(made_words(n_readers=5), glm, engine="mle-robust").gaussian


@pytest.mark.parametrize("engine", ["mle", "mle-robust"])
def test_maximum_likelihood_of_a_joint_model_is_that_of_each_source(
    made_words: Callable[..., pd.DataFrame], engine: str
) -> None:
    """Without group terms a model of all sources is one model for each."""
    other = made_words(slopes=(0.4, 0.0, 0.1), seed=3).assign(source="m")
    other["reader_id"] = "m" + other["reader_id"]
    human = made_words()
    glm = Glm("y", "bernoulli", groups=("reader_id",), by="source")
    joint = fit(pd.concat([human, other]), glm, engine=engine, sampling=Sampling(draws=5))
    alone = fit(other, replace(glm, by=None), engine=engine, sampling=Sampling(draws=5))
    for row in joint_effects(joint, "ns", "m")[1].rows:
        mean, sd = alone.gaussian[row.predictor]
        assert row.mean == pytest.approx(mean, abs=1e-6)
        # The small-sample factor of robust errors counts the clusters of all sources.
        assert row.sd == pytest.approx(sd, abs=1e-6 if engine == "mle" else 0.1 * sd)
