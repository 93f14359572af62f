"""Turn results into documents: HTML, PDF, plain text."""

from scandl.version import __version__
from scandl_reports.document import (
    Column,
    Figure,
    Finding,
    Note,
    ReadSentence,
    Report,
    Section,
    ShownReading,
    Table,
    Term,
    Text,
    Viewer,
)
from scandl_reports.writing import write_report

__all__ = [
    "Column",
    "Figure",
    "Finding",
    "Note",
    "ReadSentence",
    "Report",
    "Section",
    "ShownReading",
    "Table",
    "Term",
    "Text",
    "Viewer",
    "__version__",
    "write_report",
]
