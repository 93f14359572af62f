"""Regions of several words: each is read as one area, so that the measures of words become its measures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from scandl.errors import DataError
from scandl.files.column_names import find_column
from scandl.files.tables import read_table
from scandl.records import Sentence
from scandl_analysis.predictors.word_predictors import ByText, Predictors
from scandl_analysis.words.analysed_run import Reading

JOINT = "\ue000"
"""Between the words of one area while it is read as one word; no text has this sign."""
MARK = "|"
SUMS = ("word_length", "surprisal")
"""Predictors of a region that are the sum over its words; the others are means."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of words with a name, both ends counted from 0 and part of it."""

    name: str
    first: int
    last: int


def read_regions(path: Path | str, sentences: Mapping[str, Sentence]) -> dict[str, tuple[Region, ...]]:
    """Return the regions of each sentence.

    The table has ``sentence_id`` and either ``text`` with ``|`` between regions, called 1, 2, 3 …; or one row
    per region with ``region``, its name, and ``words``, such as 5 or 5-7, counted from 0.
    """
    source = Path(path)
    table = read_table(source)
    key = find_column(source, table.columns, "sentence_id") or "sentence_id"
    marked = "text" in table.columns
    names = (key, "text") if marked else (key, "region", "words")
    found: dict[str, list[Region]] = {}
    for i, (sentence, *cells) in enumerate(zip(*table.need(*names), strict=True)):
        if sentence not in sentences:
            raise DataError(source, table.line(i), key, sentence, "a sentence of the corpus")
        try:
            if marked:
                regions = _marked(cells[0], sentences[sentence].words)
            else:
                regions = [_stretch(cells[0], cells[1], sentences[sentence].n_words)]
        except ValueError as error:
            raise DataError(source, table.line(i), names[-1], cells[-1], str(error)) from None
        before = found.setdefault(sentence, [])
        for region in regions:
            if any(region.first <= other.last and other.first <= region.last for other in before):
                raise DataError(source, table.line(i), names[-1], cells[-1], "regions without a common word")
            before.append(region)
    return {key: tuple(sorted(each, key=lambda region: region.first)) for key, each in found.items()}


def _marked(text: str, words: Sequence[str]) -> list[Region]:
    """Return the regions between marks.

    >>> _marked("The old | lawyer | left.", ["The", "old", "lawyer", "left."])[1]
    Region(name='2', first=2, last=2)
    """
    parts = [part.split() for part in text.split(MARK)]
    if [word for part in parts for word in part] != list(words):
        raise ValueError(f"the words of the sentence with {MARK} between regions")
    regions, first = [], 0
    for n, part in enumerate(filter(None, parts), start=1):
        regions.append(Region(str(n), first, first + len(part) - 1))
        first += len(part)
    return regions


def _stretch(name: str, cell: str, n_words: int) -> Region:
    match = re.fullmatch(r"(\d+)(?:\s*[-–]\s*(\d+))?", cell.strip(), re.ASCII)
    if match is None or not int(match[1]) <= int(match[2] or match[1]) < n_words:
        raise ValueError(f"word positions such as 5 or 5-7, from 0 to {n_words - 1}")
    return Region(name, int(match[1]), int(match[2] or match[1]))


def areas_of(regions: Sequence[Region], n_words: int) -> list[int]:
    """Return the area of each word: a region, or what lies between two regions.

    >>> areas_of([Region("verb", 2, 3)], 6)
    [0, 0, 1, 1, 2, 2]
    """
    begins = {region.first for region in regions} | {region.last + 1 for region in regions}
    return np.cumsum([word in begins and word > 0 for word in range(n_words)]).tolist()


def by_region(
    readings: Iterable[Reading], regions: Mapping[str, Sequence[Region]], predictors: Predictors | None = None
) -> tuple[list[Reading], Predictors | None]:
    """Return the readings of sentences that have regions, each area of which is one word; predictors too."""
    kept, texts = [], {}
    for reading in readings:
        if reading.sentence_id in regions:
            areas = areas_of(regions[reading.sentence_id], len(reading.words))
            text = " ".join(
                JOINT.join(word for word, area in zip(reading.words, areas, strict=True) if area == k)
                for k in range(areas[-1] + 1)
            )
            texts[text] = (reading.text, areas)
            kept.append(replace(reading, text=text, path=tuple(areas[word] for word in reading.path)))
    if predictors is None:
        return kept, None
    columns = {name: _summed(by_text, texts, name in SUMS) for name, by_text in predictors.columns.items()}
    return kept, replace(predictors, columns=columns)


def _summed(by_text: ByText, texts: Mapping[str, tuple[str, list[int]]], is_sum: bool) -> ByText:
    found = {}
    for text, (original, areas) in texts.items():
        sums = np.bincount(areas, weights=by_text[original])
        found[text] = tuple((sums if is_sum else sums / np.bincount(areas)).tolist())
    return found


def region_rows(
    frame: pd.DataFrame, regions: Mapping[str, Sequence[Region]], lengths: Mapping[str, int]
) -> pd.DataFrame:
    """Return the rows of areas that are regions, with the name and the words of each.

    ``word_index`` is the first word of the region; ``lengths`` are the numbers of words of sentences.
    """
    places: dict[tuple[str, int], Region] = {}
    for sentence, each in regions.items():
        areas = areas_of(each, lengths[sentence])
        places |= {(sentence, areas[region.first]): region for region in each}
    keys = list(zip(frame["sentence_id"], frame["word_index"], strict=True))
    kept = frame[[key in places for key in keys]].reset_index(drop=True)
    own = [places[key] for key in keys if key in places]
    words = kept["word"].str.replace(JOINT, " ", regex=False)
    kept = kept.assign(word_index=[region.first for region in own], word=words)
    if "previous_word" in kept:
        kept["previous_word"] = kept["previous_word"].str.replace(JOINT, " ", regex=False)
    place = list(kept.columns).index("word") + 1
    kept.insert(place, "region", [region.name for region in own])
    kept.insert(place + 1, "n_words", [region.last - region.first + 1 for region in own])
    return kept
