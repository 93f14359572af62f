"""Checksums inside model files, so that one changed bit is seen before it changes a scanpath.

Both are at the end of the file, where its format has room for them, and cover every byte before: the
comment of a zip archive (which a checkpoint of torch is), a last property of an ONNX model.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path
from typing import BinaryIO

_HEX = 64
_MARK = b"sha256 "
_COMMENT = len(_MARK) + _HEX
# metadata_props (field 14) of an ONNX model: the key "sha256" (field 1), 64 hexadecimal digits (field 2).
_PROPERTY = b"\x72\x4a\x0a\x06sha256\x12\x40"


def seal_archive(path: Path) -> None:
    """Write the checksum of a zip archive without a comment as its comment."""
    with path.open("r+b") as stream:
        stream.seek(-2, os.SEEK_END)  # an archive ends with the length of its comment
        stream.write(_COMMENT.to_bytes(2, "little"))
        stream.write(_MARK + _digest(stream, stream.tell()))


def archive_is_whole(path: Path) -> bool:
    """Say whether an archive is as it was sealed; one that never was is held against its own CRCs."""
    try:
        with zipfile.ZipFile(path) as archive:
            if not archive.comment:
                return archive.testzip() is None
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError):
        return False
    with path.open("rb") as stream:
        stream.seek(-_COMMENT, os.SEEK_END)
        end, comment = stream.tell(), stream.read()
        return comment == _MARK + _digest(stream, end)


def sealed_onnx(model: bytes) -> bytes:
    """Return the bytes of an ONNX model with their checksum as a last property."""
    return model + _PROPERTY + hashlib.sha256(model).hexdigest().encode()


def onnx_is_whole(model: bytes) -> bool:
    """Say whether the bytes of an ONNX model are as they were sealed.

    >>> onnx_is_whole(sealed_onnx(b"model")), onnx_is_whole(b"model")
    (True, False)
    """
    return model == sealed_onnx(model[: -len(_PROPERTY) - _HEX])


def _digest(stream: BinaryIO, end: int) -> bytes:
    """Return the checksum of the first ``end`` bytes, and stand behind them again."""
    stream.seek(0)
    found = hashlib.sha256()
    left = end
    while chunk := stream.read(min(left, 1 << 20)):
        found.update(chunk)
        left -= len(chunk)
    stream.seek(end)
    return found.hexdigest().encode()
