"""Doctests of docstrings as code blocks on the site: Markdown would take ``>>>`` for quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", flags=re.MULTILINE)


class DoctestBlocks(griffe.Extension):
    """Fences the doctests of every object that is loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring; one with a section for examples is left to its parser."""
        if obj.docstring is not None and "\nExamples\n---" not in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    r"""Return a docstring with its doctests in code blocks.

    >>> print(fenced("Add.\n\n>>> 1 + 1\n2\n\nThat is all."))
    Add.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    That is all.
    """
    return _DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", docstring)
