from __future__ import annotations

import pandas as pd
import pytest

from scandl_analysis.effects.designs import left_out_terms, source_glm

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
