"""The figures of a report for a paper: each as SVG and PDF, all of one width, letters as shapes."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from scandl.extras import is_installed, need
from scandl.files.results import atomic_file
from scandl_reports.document import Figure, Report, numbered
from scandl_reports.svg import cleaned

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
