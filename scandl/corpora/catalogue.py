"""Corpora by name: the demo of the package, and the folders a user has installed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from scandl.corpora.corpus import Corpus
from scandl.corpora.corpus_folder import read_card, read_corpus
from scandl.errors import ScandlError, did_you_mean
from scandl.files.tables import find_table

DEMO = "demo"
VARIABLE = "SCANDL_CORPORA"
"""The environment variable that lists directories with corpus folders."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One installed corpus; the sizes are None and ``problem`` says why when it cannot be read."""

    name: str  # what open_corpus takes
    folder: Path
    kind: str = ""
    readers: int | None = None
    sentences: int | None = None
    scanpaths: int | None = None
    problem: str = ""


def open_corpus(name_or_path: str | Path) -> Corpus:
    """Read a corpus by folder or by name.

    >>> open_corpus("demo")
    <Corpus demo: 30 simulated readers, 80 sentences, 2,140 scanpaths>
    """
    return read_corpus(find_corpus(name_or_path))


def find_corpus(name_or_path: str | Path) -> Path:
    """Return the folder of a corpus; a folder that exists goes before a name, but for the package's demo.

    What the demo is said to show must not depend on where one stands: a folder of that name is
    ``./demo``, or a ``Path``.
    """
    path = Path(name_or_path)
    if (path / "corpus.toml").exists() and name_or_path != DEMO:
        return path
    installed = _installed()
    if str(name_or_path) in installed:
        return installed[str(name_or_path)]
    if path.is_dir() or path.name != str(name_or_path):
        return path  # reading it will say what it lacks
    hint = did_you_mean(str(name_or_path), installed)
    raise ScandlError(
        f"no corpus {str(name_or_path)!r}{hint} (folders are found in ./corpora and ${VARIABLE})"
    )


def list_corpora() -> list[Entry]:
    """Return the installed corpora by name, with their sizes."""
    return [_entry(name, folder) for name, folder in sorted(_installed().items())]


def _installed() -> dict[str, Path]:
    """Return the folders by name; the first of a name wins, and the demo is always the package's."""
    found = {DEMO: Path(str(files("scandl.corpora").joinpath("demo")))}
    listed = [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    for directory in (*listed, Path("corpora")):
        if directory.is_dir():
            for folder in sorted(directory.iterdir()):
                if (folder / "corpus.toml").is_file():
                    found.setdefault(folder.name, folder)
    return {name: folder for name, folder in found.items() if (folder / "corpus.toml").is_file()}


def _entry(name: str, folder: Path) -> Entry:
    """Return sizes without reading the corpus as a whole; a broken one is listed with its fault."""
    # Counting needs the columnar reader of the importers, which costs start-up time.
    from scandl.corpora.importers.fixation_report import read_report

    try:
        card = read_card(folder / "corpus.toml")
        sentences = read_report(find_table(folder, "sentences"), ("sentence_id",))
        fixations = read_report(find_table(folder, "fixations"), ("reader_id", "sentence_id"))
    except ScandlError as error:
        return Entry(name, folder, problem=str(error))
    readers, read = fixations["reader_id"], fixations["sentence_id"]
    trials = set(zip(readers.codes.tolist(), read.codes.tolist(), strict=True))
    return Entry(name, folder, card.kind, len(readers.texts), len(sentences), len(trials))
