"""The figure of a scanpath: the sentence on a line, a dot per fixation, an arc per saccade."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact
from scandl.files.results import atomic_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito: told apart by the colour-blind, and in grey.
FORWARD = "#0072B2"
REGRESSION = "#D55E00"


def check_figure_ending(path: FilePath | str) -> None:
    """Say which endings there are; commands ask before the long work."""
    from matplotlib.backend_bases import FigureCanvasBase

    target, known = FilePath(path), FigureCanvasBase.get_supported_filetypes()
    if target.suffix.lower().removeprefix(".") not in known:
        found = Fact(f"the ending {target.suffix!r}")
        raise DataError(target, None, None, found, f"a figure: .{', .'.join(sorted(known))}")


def save_scanpath_figure(
    path: FilePath | str, words: Sequence[str], readings: Mapping[str, Sequence[int]]
) -> None:
    """Draw the readings of one sentence below each other and write the figure by its suffix."""
    figure = scanpath_figure(words, readings)
    with atomic_file(path) as temporary:
        figure.savefig(temporary, bbox_inches="tight", dpi=200)


def scanpath_figure(words: Sequence[str], readings: Mapping[str, Sequence[int]]) -> Figure:
    """Return a figure with one row per reading, named by its reader or model."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(sentence_width(words), 1.9 * len(readings)), layout="constrained")
    rows = figure.subplots(len(readings), 1, squeeze=False)[:, 0]
    for axes, (name, path) in zip(rows, readings.items(), strict=True):
        draw_scanpath(axes, words, path)
        axes.set_title(name, loc="left", fontsize=9)
    return figure


def sentence_width(words: Sequence[str]) -> float:
    """Return the width in inches that a sentence needs on one line.

    >>> sentence_width(["The", "cat"])
    4.0
    """
    return max(4.0, 0.105 * len(" ".join(words)))


def word_centres(words: Sequence[str]) -> list[float]:
    """Return the centre of each word in characters from the left.

    >>> word_centres(["The", "cat"])
    [1.5, 5.5]
    """
    centres, start = [], 0
    for word in words:
        centres.append(start + len(word) / 2)
        start += len(word) + 1
    return centres


def draw_scanpath(axes: Axes, words: Sequence[str], path: Sequence[int]) -> None:
    """Draw a sentence, its fixations as numbered dots below the words, its saccades as arcs above."""
    from matplotlib.patches import Arc

    centres = word_centres(words)
    for word, centre in zip(words, centres, strict=True):
        axes.text(centre, 0.0, word, ha="center", va="center", family="monospace", fontsize=9)
    visited: dict[int, int] = {}
    places = []
    for number, position in enumerate(path, start=1):
        again = visited.get(position, 0)
        visited[position] = again + 1
        # A word fixated again gets its dots side by side, so that none hides another.
        x = centres[position] + 0.9 * again
        places.append(x)
        axes.plot(x, -1.0, "o", color=FORWARD, alpha=0.45, markersize=9, markeredgewidth=0)
        axes.text(x, -1.0, str(number), ha="center", va="center", fontsize=5)
    for (x, y), (before, after) in zip(_steps(places), _steps(list(path)), strict=True):
        colour = REGRESSION if after < before else FORWARD
        height = min(6.0, 1.0 + 0.16 * abs(y - x))
        arc = Arc(
            ((x + y) / 2, 0.7), max(abs(y - x), 0.6), 2 * height, theta1=0, theta2=180, color=colour, lw=1.1
        )
        axes.add_patch(arc)
    axes.set_xlim(-1, len(" ".join(words)) + 1)
    axes.set_ylim(-1.8, 7.0)
    axes.set_axis_off()


def _steps(values: Sequence[float]) -> list[tuple[float, float]]:
    return list(itertools.pairwise(values))
