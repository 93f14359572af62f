"""The tables of gains, from readers and models; every kind of bad input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ConfigError, ScandlError
from scandl_analysis.effects.predictive_power import predictive_power


def test_readers_of_a_corpus() -> None:
    found = predictive_power(
        corpus="demo", providers=["trigram", "unigram"], measures=["tfc", "FPRT"], forms=["linear"]
    )
    gains = found.gains.set_index(["measure", "predictor"])
    assert list(gains.index) == [(m, p) for m in ("tfc", "FPRT") for p in ("trigram", "unigram")]
    assert (gains["ci_low"] <= gains["gain"]).all()
    assert (gains["gain"] <= gains["ci_high"]).all()
    for row in found.differences.itertuples():
        apart = gains.loc[(row.measure, "trigram"), "gain"] - gains.loc[(row.measure, "unigram"), "gain"]
        assert row.difference == pytest.approx(apart)
        assert row.p <= row.p_holm <= 1
    # Frequency is in the base model, so the surprisal of single words adds next to nothing.
    assert abs(gains.loc[("tfc", "unigram"), "gain"]) < 1e-3
    again = predictive_power(
        corpus=open_corpus("demo"),
        providers=["trigram", "unigram"],
        measures=["tfc", "FPRT"],
        forms=["linear"],
    )
    assert again.gains.equals(found.gains)
    assert "base_log_likelihood" in found._repr_html_()


def test_models_of_the_demo_run_beside_readers() -> None:
    found = predictive_power(providers=["trigram"], measures=["tfc"], forms=["linear"], folds=4)
    assert "human" in found.gains["source"].tolist()
    assert found.gains["source"].nunique() > 1
    assert found.notes[0].startswith("no run given")


def test_a_column_of_the_corpus_is_a_predictor() -> None:
    corpus = open_corpus("demo")
    rng = np.random.default_rng(1)
    cells = {
        key: tuple(f"{x:.3f}" for x in rng.normal(size=s.n_words)) for key, s in corpus.sentences.items()
    }
    same = {key: ("1",) * s.n_words for key, s in corpus.sentences.items()}
    text = {key: ("a",) * s.n_words for key, s in corpus.sentences.items()}
    own = replace(corpus, words={"noise": cells, "same": same, "text": text})
    found = predictive_power(corpus=own, predictor="noise", measures=["sr"], forms=["linear"], spillover=True)
    assert abs(found.gains["gain"].iloc[0]) < 2e-3
    constant = predictive_power(corpus=own, predictor="same", measures=["sr"], forms=["linear"])
    assert constant.gains["note"].tolist() == ["same is the same for all words"]
    with pytest.raises(ScandlError, match="predictor 'text': found 'a', expected numbers"):
        predictive_power(corpus=own, predictor="text")


def test_what_is_refused() -> None:
    with pytest.raises(ConfigError, match="no measure 'FPTR' to regress; did you mean 'FPRT'?"):
        predictive_power(corpus="demo", providers=["unigram"], measures=["FPTR"])
    with pytest.raises(ScandlError, match="the table has no column 'clozee'"):
        predictive_power(corpus="demo", predictor="clozee")
    with pytest.raises(ScandlError, match="predictor 'frequency' is part of the base model already"):
        predictive_power(corpus="demo", predictor="frequency")
    with pytest.raises(ConfigError, match="found provider 'unigram' twice"):
        predictive_power(corpus="demo", providers=["unigram", "unigram"])
    with pytest.raises(ConfigError, match="found 1 folds, expected at least 2"):
        predictive_power(corpus="demo", folds=1)
    with pytest.raises(ConfigError, match="no form 'splin' of a predictor; did you mean 'spline'?"):
        predictive_power(corpus="demo", forms=["splin"])
    corpus = open_corpus("demo")
    untimed = replace(corpus, scanpaths=tuple(replace(s, durations=None) for s in corpus.scanpaths))
    with pytest.raises(ScandlError, match="measure 'FFD': the corpus has no durations"):
        predictive_power(corpus=untimed, providers=["unigram"], measures=["FFD"])
    first = next(iter(corpus.sentences))
    one = replace(
        corpus,
        sentences={first: corpus.sentences[first]},
        scanpaths=tuple(s for s in untimed.scanpaths if s.sentence_id == first),
    )
    found = predictive_power(corpus=one, providers=["unigram"], measures=["tfc"], forms=["linear"])
    assert found.gains["note"].tolist() == ["one item: nothing can be held out"]
    assert found.gains["gain"].isna().all()
