from __future__ import annotations

from dataclasses import replace

import pytest

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

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a & b < c 'quoted' \"twice\"",
    '#eval("1") $x^2$ *bold* _it_ @ref <label> \\ // /* `raw`',
    "{{ 7 * 7 }} {% raw %}",
    '=HYPERLINK("http://x")',
    "emoji 👁️ and 日本語",
    "שלום עולם مرحبا",
    "w" * 400,
    "]]> --> </svg></style></script>",
)
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><defs><path id="dot" d="M 0 0 L 1.234567 1"/></defs>'
    '<use href="#dot" x="3" y="4" style="fill: #1c2126"/></svg>'
)


@pytest.fixture
def report() -> Report:
    """A report with one block of each kind and plain words."""
    table = Table(
        "Scores",
        (Column("model"), Column("NLD", "NLD"), Column("95 %"), Column("rank"), Column("n")),
        (
            ("markov", 0.71234, (0.7, 0.72345), "2 (1–3) =", 1200),
            ("uniform", 0.9, (0.88, 0.91), "10", 7),
            ("Human", -0.0004, None, None, 30),
        ),
        "Lower is better.",
        {"markov": "#00936b"},
    )
    figure = Figure("Scores drawn", SVG, "Three dots.", table, "Dots are means.", ("NLD",))
    readings = (
        ShownReading("r1", (0, 1, 1, 2), (210.0, 180.0, 90.0, 300.0)),
        ShownReading("markov", (0, 2, 1), None, "r1", 0.5),
        ShownReading("uniform", (2, 0), None, "r1", 1.0),
    )
    viewer = Viewer(
        "Watch", (ReadSentence("New Sentence", "s1", ("The", "cat", "sat."), readings),), "NLD", "Play it."
    )
    return Report(
        "A run",
        "Of a corpus",
        (Finding("Best", "markov leads."), Finding("Data", "Simulated.")),
        (
            Section("New Sentence", (Text("Some words."), table, figure, Note("Look out.", "warning"))),
            Section("Scanpaths", (viewer, Note("No durations.", "missing"), Note("By the way."))),
            Section("All numbers", (table,), appendix=True),
        ),
        (Term("NLD", "Edit distance over the longer length."),),
        (("command", "scandl-eval run"), ("seed", "1")),
    )


@pytest.fixture
def alone(report) -> Report:
    """The same report, whose readers are watched without any model."""
    first, second, *others = report.sections
    viewer = second.blocks[0]
    sentence = replace(viewer.sentences[0], readings=viewer.sentences[0].readings[:1])
    watched = Section("Scanpaths", (replace(viewer, sentences=(sentence,)), *second.blocks[1:]))
    return replace(report, sections=(first, watched, *others))


@pytest.fixture
def tabbed(report) -> Report:
    """The same report with its first chapter in two tabs, a fold and a picture."""
    first, *others = report.sections
    figure = first.blocks[2]
    tabs = (
        Section(
            "Results",
            (Text("First of two."), *first.blocks[1:]),
            more=(Text("For who asks."),),
            tab="New Sentence",
        ),
        Section("Results", (Text("Second of two."), first.blocks[1], figure), tab="New Reader"),
    )
    return replace(report, sections=(*tabs, *others), picture=figure)


@pytest.fixture
def hostile() -> Report:
    """A report in which every text tries to be more than a text."""
    rows = tuple((text, 0.5, (0.4, 0.6), text) for text in HOSTILE)
    columns = (Column("<b>model</b>"), Column("#NLD", "<i>NLD</i>"), Column("95 %"), Column("=word"))
    table = Table(HOSTILE[0], columns, rows, HOSTILE[3], {HOSTILE[0]: "#00936b"})
    readings = (ShownReading(HOSTILE[0], (0, 1)), ShownReading(HOSTILE[1], (1, 0), None, HOSTILE[0], 0.5))
    viewer = Viewer(
        HOSTILE[1], (ReadSentence(HOSTILE[3], HOSTILE[0], HOSTILE[:3], readings),), HOSTILE[0], HOSTILE[5]
    )
    figure = Figure(HOSTILE[3], SVG, HOSTILE[1], table, HOSTILE[0], ("<i>NLD</i>",))
    blocks = (*map(Text, HOSTILE), *map(Note, HOSTILE), table, figure, viewer)
    return Report(
        HOSTILE[0],
        HOSTILE[3],
        tuple(Finding(text, text) for text in HOSTILE),
        (Section(HOSTILE[1], blocks),),
        (Term("<i>NLD</i>", HOSTILE[3]),),
        tuple((text, text) for text in HOSTILE),
    )
