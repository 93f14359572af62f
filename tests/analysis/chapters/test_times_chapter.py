"""The chapter on times: what it draws, and what it says of models with and without durations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ConfigError
from scandl.records import Prediction, Scanpath, Sentence
from scandl_analysis.chapters.effects_chapter import build_psycholing_report
from scandl_analysis.chapters.psycholing_output import text_lines
from scandl_analysis.chapters.times_chapter import times_section
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing import Psycholing, psycholing
from scandl_reports.plain import to_plain

WORDS = [
    "the",
    "a",
    "of",
    "house",
    "mountain",
    "river",
    "information",
    "understanding",
    "dog",
    "tree",
    "responsibility",
    "sun",
]
OPTIONS = Options(
    engine="laplace",
    surprisal="unigram",
    frequency="proportion",
    draws=100,
    ceiling=False,
    edge_check=False,
    measures=("tfc", "FFD", "FPRT"),
)


def made(seed: int, *, per_letter: float) -> tuple[Corpus, list[Prediction]]:
    """Return readers whose fixations grow by ``per_letter`` (log ms); one model likewise, one without times."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, 8)) for _ in range(12)]
    sentences = {f"s{k}": Sentence(f"s{k}", text) for k, text in enumerate(texts)}

    def read(text: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
        lengths = [len(word) for word in text.split()]
        path = [w for w in range(8) for _ in range(1 + rng.binomial(1, min(0.9, lengths[w] / 15)))]
        ms = [float(np.exp(5 + per_letter * lengths[w] + rng.normal(0, 0.2))) for w in path]
        return tuple(path), tuple(ms)

    paths, predictions = [], []
    for reader in range(6):
        for key, sentence in sentences.items():
            path, ms = read(sentence.text)
            paths.append(Scanpath(f"r{reader}", key, path, ms))
            other, times = read(sentence.text)
            predictions.append(
                Prediction(key, other, path, f"r{reader}", "timed", durations=times, text=sentence.text)
            )
            predictions.append(Prediction(key, path[::2], path, f"r{reader}", "untimed", text=sentence.text))
    return Corpus(Card(name="made"), sentences, tuple(paths)), predictions


@pytest.fixture(scope="module")
def found() -> Psycholing:
    corpus, predictions = made(1, per_letter=0.03)
    return psycholing(run=predictions, corpus=corpus, options=OPTIONS)


def test_effects_on_times_are_those_the_words_were_made_with(found: Psycholing) -> None:
    rows = found.effects.set_index(["model", "measure", "predictor"])
    sd = found.scaling.set_index(["source", "predictor"]).loc[("human", "word_length"), "sd"]
    effect = rows.loc[("human", "FFD", "word_length")]
    assert effect["ci_low"] / sd < 0.03 < effect["ci_high"] / sd
    lengths = pd.Series([len(word) for word in WORDS], dtype=float)
    per_sd = 0.03 * sd * np.exp(5 + 0.03 * lengths + 0.2**2 / 2).mean()
    assert (effect["unit"], effect["per"]) == ("ms", "letter")
    assert effect["marginal_low"] < per_sd < effect["marginal_high"]
    assert effect["natural"] == pytest.approx(effect["marginal"] / sd, rel=1e-4)


def test_models_without_durations_keep_their_other_effects(found: Psycholing) -> None:
    untimed = found.effects[found.effects["model"] == "untimed"].set_index("measure")
    assert set(untimed.loc[["FFD", "FPRT"], "note"]) == {"not estimable: no durations"}
    assert untimed.loc["tfc", "mean"].notna().all()
    cells = found.recovery_summary.set_index("model")["cells"]
    assert cells["timed"] == cells["untimed"] == 3
    assert found.time_summary.set_index("model")["cells"].to_dict() == {
        "timed": 6,
        "untimed": 0,
        "no effects": 6,
    }
    lines = text_lines(found)
    assert {line.split(",")[0] for line in lines if ", ms" in line} == {
        "first fixation duration",
        "gaze duration",
    }
    (start,) = [k for k, line in enumerate(lines) if line.startswith("verdicts on times")]
    assert {line.split()[0] for line in lines[start + 3 : start + 5]} == {"timed", "no"}
    assert max(map(len, lines)) <= 110


def test_the_report_has_a_chapter_on_times(found: Psycholing) -> None:
    report = build_psycholing_report(found)
    assert [section.heading for section in report.sections][:2] == ["Effects: all", "Times: all"]
    assert [finding.about for finding in report.verdict][:2] == ["Effects", "Times"]
    text = to_plain(report)
    for said in (
        "Gaze durations word by word",
        "Spearman–Brown",
        "Mean gaze duration by properties of words",
        "Effects of words on times",
    ):
        assert said in text


def test_correlations_of_the_scatter_are_those_of_word_means() -> None:
    rows = [
        (source, reader, "s1", word, 200.0 + 20 * word + (source == "m") * 5 * word + 3 * (reader == "r2"))
        for source in ("human", "m")
        for reader in ("r1", "r2")
        for word in range(6)
    ]
    names = ["source", "reader_id", "sentence_id", "word_index", "FPRT"]
    words = pd.DataFrame(rows, columns=names).assign(word_length=4, frequency=3.0)
    section = times_section([], words, "all")
    caption = str(section.everything[-1])
    assert "m 1.00" in caption


def test_measures_that_cannot_be() -> None:
    corpus, _ = made(2, per_letter=0.0)
    untimed = replace(corpus, scanpaths=tuple(replace(s, durations=None) for s in corpus.scanpaths))
    with pytest.raises(ConfigError, match="measure 'FFD': the corpus has no durations"):
        psycholing(run=[Prediction("s0", (0,), (0,), "r0")], corpus=untimed, options=OPTIONS)
    with pytest.raises(ConfigError, match="no measure 'gaze' to regress"):
        psycholing(
            run=[Prediction("s0", (0,), (0,), "r0")],
            corpus=corpus,
            options=replace(OPTIONS, measures=("gaze",)),
        )


def test_times_are_there_by_default_where_durations_are() -> None:
    assert Options().measured(timed=True) == ("sr", "fpr", "ffc", "tfc", "FPRT", "TFT")
    assert Options().measured(timed=False) == ("sr", "fpr", "ffc", "tfc")
    assert Options(design="paper").measured(timed=True) == ("sr", "fpr", "ffc", "tfc")
    assert Options(measures=("RPD", "sr")).measured(timed=True) == ("RPD_inc", "sr")
