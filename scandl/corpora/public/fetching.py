"""The files of a public corpus, fetched by pymovements: whole or not at all, checked, and not twice."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError

from scandl.corpora.corpus import Corpus
from scandl.corpora.importers.assemble import Filters
from scandl.corpora.public.declaration import Declaration, Download
from scandl.corpora.public.importing import checksums, import_public
from scandl.errors import DataError, Fact, ScandlError
from scandl.extras import need
from scandl.files.results import atomic_folder, sha256, write_text

if TYPE_CHECKING:
    from pymovements import WebSource

_SUMS = "SHA256SUMS"
_ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
_ABSENT = 404


def fetch(
    declaration: Declaration,
    folder: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    given: bool = False,
    filters: Filters | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Corpus:
    """Return a public corpus made of its own files; its card says which bytes they were.

    Parameters
    ----------
    declaration
        The corpus.
    folder
        Where fetched files are kept; what is there already, and as it was written, is not fetched again.
    columns
        The user's own word on columns of the fixations, by meaning.
    given
        The folder holds the files already: fetch nothing.
    filters
        What to leave out.
    say
        Called with a line about each file.

    Returns
    -------
    Corpus
        With licence, citation and checksums on its card.
    """
    root = Path(folder)
    if not given:
        _fetch_files(declaration, root, say)
    corpus = import_public(declaration, root, columns, filters)
    return replace(corpus, card=replace(corpus.card, checksums=checksums(declaration, root)))


def _fetch_files(declaration: Declaration, root: Path, say: Callable[[str], None]) -> None:
    if not declaration.downloads:
        raise ScandlError(f"{declaration.card.name} is not fetched: {declaration.obtain}")
    sums = _read_sums(root / _SUMS)
    for download in declaration.downloads:
        for source in _sources(download):
            file = root / str(source.filename)
            if not (file.is_file() and sums.get(file.name) == sha256(file)):
                say(f"fetching {file.name}")
                if not _fetch_file(source, file, download):
                    say(f"{file.name}: not there ({source.url})")
                    continue
                sums[file.name] = sha256(file)
                lines = [f"{checksum}  {name}\n" for name, checksum in sorted(sums.items())]
                write_text(root / _SUMS, "".join(lines))
                shutil.rmtree(_unpacked(file), ignore_errors=True)  # of another version
            _unpack(file)


def _read_sums(path: Path) -> dict[str, str]:
    """Return the checksums of what was fetched before, in the form of the program sha256sum."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {name: checksum for checksum, _, name in (line.partition("  ") for line in lines)}


def _sources(download: Download) -> Iterator[WebSource]:
    """Yield what pymovements is asked for."""
    pymovements = need("pymovements", "pymovements")
    if download.pymovements:
        for resource in pymovements.DatasetLibrary.get(download.pymovements).resources:
            if resource.content in download.contents:
                yield resource.source
    for url, file in download.addresses() if download.url else ():
        yield pymovements.WebSource(url, filename=file)


def _fetch_file(source: WebSource, file: Path, download: Download) -> bool:
    """Fetch one file; return whether its address has it, where some may not."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".part-") as part:
        try:
            got = source.download(part, verbose=False)
        except (RuntimeError, OSError) as error:
            cause = error.__cause__ or error
            if download.gaps and isinstance(cause, HTTPError) and cause.code == _ABSENT:
                return False
            reason = " ".join(str(cause).split())
            raise ScandlError(
                f"{source.url}: {reason}; what was fetched is kept, so try again, or --from FOLDER"
            ) from None
        found = sha256(got)
        if download.sha256 and found != download.sha256:
            raise DataError(source.url, None, None, Fact(f"SHA-256 {found}"), download.sha256)
        os.replace(got, file)
    return True


def _unpacked(file: Path) -> Path:
    return file.with_name(f"{file.name}-unpacked")


def _unpack(file: Path) -> None:
    """Unpack an archive beside itself, once."""
    target = _unpacked(file)
    if not file.name.endswith(_ARCHIVES) or target.is_dir():
        return
    with atomic_folder(target) as temporary:
        try:
            if file.suffix == ".zip":
                shutil.unpack_archive(file, temporary)
            else:
                shutil.unpack_archive(file, temporary, filter="data")
        except (shutil.ReadError, ValueError) as error:
            raise DataError(file, None, None, Fact(str(error)), "an archive") from None
