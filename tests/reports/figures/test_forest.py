"""Effects by measure and predictor, with their intervals."""

from __future__ import annotations

from scandl_reports.figures import forest
from scandl_reports.figures.intervals import Estimate

ONE, TWO = Estimate(0.5, (0.4, 0.6)), Estimate(0.25)
CELL = forest.Cell("sr", "frequency")


def figure(about, names):
    return forest.forest_figure(
        about, {n: {CELL: ONE} for n in names}, measures=("sr", "tfc"), predictors=("frequency", "surprisal")
    )


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_names_have_their_colours(colours_its_names):
    colours_its_names(figure)


def test_forest_leaves_out_what_nobody_has(about):
    """Of four panels three would be empty."""
    cell = forest.Cell("sr", "frequency")
    drawn = forest.forest_figure(
        about, {"human": {cell: ONE}}, measures=("sr", "tfc"), predictors=("frequency", "surprisal")
    )
    alone = forest.forest_figure(about, {"human": {cell: ONE}}, measures=("sr",), predictors=("frequency",))
    assert drawn.svg == alone.svg
    assert drawn.data.rows == (("human", "sr", "frequency", 0.5, (0.4, 0.6)),)
