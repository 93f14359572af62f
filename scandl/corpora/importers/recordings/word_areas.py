"""Where the words of each text stand on the screen, and on which of its lines a fixation is.

Areas come from a table or from a monospaced layout; lines from the published algorithms that eyekit has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.importers.fixation_report import finite, report_of
from scandl.corpora.importers.texts import area_rows, clean_label, numbered
from scandl.errors import ConfigError, ScandlError
from scandl.extras import need
from scandl.files.column_names import candidate_columns
from scandl.records import Sentence

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]

EDGES = ("left", "top", "right", "bottom")
SIZES = {"width": ("right", "left"), "height": ("bottom", "top")}
METHODS = {
    "slice": "Glandorf & Schroeder (2021)",
    "chain": "popEye; Schroeder (2019)",
    "cluster": "popEye; Schroeder (2019)",
    "merge": "Špakov et al. (2019)",
    "regress": "Cohen (2013)",
    "segment": "Abdulin & Komogortsev (2015)",
    "split": "Carr et al. (2022)",
    "stretch": "Lohmeier (2015)",
}
"""Those that need the places of the lines and nothing else, with their sources."""
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

    here = {meaning: name for meaning, name in said.items() if name in cells}
    sized = [size for size in SIZES if size in here or candidate_columns(list(cells), size)]
    needed = [edge for size, (edge, _) in SIZES.items() if size not in sized]
    optional = ("word_index", *sized, *(SIZES[size][0] for size in sized))
    report = report_of(path, cells, ("sentence_id", "word", "left", "top", *needed), optional, here)
    report = numbered(report)
    edges = {
        meaning: report.numbers(meaning, finite, "pixels", frozenset())
        for meaning in (*EDGES, *SIZES)
        if meaning in report
    }
    for size, (edge, start) in SIZES.items():
        if edge not in edges:
            edges[edge] = edges[start] + edges[size]
    return {
        name: Areas(
            tuple(clean_label(report.cell(row, "word")) for row in rows.tolist()),
            np.column_stack([edges[edge][rows] for edge in EDGES]),
        )
        for name, rows in area_rows(report).items()
    }


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


def on_lines(areas: Areas, x: Floats, y: Floats, onset: Floats, ms: Floats, method: str) -> Floats:
    """Return the heights of fixations after each was moved to the middle of its line."""
    import numpy as np

    middles = np.array([areas.boxes[line, 1::2].mean() for line in areas.lines])
    if len(middles) == 1:
        return np.full(len(y), middles[0])
    return middles[_lines_of(areas, middles, np.column_stack([x, y, onset, onset + ms]), method)]


def _lines_of(areas: Areas, middles: Floats, fixations: Floats, method: str) -> Ints:
    import numpy as np

    eyekit = need("eyekit", "recordings")
    spacing = np.diff(middles)
    if spacing.max() - spacing.min() > 1:
        found = f"{spacing.min():g} to {spacing.max():g}"
        raise ScandlError(f"--lines {method}: lines are {found} pixels apart, expected equal distances")
    lines = [" ".join(areas.words[word] for word in line) for line in areas.lines]
    height = float(spacing.mean())
    # eyekit places a text by the baseline of its first line and tells the middles of its lines.
    place = {"font_face": "Courier New", "font_size": height / 2, "line_height": height}
    shift = eyekit.TextBlock(lines, position=(0, 0), **place).midlines[0]
    block = eyekit.TextBlock(lines, position=(0, float(middles[0]) - shift), **place)
    sequence = eyekit.FixationSequence([tuple(map(round, row)) for row in fixations.tolist()])
    try:
        sequence.snap_to_lines(block, method=method)
    except Exception as error:  # of SciPy, where a trial has too few fixations for a method
        raise ScandlError(
            f"--lines {method}: {len(fixations)} fixations on {len(lines)} lines: {error}"
        ) from None
    moved = np.array([fixation.y for fixation in sequence], dtype=float)
    return np.abs(moved[:, None] - middles).argmin(axis=1)
