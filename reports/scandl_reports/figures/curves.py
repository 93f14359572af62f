"""Curves over steps: learning, or quality by the number of steps, with a band where one is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, label, new_figure, no_data, style
from scandl_reports.figures.intervals import Estimate
from scandl_reports.palette import looks


def curves_figure(
    about: About, curves: Mapping[str, Sequence[tuple[float, Estimate]]], *, x_label: str, y_label: str,
    log_x: bool = False,
) -> document.Figure | document.Note:  # fmt: skip
    """Draw each name's values over x."""
    known = {name: sorted(points, key=lambda point: point[0]) for name, points in curves.items() if points}
    if not known:
        return no_data(about)
    colours = looks(known)
    with style():
        figure = new_figure(2.9)
        axes = figure.subplots()
        for name, points in known.items():
            look = colours[name]
            marker = look.marker if len(points) <= 30 else ""
            xs = [x for x, _ in points]
            axes.plot(xs, [e.value for _, e in points], marker=marker, color=look.colour, lw=1.4,
                      markersize=4, label=label(name))  # fmt: skip
            spans = [e.interval or (e.value, e.value) for _, e in points]
            low, high = zip(*spans, strict=True)
            axes.fill_between(xs, low, high, color=look.colour, alpha=0.15, lw=0)
        if log_x:
            axes.set_xscale("log")
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        figure.legend(loc="outside right upper")
        rows = [(name, x, e.value, e.interval) for name, points in known.items() for x, e in points]
        return drawn(about, figure, data_table(about, ("name", x_label, y_label, "95 %"), rows))
