"""Reports on disk, in the form that a file's name asks for; the PDF is set by typst."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from scandl.errors import ScandlError
from scandl.extras import check_installed, install_command, is_installed, need
from scandl.files.results import atomic_file
from scandl.files.tabular import latex_table, latex_text
from scandl_reports.document import Block, Figure, Note, Report, Table, Text, Viewer, numbered, terms_of
from scandl_reports.svg import cleaned, showable

PAPERS = {"a4": "a4", "letter": "us-letter"}
_MARKS = {"note": "Note", "warning": "Warning", "missing": "Missing"}
_LONG_RUN = re.compile(r"\S{24}(?=\S{8})")
_TABLE_CHARACTERS = 95  # what surely fits on a line of the table's type; wider tables share the width
_SMALL_TYPE = 125  # the same for the smaller type of tables of many columns
_MANY = 7  # columns
LEFT_OUT = (
    "This is the short edition: further figures, all numbers and checks are in the HTML edition and, with "
    "--full, in the PDF."
)


def to_pdf(report: Report, *, paper: str = "a4", full: bool = False) -> bytes:
    """Return the bytes of the PDF on ``a4`` or ``letter`` paper; the same report gives the same bytes.

    Appendices and what is for who asks are left out, and said to be, unless it is to be ``full``.
    """
    typst = need("typst", "pdf")
    if paper not in PAPERS:
        raise ScandlError(f"no paper {paper!r}; known: {', '.join(PAPERS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = _report(report, folder, full) | {"paper": PAPERS[paper]}
        (folder / "report.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        template = files("scandl_reports").joinpath("templates/report.typ").read_bytes()
        (folder / "report.typ").write_bytes(template)
        # A date of 0 keeps the clock out of the file; fonts of the machine would change its look.
        done = typst.compile(
            folder / "report.typ", root=folder, font_paths=[_fonts()], ignore_system_fonts=True, timestamp=0
        )
    assert isinstance(done, bytes)
    return done


def _fonts() -> Path:
    """Return the folder with DejaVu Sans, which has the scripts that the compiler's own fonts lack."""
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf"


def _report(report: Report, folder: Path, full: bool) -> dict[str, Any]:
    told = [
        (section, [*blocks, *more] if full else blocks)
        for section, blocks, more in numbered(report)
        if full or not section.appendix
    ]
    cut = not full and any(section.appendix or section.more for section in report.sections)
    printed = [block for _, blocks in told for _, block in blocks]
    used = {name for block in (*printed, report.picture) if block for name in terms_of(block)}
    return {
        "title": report.title,
        "subtitle": breakable(report.subtitle),
        "verdict": [{"about": f.about, "text": breakable(f.text)} for f in report.verdict],
        "picture": _block("Figure 1", report.picture, folder) if report.picture else None,
        "sections": [
            {
                "title": breakable(section.heading),
                "blocks": [_block(name, block, folder) for name, block in blocks],
            }
            for section, blocks in told
        ],
        "left_out": LEFT_OUT if cut else "",
        "terms": [
            {"name": term.name, "definition": breakable(term.definition)}
            for term in report.terms
            if full or term.name in used
        ],
        "provenance": [[breakable(name), breakable(value)] for name, value in report.provenance],
    }


def _block(name: str, block: Block, folder: Path) -> dict[str, Any]:
    match block:
        case Text(text, lead):
            return {"kind": "text", "text": breakable(text), "lead": breakable(lead)}
        case Note(text, kind):
            return {"kind": "note", "mark": _MARKS[kind], "text": breakable(text)}
        case Table():
            return {"kind": "table", "name": name, **_table(block)}
        case Figure():
            file = f"{name.lower().replace(' ', '-')}.svg"
            (folder / file).write_text(cleaned(block.svg), encoding="utf-8")
            said = {"alt": block.alt, "caption": breakable(block.caption)}
            return {"kind": "figure", "name": name, "title": block.title, "file": file, **said}
        case Viewer():
            said = {"caption": breakable(block.caption), "on_paper": block.on_paper}
            return {"kind": "viewer", "title": block.title, **said}


def _table(table: Table) -> dict[str, Any]:
    rows = [[breakable(text) for text in row] for row in table.shown]
    longest = [
        max(len(text) for text in [column.name, *(row[k] for row in rows)])
        for k, column in enumerate(table.columns)
    ]
    longest[0] += 2 if table.colours else 0
    return {
        "title": breakable(table.title),
        "columns": [{"name": column.name, "term": column.term} for column in table.columns],
        "rows": rows,
        "numeric": list(table.numeric),
        "note": breakable(table.note),
        "colours": {breakable(name): colour for name, colour in table.colours.items()},
        "small": len(table.columns) > _MANY,
        "widths": _widths(longest, table.numeric),
    }


def _widths(longest: Sequence[int], numeric: Sequence[bool]) -> list[int]:
    """Return 0 for a column that takes the width it needs, and the shares of the others in the rest.

    Where not everything fits, columns of long words share what is left: those beyond the length of a
    name if that leaves the others some room, else those beyond that of a short word.

    >>> _widths([16, 12], [False, True]), _widths([16, 20, 80], [False, True, False])
    ([0, 0], [0, 0, 80])
    >>> _widths([20, 24, 24, 24, 80], [False] * 5)
    [20, 24, 24, 24, 80]
    """
    room = _SMALL_TYPE if len(longest) > _MANY else _TABLE_CHARACTERS
    if sum(longest) + 2 * len(longest) <= _TABLE_CHARACTERS:
        return [0] * len(longest)
    for whole in (24, 12):
        widths = [0 if right or n <= whole else n for n, right in zip(longest, numeric, strict=True)]
        taken = [n + 2 if width == 0 else 14 for n, width in zip(longest, widths, strict=True)]
        if sum(taken) <= room:
            break
    return widths


def breakable(text: str) -> str:
    """Return the text with places to break inside very long words, which would leave the page.

    >>> breakable("short words stay"), len(breakable("x" * 100))
    ('short words stay', 103)
    """
    return _LONG_RUN.sub(lambda found: found[0] + "\u200b", text)


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
        write_figures(report, figures)


def _bytes(report: Report, form: str, paper: str, full: bool) -> bytes:
    if form == ".html":
        from scandl_reports.html import to_html

        return to_html(report).encode()
    if form == ".pdf":
        return to_pdf(report, paper=paper, full=full)
    if form == ".tex":
        return showable(to_latex(report)).encode()
    from scandl_reports.plain import to_plain

    return showable(to_plain(report)).encode()
