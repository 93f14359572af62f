"""The design of the psycholinguistic analysis: its options, the words that enter, the terms beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from scandl.errors import ConfigError, ScandlError
from scandl_analysis.effects.effect_table import Effects, not_estimable
from scandl_analysis.effects.model_checks import LENGTH_CLASS
from scandl_analysis.effects.paper_preset import chosen, deviations
from scandl_analysis.effects.verdicts import Margins
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import CORRELATED, fit
from scandl_analysis.glm.spec import (
    FAMILIES,
    QUICK_LOOK,
    Family,
    Glm,
    Sampling,
    Slope,
    family_of,
    known_measure,
    paper_glm,
)
from scandl_analysis.predictors.word_predictors import Predictors, compute_predictors
from scandl_analysis.words.analysed_run import HALVES, HUMAN, Run, demo_run, model_readings
from scandl_analysis.words.word_table import (
    EDGES,
    PREDICTORS,
    PREVIOUS,
    VERSION,
    complete_rows,
    edges_note,
    items_compared,
    scale,
    truncated_note,
    versions_of,
    with_previous,
    with_token,
    without_edges,
    word_rows,
)

DESIGNS = ("crossed", "intercepts", "paper", "joint", "maximal")
READER, SENTENCE, TOKEN = "reader_id", "sentence_id", "word_token"

FEWEST_READERS = 5
"""Readers from which on their slopes are told apart; two suffice for intercepts."""
FEWEST_READINGS = 1.5
"""Mean readings of a word token from which on tokens have intercepts of their own."""

DEFAULT_TIMES = ("FPRT", "TFT")
"""The times that are regressed where durations are: gaze duration and total time, an early and a late one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be chosen; None is left to the design, see ``paper_preset``."""

    engine: str = "hmc"
    priors: str = "brms"
    design: str | None = None  # None: crossed; of the embedded demo intercepts, which takes a minute
    measures: tuple[str, ...] | None = None  # None: the paper's four, and times where durations are
    variant: str | None = None  # how the paper's measures are defined: paper, firstpass
    counts: Literal["poisson", "negativebinomial", "conwaymaxwell"] = "poisson"
    surprisal: str | None = None
    frequency: str | None = None
    alignment: str | None = None  # of tokens to words; scandl-v1 is the published way
    bow: bool = False  # surprisal corrected for beginnings of words
    unit: str = "nats"
    punctuation: bool = True  # counts as part of a word's length
    scaling: str | None = None
    drop: tuple[str, ...] | None = None  # first, last: edges of sentences left out; None: as the design
    spillover: bool = False  # the predictors of the previous word too
    ceiling: bool = True  # also fit the two halves of the readers, a scale for the models
    edge_check: bool = True  # also look at the readers by other definitions and edges, by quick looks
    by: str | None = None  # column of readers.csv or sentences.csv whose levels are compared
    margins: Margins = field(default_factory=Margins)  # how large a difference of effects matters
    draws: int | None = None
    chains: int = 4
    seed: int = 1

    def of(self, run: Run) -> Options:
        """Return these options with what a run and its design choose where nothing was chosen."""
        design = self.design or ("intercepts" if run.folder == demo_run() else "crossed")
        return replace(self, design=design, **chosen(self, design, run.corpus.card.language))

    @property
    def edges(self) -> tuple[str, ...]:
        """The edges of sentences whose words are left out: both, unless the design is the published one."""
        left_out = self.drop if self.drop is not None else () if self.design == "paper" else EDGES
        # First words have no previous one.
        return tuple(dict.fromkeys(("first", *left_out) if self.spillover else left_out))

    @property
    def engine_used(self) -> str:
        """The engine; correlated slopes are beyond the fast one."""
        return CORRELATED if self.design == "maximal" and self.engine == "hmc" else self.engine

    def measured(self, *, timed: bool) -> tuple[str, ...]:
        """Return the measures to regress; ``timed``: the readers have durations."""
        if self.measures is not None:
            asked = tuple(dict.fromkeys(map(known_measure, self.measures)))
            if not timed and (lacking := [name for name in asked if name not in FAMILIES]):
                raise ConfigError(f"measure {lacking[0]!r}: the corpus has no durations")
            return asked
        return (*FAMILIES, *(DEFAULT_TIMES if timed and self.design != "paper" else ()))

    def family(self, measure: str) -> Family:
        """Return the family of a measure."""
        return self.counts if family_of(measure) == "poisson" else family_of(measure)

    @property
    def predictors(self) -> tuple[str, ...]:
        """What the measures are regressed on."""
        return (*PREDICTORS, *PREVIOUS) if self.spillover else PREDICTORS


def source_glm(
    design: str | None,
    measure: str,
    source: str,
    frame: pd.DataFrame,
    *,
    predictors: tuple[str, ...],
    family: Family,
) -> Glm:
    """Return the regression of one source by itself."""
    if design in ("paper", "intercepts") or (design == "joint" and source in HALVES):
        human = HUMAN if source in HALVES else source
        return paper_glm(measure, human, predictors=predictors, family=family)
    return crossed_glm(measure, frame, predictors=predictors, family=family, correlated=design == "maximal")


def crossed_glm(
    measure: str,
    frame: pd.DataFrame,
    *,
    predictors: tuple[str, ...],
    family: Family,
    correlated: bool = False,
) -> Glm:
    """Return ``(1 + predictors || reader) + (1 | sentence) + (1 | word token)``, as far as data allow.

    >>> import pandas as pd
    >>> words = pd.DataFrame({"sentence_id": ["a", "b"] * 4, "word_token": ["a:0", "b:0"] * 4})
    >>> words["reader_id"] = ""
    >>> crossed_glm("sr", words, predictors=("x",), family="bernoulli").formula
    'sr ~ x + (1|sentence_id) + (1|word_token)'
    """
    n_readers, n_sentences = (frame[name].nunique() for name in (READER, SENTENCE))
    groups = [READER] * (n_readers > 1) + [SENTENCE] * (n_sentences > 1)
    groups += [TOKEN] * (_times_read(frame) >= FEWEST_READINGS)
    slopes = tuple(Slope(name, READER) for name in predictors) if n_readers >= FEWEST_READERS else ()
    return Glm(
        measure,
        family,
        predictors,
        tuple(groups),
        slopes=slopes,
        correlated=(READER,) if correlated and slopes else (),
    )


def left_out_terms(source: str, frame: pd.DataFrame) -> str:
    """Say which terms of the crossed design the words of a source cannot have; nothing if they have all.

    >>> import pandas as pd
    >>> words = pd.DataFrame({"sentence_id": ["a", "b"], "word_token": ["a:0", "b:0"]})
    >>> words["reader_id"] = ["r1", "r2"]
    >>> left_out_terms("human", words)
    'human: no reader slopes (2 readers), no intercepts of word tokens (each was read 1.0 times)'
    """
    n_readers, readings = frame[READER].nunique(), _times_read(frame)
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


def _times_read(frame: pd.DataFrame) -> float:
    """Return how often a word token was read; versions of imputed readings are one reading."""
    versions = frame[VERSION].nunique() if VERSION in frame else 1
    return len(frame) / frame[TOKEN].nunique() / versions


def left_out(
    frame: pd.DataFrame, glms: Sequence[Glm], *, setting: str, engine: str, priors: str
) -> dict[str, dict[str, Effects]]:
    """Return what is said of the sources that cannot enter the joint model, by measure.

    One source without an estimate would take it from all others, so each is looked at alone first.
    Without humans there is nothing to compare with, and nobody enters.
    """
    parts = {str(source): part for source, part in frame.groupby("source", sort=False)}
    found: dict[str, dict[str, Effects]] = {}
    for glm in glms:
        reasons = {}
        for source, part in parts.items():
            try:
                fit(part, glm, engine=QUICK_LOOK, priors=priors, sampling=Sampling(draws=2))
            except NotEstimableError as error:
                reasons[source] = error
        if (human := reasons.get(HUMAN)) is not None:
            why = str(human).removeprefix("not estimable: ")
            nobody = NotEstimableError(f"not estimable beside humans: {why}")
            reasons = {source: reasons.get(source, nobody) for source in parts}
        n_rows = {source: len(parts[source].dropna(subset=list(glm.columns))) for source in reasons}
        found[glm.measure] = {
            source: not_estimable(
                error, glm, setting, source, n_rows=n_rows[source], engine=engine, priors=priors
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


@dataclass(frozen=True)
class AnalysedWords:
    """The table of words in its states, what is regressed on what, and what has to be said."""

    every: pd.DataFrame  # with the edges of sentences
    words: pd.DataFrame  # without those that are left out
    scaled: pd.DataFrame  # complete rows, predictors standardised
    constants: pd.DataFrame
    predictors: Predictors
    measures: tuple[str, ...]
    used: tuple[str, ...]  # predictors that can be told apart
    notes: tuple[str, ...]


def analysed_words(run: Run, options: Options) -> AnalysedWords:
    """Return the words of a run as the options ask for them."""
    every, words, predictors, measures, notes = _words(run, options)
    complete, missing = complete_rows(words, options.predictors)
    if complete.empty:
        why = "; ".join(map(str, missing)) or "all are at the edges of their sentences"
        raise ScandlError(f"no word is left to analyse: {why}")
    scaled, constants = standardised(complete, options)
    used = _independent_predictors(scaled, options.predictors, again=_twice(predictors, options))
    said = (*notes, *map(str, missing), *_design_notes(scaled, options, run.corpus.name))
    return AnalysedWords(every, words, scaled, constants, predictors, measures, used, said)


def standardised(
    complete: pd.DataFrame, options: Options, policy: str | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return complete rows with standardised predictors, classes of length and tokens; and the constants."""
    scaled, constants = scale(complete, policy or options.scaling or "human", options.predictors)
    scaled[LENGTH_CLASS] = _length_classes(complete["word_length"])
    return with_token(scaled), constants


def _words(
    run: Run, options: Options
) -> tuple[pd.DataFrame, pd.DataFrame, Predictors, tuple[str, ...], tuple[str, ...]]:
    """Return the word table of humans and models, all and without edges, and what to say about it."""
    readings = run.readings
    measures = options.measured(timed=any(reading.durations is not None for reading in readings))
    times = tuple(name for name in measures if name not in FAMILIES)
    truncated = truncated_note(readings) if times else ""
    for predictions in run.predictions.values():
        readings += model_readings(predictions, run.corpus)
    predictors = compute_predictors(
        [reading.text for reading in readings],
        provider=options.surprisal or "auto",
        frequency=options.frequency or "zipf",
        language=run.corpus.card.language,
        alignment=options.alignment or "offsets",
        bow=options.bow,
        unit=options.unit,
        punctuation=options.punctuation,
    )
    every = with_previous(word_rows(readings, predictors, options.variant or "firstpass", times=times))
    edges = options.edges
    frame = without_edges(every, edges)
    if not options.spillover:
        frame = frame.drop(columns=["previous_word", *PREVIOUS])
    said = filter(None, (edges_note(edges), truncated, items_compared(versions_of(frame)[0])))
    return every, frame, predictors, measures, (*run.first_lines, *predictors.notes, *said)


def _design_notes(words: pd.DataFrame, options: Options, corpus: str) -> list[str]:
    """Return what has to be said of terms that some source cannot have, and of the published analysis."""
    if options.design == "paper":
        return deviations(options, corpus=corpus)
    if options.design not in ("crossed", "maximal"):
        return []
    said = (left_out_terms(str(source), part) for source, part in words.groupby("source", sort=False))
    return [f"design {options.design}, {note}" for note in said if note]


def _length_classes(characters: pd.Series[Any]) -> pd.Series[Any]:
    """Return the class of each word's length."""
    edges, labels = [-1, 3, 5, 7, np.inf], ["1–3", "4–5", "6–7", "8+"]
    return pd.cut(characters, edges, labels=labels).astype(str)


def _independent_predictors(
    frame: pd.DataFrame, names: Sequence[str], *, again: bool = False
) -> tuple[str, ...]:
    """Return the predictors without surprisal where it is frequency ``again``, told or seen."""

    def seen(name: str) -> bool:
        return abs(frame[name].corr(frame[frequency_beside(name)])) > 1 - 1e-9

    return tuple(name for name in names if not (name.endswith("surprisal") and (again or seen(name))))


def _twice(predictors: Predictors, options: Options) -> bool:
    """Return whether surprisal is the logarithm of frequency beside the logarithm of frequency.

    Unknown words, for which the two have floors of their own, would hide it.
    """
    unigram = predictors.settings["surprisal"]["provider"] == "unigram"
    return unigram and options.frequency in ("zipf", "neglog2")


def frequency_beside(surprisal: str) -> str:
    """Return the frequency of the same word.

    >>> frequency_beside("previous_surprisal")
    'previous_frequency'
    """
    return surprisal.replace("surprisal", "frequency")
