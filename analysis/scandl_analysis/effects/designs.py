"""Which terms the regressions have beside the predictors, and whose words enter the joint one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scandl_analysis.effects.effect_table import Effects, not_estimable
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import Sampling, fit
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


def left_out(
    frame: pd.DataFrame, glms: Sequence[Glm], *, setting: str, engine: str, priors: str, named: str
) -> dict[str, dict[str, Effects]]:
    """Return what is said of the sources that cannot enter the joint model, by measure.

    One source without an estimate would take it from all others, so each is looked at alone first.
    Without humans there is nothing to compare with, and nobody enters. ``named`` is what the table
    calls the priors.
    """
    quick = "mle" if engine.startswith("mle") else "laplace"
    parts = {str(source): part for source, part in frame.groupby("source", sort=False)}
    found: dict[str, dict[str, Effects]] = {}
    for glm in glms:
        reasons = {}
        for source, part in parts.items():
            try:
                fit(part, glm, engine=quick, priors=priors, sampling=Sampling(draws=2))
            except NotEstimableError as error:
                reasons[source] = error
        if (human := reasons.get(HUMAN)) is not None:
            why = str(human).removeprefix("not estimable: ")
            nobody = NotEstimableError(f"not estimable beside humans: {why}")
            reasons = {source: reasons.get(source, nobody) for source in parts}
        n_rows = {source: len(parts[source].dropna(subset=list(glm.columns))) for source in reasons}
        found[glm.measure] = {
            source: not_estimable(
                error, glm, setting, source, n_rows=n_rows[source], engine=engine, priors=named
            )
            for source, error in reasons.items()
        }
    return found


def joint_rows(frame: pd.DataFrame, absent: Iterable[str]) -> pd.DataFrame:
    """Return rows for one model of all sources but those absent."""
    rows = frame[~frame["source"].isin(list(absent))].copy()
    # Readers are nested in sources: a path generated "for" a reader is not that reader's.
    rows["reader_id"] = rows["source"].astype(str) + ":" + rows["reader_id"].astype(str)
    return rows
