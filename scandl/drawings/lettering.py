"""Letters of any script on matplotlib's pictures: typefaces that have them, forms that join, direction."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

FACE = "DejaVu Sans Mono"  # comes with matplotlib
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_PRESENTATION_FORMS = (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFF00))
_LAM_ALEFS = tuple("\u0644" + alef for alef in "\u0622\u0623\u0625\u0627")  # always written as one


def as_drawn(word: str) -> str:
    """Return a word as a program that sets letter after letter from the left must be given it.

    Words of scripts that run from right to left are turned round, and Arabic letters take the forms in which
    they join. Browsers do both by themselves.

    >>> as_drawn("cat"), as_drawn("אב") == "בא"
    ('cat', True)
    >>> [unicodedata.name(sign) for sign in as_drawn("بب")]
    ['ARABIC LETTER BEH FINAL FORM', 'ARABIC LETTER BEH INITIAL FORM']
    """
    if not any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in word):
        return word
    return "".join(reversed(_joined(_clusters(word)))).translate(_MIRRORED)


def _clusters(word: str) -> list[str]:
    """Return letters with the marks that stand on them; lam and alef are written as one."""
    found: list[str] = []
    for sign in word:
        if found and (unicodedata.category(sign) == "Mn" or found[-1] + sign in _LAM_ALEFS):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def _joined(clusters: Sequence[str]) -> list[str]:
    """Give each letter the form that its neighbours ask for."""
    shown, joins = [], False
    for k, cluster in enumerate(clusters):
        base = cluster[:2] if cluster[:2] in _forms() else cluster[0]
        forms = _forms().get(base, {})
        following = _forms().get(clusters[k + 1][0], {}) if k + 1 < len(clusters) else {}
        before = joins and "final" in forms
        joins = "initial" in forms and "final" in following
        form = {(0, 0): "isolated", (0, 1): "initial", (1, 0): "final", (1, 1): "medial"}[before, joins]
        shown.append(forms.get(form, base) + cluster[len(base) :])
    return shown


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Return the forms of Arabic letters, and of lam with alef, as Unicode lists them."""
    forms: dict[str, dict[str, str]] = {}
    for code in _PRESENTATION_FORMS:
        kind, *letters = unicodedata.decomposition(chr(code)).split()[:4] or [""]
        base = "".join(chr(int(letter, 16)) for letter in letters)
        if len(base) == 1 or base in _LAM_ALEFS:
            forms.setdefault(base, {})[kind.strip("<>")] = chr(code)
    return forms


@cache
def typefaces(letters: frozenset[str]) -> tuple[list[str], frozenset[str]]:
    """Return typefaces of this machine that have all letters between them, and the letters none has."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    faces, missing = [FACE], {sign for sign in letters if not sign.isspace()}
    entries = sorted(font_manager.fontManager.ttflist, key=lambda entry: (entry.name != FACE, entry.name))
    for entry in entries:
        if not missing:
            break
        known = {chr(code) for code in FT2Font(entry.fname).get_charmap()}
        if missing & known and (
            entry.name.startswith(("DejaVu", "Noto", "Lohit")) or entry.name not in faces
        ):
            faces += [entry.name] * (entry.name not in faces)
            missing -= known
    return faces, frozenset(missing)


@contextmanager
def lettering(words: Sequence[str], *, in_browser: bool) -> Iterator[list[str]]:
    """Set letters for a file; yield what a reader of it should know, a line each.

    ``in_browser``: letters stay letters and the reader's browser sets them, in any script.
    """
    import matplotlib as mpl

    remarks: list[str] = []
    with warnings.catch_warnings(), mpl.rc_context({"svg.fonttype": "none" if in_browser else "path"}):
        warnings.filterwarnings("ignore", message=r"Glyph \d+|Matplotlib currently does not support")
        if not in_browser:
            remarks += _remarks(words)
        yield remarks


def _remarks(words: Sequence[str]) -> list[str]:
    _, missing = typefaces(frozenset("".join(map(as_drawn, words))))
    if missing:
        some = " ".join(sorted(missing)[:5])
        return [
            f"no typeface of this machine has the letters {some}: boxes are drawn; an .svg or .html has them"
        ]
    if any(0x0900 <= ord(sign) <= 0x0DFF for word in words for sign in word):
        return ["letters of Indic scripts do not join in this picture; in an .svg or .html they do"]
    return []


def text_is_set_by_browser() -> bool:
    """Return whether letters are now written as letters."""
    import matplotlib as mpl

    return bool(mpl.rcParams["svg.fonttype"] == "none")
