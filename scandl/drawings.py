"""Scanpaths drawn: in plain text, as a figure with an arc per saccade, on axes for notebooks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.results import atomic_file
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def scanpath_lines(words: Sequence[str], path: Sequence[int], width: int = 80) -> list[str]:
    r"""Return pairs of lines, words above and the order of their fixations (from 1) below.

    >>> print("\n".join(scanpath_lines(["The", "cat", "sat"], [0, 2, 1, 2])))
    The cat sat
    1   3   2 4
    """
    order = [" ".join(str(n) for n, at in enumerate(path, start=1) if at == k) for k in range(len(words))]
    lines: list[str] = []
    above = below = ""
    for word, numbers in zip(words, order, strict=True):
        cell = max(len(word), len(numbers)) + 1
        if above and len(above) + cell > width:
            lines += [above.rstrip(), below.rstrip()]
            above = below = ""
        above += word.ljust(cell)
        below += numbers.ljust(cell)
    return [*lines, above.rstrip(), below.rstrip()]


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


def plot_scanpath(
    path: Scanpath | Sequence[int], text: Sentence | str | None = None, *, axes: Axes | None = None
) -> Axes:
    """Draw a scanpath over its sentence and return the matplotlib axes.

    Parameters
    ----------
    path
        A scanpath, or the word positions alone.
    text
        The sentence. Generated scanpaths know theirs; those of a corpus need
        ``text=corpus.sentences[path.sentence_id]``.
    axes
        Where to draw; without them a new figure is made.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> axes = plot_scanpath([0, 2, 1], "The cat sat.", axes=Figure().subplots())
    >>> [text.get_text() for text in axes.texts]  # words, then the numbers of fixations
    ['The', 'cat', 'sat.', '1', '2', '3']
    """
    words = words_of(path, text)
    positions = path.positions if isinstance(path, Scanpath) else tuple(path)
    outside = [position for position in positions if not 0 <= position < len(words)]
    if outside:
        raise ScandlError(
            f"plot_scanpath: found position {outside[0]}, expected positions 0..{len(words) - 1}:"
            f" the sentence has {len(words)} words"
        )
    if axes is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=(sentence_width(words), 1.9), layout="constrained").subplots()
    draw_scanpath(axes, words, positions)
    return axes


def words_of(path: Scanpath | Sequence[int], text: Sentence | str | None = None) -> tuple[str, ...]:
    """Return the words a scanpath was read on, from ``text`` or from the scanpath itself.

    >>> words_of(Scanpath("", "t1", (0, 2), text="The cat sat"))
    ('The', 'cat', 'sat')
    >>> words_of(Scanpath("r1", "s1", (0, 2)))
    Traceback (most recent call last):
    scandl.errors.ScandlError: the words of sentence 's1' are not known: give them with text=
    """
    if isinstance(text, Sentence):
        return text.words
    known = text if text is not None else getattr(path, "text", None)
    if known is None:
        which = f"sentence {path.sentence_id!r}" if isinstance(path, Scanpath) else "the sentence"
        raise ScandlError(f"the words of {which} are not known: give them with text=")
    return tuple(known.split())
