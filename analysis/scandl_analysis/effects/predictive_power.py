"""Predictive power: how much likelier a predictor makes reading that a regression has not seen.

A base model of a reading measure has the length and the frequency of the word and of the word before it,
and intercepts of readers. Added to it is the predictor, most often surprisal. Both are fitted to all items
but some, and asked how likely they make the words of those: the mean difference of the log likelihoods is
the gain, in nats per word (Goodkind & Bicknell, 2018; Wilcox et al., 2020). Predictors are compared on the
same words and the same folds, so that differences between them are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scandl.errors import ConfigError, ScandlError, did_you_mean
from scandl.files.results import Provenance, provenance, write_sidecar
from scandl.files.tables import write_frame
from scandl.statistics.bootstrap import Floats, holm
from scandl.statistics.clustered import codes
from scandl.text.surprisal import surprisal
from scandl.workers import track
from scandl_analysis.effects.held_out_words import MeasuredWords, gain_uncertainty, held_out
from scandl_analysis.glm.spec import family_of
from scandl_analysis.words.analysed_run import Run, as_run, open_readers
from scandl_analysis.words.corpus_words import word_table
from scandl_analysis.words.word_table import EDGES, edges_note, without_edges

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions

BASE = ("word_length", "frequency", "previous_word_length", "previous_frequency")
SURPRISAL = "surprisal"
FORMS = ("linear", "spline")
DEFAULT_MEASURES = ("FFD", "FPRT", "TFT", "tfc", "sr")
FEWEST_ROWS = 50
"""Words of a source below which nothing is fitted."""


@dataclass(frozen=True)
class PredictivePower:
    """The gains of all predictors, what they differ by, and what has to be said of them."""

    notes: tuple[str, ...]  # the first line says what was analysed
    gains: pd.DataFrame
    differences: pd.DataFrame
    provenance: Provenance
    settings: Mapping[str, str]

    def __repr__(self) -> str:
        return "\n".join([*self.notes, self.gains.to_string(index=False, float_format="{:.5f}".format)])

    def _repr_html_(self) -> str:
        tables = (table.to_html(index=False, float_format="{:.5f}".format) for table in self._shown)
        return "".join(f"<p>{note}</p>" for note in self.notes) + "".join(map(str, tables))

    def write(self, folder: Path | str) -> None:
        """Write both tables and how they were made."""
        target = Path(folder)
        write_frame(target / "gains.csv", self.gains)
        write_frame(target / "differences.csv", self.differences)
        write_sidecar(target / "gains.csv", {"predictive power": self.settings}, self.notes, self.provenance)

    @property
    def _shown(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return self.gains, self.differences


def predictive_power(
    source: Run | Predictions | None = None,
    *,
    corpus: Corpus | Path | str | None = None,
    predictor: str | Sequence[str] = SURPRISAL,
    providers: Sequence[str] = ("auto",),
    measures: Sequence[str] | None = None,
    forms: Sequence[str] = FORMS,
    spillover: bool = False,
    frequency: str = "zipf",
    words: Path | str | None = None,
    drop: Sequence[str] = EDGES,
    folds: int = 10,
    setting: str | None = None,
    index_base: int | None = None,
    seed: int = 1,
    quiet: bool = True,
) -> PredictivePower:
    """Return how much likelier predictors make the reading of words in items that were not fitted.

    Parameters
    ----------
    source, corpus, setting
        A corpus alone is of its readers; a run, or predictions with their corpus, of models too.
    predictor
        ``surprisal``, or columns of the word table, of words.csv or of ``words``, a file with one row per
        word.
    providers
        Where surprisal comes from; each is a predictor of its own.
    measures
        FFD, FPRT, TFT, tfc and sr unless others are named; times only where durations are.
    forms
        ``linear``: straight lines. ``spline``: every predictor of base and model bends as far as the data
        say.
    spillover
        Add the predictor of the previous word too.
    drop
        The edges of sentences that are left out; first words always are, because none stands before them.
    folds
        Into how many parts items are divided.
    frequency
        The scale of frequency, such as ``zipf``.
    words
        A file of columns by ``sentence_id`` and ``word_index``.
    index_base
        What the positions of predictions count from, 0 or 1.
    seed
        The seed of the division into parts.
    quiet
        Whether to leave out progress and notes.

    Returns
    -------
    PredictivePower
        One row per source, measure and predictor: the gain per word with its interval.
    """
    _check(forms, folds)
    run = _opened(source, corpus, setting, index_base)
    frame, names, notes = _table(run, predictor, providers, frequency, words, spillover)
    wanted = _measures(frame, measures, notes)
    left_out = tuple(dict.fromkeys(("first", *drop)))  # first words have none before
    frame = without_edges(frame, left_out)
    notes.append(edges_note(left_out))
    sources = [str(name) for name in dict.fromkeys(frame["source"])]
    parts = list(product(sources, wanted, forms))
    compared = [
        _compared(frame[frame["source"] == name], names, name, measure, form, folds=folds, seed=seed)
        for name, measure, form in track(parts, "fits", total=len(parts), quiet=quiet)
    ]
    settings = {
        "base": ", ".join(BASE),
        "folds": str(folds),
        "spillover": str(spillover),
        "frequency": frequency,
        "predictors": ", ".join(names),
        "edges": " and ".join(drop) or "kept",
    }
    return PredictivePower(
        tuple(notes),
        pd.DataFrame([row for gains, _ in compared for row in gains], columns=GAINS),
        _holm(pd.DataFrame([row for _, pairs in compared for row in pairs], columns=PAIRS)),
        provenance(seed=seed, inputs=run.inputs),
        settings,
    )


GAINS = [
    "source",
    "measure",
    "form",
    "predictor",
    "gain",
    "ci_low",
    "ci_high",
    "p",
    "base_log_likelihood",
    "n_words",
    "n_items",
    "n_readers",
    "note",
]
PAIRS = [
    "source",
    "measure",
    "form",
    "predictor",
    "other",
    "difference",
    "ci_low",
    "ci_high",
    "p",
    "p_holm",
]


def _compared(
    frame: pd.DataFrame,
    names: Mapping[str, tuple[str, ...]],
    source: str,
    measure: str,
    form: str,
    *,
    folds: int,
    seed: int,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return gains and differences of all predictors in one measure of one source."""
    words = _words(frame, measure, names)
    where = {"source": source, "measure": measure, "form": form}
    if isinstance(words, str):
        return [where | {"predictor": name, "note": words} for name in names], []
    likelihoods = held_out(words, folds=folds, spline=form == "spline", seed=seed)
    return (
        [where | row for row in _gain_rows(words, likelihoods)],
        [where | row for row in _difference_rows(words, likelihoods)],
    )


def _check(forms: Sequence[str], folds: int) -> None:
    for form in forms:
        if form not in FORMS:
            raise ConfigError(f"no form {form!r} of a predictor{did_you_mean(form, FORMS)}")
    if folds < 2:
        raise ConfigError(f"found {folds} folds, expected at least 2: one is held out, the others are fitted")


def _opened(
    source: Run | Predictions | None,
    corpus: Corpus | Path | str | None,
    setting: str | None,
    index_base: int | None,
) -> Run:
    if source is None and corpus is not None:
        return open_readers(corpus)
    return as_run(source, corpus, setting, index_base)


def _table(
    run: Run,
    predictor: str | Sequence[str],
    providers: Sequence[str],
    frequency: str,
    words: Path | str | None,
    spillover: bool,
) -> tuple[pd.DataFrame, dict[str, tuple[str, ...]], list[str]]:
    """Return the words of all sources, the columns of each predictor, and what to say."""
    asked = [predictor] if isinstance(predictor, str) else list(predictor)
    for kind, given in (("predictor", asked), ("provider", providers)):
        twice = [name for name in given if list(given).count(name) > 1]
        if twice or not given:
            raise ConfigError(f"found {kind} {twice[0]!r} twice" if twice else f"no {kind} is named")
    predictions = [p for each in run.predictions.values() for p in each]
    # The surprisal of the table itself is not used, so the cheapest will do.
    frame = word_table(
        predictions or run.corpus,
        corpus=run.corpus if predictions else None,
        surprisal="unigram",
        frequency=frequency,
        drop=(),
        words=words,
    )
    notes = [*run.first_lines, *frame.attrs["notes"][1:]]
    names: dict[str, tuple[str, ...]] = {}
    for name in asked:
        if name != SURPRISAL:
            names[name] = (_numbers(frame, name),)
            continue
        for provider in providers:
            column = f"surprisal:{provider}"
            frame[column], said = _surprisals(frame, run.corpus, provider)
            names[provider] = (column,)
            notes.append(said)
    if spillover:
        for name, (column,) in names.items():
            frame[f"previous {column}"] = frame[column].shift(1).where(frame["word_index"] > 0)
            names[name] = (column, f"previous {column}")
    return frame, names, notes


def _surprisals(frame: pd.DataFrame, corpus: Corpus, provider: str) -> tuple[list[float], str]:
    """Return the surprisal of each row's word from one source, and what is to be said of it."""
    texts = list(dict.fromkeys(sentence.text for sentence in corpus.sentences.values()))
    by_text = surprisal(texts, provider, language=corpus.card.language)
    places = zip(frame["sentence_id"], frame["word_index"], strict=True)
    return [by_text.values[corpus.sentences[key].text][word] for key, word in places], str(by_text)


def _numbers(frame: pd.DataFrame, name: str) -> str:
    """Return the name of a column of numbers, or say what is wrong with it."""
    if name not in frame:
        raise ScandlError(f"the table has no column {name!r}{did_you_mean(name, [SURPRISAL, *frame])}")
    if not pd.api.types.is_numeric_dtype(frame[name]):
        raise ScandlError(f"predictor {name!r}: found {frame[name].dropna().iloc[0]!r}, expected numbers")
    if name in BASE:
        raise ScandlError(f"predictor {name!r} is part of the base model already")
    return name


def _measures(frame: pd.DataFrame, asked: Sequence[str] | None, notes: list[str]) -> list[str]:
    if asked is not None:
        for name in asked:
            family_of(name)  # a name that is none
            if name not in frame:
                raise ScandlError(f"measure {name!r}: the corpus has no durations")
        return list(dict.fromkeys(asked))
    known = [name for name in DEFAULT_MEASURES if name in frame]
    if len(known) < len(DEFAULT_MEASURES):
        notes.append("no durations: reading times are left out")
    return known


def _words(frame: pd.DataFrame, measure: str, names: Mapping[str, tuple[str, ...]]) -> MeasuredWords | str:
    """Return the words that have the measure and every predictor, or why nothing can be fitted."""
    family = family_of(measure)
    used = [*BASE, *(column for columns in names.values() for column in columns)]
    kept = frame.dropna(subset=[measure, *used])
    if family == "lognormal":
        kept = kept[kept[measure] > 0]
    items = codes(kept["item"].tolist()) if len(kept) else np.zeros(0, np.intp)
    if len(kept) < FEWEST_ROWS:
        return f"{len(kept)} words have the measure and all predictors: too few"
    if items.max() == 0:
        return "one item: nothing can be held out"
    same = [name for name in used if kept[name].nunique() == 1]
    if same or kept[measure].nunique() == 1:
        return f"{(same or [measure])[0]} is the same for all words"
    outcome = kept[measure].to_numpy(float)
    columns = {name: kept[name].to_numpy(float) for name in used}
    readers = kept["reader_id"].tolist()
    return MeasuredWords(
        np.log(outcome) if family == "lognormal" else outcome,
        family,
        tuple(columns[n] for n in BASE),
        {name: tuple(columns[c] for c in each) for name, each in names.items()},
        codes(readers),
        items,
        codes(kept["word_token"].tolist()),
        len(set(readers)) > 1,
    )


def _gain_rows(words: MeasuredWords, likelihoods: Mapping[str | None, Floats]) -> Iterator[dict[str, Any]]:
    base = likelihoods[None]
    for name in words.candidates:
        gain = likelihoods[name] - base
        mean = float(gain.mean())
        yield {
            "predictor": name,
            **_judged(words, gain, "gain", mean),
            "base_log_likelihood": float(base.mean()),
            "n_words": len(gain),
            "n_items": int(words.item.max()) + 1,
            "n_readers": words.n_readers if words.named else 0,
            "note": "",
        }


def _difference_rows(
    words: MeasuredWords, likelihoods: Mapping[str | None, Floats]
) -> Iterator[dict[str, Any]]:
    for name, other in combinations(words.candidates, 2):
        apart = likelihoods[name] - likelihoods[other]
        yield {
            "predictor": name,
            "other": other,
            **_judged(words, apart, "difference", float(apart.mean())),
        }


def _judged(words: MeasuredWords, values: Floats, called: str, mean: float) -> dict[str, float | None]:
    """Return a mean with its interval over readers and items, and p of "it is 0"."""
    known = gain_uncertainty(words, values[:, None])
    low, high = known.interval(mean, [1.0]) or (None, None)
    return {called: mean, "ci_low": low, "ci_high": high, "p": known.p_value(mean, [1.0])}


def _holm(differences: pd.DataFrame) -> pd.DataFrame:
    """Correct the p-values of all differences together."""
    if len(differences):
        differences["p_holm"] = holm(differences["p"].tolist())
    return differences
