"""The chapter of a report on times: how long words are looked at, by readers and by models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scandl.seeds import stream
from scandl.statistics.clustered import codes, means_uncertainty
from scandl_analysis.chapters.result_tables import READERS, source_name
from scandl_reports.document import Block, Figure, Note, Section, Term
from scandl_reports.figures.chart import About
from scandl_reports.figures.comparisons import scatter_figure, shares_figure
from scandl_reports.figures.estimates import Curves, Estimate, curve_panels_figure

GAZE = "FPRT"
TERMS = (
    Term("FFD", "First fixation duration: of the first fixation of the first pass, ms."),
    Term("FPRT", "Gaze duration: all fixations of the first pass on a word, ms."),
    Term("TFT", "Total time: all fixations on a word, ms."),
)
_STEP, _LAST = 100, 800
_CLASSES = [f"{low}–{low + _STEP}" for low in range(0, _LAST, _STEP)] + [f"≥{_LAST}"]
_FEWEST = 8
"""Sentences with words of a class below which its mean is not drawn."""


def times_section(effects: Sequence[Block], words: pd.DataFrame, setting: str) -> Section:
    """Return the chapter; ``effects`` are the forest plots and tables of the effects on times."""
    blocks: list[Block] = list(effects)
    more: list[Block] = []
    if not words.empty and GAZE in words:
        timed = words[pd.to_numeric(words[GAZE]) > 0]
        blocks.append(_by_class(timed, setting))
        more += [_shares(timed, setting), _by_word(timed, setting)]
    return Section("Times", tuple(blocks), more=tuple(more), tab=setting)


def _sources(words: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    return {source_name(str(name)): part for name, part in words.groupby("source", sort=False)}


def _shares(words: pd.DataFrame, setting: str) -> Figure | Note:
    edges = [*range(0, _LAST + 1, _STEP), np.inf]
    shares = {
        name: np.histogram(part[GAZE].to_numpy(float), edges)[0] / len(part)
        for name, part in _sources(words).items()
    }
    rows = {name: [float(x) for x in each] for name, each in shares.items()}
    human = rows.pop(READERS, [])
    about = About(
        f"Gaze durations: {setting}",
        f"Bars of the share of gaze durations by classes of {_STEP} ms, for {len(rows)} models, the readers"
        " as an outline.",
        f"{GAZE}, ms, of words that were fixated in first pass.",
        (GAZE,),
    )
    return shares_figure(about, _CLASSES, (READERS, human), rows, x_label="gaze duration, ms")


def _by_class(words: pd.DataFrame, setting: str) -> Figure | Note:
    """Draw mean gaze durations by length and by frequency, with intervals over readers and sentences."""
    panels: dict[str, Curves] = {}
    for column, what in (("word_length", "mean by length, ms"), ("frequency", "mean by frequency, ms")):
        rounded = words.assign(at=pd.to_numeric(words[column]).round().clip(upper=12))
        panels[what] = {
            name: [
                (float(str(at)), _mean(part))
                for at, part in source.groupby("at")
                if part["sentence_id"].nunique() >= _FEWEST
            ]
            for name, source in _sources(rounded).items()
        }
    about = About(
        f"Mean gaze duration by properties of words: {setting}",
        "Curves of the mean gaze duration by word length and by word frequency, readers and models.",
        "Means with 95 % intervals over readers and sentences. Length in characters (12: 12 and more),"
        f" frequency as it entered the regressions, rounded. Words of fewer than {_FEWEST} sentences are not"
        " drawn.",
        (GAZE,),
    )
    return curve_panels_figure(about, panels, x_label=("length, characters", "frequency"))


def _mean(part: pd.DataFrame) -> Estimate:
    values = part[GAZE].to_numpy(float)
    readers = part["reader_id"].astype(str).tolist()
    named = codes(readers) if len(set(readers)) > 1 else None
    known = means_uncertainty(values[:, None], named, codes(part["sentence_id"].astype(str).tolist()))
    return Estimate(float(values.mean()), known.interval(float(values.mean()), [1.0]))


def _by_word(words: pd.DataFrame, setting: str) -> Figure | Note:
    """Draw each model's mean gaze duration of a word against the readers', and one half against the other."""
    sources = dict(_sources(words))
    human = sources.pop(READERS, words[:0])
    readers = sorted(set(human["reader_id"].astype(str)))
    half = set(stream(1, "halves").permutation(readers)[: len(readers) // 2].tolist())
    first = human["reader_id"].astype(str).isin(half)
    whole = _word_means(human)
    drawn = {name: _pairs(whole, _word_means(part)) for name, part in sources.items()}
    drawn["half of readers"] = _pairs(_word_means(human[~first]), _word_means(human[first]))
    said = []
    for name, pairs in drawn.items():
        if len(pairs) > 2:
            r = float(np.corrcoef([x for _, x, _ in pairs], [y for _, _, y in pairs])[0, 1])
            said.append(f"{name} {r:.2f}")
            if name == "half of readers":
                said[-1] += f" (all readers, Spearman–Brown: {2 * r / (1 + r):.2f})"
    about = About(
        f"Gaze durations word by word: {setting}",
        f"Scatter of mean gaze durations of words, readers against {len(sources)} models and two halves of"
        " the readers against each other.",
        f"A point is a word of a sentence. Correlations: {', '.join(said) or 'none'}.",
        (GAZE,),
    )
    return scatter_figure(about, drawn, x_label="readers, ms", y_label="model, ms")


def _word_means(part: pd.DataFrame) -> Any:
    return part.groupby(["sentence_id", "word_index"])[GAZE].mean()


def _pairs(one: Any, other: Any, most: int = 400) -> list[tuple[str, float, float]]:
    """Return the words both have, at most so many that a page can hold them."""
    both = pd.concat([one, other], axis=1, join="inner").dropna()
    chosen = both.iloc[np.unique(np.linspace(0, len(both) - 1, most).astype(int))] if len(both) else both
    return [
        (f"{sentence}:{word}", float(x), float(y))
        for (sentence, word), (x, y) in zip(chosen.index, chosen.to_numpy(), strict=True)
    ]
