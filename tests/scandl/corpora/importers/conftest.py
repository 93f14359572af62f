"""Small reports as the tools write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write rows as a delimited file without any quoting, which is what Data Viewer does."""

    def file(name: str, header: str, rows: Iterable[Sequence[object]], sep: str = "\t") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [header.replace(" ", sep), *(sep.join(map(str, row)) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return file
