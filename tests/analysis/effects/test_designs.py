"""The words of an analysis: what is left out, standardised and said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus
from scandl.errors import ConfigError
from scandl_analysis.effects.designs import (
    Options,
    analysed_words,
    frequency_beside,
    joint_rows,
    left_out,
    left_out_terms,
    source_glm,
)
from scandl_analysis.glm.spec import Glm
from scandl_analysis.words.analysed_run import open_readers

Made = Callable[..., pd.DataFrame]
GLM = Glm("y", "bernoulli", ("word_length",), by="source")
SAID = {"setting": "ns", "engine": "laplace", "priors": "brms"}
X = ("word_length", "surprisal")
SLOPES = "(1 + word_length + surprisal||reader_id)"


def words(n_readers: int, n_sentences: int, *, shared: bool = True) -> pd.DataFrame:
    """Return three words of each sentence by each reader, or by one reader each."""
    rows = [
        (f"r{r}", f"s{s}", f"s{s}:{w}")
        for r in range(n_readers)
        for s in range(n_sentences)
        for w in range(3)
        if shared or s % n_readers == r
    ]
    return pd.DataFrame(rows, columns=["reader_id", "sentence_id", "word_token"])


@pytest.mark.parametrize(
    ("design", "source", "frame", "terms"),
    [
        ("crossed", "human", words(6, 4), f"{SLOPES} + (1|sentence_id) + (1|word_token)"),
        ("crossed", "human", words(3, 4), "(1|reader_id) + (1|sentence_id) + (1|word_token)"),
        ("crossed", "human", words(6, 12, shared=False), f"{SLOPES} + (1|sentence_id)"),
        ("crossed", "m", words(1, 4), "(1|sentence_id)"),
        ("crossed", "human-half-1", words(6, 4), f"{SLOPES} + (1|sentence_id) + (1|word_token)"),
        ("maximal", "human", words(6, 4), f"{SLOPES.replace('||', '|')} + (1|sentence_id) + (1|word_token)"),
        ("paper", "human", words(6, 4), "(1|reader_id)"),
        ("paper", "human-half-2", words(6, 4), "(1|reader_id)"),
        ("joint", "human-half-2", words(6, 4), "(1|reader_id)"),
    ],
)
def test_terms_are_those_the_words_can_tell(
    design: str, source: str, frame: pd.DataFrame, terms: str
) -> None:
    glm = source_glm(design, "sr", source, frame, predictors=X, family="bernoulli")
    assert glm.formula == f"sr ~ word_length + surprisal + {terms}"


def test_what_is_left_out_is_said() -> None:
    assert left_out_terms("human", words(6, 4)) == ""
    assert left_out_terms("m", words(1, 1)) == (
        "m: no reader terms (no readers to tell apart), no intercepts of sentences (there is one),"
        " no intercepts of word tokens (each was read 1.0 times)"
    )


@pytest.fixture
def frame(made_words: Made) -> pd.DataFrame:
    """Readers, a model like them, and one that always skips."""
    sources = {"human": made_words(), "m": made_words(seed=1), "always": made_words(seed=2).assign(y=1)}
    return pd.concat([words.assign(source=name) for name, words in sources.items()], ignore_index=True)


def alone(glm: Glm) -> Glm:
    return Glm(glm.measure, glm.family, glm.predictors)


def test_a_source_without_an_estimate_does_not_take_that_of_the_others(frame: pd.DataFrame) -> None:
    found = left_out(frame, [alone(GLM)], **SAID)
    assert list(found["y"]) == ["always"]
    (row,) = found["y"]["always"].rows
    assert row.note.startswith("not estimable: ")
    assert row.n_rows == (frame["source"] == "always").sum()
    assert (row.model, row.priors) == ("always", "brms")


def test_without_humans_nobody_enters(frame: pd.DataFrame) -> None:
    frame.loc[frame["source"] == "human", "y"] = 0
    found = left_out(frame, [alone(GLM)], **SAID)
    assert set(found["y"]) == {"human", "m", "always"}
    assert found["y"]["m"].rows[0].note.startswith("not estimable beside humans: ")


def test_readers_are_nested_in_sources(frame: pd.DataFrame) -> None:
    rows = joint_rows(frame, ["always"])
    assert set(rows["source"]) == {"human", "m"}
    assert rows["reader_id"].nunique() == 2 * frame["reader_id"].nunique()
    assert rows["reader_id"].str.startswith(("human:", "m:")).all()
    assert not frame["reader_id"].str.contains(":").any()  # what was given is as it was


@pytest.mark.parametrize(
    ("given", "edges"),
    [
        ({}, ("first", "last")),
        ({"design": "paper"}, ()),
        ({"design": "paper", "drop": ("first",)}, ("first",)),
        ({"drop": ()}, ()),
        ({"drop": (), "spillover": True}, ("first",)),  # a first word has no previous one
        ({"spillover": True}, ("first", "last")),
    ],
)
def test_edges_are_left_out_as_the_design_has_it(given: dict, edges: tuple[str, ...]) -> None:
    assert Options(**given).edges == edges


@pytest.mark.parametrize(
    ("design", "engine", "used"),
    [
        ("crossed", "hmc", "hmc"),
        ("maximal", "hmc", "nutpie"),
        ("maximal", "pymc", "pymc"),
    ],
)
def test_correlated_slopes_are_left_to_pymc(design: str, engine: str, used: str) -> None:
    assert Options(design=design, engine=engine).engine_used == used


def test_spillover_adds_the_predictors_of_the_previous_word() -> None:
    plain, more = (Options(spillover=spillover).predictors for spillover in (False, True))
    assert more[: len(plain)] == plain
    assert len(more) == 2 * len(plain)


OPTIONS = Options(surprisal="unigram", frequency="proportion", drop=())


@pytest.fixture
def timed(small_corpus: Corpus) -> Corpus:
    second = replace(small_corpus.scanpaths[1], durations=(150.0, 220.0, 180.0))
    return replace(small_corpus, scanpaths=(small_corpus.scanpaths[0], second))


def test_predictors_are_standardised_and_times_are_there(timed: Corpus) -> None:
    found = analysed_words(open_readers(timed), OPTIONS)
    assert found.measures == ("sr", "fpr", "ffc", "tfc", "FPRT", "TFT")
    assert found.used == ("word_length", "frequency", "surprisal")
    np.testing.assert_allclose(found.scaled[list(found.used)].mean(), 0, atol=1e-12)
    np.testing.assert_allclose(found.scaled[list(found.used)].std(ddof=1), 1)
    assert found.words["FPRT"].dropna().tolist() == [200.0, 100.0, 90.0, 150.0, 220.0, 180.0]
    assert found.scaled["word_token"].tolist()[:2] == ["s1:0", "s1:1"]


def test_edges_are_left_out_but_kept_for_the_look_at_them(timed: Corpus) -> None:
    found = analysed_words(open_readers(timed), replace(OPTIONS, drop=("first",)))
    assert len(found.every) == 8
    assert set(found.words["word"]) == {"old", "dog", "slept."}
    assert "first words of sentences are left out" in found.notes


def test_surprisal_of_single_words_beside_their_log_frequency_is_left_out(timed: Corpus) -> None:
    found = analysed_words(open_readers(timed), replace(OPTIONS, frequency="zipf"))
    assert found.used == ("word_length", "frequency")
    assert frequency_beside("previous_surprisal") == "previous_frequency"


def test_truncated_first_fixations_are_said_where_times_are_regressed(timed: Corpus) -> None:
    cut = replace(timed, card=replace(timed.card, first_fixation="truncated"))
    found = analysed_words(open_readers(cut), OPTIONS)
    assert any("2 words whose first fixation was under way" in note for note in found.notes)
    assert found.words["FPRT"].notna().sum() == 4
    without = analysed_words(open_readers(cut), replace(OPTIONS, measures=("sr",)))
    assert not any("under way" in note for note in without.notes)


def test_times_of_readers_without_durations_are_refused(small_corpus: Corpus) -> None:
    untimed = replace(
        small_corpus, scanpaths=tuple(replace(s, durations=None) for s in small_corpus.scanpaths)
    )
    with pytest.raises(ConfigError, match="measure 'TFT': the corpus has no durations"):
        analysed_words(open_readers(untimed), replace(OPTIONS, measures=("TFT",)))
