"""What all figures share: one style, one look per name, one way from matplotlib to a part of the document."""

from __future__ import annotations

import hashlib
import io
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scandl_reports import document
from scandl_reports.svg import INK, RULE, cleaned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.4  # inches, the width of the text
LABEL = 26  # characters of a name that a figure shows
_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 8.5,
    "axes.titlecolor": INK,
    "figure.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "legend.fontsize": 8.0,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "svg.fonttype": "path",  # the same look with any fonts; the words are in the data
    "svg.hashsalt": "scandl",
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "xtick.color": INK,
    "xtick.labelsize": 8.0,
    "ytick.color": INK,
    "ytick.labelsize": 8.0,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
}

HUMAN = "Human"
# After Okabe & Ito, moved to middle lightness: each stands out by 3 : 1 from white and from dark grey.
COLOURS = ("#0072b2", "#d55e00", "#00936b", "#cc5bb0", "#8b5f23", "#7a68d0", "#7d848b")
MARKERS = ("o", "s", "D", "^", "v", "P", "X")
# Relatives are near in hue, and each has a colour and a marker of its own.
_FIXED = {
    HUMAN: (INK, "o"),
    "human": (INK, "o"),
    "simulated readers": (INK, "o"),
    "readers": (INK, "o"),
    "two halves of the readers": (INK, "s"),
    "scandl": ("#d55e00", "o"),
    "scandl-paper": ("#e0604c", "s"),
    "scanpath-transformer": ("#cf4a1d", "^"),
    "scandl-masked": ("#d4682a", "v"),
    "people": ("#b8431a", "P"),
    "eyettention": ("#7a68d0", "o"),
    "eyettention-small": ("#a05fd0", "s"),
    "left-to-right": ("#7d848b", "o"),
    "skip-short": ("#5c7f99", "s"),
    "medoid": ("#8d836b", "D"),
    "ezreader": ("#0072b2", "o"),
    "swift": ("#cc5bb0", "s"),
    "simplified-swift": ("#b0486a", "D"),
    "markov": ("#00936b", "o"),
    "markov-text": ("#5b8c1f", "s"),
    "train-label-dist": ("#0c8a96", "D"),
    "uniform": ("#8b5f23", "o"),
    "uniform-n": ("#a8721c", "s"),
    "uniform-m": ("#a4593a", "D"),
    "uniform-45": ("#77752c", "^"),
    "uniform-saccade": ("#9b6b55", "v"),
    "uniform-until-end": ("#956f3f", "P"),
}


@dataclass(frozen=True, slots=True)
class About:
    """What is said of a figure: its title, what one would hear of it, how to read it, words to look up."""

    title: str
    alt: str
    caption: str = ""
    terms: tuple[str, ...] = ()


@contextmanager
def style() -> Iterator[None]:
    """Draw in the style of the reports while the block lasts."""
    from matplotlib import rc_context

    with rc_context(_STYLE), warnings.catch_warnings():
        # A name in a script the font lacks shows as boxes; the data has it in full.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        warnings.filterwarnings("ignore", message=r"Matplotlib currently does not support")
        yield


def new_figure(height: float, *, between: float = 0.02) -> Figure:
    """Return an empty figure that no window knows of; ``between`` is the share of blank between panels."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    return Figure(figsize=(WIDTH, height), layout=ConstrainedLayoutEngine(wspace=between))


def drawn(about: About, figure: Figure, data: document.Table) -> document.Figure:
    """Return the part of the document; call it inside ``style()``."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    return document.Figure(
        about.title, cleaned(stream.getvalue()), about.alt, data, about.caption, about.terms
    )


def data_table(
    about: About, header: Sequence[str], rows: Sequence[Sequence[document.Cell]]
) -> document.Table:
    """Return the numbers behind a figure."""
    columns = tuple(document.Column(name) for name in header)
    return document.Table(about.title, columns, tuple(map(tuple, rows)))


def no_data(about: About) -> document.Note:
    """Return what stands in place of a figure that would be empty."""
    return document.Note(f"No figure “{about.title}”: there are no numbers to draw.", "missing")


def label(name: str, longest: int = LABEL) -> str:
    """Return a name that fits beside an axis.

    >>> label("left-to-right"), len(label("x" * 400))
    ('left-to-right', 26)
    """
    line = " ".join(name.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def wrapped(title: str, width: int) -> str:
    r"""Return a title in as many lines as it needs, broken after blanks and hyphens where it can be.

    >>> wrapped("multimatch-direction-above-chance", 18)
    'multimatch-\ndirection-above-\nchance'
    """
    return textwrap.fill(title, width)


def grid_figure(n: int, aspect: float) -> tuple[Figure, list[Axes]]:
    """Return a figure of ``n`` panels of height / width ``aspect`` that share both axes, at most 4 a row.

    Margins are given in inches: finding them by measuring every label takes longer than drawing.
    """
    from matplotlib.figure import Figure

    left, right, top, bottom, gap, between = 0.55, 0.08, 0.45, 0.5, 0.3, 0.2
    rows = -(-n // 4)
    columns = max(3, -(-n // rows))  # rows of about the same length; one panel does not fill the page
    panel = (WIDTH - left - right - (columns - 1) * between) / columns
    height = top + bottom + rows * panel * aspect + (rows - 1) * gap
    figure = Figure(figsize=(WIDTH, height))
    figure.subplots_adjust(
        left=left / WIDTH,
        right=1 - right / WIDTH,
        top=1 - top / height,
        bottom=bottom / height,
        wspace=between / panel,
        hspace=gap / (panel * aspect),
    )
    panels = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat)
    for axes in panels[n:]:
        axes.set_axis_off()
    for axes in panels[max(0, n - columns) : n]:
        # The last panel of a column names the axis, also where the row below is not full.
        axes.tick_params(labelbottom=True)
    return figure, panels[:n]


@dataclass(frozen=True, slots=True)
class Look:
    """How a name is drawn."""

    colour: str
    marker: str


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Return the look of each name; names we do not know get one from a hash of the name.

    Two unknown names never share a look within a report; which one has to give way depends on the
    names alone, not on their order.

    >>> looks(["markov"])["markov"].colour == looks(["x", "markov"])["markov"].colour
    True
    """
    wanted = list(dict.fromkeys(names))
    found = {name: Look(*_FIXED[name]) for name in wanted if name in _FIXED}
    taken = {Look(*look) for look in _FIXED.values()}
    free = [look for marker in MARKERS for c in COLOURS if (look := Look(c, marker)) not in taken]
    for name in sorted(set(wanted) - set(found)):
        start = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
        turns = [free[(start + k) % len(free)] for k in range(len(free))]
        # More unknown names than looks is more than a figure can tell apart: then looks are shared.
        found[name] = next((look for look in turns if look not in found.values()), turns[0])
    return {name: found[name] for name in wanted}
