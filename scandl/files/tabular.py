"""Results as tables: for a notebook, a paper, a README or another program."""

from __future__ import annotations

import html
import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from scandl.errors import ScandlError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "−": "$-$",
        "×": r"$\times$",
        "±": r"$\pm$",
        "†": r"$\dagger$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "′": "'",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


class Tabular:
    """A result that can be looked at as a table and taken along."""

    __slots__ = ()

    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """Return one plain record per row, with every number at full precision."""

    @abstractmethod
    def shown(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the cells as they are printed."""

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a DataFrame; an interval becomes two columns, ``_low`` and ``_high``."""
        import pandas as pd

        return pd.DataFrame([flat_record(record) for record in self.records()])

    def to_markdown(self) -> str:
        """Return the printed table as Markdown."""
        header, cells = self.shown()
        lines = [header, ["---"] * len(header), *cells]
        return "\n".join(
            "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
        )

    def captioned(self) -> tuple[str, str]:
        """Return a caption and a label for LaTeX; a table without a caption stands for itself."""
        return "", ""

    def best(self) -> set[tuple[int, int]]:
        """Return which cells, (row, column) as shown, hold the best value of their kind."""
        return set()

    def to_latex(self, columns: Sequence[str] = ()) -> str:
        """Return the printed table as LaTeX for the package booktabs, numbers to the right, the best in bold.

        Parameters
        ----------
        columns
            Which columns, by their headings; an interval goes with its estimate where ``95 % interval`` is
            among them. None means all.

        Returns
        -------
        str
            A tabular environment; with a caption and a label where the result has them.
        """
        header, cells = self.shown()
        kept = chosen_columns(header, columns)
        bold = {(row, kept.index(column)) for row, column in self.best() if column in kept}
        shown = [[row[k] for k in kept] for row in cells]
        align = "".join("r" if _numbers(row[k] for row in shown) else "l" for k in range(len(kept)))
        table = latex_table([header[k] for k in kept], shown, align, bold)
        caption, label = self.captioned()
        if not caption:
            return table
        lines = (
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_text(caption)}}}",
            rf"\label{{{label}}}",
            table,
        )
        return "\n".join([*lines, r"\end{table}"])

    def _repr_html_(self) -> str:
        """Return the table as a notebook shows it."""
        header, cells = self.shown()
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in cells
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def latex_text(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> latex_text("a_b 5 %")
    'a\\_b 5 \\%'
    """
    return text.translate(_LATEX)


def chosen_columns(header: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return the places of columns by their headings, the first always; none wanted means all.

    >>> chosen_columns(["model", "mean", "95 % interval", "n"], ["n"])
    [0, 3]
    >>> chosen_columns(["model", "mean", "± SE folds", "95 % interval", "n"], ["mean", "95 % interval"])
    [0, 1, 3]
    """
    for name in wanted:
        if name not in header:
            raise ScandlError(f"no column {name!r}{did_you_mean(name, dict.fromkeys(header))}")
    kept, estimate = [], ""
    for k, name in enumerate(header):
        interval = name.startswith("95 %")
        if k == 0 or not wanted or (name in wanted and (not interval or estimate in wanted)):
            kept.append(k)
        estimate = estimate if interval or name.startswith("±") else name
    return kept


def _numbers(cells: Iterable[str]) -> bool:
    """Say whether cells are numbers, intervals, or nothing."""
    return all(_NUMBER.fullmatch(cell) for cell in cells)


_NUMBER = re.compile(r"–|-?<?[+−-]?[\d.,]+(e-?\d+)?†?|\[.*\]|")


def latex_table(
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    align: str = "",
    bold: Collection[tuple[int, int]] = (),
) -> str:
    r"""Return a tabular environment with the rules of booktabs; ``align`` has a letter a column.

    ``bold`` holds the (row, column) of cells that stand out.

    >>> print(latex_table(["model", "NLD"], [["left_to_right", "0.474"]]))
    \begin{tabular}{ll}
    \toprule
    model & NLD \\
    \midrule
    left\_to\_right & 0.474 \\
    \bottomrule
    \end{tabular}
    """
    rows = [_latex_row(header)]
    rows += [_latex_row(line, {j for i, j in bold if i == k}) for k, line in enumerate(cells)]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{align or 'l' * len(header)}}}",
            r"\toprule",
            rows[0],
            r"\midrule",
            *rows[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _latex_row(cells: Sequence[str], bold: Collection[int] = ()) -> str:
    r"""Return a row; what ends the one above would take a bracket or an asterisk here for its own.

    >>> _latex_row(["[m]", "*"]), _latex_row(["*m", "1"])
    ('{}[m] & * \\\\', '{}*m & 1 \\\\')
    """
    told = [rf"\textbf{{{latex_text(c)}}}" if k in bold else latex_text(c) for k, c in enumerate(cells)]
    row = " & ".join(told) + r" \\"
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def flat_record(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with two columns for every interval.

    >>> flat_record({"n": 2, "ci95": (0.1, 0.2)})
    {'n': 2, 'ci95_low': 0.1, 'ci95_high': 0.2}
    """
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, tuple) or (value is None and name.endswith(("ci95", "_interval"))):
            low, high = value or (None, None)
            flat |= {f"{name}_low": low, f"{name}_high": high}
        else:
            flat[name] = value
    return flat
