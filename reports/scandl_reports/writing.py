"""Reports on disk: written in the form a file's name asks for, or as data to which chapters can be added."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact, ScandlError
from scandl.extras import check_installed, install_command, is_installed
from scandl.files.results import atomic_file, write_text
from scandl_reports import document
from scandl_reports.document import Report

FORMS = (".html", ".pdf", ".txt", ".tex")

SCHEMA = 2


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


def save_report(report: document.Report, path: Path | str) -> None:
    """Write the report as JSON."""
    sections = [
        asdict(section) | {part: list(map(_saved, getattr(section, part))) for part in ("blocks", "more")}
        for section in report.sections
    ]
    content = {"schema": SCHEMA} | asdict(report) | {"sections": sections}
    write_text(path, json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")


def _saved(block: document.Block) -> dict[str, Any]:
    return {"block": type(block).__name__} | asdict(block)


def load_report(path: Path | str) -> document.Report:
    """Read a report that ``save_report`` wrote."""
    source = Path(path)
    if not source.is_file():
        raise DataError(source, None, None, Fact("no file"), "a saved report")
    try:
        content = json.loads(source.read_text(encoding="utf-8"))
        if content["schema"] != SCHEMA:
            raise ValueError(f"schema {content['schema']}, this version reads {SCHEMA}")
        return _report(content)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found = Fact(f"{type(error).__name__}: {error}")
        raise DataError(source, None, None, found, "a saved report") from None


def _report(content: Mapping[str, Any]) -> document.Report:
    return document.Report(
        title=content["title"],
        subtitle=content["subtitle"],
        verdict=tuple(document.Finding(**each) for each in content["verdict"]),
        sections=tuple(
            document.Section(**each | {part: tuple(map(_block, each[part])) for part in ("blocks", "more")})
            for each in content["sections"]
        ),
        terms=tuple(document.Term(**each) for each in content["terms"]),
        provenance=tuple((name, value) for name, value in content["provenance"]),
        picture=_figure(content["picture"]) if content["picture"] else None,
        readers=content["readers"],
    )


def _block(content: dict[str, Any]) -> document.Block:
    kind = content.pop("block")
    if kind == "Table":
        return _table(content)
    if kind == "Figure":
        return _figure(content)
    if kind == "Viewer":
        return document.Viewer(**content | {"sentences": tuple(map(_sentence, content["sentences"]))})
    if kind not in ("Text", "Note"):
        raise ValueError(f"no block {kind!r}")
    return document.Text(**content) if kind == "Text" else document.Note(**content)


def _figure(content: Mapping[str, Any]) -> document.Figure:
    return document.Figure(**{**content, "data": _table(content["data"]), "terms": tuple(content["terms"])})


def _table(content: Mapping[str, Any]) -> document.Table:
    columns = tuple(document.Column(**each) for each in content["columns"])
    rows = tuple(
        tuple(tuple(cell) if isinstance(cell, list) else cell for cell in row) for row in content["rows"]
    )
    return document.Table(**{**content, "columns": columns, "rows": rows})


def _sentence(content: Mapping[str, Any]) -> document.ReadSentence:
    readings = tuple(
        document.Reading(
            **each
            | {"words": tuple(each["words"])}
            | {"durations": None if each["durations"] is None else tuple(each["durations"])}
        )
        for each in content["readings"]
    )
    return document.ReadSentence(content["group"], content["sentence_id"], tuple(content["words"]), readings)
