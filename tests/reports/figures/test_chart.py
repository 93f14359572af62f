"""What all figures share: a style for a while, panels in rows, no window."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl_reports.figures.chart import _FIXED, COLOURS, HUMAN, WIDTH, grid_figure, looks, new_figure, style
from scandl_reports.svg import INK


def test_the_style_ends_with_its_block():
    before = mpl.rcParams["axes.spines.top"]
    with style():
        assert mpl.rcParams["axes.spines.top"] is False
        assert mpl.rcParams["text.parse_math"] is False
    assert mpl.rcParams["axes.spines.top"] == before


@pytest.mark.parametrize(("n", "rows", "columns"), [(1, 1, 3), (4, 1, 4), (5, 2, 3), (8, 2, 4), (9, 3, 3)])
def test_panels_stand_in_rows_of_about_the_same_length(n, rows, columns):
    figure, panels = grid_figure(n, aspect=0.5)
    assert len(panels) == n
    assert panels[0].get_subplotspec().get_gridspec().get_geometry() == (rows, columns)
    assert figure.get_figwidth() == WIDTH


def test_no_window_knows_of_a_figure():
    from matplotlib import pyplot

    known = pyplot.get_fignums()
    new_figure(2.0)
    assert pyplot.get_fignums() == known


DARK_PAGE, WHITE = "#15181b", "#ffffff"


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def deuteranope(colour: str) -> tuple[float, ...]:
    """The colour as deuteranopes see it (Machado, Oliveira & Fernandes 2009, severity 1), linear RGB."""
    parts = [(int(colour[k : k + 2], 16) / 255) ** 2.2 for k in (1, 3, 5)]
    matrix = (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    )
    return tuple(max(0.0, sum(m * p for m, p in zip(row, parts, strict=True))) ** (1 / 2.2) for row in matrix)


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_stands_out_from_both_pages(colour):
    assert contrast(colour, WHITE) >= 3
    assert contrast(colour, DARK_PAGE) >= 3


def test_colours_differ_also_for_the_colour_blind():
    for a, b in itertools.combinations(COLOURS, 2):
        gap = sum((x - y) ** 2 for x, y in zip(deuteranope(a), deuteranope(b), strict=True)) ** 0.5
        assert gap > 0.1, (a, b)


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=25, unique=True), st.randoms())
def test_a_look_depends_on_the_names_and_not_on_their_order(names, random):
    shuffled = random.sample(names, len(names))
    found = looks(names)
    assert found == looks(shuffled)
    assert list(found) == names
    assert len(set(found.values())) == len(names)


def test_every_known_model_has_a_colour_of_its_own_that_stands_out():
    models = [name for name, look in _FIXED.items() if look[0] != INK]
    colours = [look.colour for look in looks(models).values()]
    assert len(set(colours)) == len(models)
    for colour in colours:
        assert contrast(colour, WHITE) >= 3, colour
        assert contrast(colour, DARK_PAGE) >= 3, colour


def test_known_names_keep_their_look_and_lend_it_to_nobody():
    fixed = looks(_FIXED)
    assert fixed["markov"] == looks(["markov", *"abcdefghijklmnop"])["markov"]
    strangers = looks([f"model {k}" for k in range(20)])
    assert not set(fixed.values()) & set(strangers.values())
    assert looks([HUMAN])[HUMAN].colour == INK
