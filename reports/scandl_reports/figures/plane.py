"""Two quantities against each other, a point with two intervals for each name."""

from __future__ import annotations

from collections.abc import Mapping

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, label, new_figure, no_data, style
from scandl_reports.figures.intervals import Estimate
from scandl_reports.palette import looks

Point = tuple[Estimate, Estimate]


def plane_figure(
    about: About, points: Mapping[str, Point], *, x_label: str, y_label: str
) -> document.Figure | document.Note:
    """Draw each name at its two values."""
    if not points:
        return no_data(about)
    colours = looks(points)
    with style():
        figure = new_figure(3.7)
        axes = figure.subplots()
        for name, (x, y) in points.items():
            look = colours[name]
            if x.interval is not None:
                axes.plot(x.interval, [y.value] * 2, color=look.colour, lw=1.0, alpha=0.65)
            if y.interval is not None:
                axes.plot([x.value] * 2, y.interval, color=look.colour, lw=1.0, alpha=0.65)
            axes.plot(
                x.value, y.value, look.marker, color=look.colour, markersize=6.5, ls="none", label=label(name)
            )
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        # Names beside the drawing never hide a point, however close the points lie.
        figure.legend(loc="outside right upper")
        rows = [(name, x.value, x.interval, y.value, y.interval) for name, (x, y) in points.items()]
        header = ("name", x_label, f"{x_label} 95 %", y_label, f"{y_label} 95 %")
        return drawn(about, figure, data_table(about, header, rows))
