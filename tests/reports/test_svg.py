from __future__ import annotations

from xml.etree import ElementTree

import pytest

from scandl_reports.svg import cleaned, inlined

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" width="9pt">'


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<style>* {background: url(http://x)}</style>",
        '<path d="M 0 0" onload="alert(1)"/>',
        '<use xlink:href="http://x/y.svg#a"/>',
        '<use href="javascript:alert(1)"/>',
        '<image href="http://x/y.png"/>',
        "<foreignObject><p>x</p></foreignObject>",
        '<path style="fill: url(http://x)"/>',
        '<a href="http://x"><path d="M 0 0"/></a>',
        '<animate attributeName="href" to="javascript:alert(1)"/>',
    ],
)
def test_only_shapes_get_through(attack):
    found = cleaned(f"{HEAD}{attack}</svg>").replace("http://www.w3.org/2000/svg", "")
    for word in ("alert", "http", "javascript", "onload", "style>", "image", "foreign", "animate", "<a "):
        assert word not in found


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x08", "\x1b", "\ufffe", "\uffff", "\ud800"])
def test_a_character_that_no_page_may_hold_is_shown_as_such(sign):
    found = cleaned(f'{HEAD}<text aria-label="a{sign}b">a{sign}b</text></svg>')
    ElementTree.fromstring(found)
    assert sign not in found
    found.encode()


def test_shapes_and_inner_references_stay():
    found = cleaned(
        f'{HEAD}<!-- c --><metadata>m</metadata><defs><path id="m" d="M 0 0 L 1.23456 2"/><path id="n"/></defs>'
        '<g id="figure_1"><g clip-path="url(#c)"><use xlink:href="#m" x="1"/></g></g>'
        '<clipPath id="c"><rect width="3" height="4"/></clipPath></svg>'
    )
    root = ElementTree.fromstring(found)
    tags = [element.tag.split("}")[1] for element in root.iter()]
    assert tags == ["svg", "defs", "path", "path", "g", "use", "clipPath", "rect"]
    assert [element.get("id") for element in root.iter() if element.get("id")] == ["m", "c"]
    assert root.find(".//{*}path").get("d") == "M0 0L1.23 2"
    assert root.find(".//{*}use").get("href") == "#m"
    assert root.get("width") is None
    assert root.find(".//{*}rect").get("width") == "3"


def test_cleaning_twice_changes_nothing():
    once = cleaned(f'{HEAD}<g style="fill: red"><path d="M 1.239 2 z"/></g></svg>')
    assert cleaned(once) == once


def test_ids_of_two_drawings_never_meet_and_colours_follow_the_page():
    svg = f'{HEAD}<defs><path id="m" d="M 0 0"/></defs><g clip-path="url(#m)"><use href="#m" style="fill: #1c2126; stroke: #d5dade"/></g></svg>'
    found = inlined(svg, "figure-2-")
    assert 'id="figure-2-0"' in found
    assert 'href="#figure-2-0"' in found
    assert "url(#figure-2-0)" in found
    assert "fill:currentColor;stroke:var(--rule)" in found


def test_points_share_their_style_unless_it_is_opacity():
    points = '<use href="#m" style="fill: red; fill-opacity: 0.5"/>' * 3
    assert cleaned(f'{HEAD}<g><path id="m"/></g><g>{points}</g></svg>').count("fill:red") == 1
    see_through = '<use href="#m" style="fill: red; opacity: 0.5"/>' * 3
    assert cleaned(f'{HEAD}<g><path id="m"/></g><g>{see_through}</g></svg>').count("fill:red") == 3


def test_a_letter_that_is_only_shifted_along_the_line_stands_at_x():
    shifts = ("translate(83.78 0)", "translate(83.78 4)", "translate(83.78 0) scale(2)")
    letters = "".join(f'<use href="#m" transform="{shift}"/>' for shift in shifts)
    drawing = inlined(f'{HEAD}<defs><path id="m" d="M 0 0"/></defs>{letters}</svg>', "f1-")
    found = [
        (use.get("x"), use.get("transform"))
        for use in ElementTree.fromstring(drawing).iter()
        if "use" in use.tag
    ]
    assert found == [("83.78", None), (None, shifts[1]), (None, shifts[2])]
