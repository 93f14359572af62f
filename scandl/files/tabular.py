"""Results as tables: for a notebook, a paper, a README or another program."""

from __future__ import annotations

import html
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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

    def to_latex(self) -> str:
        """Return the printed table as LaTeX for the package booktabs."""
        return latex_table(*self.shown())

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


def latex_table(header: Sequence[str], cells: Sequence[Sequence[str]], align: str = "") -> str:
    r"""Return a tabular environment with the rules of booktabs; ``align`` has a letter a column.

    >>> print(latex_table(["model", "NLD"], [["left_to_right", "0.474"]]))
    \begin{tabular}{ll}
    \toprule
    model & NLD \\
    \midrule
    left\_to\_right & 0.474 \\
    \bottomrule
    \end{tabular}
    """
    rows = [_latex_row(line) for line in (header, *cells)]
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


def _latex_row(cells: Sequence[str]) -> str:
    r"""Return a row; what ends the one above would take a bracket or an asterisk here for its own.

    >>> _latex_row(["[m]", "*"]), _latex_row(["*m", "1"])
    ('{}[m] & * \\\\', '{}*m & 1 \\\\')
    """
    row = " & ".join(map(latex_text, cells)) + r" \\"
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
