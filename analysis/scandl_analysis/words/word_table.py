"""The tidy word table: one row per source × reader × sentence × word, as a regression needs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.errors import ScandlError, did_you_mean
from scandl.measures.word_measures import DURATIONS, NAMES, timed_measures, word_measures
from scandl_analysis.words.analysed_run import HUMAN, Reading

if TYPE_CHECKING:
    from scandl_analysis.predictors.word_predictors import Predictors

KEYS = ("source", "setting", "fold", "sample", "reader_id", "sentence_id", "word_index", "word")
NAMED = ("source", "setting", "fold", "reader_id", "sentence_id", "word")
SCANPATH = ["fold", "sample", "reader_id", "sentence_id"]
"""What tells one scanpath of a source from another."""
PREDICTORS = ("word_length", "frequency", "surprisal")
POLICIES = ("human", "separate")
PREVIOUS = tuple(f"previous_{name}" for name in PREDICTORS)
EDGES = ("first", "last")
_BLOCK = 1_000
"""Readings whose measures are Python numbers at a time, which take ten times the space."""
VERSION = "version"
"""The column that tells completed versions of imputed readings apart; 0 where nothing was imputed."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The words a predictor has no value for, and the rows that are left out for it."""

    predictor: str
    words: tuple[str, ...]  # distinct forms, in order of appearance
    n_rows: int

    def __str__(self) -> str:
        shown = ", ".join(self.words[:5]) + (", …" if len(self.words) > 5 else "")
        empty = sum(not any(character.isalnum() for character in word) for word in self.words)
        why = [f"{empty} have no letter or digit"] if empty else []
        why += [f"{len(self.words) - empty} are not known"] if len(self.words) > empty else []
        return (
            f"{self.predictor}: no value for {len(self.words)} word forms ({shown}; {', '.join(why)}),"
            f" {self.n_rows:,} rows dropped"
        )


def items_compared(words: pd.DataFrame) -> str:
    """Say of how many words and scanpaths the human rows are, where models read only some of them.

    >>> rows = [("human", "0", 0, "r1", "s1"), ("human", "0", 0, "r1", "s2"), ("m", "0", 0, "r1", "s1")]
    >>> items_compared(pd.DataFrame(rows, columns=["source", *SCANPATH]))
    'rows of readers: 2 words, 2 scanpaths (whole corpus); of models: 1 word, 1 scanpath (their test items)'
    """
    parts = {str(source): part for source, part in words.groupby("source", sort=False)}
    human = parts.pop(HUMAN, None)
    if human is None or not parts:
        return ""
    items = {name: _items(part) for name, part in parts.items()}
    # Paths for no reader in particular stand for every reader of the sentence.
    if all(_items(human) <= own or set(human["sentence_id"]) <= own for own in items.values()):
        return ""
    return (
        f"rows of readers: {_sizes([human])} (whole corpus); of models: {_sizes(parts.values())} (their test"
        " items)"
    )


def _sizes(parts: Iterable[pd.DataFrame]) -> str:
    words, scanpaths = zip(*((len(part), part.groupby(SCANPATH).ngroups) for part in parts), strict=True)
    return f"{_count(sorted(words), 'word')}, {_count(sorted(scanpaths), 'scanpath')}"


def _items(part: pd.DataFrame) -> set[Any]:
    """Return the pairs of reader and sentence; sentences alone where no reader is named."""
    if (part["reader_id"] == "").all():
        return set(part["sentence_id"])
    return set(zip(part["reader_id"], part["sentence_id"], strict=True))


def _count(numbers: Sequence[int], what: str) -> str:
    """Return a number, or the range of several, with its noun.

    >>> _count([1], "word"), _count([900, 1200], "word")
    ('1 word', '900 to 1,200 words')
    """
    least, most = numbers[0], numbers[-1]
    told = f"{least:,} to {most:,}" if least < most else f"{most:,}"
    return f"{told} {what}{'s' * (most != 1)}"


def word_rows(
    readings: Iterable[Reading],
    predictors: Predictors | None = None,
    variant: str = "paper",
    *,
    times: Sequence[str] = (),
    compact: bool = False,
) -> pd.DataFrame:
    """Return the table of measures and, where given, predictors and reading times.

    A measure that is not defined for a word, and a predictor without a value, is NaN. Completed versions of
    imputed readings are told apart by the column ``version``. ``times`` names measures of
    ``scandl.measures.word_measures``. ``compact`` keeps names and words as categories, and numbers in 32 bits
    where that loses nothing, for a table that is written and averaged.
    """
    every = list(readings)
    words = {text: text.split() for text in dict.fromkeys(reading.text for reading in every)}
    columns: dict[str, Any] = _keys(every, words)
    if not compact:
        for name in NAMED if every else ():
            columns[name] = columns[name].astype(columns[name].categories.dtype)
    found = _measured(every, words, variant, times, compact)
    for name in NAMES:
        columns[name] = found[name] if compact or np.isnan(found[name]).any() else found[name].astype(int)
    if any(reading.version for reading in every):
        columns[VERSION] = [reading.version for reading in every for _ in words[reading.text]]
    columns |= {name: found[name] for name in times}
    if predictors is not None:
        for name, by_text in predictors.columns.items():
            columns[name] = np.array([x for reading in every for x in by_text[reading.text]], float)
    return pd.DataFrame(columns, copy=False)


def versions_of(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the rows of each completed version, with those that are the same in all; or the table itself.

    >>> [part["x"].tolist() for part in versions_of(pd.DataFrame({"version": [0, 1, 2], "x": [5, 6, 7]}))]
    [[5, 6], [5, 7]]
    """
    numbers = sorted({int(k) for k in frame[VERSION]} - {0}) if VERSION in frame else []
    return [frame[frame[VERSION].isin((0, k))].reset_index(drop=True) for k in numbers] or [frame]


def without_edges(frame: pd.DataFrame, edges: Sequence[str]) -> pd.DataFrame:
    """Return the table without the first or the last words of sentences; it must hold every word.

    Reading starts and ends there, and where every item begins with the same word, that word alone
    can make an effect.

    >>> words = pd.DataFrame({"sentence_id": ["s"] * 3, "word_index": [0, 1, 2], "word": ["It", "is", "so"]})
    >>> without_edges(words, ["first"])["word"].tolist(), without_edges(words, EDGES)["word"].tolist()
    (['is', 'so'], ['is'])
    """
    for edge in edges:
        if edge not in EDGES:
            raise ScandlError(f"no edge {edge!r} of a sentence{did_you_mean(edge, EDGES)}")
    position = frame["word_index"]
    dropped = (position == 0) & ("first" in edges)
    dropped |= (position == frame.groupby("sentence_id")["word_index"].transform("max")) & ("last" in edges)
    return frame[~dropped].reset_index(drop=True)


def edges_note(edges: Sequence[str]) -> str:
    """Say which words of sentences are left out; nothing where none are.

    >>> edges_note(EDGES)
    'first and last words of sentences are left out'
    """
    return f"{' and '.join(edges)} words of sentences are left out" if edges else ""


def with_token(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the token of each word: one word of one sentence, whoever read it.

    >>> with_token(pd.DataFrame({"sentence_id": ["s"], "word_index": [3]}))["word_token"].tolist()
    ['s:3']
    """
    token = frame["sentence_id"].astype(str) + ":" + frame["word_index"].astype(str)
    return frame.assign(word_token=token)


def with_previous(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the previous word's predictors beside each word's own; it must hold every word.

    A word is often still being understood when the eyes are on the next one. First words have no value.

    >>> words = pd.DataFrame({"word_index": [0, 1, 0], "word": ["It", "rains", "Now"]})
    >>> words = words.assign(word_length=[2, 5, 3], frequency=5.0, surprisal=2.0)
    >>> with_previous(words)["previous_word_length"].tolist()
    [nan, 2.0, nan]
    """
    before = frame[["word", *PREDICTORS]].shift(1).where(frame["word_index"] > 0)
    return frame.assign(**{f"previous_{name}": before[name] for name in before})


def complete_rows(
    frame: pd.DataFrame, predictors: Sequence[str] = PREDICTORS
) -> tuple[pd.DataFrame, list[Missing]]:
    """Return the rows that have every predictor, and what the others lack."""
    absent = frame[list(predictors)].isna()
    lacking = [
        Missing(name, tuple(dict.fromkeys(frame.loc[absent[name], _whose(name)])), int(absent[name].sum()))
        for name in predictors
        if absent[name].any()
    ]
    return frame[~absent.any(axis=1)].reset_index(drop=True), lacking


def _whose(predictor: str) -> str:
    """Return the column of the word that a predictor is about."""
    return "previous_word" if predictor in PREVIOUS else "word"


def scale(
    frame: pd.DataFrame, policy: str = "human", predictors: Sequence[str] = PREDICTORS
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Standardise the predictors as R's ``scale()`` does: mean 0, standard deviation with n − 1.

    ``human`` takes the constants from the human rows of the sentences that models read too, and
    applies them to every source, so a difference between coefficients is not a difference of
    test items. ``separate`` takes each source's own rows, as the published analysis did.

    Returns the table with standardised predictors, and the constants: one row per source and
    predictor with ``mean``, ``sd`` and ``n_rows``. Missing values stay missing.
    """
    if policy not in POLICIES:
        raise ScandlError(f"no scaling {policy!r}{did_you_mean(policy, POLICIES)}")
    common = _constants(reference_rows(frame), predictors) if policy == "human" else None
    scaled = frame.copy()
    scaled[list(predictors)] = scaled[list(predictors)].astype(float)
    rows: list[dict[str, Any]] = []
    for source, part in frame.groupby("source", sort=False):
        constants = common if common is not None else _constants(part, predictors)
        for name, (mean, sd, n_rows) in constants.items():
            scaled.loc[part.index, name] = (part[name] - mean) / sd
            rows.append({"source": source, "predictor": name, "mean": mean, "sd": sd, "n_rows": n_rows})
    return scaled, pd.DataFrame(rows)


def _keys(readings: Sequence[Reading], words: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return what tells rows apart; each name and each word is kept once."""
    lengths = [len(words[reading.text]) for reading in readings]
    columns: dict[str, Any] = {}
    for name in ("source", "setting", "fold", "sample", "reader_id", "sentence_id"):
        values = [getattr(reading, name) for reading in readings]
        each = np.array(values, np.int64) if name == "sample" else pd.Categorical(values)
        columns[name] = each.repeat(lengths)
    first = np.cumsum([0, *map(len, words.values())])[:-1]
    starts = dict(zip(words, first.tolist(), strict=True))
    index = np.arange(sum(lengths)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    place = np.repeat([starts[reading.text] for reading in readings], lengths) + index
    vocabulary = pd.Categorical([word for each in words.values() for word in each])
    return columns | {"word_index": index, "word": vocabulary.take(place.astype(np.intp))}


def _measured(
    readings: Sequence[Reading],
    words: Mapping[str, list[str]],
    variant: str,
    times: Sequence[str],
    compact: bool,
) -> dict[str, NDArray[Any]]:
    """Return measures, one value per word of all readings."""
    kind = np.float32 if compact else np.float64
    n_words = sum(len(words[reading.text]) for reading in readings)
    found: dict[str, NDArray[Any]] = {name: np.empty(n_words, kind) for name in (*NAMES, *times)}
    end = 0
    for start in range(0, len(readings), _BLOCK):
        block: dict[str, list[float | None]] = {name: [] for name in found}
        for reading in readings[start : start + _BLOCK]:
            _add(block, reading, len(words[reading.text]), variant, times)
        begin, end = end, end + len(block[NAMES[0]])
        for name, values in block.items():
            numbers = np.array(values, float)
            if not np.array_equal(numbers.astype(kind), numbers, equal_nan=True):
                found[name] = found[name].astype(float, copy=False)
            found[name][begin:end] = numbers
    return found


def _add(
    columns: Mapping[str, list[float | None]],
    reading: Reading,
    n_words: int,
    variant: str,
    times: Sequence[str],
) -> None:
    """Append the measures of one reading."""
    found: dict[str, Any] = dict(word_measures(reading.path, n_words, variant))
    if times:
        untimed = reading.durations is None
        names = [name for name in times if not (untimed and name in DURATIONS)]
        found |= timed_measures(
            reading.path, reading.durations, n_words, names=names, truncated=reading.truncated
        )
    for name, values in columns.items():
        values += found.get(name) or [None] * n_words


def truncated_note(readings: Iterable[Reading]) -> str:
    """Say how many first fixations are left out of times because the text appeared during them.

    >>> truncated_note([Reading("human", "s", "It is", (0, 1), (90.0, 200.0), truncated=True)])
    'FFD, SFD and FPRT: 1 word whose first fixation was under way when its text appeared is left out'
    """
    n = sum(r.truncated and r.durations is not None and len(r.path) > 0 for r in readings)
    if not n:
        return ""
    are = "word whose first fixation was under way when its text appeared is"
    if n > 1:
        are = "words whose first fixation was under way when their text appeared are"
    return f"FFD, SFD and FPRT: {n:,} {are} left out"


def reference_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the human rows of the sentences that another source has too; all where there is no other."""
    human = frame[frame["source"] == HUMAN]
    read_by_models = set(frame.loc[frame["source"] != HUMAN, "sentence_id"])
    rows = human[human["sentence_id"].isin(read_by_models)] if read_by_models else human
    if rows.empty:
        raise ScandlError(
            "scaling 'human' needs human readings of the models' sentences, and the table has none;"
            " scale each source by itself with 'separate'"
        )
    return rows


def _constants(rows: pd.DataFrame, predictors: Sequence[str]) -> dict[str, tuple[float, float, int]]:
    found = {}
    for name in predictors:
        values = rows[name].to_numpy(float)
        values = values[~np.isnan(values)]
        # Equal values can have a tiny spread by rounding, so the range is asked and not the deviation.
        if len(values) < 2 or values.min() == values.max():
            raise ScandlError(f"predictor {name!r} is the same in all {len(values):,} rows: cannot scale it")
        found[name] = (float(values.mean()), float(values.std(ddof=1)), len(values))
    return found
