"""Plain text with one sentence per line."""

from __future__ import annotations

from pathlib import Path

from scandl.errors import DataError, Fact


def read_lines(path: Path | str) -> list[str]:
    """Return the lines of a UTF-8 file that are not blank; a byte-order mark is read as if absent."""
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        found = Fact(f"byte {error.start} that is not UTF-8")
        raise DataError(source, None, None, found, "UTF-8 text") from None
    return [line for line in text.splitlines() if line.strip()]
