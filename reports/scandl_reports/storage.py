"""A report as JSON, so that another command can add its chapters to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact
from scandl.files.atomic_writes import write_text
from scandl_reports import document

SCHEMA = 2


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
