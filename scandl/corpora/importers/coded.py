"""Columns held as their distinct texts and a code per row, read by Python's own reader or by Arrow's.

Arrow's is some ten times as fast and comes with an extra; Python's is always there.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.errors import DataError, Fact

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Coded = tuple[list[str], np.ndarray[Any, np.dtype[np.int64]]]
    """The texts in the order in which they are first met, and for each row the number of its text."""

_BATCH = 10_000  # rows that are turned into columns at a time


class _Numbers(dict[str, int]):
    """The number of each text met so far; a new text gets the next one."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


def coded_rows(
    path: Path, header: Sequence[str], rows: Iterable[tuple[int, list[str]]], names: Sequence[str]
) -> dict[str, Coded]:
    """Return the named columns of rows that come with their lines; a row of another width is an error."""
    import numpy as np

    wanted = [(header.index(name), _Numbers(), array("q")) for name in names]
    numbered = iter(rows)
    while batch := list(islice(numbered, _BATCH)):
        for line, row in batch:
            if len(row) != len(header):
                expected = f"{len(header)} as in the header"
                raise DataError(path, line, None, Fact(f"{len(row)} fields"), expected)
        for k, numbers, codes in wanted:
            codes.extend(map(numbers.__getitem__, [row[k] for _, row in batch]))
    return {
        name: (list(numbers), np.array(codes, dtype=np.int64))
        for name, (_, numbers, codes) in zip(names, wanted, strict=True)
    }


def coded_arrow(column: pa.ChunkedArray) -> Coded:
    """Return a column that Arrow read as dictionaries."""
    import numpy as np

    chunks = column.unify_dictionaries().chunks
    if not chunks:
        return [], np.zeros(0, dtype=np.int64)
    codes = np.concatenate([chunk.indices.to_numpy(zero_copy_only=False) for chunk in chunks])
    return chunks[-1].dictionary.to_pylist(), codes.astype(np.int64)
