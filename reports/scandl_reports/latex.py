"""The tables of a report for a paper: LaTeX with the rules of booktabs, one float each."""

from __future__ import annotations

import re

from scandl.files.tabular import latex_table, latex_text
from scandl_reports.document import Report, Table, numbered

HEAD = "% Tables of “{title}”: \\usepackage{{booktabs}}; names in other scripts need XeLaTeX or LuaLaTeX."


def to_latex(report: Report) -> str:
    """Return every table of the report, in its order, with caption and label."""
    tables = [
        _float(name, block)
        for _, blocks, more in numbered(report)
        for name, block in (*blocks, *more)
        if isinstance(block, Table)
    ]
    return "\n\n".join([HEAD.format(title=" ".join(report.title.split())), *tables]) + "\n"


def _float(name: str, table: Table) -> str:
    align = "".join("r" if right else "l" for right in table.numeric)
    label = re.sub(r"[^a-z0-9]+", "-", f"{name} {table.title}".lower()).strip("-")
    header = [column.name for column in table.columns]
    note = f" {table.note}" if table.note else ""
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_text(table.title + '.' + note)}}}",
            rf"\label{{tab:{label}}}",
            latex_table(header, table.shown, align),
            r"\end{table}",
        ]
    )
