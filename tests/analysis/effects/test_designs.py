from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from scandl_analysis.effects.designs import Options, joint_rows, left_out, left_out_terms, source_glm
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]
GLM = Glm("y", "bernoulli", ("word_length",), by="source")
SAID = {"setting": "ns", "engine": "mle", "priors": "brms", "named": "none"}
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
    assert (row.model, row.priors) == ("always", "none")


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
        ("crossed", "nuts", "nuts"), ("maximal", "nuts", "nutpie"), ("maximal", "imh", "nutpie"),
        ("maximal", "pymc", "pymc"),
    ],
)  # fmt: skip
def test_correlated_slopes_are_left_to_pymc(design: str, engine: str, used: str) -> None:
    assert Options(design=design, engine=engine).engine_used == used


def test_maximum_likelihood_has_no_priors() -> None:
    assert [Options(engine=engine).priors_used for engine in ("nuts", "mle", "mle-robust")] == [
        "brms", "none", "none",
    ]  # fmt: skip


def test_spillover_adds_the_predictors_of_the_previous_word() -> None:
    plain, more = (Options(spillover=spillover).predictors for spillover in (False, True))
    assert more[: len(plain)] == plain
    assert len(more) == 2 * len(plain)
