"""Surprisal on disk, under a key made of everything that decides a value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scandl.files.atomic_writes import write_text
from scandl.files.cache_folder import cache_folder
from scandl_analysis.predictors.surprisal.provider import Provider

VERSION = 1  # of the way values are computed; a new one makes old files unused


@dataclass(frozen=True, slots=True)
class Lookup:
    """The values of the distinct texts in nats, how they were made, and how many were on disk."""

    values: Mapping[str, tuple[float, ...]]
    record: Mapping[str, str]
    from_cache: int = 0


def through_cache(provider: Provider, texts: Sequence[str], folder: Path | None = None) -> Lookup:
    """Return the values of the texts; the provider computes only those that are not on disk."""
    distinct = list(dict.fromkeys(texts))
    if not provider.cached:
        return Lookup(dict(zip(distinct, provider.nats(distinct), strict=True)), provider.record)
    path = _file(provider.identity, folder or cache_folder())
    known = _read(path)
    new = [text for text in distinct if text not in known.values]
    if not new:
        return Lookup({text: known.values[text] for text in distinct}, known.record, len(distinct))
    values = {**known.values, **dict(zip(new, provider.nats(new), strict=True))}
    # Another process may have added texts meanwhile; a lost entry is computed again, never wrong.
    _write(path, Lookup({**_read(path).values, **values}, provider.record))
    return Lookup({text: values[text] for text in distinct}, provider.record, len(distinct) - len(new))


def _file(identity: Mapping[str, str], folder: Path) -> Path:
    key = json.dumps({"version": VERSION, **identity}, sort_keys=True)
    return folder / "surprisal" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"


def _read(path: Path) -> Lookup:
    """Return what the file holds; a file that cannot be read is as good as none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        values = {str(text): tuple(map(float, row)) for text, row in content["nats"].items()}
        return Lookup(values, {str(name): str(value) for name, value in content["record"].items()})
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return Lookup({}, {})


def _write(path: Path, found: Lookup) -> None:
    try:
        write_text(path, json.dumps({"record": found.record, "nats": found.values}, ensure_ascii=False))
    except OSError:
        return  # a cache that cannot be written costs time, not the result
