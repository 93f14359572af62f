"""The figure of single scanpaths: a person and models over the words of one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scandl.reading.scanpath_figure import scanpath_figure
from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, label, no_data, style


def scanpaths_figure(
    about: About, words: Sequence[str], readings: Mapping[str, Sequence[int]]
) -> document.Figure | document.Note:
    """Draw the readings below each other; very long words are shortened."""
    if not readings or not words:
        return no_data(about)
    with style():
        figure = scanpath_figure(
            [label(word, 24) for word in words], {label(name, 60): path for name, path in readings.items()}
        )
        rows = [
            (name, k, position, words[position])
            for name, path in readings.items()
            for k, position in enumerate(path)
        ]
        return drawn(about, figure, data_table(about, ("name", "fixation", "word position", "word"), rows))
