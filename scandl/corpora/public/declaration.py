"""What is declared of a public corpus: its card, where its files are, and what their columns mean."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import product

from scandl.config import from_table
from scandl.corpora.corpus import Card
from scandl.errors import ConfigError, ScandlError, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """Files to fetch: those of a dataset that pymovements knows, or of an address."""

    pymovements: str = ""  # name of the dataset
    contents: tuple[str, ...] = ("precomputed_events",)  # which of its resources
    url: str = ""
    file: str = ""  # name of the file that is written
    sha256: str = ""  # empty: not published, so the card records that of the first download
    each: Mapping[str, int] = field(default_factory=dict)  # {name} in url and file counts from 1 to this
    gaps: bool = False  # some of the counted files do not exist

    def addresses(self) -> list[tuple[str, str]]:
        """Return (address, file) of everything that the address stands for.

        >>> Download(url="https://x.org/{n:02}.csv", file="{n}.csv", each={"n": 2}).addresses()
        [('https://x.org/01.csv', '1.csv'), ('https://x.org/02.csv', '2.csv')]
        """
        numbers = product(*(range(1, last + 1) for last in self.each.values()))
        chosen = [dict(zip(self.each, values, strict=True)) for values in numbers]
        return [(self.url.format(**values), self.file.format(**values)) for values in chosen]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixations:
    """The tables of fixations and what is in them."""

    files: str  # pattern of their names, below the folder at any depth
    columns: Mapping[str, str]  # meaning -> column; A+B joins two
    header: tuple[str, ...] = ()  # the columns of tables that do not name them
    encoding: str = ""  # empty: found file by file
    index_base: int | None = None  # what the first word is called; None: found by the labels
    file_name: str = ""  # regular expression with groups: what the name of the file says
    reader_id: str = ""  # made of these groups, where no column has it: L1-{reader}
    keep: Mapping[str, str] = field(default_factory=dict)  # column -> expression of the cells that are kept
    characters: bool = False  # areas are characters, numbered from 1, and no area stands for a space
    drop_outside: bool = False  # leave out, and count, areas that the text does not have
    drop_unknown: bool = False  # leave out, and count, fixations in texts that are not declared


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """One way to the texts: a table of texts, of words, one text a line, or (no files) the labels."""

    files: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    lines: bool = False  # one text a line; the line number is its name


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A public corpus."""

    title: str
    obtain: str  # where its owners offer it, and what of it cannot be fetched
    card: Card
    downloads: tuple[Download, ...] = ()
    command: tuple[str, ...] = ()  # of `scandl corpus import`, for a layout that has an importer of its own
    fixations: Fixations | None = None
    texts: tuple[Texts, ...] = (Texts(),)  # the first whose files are there
    items: Texts | None = None  # a table of what is known of the texts
    corrections: Mapping[str, str] = field(default_factory=dict)  # texts that the files have wrong
    item_id: str = ""  # expression of text names whose group is the item
    readers: Mapping[str, str] = field(default_factory=dict)  # what is known of all readers
    sentences: str = ""  # cut into sentences, which are called so: {text}-{n}
    late: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # by text, sentences that end a word later


def public_corpora() -> list[str]:
    """Return the names of the declared corpora.

    >>> "reading-brain-l1" in public_corpora()
    True
    """
    return sorted(
        path.name.removesuffix(".toml")
        for path in files(__package__).iterdir()
        if path.name.endswith(".toml")
    )


def read_declaration(name: str) -> Declaration:
    """Return the declaration of a public corpus."""
    known = public_corpora()
    if name not in known:
        raise ScandlError(f"no public corpus {name!r}{did_you_mean(name, known)}")
    return declared(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"), name)


def declared(text: str, name: str) -> Declaration:
    """Return a declaration written in TOML; its name is the name on the card."""
    table = tomllib.loads(text)
    table["card"] = {"name": name, **table.get("card", {})}
    try:
        found = from_table(Declaration, table)
    except ConfigError as error:
        raise ConfigError(f"declaration of {name!r}: {error}") from None
    if (found.fixations is None) == (not found.command):
        raise ConfigError(f"declaration of {name!r}: expected either fixations or a command")
    return found
