"""Scanpaths as pictures: a dot per fixation, an arc per saccade, words in lines; times as a strip."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from scandl.drawings.lettering import as_drawn, lettering, text_is_set_by_browser, typefaces
from scandl.drawings.page import WIDTH, Page, PlacedWord, set_page
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.results import atomic_file
from scandl.records import Prediction, Scanpath, Sentence

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito: told apart by the colour-blind, and in grey.
FORWARD, REGRESSION, PAPER, INK = "#0072B2", "#D55E00", "white", "#222222"
ORDER = "cividis"  # equal steps of time are equal steps of lightness, for the colour-blind too
HEAT = "YlOrBr"
USUAL = 220.0  # ms: the size of a dot whose duration is not known
COLUMN, ROW = 0.088, 0.16  # inches that a letter takes, and a unit of height
HIGHEST, DOTS = 2.6, 1.25  # heights: of the highest arc, of one row of dots
MOST = 6  # readings drawn below each other; of more the expected times are shown

Fixations = list[list["Artist"]]
"""What is drawn of each fixation: the saccade that led there, the dot, its number."""
Visited = list[int]
"""How often the word of each fixation was fixated before."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One reading to be drawn, under the name of who read."""

    name: str
    positions: tuple[int, ...]
    durations: tuple[float, ...] | None = None

    @classmethod
    def of(cls, name: str, path: Scanpath | Prediction) -> Trace:
        """Return the trace of a scanpath or of a generated one.

        >>> Trace.of("r1", Scanpath("r1", "s1", (0, 2)))
        Trace(name='r1', positions=(0, 2), durations=None)
        """
        positions = path.predicted if isinstance(path, Prediction) else path.positions
        return cls(name, tuple(positions), path.durations)


def visits_before(positions: Sequence[int]) -> Visited:
    """Return for each fixation how many the word has had: such dots stand below each other.

    >>> visits_before([0, 2, 0, 0])
    [0, 0, 1, 2]
    """
    seen: dict[int, int] = {}
    before = []
    for position in positions:
        before.append(seen.get(position, 0))
        seen[position] = before[-1] + 1
    return before


def dot_radius(duration: float) -> float:
    """Return the radius of a dot in rows: its area goes with the duration, within bounds.

    >>> dot_radius(220), dot_radius(880), dot_radius(1)
    (0.5, 0.65, 0.4)
    """
    return min(0.65, max(0.4, 0.5 * math.sqrt(duration / USUAL)))


def arc_height(distance: float) -> float:
    """Return how high the arc of a saccade is, in rows, by the columns it spans.

    >>> arc_height(0), arc_height(10), arc_height(70)
    (0.6, 1.3, 2.6)
    """
    return round(min(HIGHEST, 0.6 + 0.07 * distance), 3)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where things stand on axes: columns to the right, rows downwards; each line as high as it needs."""

    page: Page
    text_y: tuple[float, ...]  # the middle of the words of each line
    height: float

    @classmethod
    def of(cls, page: Page, trace: Trace) -> Sheet:
        """Give each line room for its dots and the arcs above and below."""
        above, below = ([0.3] * max(page.n_lines, 1) for _ in range(2))
        for position, again in zip(trace.positions, visits_before(trace.positions), strict=True):
            line = page.words[position].line
            below[line] = max(below[line], DOTS * (again + 1))
        deepest = list(below)
        for start, end in itertools.pairwise(page.words[position] for position in trace.positions):
            height = arc_height(abs(end.centre - start.centre)) if start.line == end.line else 0.6
            if end.centre >= start.centre or start.line != end.line or page.right_to_left:
                above[end.line] = max(above[end.line], height)
            if start.line == end.line:
                below[end.line] = max(below[end.line], deepest[end.line] + height)
        middles, y = [], 0.0
        for high, deep in zip(above, below, strict=True):
            middles.append(y + high + 0.9)
            y = middles[-1] + 0.9 + deep
        return cls(page, tuple(middles), y)

    def dot_y(self, line: int, again: int) -> float:
        """Return the middle of a dot."""
        return self.text_y[line] + 1.3 + DOTS * again


def plot_scanpath(
    path: Scanpath | Sequence[int],
    text: Sentence | str | None = None,
    *,
    axes: Axes | None = None,
    width: int = WIDTH,
    lines: Sequence[int] | None = None,
) -> Axes:
    """Draw a scanpath over its text.

    A dot is a fixation; its area goes with the duration, its colour and number with the order. Saccades
    forward are arcs above the words, regressions arcs below.

    Parameters
    ----------
    path
        A scanpath, or the word positions alone.
    text
        The sentence. Generated scanpaths know theirs; those of a corpus need
        ``text=corpus.sentences[path.sentence_id]``.
    axes
        Where to draw; without them a new figure is made.
    width
        Columns of a line, at most.
    lines
        The line of each word on the display that people read, where it is known.

    Returns
    -------
    Axes
        The matplotlib axes, with the title left to you.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> axes = plot_scanpath([0, 2, 1], "The cat sat.", axes=Figure().subplots())
    >>> [text.get_text() for text in axes.texts]  # words, then the numbers of fixations
    ['The', 'cat', 'sat.', '1', '2', '3']
    """
    words = words_of(path, text)
    trace = Trace.of("", path) if isinstance(path, Scanpath) else Trace("", tuple(path))
    _check_inside(trace, words)
    sheet = Sheet.of(set_page(words, width, lines), trace)
    if axes is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=_inches(sheet.page, sheet.height), layout="constrained").subplots()
    draw_reading(axes, sheet, trace)
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


def _check_inside(trace: Trace, words: Sequence[str]) -> None:
    outside = [position for position in trace.positions if not 0 <= position < len(words)]
    if outside:
        raise ScandlError(
            f"plot_scanpath: found position {outside[0]}, expected positions 0..{len(words) - 1}:"
            f" the sentence has {len(words)} words"
        )


def scanpath_figure(
    words: Sequence[str],
    traces: Sequence[Trace],
    *,
    title: str = "",
    width: int = WIDTH,
    lines: Sequence[int] | None = None,
) -> Figure:
    """Return a figure with one reading below the other, each under its name."""
    return readings_axes(words, traces, title=title, width=width, lines=lines)[0]


def readings_axes(
    words: Sequence[str],
    traces: Sequence[Trace],
    *,
    title: str = "",
    width: int = WIDTH,
    lines: Sequence[int] | None = None,
) -> tuple[Figure, list[Fixations]]:
    """Return a figure of readings, and what belongs to each of their fixations."""
    from matplotlib.figure import Figure

    page = set_page(words, width, lines)
    sheets = [Sheet.of(page, trace) for trace in traces]
    heights = [sheet.height + 1.5 for sheet in sheets]
    columns, rows = _inches(page, sum(heights))
    figure = Figure(figsize=(columns, rows + 0.35 + 0.3 * bool(title)), layout="constrained")
    grid = figure.subplots(len(traces), 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    drawn = []
    for axes, sheet, trace in zip(grid[:, 0], sheets, traces, strict=True):
        drawn.append(draw_reading(axes, sheet, trace))
        axes.set_title(trace.name, loc="left", fontsize=9)
    if title:
        figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    _legend(figure, timed=any(trace.durations for trace in traces))
    return figure, drawn


def heat_figure(
    words: Sequence[str],
    per_word: Sequence[float],
    *,
    title: str,
    unit: str,
    width: int = WIDTH,
    lines: Sequence[int] | None = None,
) -> Figure:
    """Return a figure of the words on a ground that is the darker the longer they are looked at."""
    import matplotlib as mpl
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    page = set_page(words, width, lines)
    columns, rows = _inches(page, 2.2 * page.n_lines)
    figure = Figure(figsize=(columns, rows + 0.9), layout="constrained")
    axes = figure.subplots()
    scale = ScalarMappable(Normalize(0.0, max([*per_word, 1e-9])), mpl.colormaps[HEAT])
    for word, value in zip(page.words, per_word, strict=True):
        colour = scale.cmap(scale.norm(value))
        corner = (word.left - 0.5, 2.2 * word.line - 0.9)
        axes.add_patch(Rectangle(corner, word.columns + 1, 1.8, facecolor=colour, linewidth=0))
        _write(axes, word, 2.2 * word.line, _readable_on(colour))
    _frame(axes, page, -1.2, 2.2 * page.n_lines - 1.0)
    axes.set_title(title, loc="left", fontsize=10)
    bar = figure.colorbar(scale, ax=axes, orientation="horizontal", aspect=50, shrink=0.5, pad=0.02)
    bar.set_label(unit, fontsize=8)
    bar.ax.tick_params(labelsize=7)
    return figure


def readings_figure(
    words: Sequence[str],
    traces: Sequence[Trace],
    title: str,
    *,
    width: int = WIDTH,
    lines: Sequence[int] | None = None,
) -> Figure:
    """Draw some readings below each other; of many show how long each word is looked at."""
    if len(traces) <= MOST:
        return scanpath_figure(words, traces, title=title, width=width, lines=lines)
    values, unit = expected_times(traces, len(words))
    return heat_figure(words, values, title=title, unit=unit, width=width, lines=lines)


def expected_times(traces: Sequence[Trace], n_words: int) -> tuple[list[float], str]:
    """Return the mean of each word over readings, and its unit: ms, or fixations where times are not known.

    >>> expected_times([Trace("a", (0, 1, 1), (200, 100, 50)), Trace("b", (1,), (250,))], 3)
    ([100.0, 200.0, 0.0], 'ms per reader (mean of 2)')
    """
    timed = all(trace.durations for trace in traces if trace.positions)
    totals = [0.0] * n_words
    for trace in traces:
        for k, position in enumerate(trace.positions):
            totals[position] += trace.durations[k] if timed and trace.durations else 1.0
    what = "ms" if timed else "fixations"
    return [total / len(traces) for total in totals], f"{what} per reader (mean of {len(traces)})"


def draw_reading(axes: Axes, sheet: Sheet, trace: Trace) -> Fixations:
    """Draw words, dots and arcs; return what belongs to each fixation, with the saccade that led there."""
    import matplotlib as mpl

    page = sheet.page
    for word in page.words:
        _write(axes, word, sheet.text_y[word.line])
    colours = mpl.colormaps[ORDER](_even(len(trace.positions)))
    drawn: Fixations = []
    before = visits_before(trace.positions)
    for k, (position, again) in enumerate(zip(trace.positions, before, strict=True)):
        word = page.words[position]
        place = word.centre, sheet.dot_y(word.line, again)
        duration = trace.durations[k] if trace.durations else USUAL
        saccade = [_saccade(axes, sheet, trace.positions, before, k)] if k else []
        drawn.append([*saccade, *_dot(axes, place, duration, colours[k], k + 1)])
    _frame(axes, page, sheet.height, 0.0)
    return drawn


def _even(n: int) -> list[float]:
    return [k / max(n - 1, 1) for k in range(n)]


def _dot(
    axes: Axes, place: tuple[float, float], duration: float, colour: Any, number: int
) -> tuple[Artist, Artist]:
    from matplotlib.patches import Ellipse

    radius = dot_radius(duration)
    across = 2 * radius * ROW / COLUMN
    dot = axes.add_patch(Ellipse(place, across, 2 * radius, facecolor=colour, edgecolor=PAPER, lw=0.6))
    dot.set_zorder(3)
    size = 5.5 if number < 100 else 4.5
    text = axes.text(
        *place, str(number), ha="center", va="center_baseline", fontsize=size, color=_readable_on(colour)
    )
    text.set_zorder(4)
    return dot, text


def _saccade(axes: Axes, sheet: Sheet, positions: Sequence[int], before: Visited, k: int) -> Artist:
    """Draw how the eyes came to fixation ``k``: above the words when forward, below when back."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    start, end = (sheet.page.words[positions[j]] for j in (k - 1, k))
    backward = positions[k] < positions[k - 1]
    (x, y), (x_end, y_end) = (
        _foot(sheet, word, before[j], backward) for word, j in ((start, k - 1), (end, k))
    )
    colour = REGRESSION if backward else FORWARD
    if start.line != end.line:  # from line to line
        curve, style = [(x, y), (x, y_end), (x_end, y), (x_end, y_end)], {"linestyle": (0, (3, 2)), "lw": 0.8}
    else:
        aside = 0.9 if start is end else 0.0  # again on the same word: a small loop
        height = arc_height(abs(x_end - x)) * 4 / 3 * (1 if backward else -1)
        ends = (x - aside, y), (x_end + aside, y_end)
        curve = [ends[0], (ends[0][0], y + height), (ends[1][0], y_end + height), ends[1]]
        style = {"linestyle": "-", "lw": 1.1}
    arc = PathPatch(Path(curve, [1, 4, 4, 4]), color=colour, fill=False, alpha=0.8, **style)
    return axes.add_patch(arc)


def _foot(sheet: Sheet, word: PlacedWord, again: int, backward: bool) -> tuple[float, float]:
    """Return where an arc stands: on the word, or under the dot of a regression."""
    if backward:
        return word.centre, sheet.dot_y(word.line, again) + 0.5
    return word.centre, sheet.text_y[word.line] - 0.7


def _write(axes: Axes, word: PlacedWord, y: float, colour: str = INK) -> None:
    text = word.text if text_is_set_by_browser() else as_drawn(word.text)
    faces, _ = typefaces(frozenset(text))
    # A dollar sign is a dollar sign, no mathematics.
    axes.text(
        word.centre,
        y,
        text,
        ha="center",
        va="center_baseline",
        fontsize=10,
        color=colour,
        family=faces,
        parse_math=False,
    )


def _readable_on(colour: Any) -> str:
    """Return black or white, whichever stands out on a ground.

    >>> _readable_on((1, 1, 0.8)), _readable_on((0, 0.1, 0.3))
    ('#222222', 'white')
    """
    red, green, blue = colour[:3]
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.45 else PAPER


def _frame(axes: Axes, page: Page, bottom: float, top: float) -> None:
    axes.set_xlim(-1.5, max(page.columns, 20) + 1.5)
    axes.set_ylim(*sorted((bottom, top), reverse=True))
    axes.set_aspect(ROW / COLUMN)
    axes.set_axis_off()


def _inches(page: Page, rows: float) -> tuple[float, float]:
    return COLUMN * (max(page.columns, 20) + 3), ROW * rows


def _legend(figure: Figure, *, timed: bool) -> None:
    """Say below what dots, colours and arcs stand for."""
    import matplotlib as mpl
    from matplotlib.lines import Line2D

    ends = mpl.colormaps[ORDER]([0.0, 1.0])
    dot: dict[str, Any] = {"marker": "o", "linestyle": "none", "markeredgecolor": PAPER}
    handles = [
        Line2D([], [], color=FORWARD, label="forward"),
        Line2D([], [], color=REGRESSION, label="regression"),
        Line2D([], [], markerfacecolor=ends[0], label="first", markersize=7, **dot),
        Line2D([], [], markerfacecolor=ends[1], label="last", markersize=7, **dot),
    ]
    if timed:
        points = ROW * 72 * 2
        handles += [
            Line2D(
                [], [], markerfacecolor="#888888", label=f"{ms} ms", markersize=points * dot_radius(ms), **dot
            )
            for ms in (100, 350)
        ]
    figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), fontsize=7, frameon=False)


# ----- files and typefaces


def check_figure_ending(path: FilePath | str) -> None:
    """Say which endings there are; commands ask before the long work."""
    from matplotlib.backend_bases import FigureCanvasBase

    target, known = FilePath(path), FigureCanvasBase.get_supported_filetypes()
    if target.suffix.lower() == ".gif":
        raise DataError(
            target, None, None, Fact("the ending '.gif'"), "--animate for what moves; .png for a still"
        )
    if target.suffix.lower().removeprefix(".") not in known:
        found = Fact(f"the ending {target.suffix!r}")
        raise DataError(target, None, None, found, f"a figure: .{', .'.join(sorted(known))}")


def save_figure(path: FilePath | str, draw: Callable[[], Figure], words: Sequence[str]) -> list[str]:
    """Write the figure that ``draw`` returns by its suffix; return what a reader of it should know."""
    in_browser = FilePath(path).suffix.lower() == ".svg"
    with lettering(words, in_browser=in_browser) as remarks, atomic_file(path) as temporary:
        draw().savefig(temporary, bbox_inches="tight", dpi=200)
    return remarks
