from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl_reports.document import Column, Section, Table, shown
from scandl_reports.html import csv_text, to_html
from scandl_reports.plain import to_plain
from scandl_reports.svg import INK

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """A page taken apart again by another program than the one that made it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.sort_values: list[list[list[str]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = {name: value or "" for name, value in attributes}
        self.elements.append((tag, found))
        if tag == "table":
            self.tables.append([])
            self.sort_values.append([])
        elif tag == "tr":
            self.tables[-1].append([])
            self.sort_values[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.sort_values[-1][-1].append(found.get("data-sort", ""))
        elif tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, {name: value or "" for name, value in attributes}))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[-1] += data
        elif ("td" in self.open or "th" in self.open) and "a" not in self.open:
            self.tables[-1][-1][-1] += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.mark.parametrize("name", ["report", "hostile"])
def test_every_cell_can_be_read_back(name, request):
    report = request.getfixturevalue(name)
    page = Page(to_html(report))
    tables = [block for section in report.sections for block in section.blocks if isinstance(block, Table)]
    assert len(page.tables) == len(tables)
    for found, values, table in zip(page.tables, page.sort_values, tables, strict=True):
        assert [cell.strip() for cell in found[0]] == [column.name for column in table.columns]
        assert [[cell.strip() for cell in row] for row in found[1:]] == [
            [shown(cell).strip() for cell in row] for row in table.rows
        ]
        for row, cells in zip(values[1:], table.rows, strict=True):
            for text, cell in zip(row, cells, strict=True):
                if isinstance(cell, float):
                    assert float(text or shown(cell)) == cell


@pytest.mark.parametrize("name", ["report", "hostile"])
def test_nothing_is_asked_of_the_network_and_nothing_runs_but_ours(name, request):
    page = Page(to_html(request.getfixturevalue(name)))
    for tag, attributes in page.elements:
        assert tag not in {"img", "link", "iframe", "object", "embed", "base", "form"}
        assert not [key for key in attributes if key.startswith("on")]
        for key in ("src", "href", "action", "data", "xlink:href"):
            target = attributes.get(key, "")
            assert target == "" or target.startswith(("#", "data:text/csv"))
    kinds = [attributes.get("type", "") for attributes in page.all("script")]
    assert sorted(kinds) == ["", "application/json"]
    assert "alert" not in page.scripts[kinds.index("")]
    policy = next(
        meta["content"] for meta in page.all("meta") if "content" in meta and "default-src" in meta["content"]
    )
    assert policy.startswith("default-src 'none'")


def test_viewer_data_survives_its_script_element(hostile):
    page = Page(to_html(hostile))
    data = json.loads(next(text for text in page.scripts if text.startswith("{")))
    viewer = hostile.sections[0].blocks[-1]
    sentence = data["sentences"][0]
    assert tuple(sentence["words"]) == viewer.sentences[0].words
    assert sentence["readings"][1] == [
        '"><img src=x onerror=alert(1)>',
        [1, 0],
        None,
        "<script>alert(1)</script>",
        "0.500",
    ]


@pytest.mark.parametrize("name", ["report", "hostile"])
def test_links_lead_somewhere_and_ids_are_unique(name, request):
    page = Page(to_html(request.getfixturevalue(name)))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [
        attributes["href"][1:]
        for _, attributes in page.elements
        if attributes.get("href", "").startswith("#")
    ]
    assert set(links) <= set(ids)
    assert {"verdict", "section-1", "definitions", "provenance", "content", "term-1"} <= set(links)


def test_a_screen_reader_finds_its_way(report):
    page = Page(to_html(report))
    assert all(cell["scope"] in ("col", "row") for cell in page.all("th"))
    assert page.all("html")[0]["lang"] == "en"
    drawing = next(attributes for attributes in page.all("div") if attributes.get("role") == "img")
    assert drawing["aria-label"] == "Three dots."
    assert all(svg["aria-hidden"] == "true" for svg in page.all("svg"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert len(page.all("h1")) == 1


def test_definition_is_one_click_away(report):
    page = Page(to_html(report))
    found = [a for a in page.all("a") if a.get("class") == "define"]
    assert {a["href"] for a in found} == {"#term-1"}
    assert len(found) == 2  # one for each table that has the column


def test_tables_and_figures_come_as_csv(report):
    page = Page(to_html(report))
    downloads = {a["download"]: a["href"] for a in page.all("a") if "download" in a}
    assert set(downloads) == {"table-1.csv", "figure-1.csv", "table-2.csv"}
    text = unquote(downloads["figure-1.csv"].removeprefix("data:text/csv;charset=utf-8,"))
    assert next(iter(csv.DictReader(io.StringIO(text))))["NLD"] == "0.71234"
    assert re.search(r'data-name="figure-1\.svg"', to_html(report))


def test_same_report_same_page(report):
    assert to_html(report) == to_html(report)


def test_light_dark_and_paper_have_a_style(report):
    page = to_html(report)
    assert "@media (prefers-color-scheme: dark)" in page
    assert "@media print" in page


def test_a_colour_of_the_theme_follows_it_in_tables_and_viewer(report):
    table, viewer = report.sections[0].blocks[1], report.sections[1].blocks[0]
    colours = {"Human": INK, "markov": "#00936b"}
    section = Section("s", (replace(table, colours=colours), replace(viewer, colours=colours)))
    page = Page(to_html(replace(report, sections=(section,))))
    swatches = [i["style"] for i in page.all("i")]
    assert swatches == ["background:#00936b", "background:currentColor"]
    data = json.loads(next(text for text in page.scripts if text.startswith("{")))
    assert data["colours"] == {"Human": "currentColor", "markov": "#00936b"}


def test_a_drawing_that_is_moved_sideways_can_be_reached_by_key(report):
    drawing = next(each for each in Page(to_html(report)).all("div") if each.get("class") == "drawing")
    assert drawing["tabindex"] == "0"


def test_a_small_probability_is_never_zero(report):
    table = Table(
        "t",
        (Column("model"), Column("p", probability=True), Column("value")),
        (("a", 0.0002, 0.0002), ("b", 0.012, 0.012), ("c", None, None)),
    )
    whole = replace(report, sections=(Section("s", (table,)),))
    page = Page(to_html(whole))
    assert page.tables[0][1:] == [["a", "< .001", "0.000"], ["b", "0.012", "0.012"], ["c", "–", "–"]]
    assert page.sort_values[0][1][1] == "0.0002"
    assert re.search(r"^a +< \.001 +0\.000$", to_plain(whole), re.MULTILINE)


def test_sections_of_one_title_are_tabs_and_what_is_for_who_asks_is_folded(tabbed):
    page = Page(to_html(tabbed))
    radios = [found for tag, found in page.elements if tag == "input" and found.get("type") == "radio"]
    assert [(radio["id"], "checked" in radio) for radio in radios] == [
        ("tab-section-1", True),
        ("tab-section-2", False),
    ]
    assert len({radio["name"] for radio in radios}) == 1
    panels = [found["id"] for tag, found in page.elements if found.get("class") == "panel"]
    assert panels == ["section-1", "section-2"]
    folded = [found for tag, found in page.elements if tag == "details"]
    assert [found["class"] for found in folded] == ["more", "appendix", "appendix", "appendix"]
    assert not any("open" in found for found in folded)
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    links = [
        found["href"][1:] for tag, found in page.elements if tag == "a" and found["href"].startswith("#")
    ]
    assert set(links) <= set(ids)


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_numbers_come_at_full_precision_and_intervals_in_two_columns(report):
    assert read(csv_text(report.sections[0].blocks[1])) == [
        ["model", "NLD", "95 % low", "95 % high", "rank", "n"],
        ["markov", "0.71234", "0.7", "0.72345", "2 (1–3) =", "1200"],
        ["uniform", "0.9", "0.88", "0.91", "10", "7"],
        ["Human", "-0.0004", "", "", "", "30"],
    ]


@given(st.lists(texts, min_size=1, max_size=5))
def test_no_cell_is_a_formula_and_none_is_lost(cells):
    table = Table("t", (Column("x"), Column("n")), tuple((cell, k) for k, cell in enumerate(cells)))
    rows = read(csv_text(table))[1:]
    assert len(rows) == len(cells)
    for (found, _), cell in zip(rows, cells, strict=True):
        plain = found.removeprefix("'") if found != cell else found
        assert plain.replace("\r\n", "\n") == cell.replace("\r\n", "\n")
        if found[:1] in ("=", "+", "-", "@", "\t", "\r"):
            float(found)  # a signed number is the only thing that may begin so
