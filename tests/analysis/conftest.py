"""A corpus one can read at a glance, and a cache of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln

from scandl.corpora import Card, Corpus
from scandl.records import Prediction, Scanpath, Sentence
from scandl_analysis.glm.spec import TIMES, Family
from scandl_analysis.words.analysed_run import Run
from scandl_reports.document import Finding, Report, Section, Text

PREDICTORS = ("word_length", "frequency", "surprisal")
EFFECTS_FILES = {
    "effects": """setting,model,measure,predictor,mean,sd,ci_low,ci_high,rhat,ess_bulk,ess_tail,n_rows,engine,priors,note,unit,marginal,marginal_low,marginal_high,marginal_sd,robust_sd,per,natural,natural_low,natural_high
nrns,human,sr,word_length,-0.5,0.1,-0.7,-0.3,1.0,900,800,100,hmc,brms,,percentage points,-10,-14,-6,2,3,letter,-5,-7,-3
nrns,human,sr,frequency,0.25,0.1,0.05,0.45,1.0,900,800,100,hmc,brms,,percentage points,5,1,9,2,3,Zipf,4,0.8,7.2
nrns,human-half-1,sr,word_length,-0.4,0.1,-0.6,-0.2,1.0,900,800,50,hmc,brms,,percentage points,-8,-12,-4,2,3,letter,-4,-6,-2
nrns,markov,sr,word_length,0.125,0.1,-0.1,0.3,1.0,900,800,100,hmc,brms,,percentage points,2.5,-2,6,2,3,letter,1.25,-1,3
nrns,markov,sr,frequency,0.0625,0.1,-0.1,0.3,1.0,900,800,100,hmc,brms,,percentage points,1.25,-2,6,2,3,Zipf,1,-1.6,4.8
nrns,left-to-right,sr,word_length,,,,,,,,100,hmc,brms,"not estimable: sr is 0 in all 100 words",percentage points,0,0,0,0,,letter,0,0,0
""",
    "recovery": """setting,model,measure,predictor,unit,readers,readers_low,readers_high,model_effect,model_low,model_high,readers_minus_model,ci_low,ci_high,ratio,margin,verdict,p_equivalent,p_too_weak,p_too_strong,p_wrong_sign,note
nrns,markov,sr,word_length,percentage points,-10,-14,-6,2.5,-2,6,-12.5,-16,-8,-0.25,5,wrong sign,0,1,0,0.96,
nrns,markov,sr,frequency,percentage points,5,1,9,1.25,-2,6,3.75,-1,8,0.25,2.5,undecided,0.3,0.7,0,0.2,
nrns,left-to-right,sr,word_length,percentage points,-10,-14,-6,0,0,0,-10,-14,-6,0,5,too weak,0,1,0,0,
nrns,human-half-2,sr,word_length,percentage points,-10,-14,-6,-10,-14,-6,0,-4,4,1,5,equivalent,0.97,0.01,0.02,0,
""",
    "recovery-summary": """setting,model,shown,equivalent,too_weak,too_strong,wrong_sign,undecided,missing,expected_wrong,distance,distance_low,distance_high,minus_nearest,minus_nearest_low,minus_nearest_high,minus_none,minus_none_low,minus_none_high,cells,same_sign,mean_abs,rmse,note
nrns,markov,2,0,0,0,1,1,0,0.04,1.4,0.9,2.1,0,0,0,0.4,-0.1,1.1,2,1,0.40625,0.46,
nrns,left-to-right,2,0,1,0,0,0,1,0,,,,,,,,,,0,0,,,
nrns,no effects,2,0,2,0,0,0,0,0.03,1,0.6,1.5,-0.4,-1.1,0.1,,,,2,0,0.375,0.395,
nrns,two halves of the readers,2,1,0,0,0,1,0,0.03,0.01,-0.1,0.2,,,,,,,2,2,0.05,0.06,not sampled well: human-half-1 sr
""",
    "words": """source,setting,fold,sample,reader_id,sentence_id,word_index,word,sr,fpr,ffc,tfc,word_length,frequency,surprisal
human,all,0,0,r1,s1,0,The,0,0,1,1,3,7.7,2.9
human,all,0,0,r1,s1,1,cat,1,0,0,0,3,5.1,8.9
human,all,0,0,r1,s1,2,sat,0,0,2,6,3,5.1,8.9
human,all,0,0,r1,s1,3,down,0,0,1,1,3,5.1,8.9
markov,nrns,0,0,r1,s1,0,The,1,0,0,0,3,7.7,2.9
markov,nrns,0,0,r1,s1,1,cat,1,0,0,0,3,7.7,2.9
""",
}
"""What ``psycholing`` leaves of a tiny analysis, by the name of the file."""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what a test computes out of the user's cache, and the user's cache out of the test."""
    monkeypatch.setenv("SCANDL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def small_corpus() -> Corpus:
    """Return one sentence read by two people: one with durations, a skip and a regression."""
    return Corpus(
        Card(name="small"),
        {"s1": Sentence("s1", "The old dog slept.")},
        (
            Scanpath("r1", "s1", (0, 2, 1, 1, 3), (200.0, 100.0, 80.0, 60.0, 90.0)),
            Scanpath("r2", "s1", (0, 1, 3)),
        ),
    )


@pytest.fixture
def behaviour_run() -> Run:
    """Return three readers of two sentences, a model that copies them and one that never regresses."""
    texts = {"s1": "The old dog slept.", "s2": "A cat sat."}
    paths = {
        ("r1", "s1"): (0, 1, 2, 3),
        ("r2", "s1"): (0, 2, 1, 3),
        ("r3", "s1"): (0, 0, 3, 1, 2, 3),
        ("r1", "s2"): (0, 1, 2),
        ("r2", "s2"): (1, 0, 2),
        ("r3", "s2"): (2, 0, 1, 1, 2),
    }
    corpus = Corpus(
        Card(name="small"),
        {name: Sentence(name, text) for name, text in texts.items()},
        tuple(Scanpath(reader, sentence, path) for (reader, sentence), path in paths.items()),
    )
    made = {
        "copy": lambda path, n: path,
        "straight": lambda path, n: tuple(range(n)),
    }
    predictions = {
        model: [
            Prediction(sentence, make(path, len(texts[sentence].split())), path, reader, model, "nrns")
            for (reader, sentence), path in paths.items()
        ]
        for model, make in made.items()
    }
    return Run(Path("toy"), "nrns", corpus, predictions, ())


@pytest.fixture
def made_words() -> Callable[..., pd.DataFrame]:
    """Return the function that simulates a word table."""
    return make_words


def make_words(
    family: Family = "bernoulli",
    *,
    n_readers: int = 8,
    n_shared: int = 3,
    n_own: int = 3,
    n_words: int = 8,
    slopes: tuple[float, ...] = (-0.6, 0.2, -0.3),
    intercept: float = -0.3,
    sd: float = 0.5,
    sd_sentence: float = 0.0,
    sd_token: float = 0.0,
    sd_slope: float = 0.0,
    shape: float = 2.0,
    seed: int = 0,
) -> pd.DataFrame:
    """Return a word table: some sentences are read by all, some by one reader only.

    ``shape`` is that of counts, or the deviation of times.
    """
    rng = np.random.default_rng(seed)
    rows = []
    shared = {f"s{k}": rng.normal(size=(n_words, len(slopes))) for k in range(n_shared)}
    for reader, u in enumerate(rng.normal(0, sd, n_readers)):
        own = {f"r{reader}s{k}": rng.normal(size=(n_words, len(slopes))) for k in range(n_own)}
        for sentence, x in {**shared, **own}.items():
            rows += [
                (f"r{reader}", sentence, f"{sentence}:{k}", u, *word) for k, word in enumerate(x.tolist())
            ]
    columns = ["reader_id", "sentence_id", "word_token", "u", *PREDICTORS[: len(slopes)]]
    frame = pd.DataFrame(rows, columns=columns)
    by_sentence = {key: rng.normal(0, sd_sentence) for key in frame["sentence_id"].unique()}
    eta = intercept + frame["u"] + frame["sentence_id"].map(by_sentence)
    eta += frame[list(PREDICTORS[: len(slopes)])].to_numpy() @ np.array(slopes)
    if sd_token:
        tokens, index = np.unique(frame["word_token"], return_inverse=True)
        eta += rng.normal(0, sd_token, len(tokens))[index]
    if sd_slope:
        own = rng.normal(0, sd_slope, (n_readers, len(slopes)))[frame["reader_id"].str[1:].astype(int)]
        eta += (frame[list(PREDICTORS[: len(slopes)])].to_numpy() * own).sum(axis=1)
    if family in TIMES:
        frame["y"] = eta + rng.normal(0, shape, len(frame))
        frame["y"] = np.exp(frame["y"]) if family == "lognormal" else frame["y"]
    elif family == "bernoulli":
        frame["y"] = rng.binomial(1, 1 / (1 + np.exp(-eta)))
    elif family == "poisson":
        frame["y"] = rng.poisson(np.exp(eta))
    elif family == "conwaymaxwell":
        p = np.exp(np.outer(eta, np.arange(60)) - shape * gammaln(np.arange(60) + 1))
        below = (p / p.sum(axis=1, keepdims=True)).cumsum(axis=1)
        frame["y"] = (rng.random((len(eta), 1)) > below).sum(axis=1)
    else:
        frame["y"] = rng.poisson(rng.gamma(shape, np.exp(eta) / shape))
    return frame.assign(source="human")


@pytest.fixture
def effects_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a run with an analysis of its effects in nrns, and none in ns."""
    folder = tmp_path / "run"
    out = folder / "psycholing" / "nrns"
    out.mkdir(parents=True)
    for name, text in EFFECTS_FILES.items():
        (out / f"{name}.csv").write_text(text, encoding="utf-8")
    for setting in ("ns", "nrns"):
        (folder / "predictions" / "markov").mkdir(parents=True, exist_ok=True)
        (folder / "predictions" / "markov" / f"{setting}.csv").write_text("sentence_id,predicted\n")
    (folder / "run.toml").touch()
    monkeypatch.setattr("scandl_analysis.chapters.whole_report.build_run_report", of_a_benchmark)
    return folder


def of_a_benchmark(folder: Path, effects: Finding) -> Report:
    """Stand in for what the benchmark says of a run."""
    return Report(
        f"Benchmark run {folder.name}",
        "",
        (Finding("Best by NLD", "markov"), effects, Finding("What to distrust", "it")),
        (Section("New Sentence", (Text("numbers"),)), Section("All numbers", (Text("more"),), appendix=True)),
        (),
        (("seed", "1"),),
    )
