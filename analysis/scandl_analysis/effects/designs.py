"""Which terms the regressions of the psycholinguistic analysis have, beside the predictors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl_analysis.glm.spec import Family, Glm, Slope, paper_glm
from scandl_analysis.words.readings import HALVES, HUMAN

if TYPE_CHECKING:
    import pandas as pd

DESIGNS = ("crossed", "paper", "joint", "maximal")
READER, SENTENCE, TOKEN = "reader_id", "sentence_id", "word_token"

FEWEST_READERS = 5
"""Readers from which on their slopes are told apart; two suffice for intercepts."""
FEWEST_READINGS = 1.5
"""Mean readings of a word token from which on tokens have intercepts of their own."""


def source_glm(
    design: str, measure: str, source: str, frame: pd.DataFrame, *, predictors: tuple[str, ...],
    family: Family,
) -> Glm:  # fmt: skip
    """Return the regression of one source by itself."""
    if design == "paper" or (design == "joint" and source in HALVES):
        human = HUMAN if source in HALVES else source
        return paper_glm(measure, human, predictors=predictors, family=family)
    return crossed_glm(measure, frame, predictors=predictors, family=family, correlated=design == "maximal")


def crossed_glm(
    measure: str, frame: pd.DataFrame, *, predictors: tuple[str, ...], family: Family,
    correlated: bool = False,
) -> Glm:  # fmt: skip
    """Return ``(1 + predictors || reader) + (1 | sentence) + (1 | word token)``, as far as data allow.

    >>> import pandas as pd
    >>> words = pd.DataFrame({"sentence_id": ["a", "b"] * 4, "word_token": ["a:0", "b:0"] * 4})
    >>> words["reader_id"] = ""
    >>> crossed_glm("sr", words, predictors=("x",), family="bernoulli").formula
    'sr ~ x + (1|sentence_id) + (1|word_token)'
    """
    n_readers, n_sentences, n_tokens = (frame[name].nunique() for name in (READER, SENTENCE, TOKEN))
    groups = [READER] * (n_readers > 1) + [SENTENCE] * (n_sentences > 1)
    groups += [TOKEN] * (len(frame) >= FEWEST_READINGS * n_tokens)
    slopes = tuple(Slope(name, READER) for name in predictors) if n_readers >= FEWEST_READERS else ()
    return Glm(
        measure, family, predictors, tuple(groups), slopes=slopes,
        correlated=(READER,) if correlated and slopes else (),
    )  # fmt: skip


def left_out_terms(source: str, frame: pd.DataFrame) -> str:
    """Say which terms of the crossed design the words of a source cannot have; nothing if they have all.

    >>> import pandas as pd
    >>> words = pd.DataFrame({"sentence_id": ["a", "b"], "word_token": ["a:0", "b:0"]})
    >>> words["reader_id"] = ["r1", "r2"]
    >>> left_out_terms("human", words)
    'human: no reader slopes (2 readers), no intercepts of word tokens (each was read 1.0 times)'
    """
    n_readers, readings = frame[READER].nunique(), len(frame) / frame[TOKEN].nunique()
    said = []
    if n_readers < 2:
        said.append("no reader terms (no readers to tell apart)")
    elif n_readers < FEWEST_READERS:
        said.append(f"no reader slopes ({n_readers} readers)")
    if frame[SENTENCE].nunique() < 2:
        said.append("no intercepts of sentences (there is one)")
    if readings < FEWEST_READINGS:
        said.append(f"no intercepts of word tokens (each was read {readings:.1f} times)")
    return f"{source}: {', '.join(said)}" if said else ""
