"""The installed corpora with their sizes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scandl.corpora.corpus import read_card
from scandl.corpora.corpus_folder import installed_corpora
from scandl.errors import ScandlError
from scandl.files.tables import find_table


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


def list_corpora() -> list[Entry]:
    """Return the installed corpora by name, with their sizes."""
    return [_entry(name, folder) for name, folder in sorted(installed_corpora().items())]


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
