"""Drawings made fit for a page: only shapes, ids of their own, colours that follow the page's theme."""

from __future__ import annotations

import re
from xml.etree import ElementTree

INK = "#1c2126"
RULE = "#d5dade"
"""Two colours that a page in dark mode replaces: text and axes, grid lines."""

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_SHAPES = frozenset(
    f"{_SVG}{name}"
    for name in (
        "svg",
        "g",
        "defs",
        "use",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "clipPath",
        "text",
        "tspan",
        "title",
        "desc",
        "linearGradient",
        "stop",
    )
)
_ATTRIBUTES = frozenset(
    [
        "id",
        "d",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "width",
        "height",
        "viewBox",
        "points",
        "transform",
        "style",
        "clip-path",
        "clip-rule",
        "fill",
        "stroke",
        "stroke-width",
        "stroke-linejoin",
        "stroke-linecap",
        "stroke-dasharray",
        "opacity",
        "offset",
        "version",
        "class",
    ]
)
_COORDINATES = frozenset(["d", "x", "y", "points"])  # scales of glyphs are small numbers and stay exact
_DECIMALS = re.compile(r"(-?\d+\.\d{2})\d+")
_MOVES = re.compile(r"\s*([A-Za-z])\s*")
_BLANKS = re.compile(r"\s*([:;])\s*")
_ALONG = re.compile(r"translate\((\S+) 0\)")
_SHIFT = re.compile(r"translate\([^)]*\)")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_OWN_OPACITY = re.compile(r"(^|[; ])opacity:")


def showable(text: str) -> str:
    r"""Return a text with what no page may hold (control characters, half characters) as a replacement sign.

    >>> showable("a\x00b\n\ufffe")
    'a\ufffdb\n\ufffd'
    """
    return _NOT_XML.sub("\ufffd", text)


def cleaned(svg: str) -> str:
    """Return a drawing without scripts, style sheets, metadata, comments and outside references.

    Coordinates keep two decimals, which is finer than any printer; the size is left to the page;
    names and groups that nothing needs are dropped, which halves the weight.
    """
    root = ElementTree.fromstring(showable(svg))
    _clean(root)
    used = _references(root)
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
    _unwrap(root)
    # What the removed style sheet said of every line.
    root.set("stroke-linejoin", "round")
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    return _text(root)


def inlined(svg: str, prefix: str) -> str:
    """Return a cleaned drawing for a page that holds others: ids begin with ``prefix``, colours follow it.

    Each letter of a label refers to the id of its shape, so ids are numbers: names would be a tenth
    of the page.
    """
    root = ElementTree.fromstring(cleaned(svg))
    named = [name for element in root.iter() if (name := element.get("id")) is not None]
    own = {name: f"{prefix}{number}" for number, name in enumerate(named)}
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                element.set(name, own[value])
            elif name == "href":
                element.set(name, "#" + own.get(value[1:], ""))
            else:
                found = _REFERENCE.sub(lambda found: f"url(#{own.get(found[1], '')})", themed(value))
                element.set(name, found)
    _place_letters(root)
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    return _text(root)


def _place_letters(root: ElementTree.Element) -> None:
    """Say where a letter stands by ``x``, which is the same as a shift and half as long."""
    for use in root.iter(f"{_SVG}use"):
        shift = _ALONG.fullmatch(use.get("transform", ""))
        if shift is not None and use.get("x") is None:
            del use.attrib["transform"]
            use.set("x", shift[1])


def themed(value: str) -> str:
    """Return a colour, or a style that holds some, with those the page's theme decides left to it.

    >>> themed("fill:#1c2126"), themed("#00936b")
    ('fill:currentColor', '#00936b')
    """
    return value.replace(INK, "currentColor").replace(RULE, "var(--rule)")


def _clean(element: ElementTree.Element) -> None:
    for name, value in list(element.attrib.items()):
        del element.attrib[name]
        plain = "href" if name in (_HREF, "href") else name
        if plain in _ATTRIBUTES and "url(" not in value.replace("url(#", ""):
            element.set(plain, _short(plain, value))
        elif plain == "href" and value.startswith("#"):
            element.set(plain, value)
    for child in list(element):
        if child.tag in _SHAPES:
            _clean(child)
        else:
            element.remove(child)
    _share_style(element)
    # White space between shapes carries nothing.
    if element.tag not in (f"{_SVG}text", f"{_SVG}tspan", f"{_SVG}title", f"{_SVG}desc"):
        element.text = None
    element.tail = None


def _short(name: str, value: str) -> str:
    """Return an attribute with no more digits and blanks than it needs.

    >>> _short("d", "M 1.2345 2  L 3 4.005 z "), _short("transform", "translate(1.2345 2) scale(0.015625)")
    ('M1.23 2L3 4.00z', 'translate(1.23 2) scale(0.015625)')
    >>> _short("style", "fill: none; stroke: red")
    'fill:none;stroke:red'
    """
    if name == "style":
        return _BLANKS.sub(r"\1", value)
    if name == "transform":
        return _SHIFT.sub(lambda found: _DECIMALS.sub(r"\1", found[0]), value)
    short = _DECIMALS.sub(r"\1", value) if name in _COORDINATES else value
    return _MOVES.sub(r"\1", short) if name == "d" else short


def _share_style(group: ElementTree.Element) -> None:
    """Give the style that all points of a cloud have to their group."""
    styles = {child.get("style") for child in group}
    if len(group) < 2 or len(styles) > 1 or any(child.tag != f"{_SVG}use" for child in group):
        return
    (style,) = styles
    # Opacity of a group is not that of its members, which lie over each other.
    if style is None or group.get("style") is not None or _OWN_OPACITY.search(style):
        return
    group.set("style", style)
    for child in group:
        del child.attrib["style"]


def _references(root: ElementTree.Element) -> set[str]:
    values = [value for element in root.iter() for value in element.attrib.values()]
    named = {value[1:] for element in root.iter() if (value := element.get("href")) is not None}
    return named | {name for value in values for name in _REFERENCE.findall(value)}


def _unwrap(element: ElementTree.Element) -> None:
    """Put the members of groups that say nothing in the place of the group."""
    members: list[ElementTree.Element] = []
    for child in list(element):
        _unwrap(child)
        members += list(child) if child.tag == f"{_SVG}g" and not child.attrib else [child]
    element[:] = members


def _text(root: ElementTree.Element) -> str:
    ElementTree.register_namespace("", _SVG[1:-1])
    return ElementTree.tostring(root, encoding="unicode")
