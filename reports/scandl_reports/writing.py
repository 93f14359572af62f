"""Reports on disk, written in the form a file's name asks for."""

from __future__ import annotations

from pathlib import Path

from scandl.errors import ScandlError
from scandl.extras import check_installed, install_command, is_installed
from scandl.files.results import atomic_file
from scandl_reports.document import Report

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
        from scandl_reports.figure_files import write_figures

        write_figures(report, figures)


def _bytes(report: Report, form: str, paper: str, full: bool) -> bytes:
    if form == ".html":
        from scandl_reports.html import to_html

        return to_html(report).encode()
    if form == ".pdf":
        from scandl_reports.pdf import to_pdf

        return to_pdf(report, paper=paper, full=full)
    from scandl_reports.svg import showable

    if form == ".tex":
        from scandl_reports.latex import to_latex

        return showable(to_latex(report)).encode()
    from scandl_reports.plain import to_plain

    return showable(to_plain(report)).encode()
