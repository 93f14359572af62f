"""Where the words of each text stand on the screen: a table of areas, or a monospaced layout."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn, finite
from scandl.corpora.importers.texts import area_words, clean_label
from scandl.errors import ConfigError, DataError, Fact
from scandl.files.column_names import candidate_columns
from scandl.records import Sentence

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]

EDGES = ("left", "top", "right", "bottom")
SIZES = {"right": ("width", "left"), "bottom": ("height", "top")}
LAYOUT = "left,top,character,line[,columns] in pixels, such as 100,300,14,60"


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """The words of one text in reading order, and the rectangle of each."""

    words: tuple[str, ...]
    boxes: Floats  # (word, 4): left, top, right, bottom

    @property
    def lines(self) -> list[list[int]]:
        """The words of each line, from top to bottom; a line ends where a word stands lower than it."""
        middles = ((self.boxes[:, 1] + self.boxes[:, 3]) / 2).tolist()
        lines = [[0]]
        for word in range(1, len(self.words)):
            if middles[word] > self.boxes[lines[-1][0], 3]:
                lines.append([])
            lines[-1].append(word)
        return lines

    def words_at(self, x: Floats, y: Floats) -> Ints:
        """Return the word at each place, −1 for none; an area has its left and top edge."""
        import numpy as np

        left, top, right, bottom = self.boxes.T
        x, y = x[:, None], y[:, None]
        inside = (x >= left) & (x < right) & (y >= top) & (y < bottom)
        return np.where(inside.any(axis=1), inside.argmax(axis=1), -1)


def areas_of_table(
    path: Path, cells: Mapping[str, Sequence[str]], said: Mapping[str, str]
) -> dict[str, Areas]:
    """Return the areas of each text from a table with one row per word.

    Meanings: sentence_id, word, and the edges left, top and either right, bottom or width, height;
    word_index where rows are not in reading order.
    """
    import numpy as np

    known = dict(cells)
    columns: dict[str, ReportColumn] = {}
    for meaning in ("sentence_id", "word", "word_index", *EDGES, "width", "height"):
        name = said.get(meaning) or next(iter(candidate_columns(list(cells), meaning)), None)
        if name in cells and name is not None:
            columns[meaning] = ReportColumn.of(name, known[name])
    if "word_index" not in columns and "sentence_id" in columns:
        seen: dict[str, int] = {}
        places = [seen.setdefault(key, 0) for key in cells[columns["sentence_id"].name]]
        for row, key in enumerate(cells[columns["sentence_id"].name]):
            places[row], seen[key] = seen[key], seen[key] + 1
        columns["word_index"] = ReportColumn.of("the row", map(str, places))
    missing = [m for m in ("sentence_id", "word", "left", "top") if m not in columns]
    missing += [edge for edge, (size, _) in SIZES.items() if edge not in columns and size not in columns]
    if missing:
        found = Fact(f"only the columns {', '.join(cells)}")
        raise DataError(path, 1, None, found, " ".join(f"--column {each}=NAME" for each in missing))
    report = FixationReport(path, columns)
    values = {
        m: report.numbers(m, finite, "pixels", frozenset())
        for m in columns
        if m in (*EDGES, "width", "height")
    }
    for edge, (size, start) in SIZES.items():
        if edge not in values:
            values[edge] = values[start] + values[size]
    words = area_words(report)
    index = report.numbers("word_index", finite, "the number of a word", frozenset())
    sentence = report["sentence_id"]
    found_areas = {}
    for code, name in enumerate(sentence.texts):
        rows = np.flatnonzero(sentence.codes == code)
        rows = rows[np.argsort(index[rows], kind="stable")]
        boxes = np.column_stack([values[edge][rows] for edge in EDGES])
        found_areas[name] = Areas(tuple(map(clean_label, words[name])), boxes)
    return found_areas


def areas_of_layout(sentences: Mapping[str, Sentence], layout: str) -> dict[str, Areas]:
    r"""Return the areas of texts in a monospaced font; a line break in a text begins a new line.

    A word has the space before it, and half of the gaps to the lines above and below.

    >>> areas = areas_of_layout({"s": Sentence("s", "The cat\nsat.")}, "100,300,10,40")["s"]
    >>> areas.words, areas.boxes.tolist()[1:]
    (('The', 'cat', 'sat.'), [[130.0, 300.0, 170.0, 340.0], [90.0, 340.0, 140.0, 380.0]])
    """
    import numpy as np

    parts = layout.split(",")
    if len(parts) not in (4, 5) or not all(re.fullmatch(r"\d+(\.\d+)?", part) for part in parts):
        raise ConfigError(f"--layout {layout!r}: expected {LAYOUT}")
    left, top, character, line = map(float, parts[:4])
    columns = int(float(parts[4])) if len(parts) == 5 else None
    found = {}
    for key, sentence in sentences.items():
        boxes = [
            (
                left + character * (at - 1),
                top + n * line,
                left + character * (at + len(word)),
                top + (n + 1) * line,
            )
            for n, words in enumerate(_lines(sentence.text, columns))
            for at, word in words
        ]
        found[key] = Areas(sentence.words, np.array(boxes))
    return found


def _lines(text: str, columns: int | None) -> list[list[tuple[int, str]]]:
    """Return the words of each line with the column they begin in.

    >>> _lines("The cat sat.", 8)
    [[(0, 'The'), (4, 'cat')], [(0, 'sat.')]]
    """
    lines = []
    for written in text.splitlines():
        line: list[tuple[int, str]] = []
        shift = 0
        for match in re.finditer(r"\S+", written):
            if columns is not None and line and match.end() - shift > columns:
                lines.append(line)
                line, shift = [], match.start()
            line.append((match.start() - shift, match[0]))
        lines += [line] if line else []
    return lines
