"""Reports on disk, written in the form a file's name asks for."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from scandl.errors import ScandlError
from scandl.extras import check_installed, install_command, is_installed, need
from scandl.files.results import atomic_file
from scandl.files.tabular import latex_table, latex_text
from scandl_reports.document import Figure, Report, Table, numbered
from scandl_reports.svg import cleaned, showable

WIDTH = 16.0  # cm
_PAGE = f'#set page(width: {WIDTH}cm, height: auto, margin: 0pt)\n#image("figure.svg", width: 100%)\n'


def write_figures(report: Report, folder: Path | str) -> list[Path]:
    """Write every figure as SVG and, where typst is installed, as PDF; return the files."""
    figures = [("Figure 1", report.picture)] if report.picture else []
    figures += [
        (name, block)
        for _, blocks, more in numbered(report)
        for name, block in (*blocks, *more)
        if isinstance(block, Figure)
    ]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    return [
        path for name, figure in figures for path in _write(figure, target / _file_name(name, figure.title))
    ]


def _file_name(name: str, title: str) -> str:
    """Return a name that sorts in the order of the report and says what is drawn.

    >>> _file_name("Figure 3", "Saccade lengths: New Sentence")
    'figure-03-saccade-lengths-new-sentence'
    """
    kind, number = name.split()
    said = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].rstrip("-")
    return f"{kind.lower()}-{int(number):02d}-{said}".rstrip("-")


def _write(figure: Figure, stem: Path) -> list[Path]:
    svg = _sized(figure.svg)
    contents = {".svg": svg.encode()}
    if is_installed("typst"):
        contents[".pdf"] = _pdf(svg)
    written = []
    for ending, content in contents.items():
        with atomic_file(stem.with_name(stem.name + ending)) as temporary:
            temporary.write_bytes(content)
        written.append(stem.with_name(stem.name + ending))
    return written


def _sized(svg: str) -> str:
    """Return the drawing with the size it has on a page of its own."""
    root = ElementTree.fromstring(cleaned(svg))
    _, _, width, height = map(float, root.get("viewBox", "0 0 1 1").split())
    root.set("width", f"{WIDTH:g}cm")
    root.set("height", f"{WIDTH * height / width:.4g}cm")
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    return ElementTree.tostring(root, encoding="unicode")


def _pdf(svg: str) -> bytes:
    typst = need("typst", "pdf")
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "page.typ"
        page.write_text(_PAGE, encoding="utf-8")
        (Path(name) / "figure.svg").write_text(svg, encoding="utf-8")
        done = typst.compile(page, root=name, ignore_system_fonts=True, timestamp=0)
    assert isinstance(done, bytes)
    return done


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


FORMS = (".html", ".pdf", ".txt", ".tex")


def check_form(path: Path | str) -> Path:
    """Return the path, or say which endings there are; commands ask before the long work."""
    target = Path(path)
    if target.suffix.lower() not in FORMS:
        raise ScandlError(f"{target}: a report is written as {', '.join(FORMS)}, by the file's ending")
    if target.suffix.lower() == ".pdf":
        check_installed("typst", extra="pdf")
    return target


def usual_reports(folder: Path) -> list[Path]:
    """Return what a folder gets when nobody says which forms: HTML, and PDF where it can be made."""
    names = ("report.html", "report.pdf") if is_installed("typst") else ("report.html",)
    return [folder / name for name in names]


def without_pdf() -> str:
    """Return what to say where a folder gets no PDF; nothing where it does."""
    if is_installed("typst"):
        return ""
    return f"no report.pdf: typst is not installed ({install_command('pdf')})"


def write_report(report: Report, *paths: Path | str, paper: str = "a4", full: bool = False) -> None:
    """Write the report to each path, in the form its ending asks for; a PDF is short or ``full``."""
    for target in [check_form(path) for path in paths]:
        content = _bytes(report, target.suffix.lower(), paper, full)
        with atomic_file(target) as temporary:
            temporary.write_bytes(content)


def write_asked(report: Report, file: Path | str | None, figures: Path | str | None) -> None:
    """Write the report and the folder of its figures where the flags of a command ask for them."""
    if file:
        write_report(report, file)
    if figures:
        from scandl_reports.writing import write_figures

        write_figures(report, figures)


def _bytes(report: Report, form: str, paper: str, full: bool) -> bytes:
    if form == ".html":
        from scandl_reports.html import to_html

        return to_html(report).encode()
    if form == ".pdf":
        from scandl_reports.pdf import to_pdf

        return to_pdf(report, paper=paper, full=full)
    if form == ".tex":
        from scandl_reports.writing import to_latex

        return showable(to_latex(report)).encode()
    from scandl_reports.plain import to_plain

    return showable(to_plain(report)).encode()
