"""A corpus in the forms of other programs: fixations with the areas of their words.

A corpus knows which word was fixated, not where on a screen. Areas are those of a monospaced font in a
layout that is said, and a fixation is put in the middle of its word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus import Corpus
from scandl.corpora.importers.recordings.word_areas import Areas, areas_of_layout
from scandl.errors import ScandlError
from scandl.extras import need
from scandl.files.results import atomic_file, atomic_folder, write_text
from scandl.files.tables import write_table

if TYPE_CHECKING:
    from pymovements import Events
    from pymovements.stimulus import TextStimulus

    from scandl.records import Scanpath, Sentence

LAYOUT = "100,100,14,60,80"
"""Left and top edge, width of a letter, height of a line in pixels, and letters in a line."""
Columns = dict[str, list[Any]]
_MARKUP = re.compile(r"\[.*?\]\{.*?\}")


def word_areas(corpus: Corpus, layout: str = LAYOUT) -> dict[str, Areas]:
    """Return the words of each text and their areas; lines that the corpus knows are kept."""
    written = {key: replace(text, text=_written(corpus, text)) for key, text in corpus.sentences.items()}
    return areas_of_layout(written, layout)


def _written(corpus: Corpus, text: Sentence) -> str:
    """Return a text with the line breaks of its display."""
    lines = corpus.display_lines(text.sentence_id)
    if lines is None:
        return " ".join(text.words)
    gaps = [" " if same == line else "\n" for same, line in pairwise(lines)]
    return "".join(part for pair in zip(text.words, [*gaps, ""], strict=True) for part in pair)


def _onsets(path: Scanpath) -> list[float]:
    """Return when each fixation began, one right after the other; its number where durations are missing."""
    if path.durations is None:
        return [float(n) for n in range(path.n_fixations)]
    onsets = [0.0]
    for ms in path.durations:
        onsets.append(onsets[-1] + ms)
    return onsets[:-1]


def _fixations(corpus: Corpus, areas: Mapping[str, Areas]) -> Iterator[dict[str, Any]]:
    """Yield what is known of each fixation."""
    for path in corpus.scanpaths:
        text = areas[path.sentence_id]
        for n, (word, onset) in enumerate(zip(path.positions, _onsets(path), strict=True)):
            left, top, right, bottom = text.boxes[word].tolist()
            ms = None if path.durations is None else path.durations[n]
            yield {
                "reader": path.reader_id,
                "text": path.sentence_id,
                "n": n,
                "word": word,
                "label": text.words[word],
                "onset": onset,
                "ms": ms,
                "x": (left + right) / 2,
                "y": (top + bottom) / 2,
            }


def event_columns(corpus: Corpus, areas: Mapping[str, Areas]) -> Columns:
    """Return fixations as events of pymovements that are mapped to words, which count from 0."""
    rows = list(_fixations(corpus, areas))
    columns: Columns = {
        "name": ["fixation"] * len(rows),
        "onset": [row["onset"] for row in rows],
        "offset": [row["onset"] + (row["ms"] or 0.0) for row in rows],
        "duration": [row["ms"] for row in rows],
    }
    names = {"reader_id": "reader", "sentence_id": "text", "word_index": "word", "word": "label"}
    return columns | {
        name: [row[key] for row in rows]
        for name, key in (names | {"location_x": "x", "location_y": "y"}).items()
    }


def area_columns(areas: Mapping[str, Areas]) -> Columns:
    """Return one row per word: its text, number, label and rectangle."""
    rows = [
        (key, n, word, *box)
        for key, text in areas.items()
        for n, (word, box) in enumerate(zip(text.words, text.boxes.tolist(), strict=True))
    ]
    names = ("sentence_id", "word_index", "word", "start_x", "start_y", "end_x", "end_y")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


def to_pymovements(corpus: Corpus, layout: str = LAYOUT) -> tuple[Events, TextStimulus]:
    """Return the fixations and the areas of their words as objects of pymovements."""
    pymovements, polars = need("pymovements", "pymovements"), need("polars", "pymovements")
    areas = word_areas(corpus, layout)
    edges = {f"{edge}_column": edge for edge in ("start_x", "start_y", "end_x", "end_y")}
    stimulus = pymovements.stimulus.TextStimulus(
        polars.DataFrame(area_columns(areas)), aoi_column="word", trial_column="sentence_id", **edges
    )
    return pymovements.Events(polars.DataFrame(event_columns(corpus, areas))), stimulus


def _pymovements(corpus: Corpus, layout: str, out: Path) -> None:
    areas = word_areas(corpus, layout)
    with atomic_folder(out, owned=("events.csv", "areas.csv")) as folder:
        write_table(folder / "events.csv", _spelt(event_columns(corpus, areas)))
        write_table(folder / "areas.csv", area_columns(areas))


def _studio(corpus: Corpus, layout: str, out: Path) -> None:
    areas = word_areas(corpus, layout)
    rows = list(_fixations(corpus, areas))
    names = {
        "participant_id": "reader",
        "text_id": "text",
        "x": "x",
        "y": "y",
        "duration_ms": "ms",
        "timestamp_ms": "onset",
        "fixation_id": "n",
        "word_id": "word",
        "order_in_trial": "n",
    }
    fixations: Columns = {name: [row[key] for row in rows] for name, key in names.items()}
    fixations = {"trial_id": [f"{row['reader']}_{row['text']}" for row in rows], **fixations}
    words = area_columns(areas)
    words = {"text_id": words.pop("sentence_id"), "word_id": words.pop("word_index"), **words}
    with atomic_folder(out, owned=("fixations.csv", "words.csv")) as folder:
        write_table(folder / "fixations.csv", _spelt(fixations))
        write_table(folder / "words.csv", words)


def _spelt(columns: Columns) -> Columns:
    """Return columns with nothing for what is missing."""
    return {name: ["" if value is None else value for value in values] for name, values in columns.items()}


def _eyekit(corpus: Corpus, layout: str, out: Path) -> None:
    eyekit = need("eyekit", "recordings")
    left, top, character, line, *_ = map(float, layout.split(","))
    texts: dict[str, Any] = {}
    places: dict[str, list[tuple[int, int, int]]] = {}
    for key, text in word_areas(corpus, layout).items():
        lines = [[text.words[word] for word in words] for words in text.lines]
        written = [" ".join(words) for words in lines]
        if any(map(_MARKUP.search, written)):
            raise ScandlError(f"text {key!r}: found [ ]{{ }}, which eyekit takes for the mark of an area")
        font = {"font_face": "Courier New", "font_size": character / 0.6, "line_height": line}
        texts[key] = eyekit.TextBlock(written, position=(left, top + line / 2), **font)
        places[key] = [place for row, words in enumerate(lines) for place in _slices(row, words)]
    trials = [
        {
            "reader_id": path.reader_id,
            "sentence_id": path.sentence_id,
            "fixations": eyekit.FixationSequence(
                _sequence(path, [texts[path.sentence_id][place].center for place in places[path.sentence_id]])
            ),
        }
        for path in corpus.scanpaths
    ]
    with atomic_file(out) as temporary:
        eyekit.io.save({"name": corpus.name, "texts": texts, "trials": trials}, temporary)


def _slices(row: int, words: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield line, first letter and end of each word.

    >>> list(_slices(0, ["The", "cat"]))
    [(0, 0, 3), (0, 4, 7)]
    """
    start = 0
    for word in words:
        yield row, start, start + len(word)
        start += len(word) + 1


def _sequence(path: Scanpath, centres: list[tuple[float, float]]) -> list[dict[str, int]]:
    """Return the fixations of a path as eyekit takes them: whole pixels and milliseconds."""
    if path.durations is None:
        lacks = f"reader {path.reader_id!r} on sentence {path.sentence_id!r} has none"
        raise ScandlError(f"eyekit needs the duration of each fixation: {lacks}")
    found, start = [], 0
    for word, ms in zip(path.positions, path.durations, strict=True):
        end = start + max(1, round(ms))
        x, y = centres[word]
        found.append({"x": round(x), "y": round(y), "start": start, "end": end})
        start = end
    return found


def _json(corpus: Corpus, layout: str, out: Path) -> None:
    areas = word_areas(corpus, layout)
    table = {
        "name": corpus.name,
        "language": corpus.card.language,
        "kind": corpus.card.kind,
        "licence": corpus.card.licence,
        "citation": corpus.card.citation,
        "texts": [
            {"sentence_id": key, "text": text.text, "words": text.words, "areas": areas[key].boxes.tolist()}
            for key, text in corpus.sentences.items()
        ],
        "scanpaths": [
            {
                "reader_id": path.reader_id,
                "sentence_id": path.sentence_id,
                "positions": path.positions,
                "durations": path.durations,
            }
            for path in corpus.scanpaths
        ],
    }
    write_text(out, json.dumps(table, ensure_ascii=False, indent=1) + "\n")


EXPORTS: dict[str, Callable[[Corpus, str, Path], None]] = {
    "pymovements": _pymovements,
    "studio": _studio,
    "eyekit": _eyekit,
    "json": _json,
}
"""How a corpus is written for each program: into a folder of two tables, or into one JSON file."""


def export(corpus: Corpus, form: str, out: Path | str, layout: str = LAYOUT) -> None:
    """Write a corpus for another program, whole or not at all.

    Parameters
    ----------
    corpus
        What is written.
    form
        pymovements or studio (a folder with fixations and areas), eyekit or json (one JSON file).
    out
        The folder or the file.
    layout
        Left and top edge, width of a letter and height of a line in pixels, and letters in a line.
    """
    if form not in EXPORTS:
        raise ScandlError(f"no export {form!r}; known: {', '.join(EXPORTS)}")
    EXPORTS[form](corpus, layout, Path(out))
