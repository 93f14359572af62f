"""A table that grows block by block and survives being killed: finished blocks are kept beside it.

Each block is a file of its own, written whole or not at all, and named by its number and by a digest of
all it was made from. When all are there they are joined to the table, which takes its place at once;
until then nothing stands under its name. Joining needs room for a second copy.
"""

from __future__ import annotations

import errno
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.files.json_tables import LINES, json_lines
from scandl.files.results import atomic_file
from scandl.files.tables import write_csv

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

Columns = Mapping[str, Sequence[str]]


class BlockFiles:
    """The blocks of one table."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(f".{out.name}.blocks")

    def has(self, name: str) -> bool:
        """Say whether a block is finished."""
        return self._file(name).is_file()

    def write(self, name: str, content: bytes) -> None:
        """Keep a finished block."""
        with self._kept(), atomic_file(self._file(name)) as temporary:
            temporary.write_bytes(content)

    def join(self, names: Sequence[str]) -> None:
        """Make the table of all blocks, in order, and drop them."""
        with self._kept(), atomic_file(self.out) as temporary:
            if self.out.suffix == ".parquet":
                self._join_parquet(names, temporary)
            else:
                self._join_lines(names, temporary)
        shutil.rmtree(self.folder, ignore_errors=True)

    def drop_if_empty(self) -> None:
        """Leave no folder behind in which nothing is kept."""
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}{self.out.suffix}"

    def _join_lines(self, names: Sequence[str], target: Path) -> None:
        with target.open("wb") as stream:
            for n, name in enumerate(names):
                with self._file(name).open("rb") as block:
                    if n and self.out.suffix == ".csv":
                        block.readline()  # the header, once is enough
                    shutil.copyfileobj(block, stream)

    def _join_parquet(self, names: Sequence[str], target: Path) -> None:
        parquet = need("pyarrow.parquet", "parquet")
        first = parquet.read_schema(self._file(names[0]))
        with parquet.ParquetWriter(target, first) as writer:
            for name in names:
                writer.write_table(parquet.read_table(self._file(name)))

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Say of a full disk that nothing is lost."""
        try:
            yield
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            raise ScandlError(
                f"{self.out}: {error.strerror}; what is finished is kept in {self.folder}, make room and run"
                " the same command again"
            ) from None


def encoded(columns: Columns, ending: str) -> bytes:
    r"""Return the bytes of a table in the form of an ending.

    >>> encoded({"sentence_id": ["t1"], "predicted": ["0 1"]}, ".csv")
    b'sentence_id,predicted\nt1,0 1\n'
    >>> encoded({"sentence_id": ["t1"], "predicted": ["0 1"]}, ".jsonl")
    b'{"sentence_id": "t1", "predicted": [0, 1]}\n'
    """
    if ending == ".parquet":
        pa, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
        sink = pa.BufferOutputStream()
        parquet.write_table(pa.table({name: list(values) for name, values in columns.items()}), sink)
        return sink.getvalue().to_pybytes()
    if ending in LINES:
        return json_lines(columns).encode(errors="backslashreplace")
    text = io.StringIO(newline="")
    write_csv(text, columns)
    return text.getvalue().encode(errors="backslashreplace")
