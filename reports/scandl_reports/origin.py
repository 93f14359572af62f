"""Where a report comes from, as rows for its foot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def provenance_rows(provenance: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what is known of the origin, a row for each input; what is not known is left out.

    >>> provenance_rows({"seed": 1, "git_revision": None, "inputs": {"a.csv": "12ab"}})
    (('seed', '1'), ('input a.csv', 'sha256 12ab'))
    """
    rows = []
    for name, value in provenance.items():
        if isinstance(value, Mapping):
            rows += [(f"input {path}", f"sha256 {digest}") for path, digest in value.items()]
        elif value is not None:
            rows.append((name.replace("_", " "), str(value)))
    return tuple(rows)
