"""The words of an analysis: what is left out, standardised and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import Corpus
from scandl.errors import ConfigError
from scandl_analysis.effects.analysed_words import analysed_words, frequency_beside
from scandl_analysis.effects.designs import Options
from scandl_analysis.words.analysed_run import open_readers

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
