"""A heat map with its numbers written in: differences by name and cell, white where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, label, new_figure, no_data, style

ON_LIGHT, ON_DARK = "#111418", "#ffffff"
_BLANK = "#e9ecef"


def heatmap_figure(
    about: About, columns: Sequence[str], rows: Mapping[str, Sequence[float | None]],
    marks: Mapping[tuple[str, int], str] | None = None,
) -> document.Figure | document.Note:  # fmt: skip
    """Draw signed numbers from blue through white to orange; ``marks`` follow the number in a cell.

    A number that cannot be given is grey.
    """
    known = [abs(value) for values in rows.values() for value in values if value is not None]
    if not known:
        return no_data(about)
    with style():
        from matplotlib.colors import LinearSegmentedColormap, Normalize, to_hex

        scale = LinearSegmentedColormap.from_list("differences", ["#0072b2", "#ffffff", "#d55e00"])
        furthest = max(known) or 1.0
        norm = Normalize(-furthest, furthest)
        figure = new_figure(0.75 + 0.3 * len(rows))
        axes = figure.subplots()
        for y, (name, values) in enumerate(rows.items()):
            for x, value in enumerate(values):
                colour = _BLANK if value is None else to_hex(scale(norm(value)))
                axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=colour, lw=0)
                text = "–" if value is None else f"{value:+.2f}{(marks or {}).get((name, x), '')}"
                axes.text(
                    x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=7,
                    color=_ink_on(colour),
                )  # fmt: skip
        axes.set_xlim(0, len(columns))
        axes.set_ylim(len(rows), 0)
        axes.set_xticks([x + 0.5 for x in range(len(columns))], columns, fontsize=7)
        axes.set_yticks([y + 0.5 for y in range(len(rows))], [label(name) for name in rows])
        axes.grid(visible=False)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        for side in axes.spines.values():
            side.set_visible(False)
        data = [(name, *values) for name, values in rows.items()]
        return drawn(about, figure, data_table(about, ("name", *columns), data))


def _ink_on(colour: str) -> str:
    """Return the text colour that stands out more from a cell, by the contrast of WCAG 2.

    >>> _ink_on("#ffffff"), _ink_on("#0072b2")
    ('#111418', '#ffffff')
    """
    from matplotlib.colors import to_rgb

    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)
    )
    return ON_DARK if 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.19 else ON_LIGHT
