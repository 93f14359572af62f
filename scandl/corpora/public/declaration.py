"""What is declared of a public corpus: its card, where its files are, and what their columns mean."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import product
from typing import Any

from scandl.config import from_table
from scandl.corpora.corpus import Card
from scandl.corpora.importers.assemble import Filters
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
    """The tables of fixations and what is in them.

    A column is called by its name; ``A+B`` joins two, ``A|B`` is the first that the table has, and ``A|``
    may be absent. What has braces is made of what the path of the file says, and of other meanings.
    """

    files: str  # pattern of their names, below the folder at any depth
    columns: Mapping[str, str]  # meaning -> column
    by_columns: bool = False  # of these files, those that have the columns, by their usual names too
    header: tuple[str, ...] = ()  # the columns of tables that do not name them
    encoding: str = ""  # empty: found file by file
    matlab: bool = False  # they are MATLAB files of ZuCo, which hold the texts too
    index_base: int | None = None  # what the first word is called; None: found by the labels
    as_listed: bool = False  # words are called by the numbers that the table of words gives them
    ms: float = 1.0  # milliseconds of one unit of the durations
    file_name: str = ""  # regular expression with groups: what the path of the file says
    characters: bool = False  # areas are characters, numbered from 1, and no area stands for a space
    labelled: bool = False  # a fixation without a label is on no word, whatever its number
    by_labels: tuple[str, ...] = ()  # readers whose texts are misnamed: the labels say what was read
    drop_outside: bool = False  # leave out, and count, areas that the text does not have
    drop_unknown: bool = False  # leave out, and count, fixations in texts that are not declared
    in_order: bool = False  # trials stay in the order of the rows, which published folds rest on
    of_readers: tuple[str, ...] = ()  # columns that describe the reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """One way to the texts: a table of texts, of words, one text a line, or (no files) the labels."""

    files: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)  # what else is known of the words, by its name
    encoding: str = ""
    lines: bool = False  # one text a line; the line number is its name


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Rows that are kept, in every table that has the column; a cell of neither sort is an error."""

    only: str  # expression of the cells that are kept
    leave: str = ".*"  # expression of those that are left out
    expected: str = ""  # both sorts, in words
    reason: str = ""  # what is left out, for the card


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """A table with one row per reader: who is taken, and of which group."""

    files: str
    reader_id: str  # its column
    by: str = ""  # the column that decides both
    only: str = ".*"  # expression of its cells
    groups: Mapping[str, str] = field(default_factory=dict)  # expression of its cells -> group
    skip: int = 0  # the place, from 1, of one that is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A public corpus."""

    title: str
    obtain: str  # where its owners offer it, and what of it cannot be fetched
    card: Card
    fixations: Fixations
    downloads: tuple[Download, ...] = ()
    texts: tuple[Texts, ...] = (Texts(),)  # the first whose files are there
    keep: Mapping[str, Keep] = field(default_factory=dict)  # by column
    people: People | None = None
    items: Texts | None = None  # a table of what is known of the texts
    corrections: Mapping[str, str] = field(default_factory=dict)  # texts that the files have wrong
    strays: Mapping[str, str] = field(default_factory=dict)  # by text, expression of characters to delete
    marks: Mapping[str, str] = field(default_factory=dict)  # column -> expression of text names: 1, else 0
    item_id: str = ""  # expression of text names whose group is the item
    leave_out: Mapping[str, str] = field(default_factory=dict)  # reader/text -> why this trial is left out
    readers: Mapping[str, str] = field(default_factory=dict)  # what is known of all readers
    sentences: str = ""  # cut into sentences, which are called so: {text}-{n}
    late: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # by text, sentences that end a word later
    filters: Filters = field(default_factory=Filters)


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


def read_declaration(name: str, editions: Sequence[str] = ()) -> Declaration:
    """Return the declaration of a public corpus, changed by some of its editions."""
    return declared(declared_text(name), name, editions)


def declared_text(name: str) -> str:
    """Return a declaration as it is written."""
    known = public_corpora()
    if name not in known:
        raise ScandlError(f"no public corpus {name!r}{did_you_mean(name, known)}")
    return files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


def editions_of(name: str) -> list[str]:
    """Return the editions that a public corpus declares.

    >>> editions_of("onestop")
    ['paragraphs', 'repeated']
    """
    return list(tomllib.loads(declared_text(name)).get("editions", {}))


def declared(text: str, name: str, editions: Sequence[str] = ()) -> Declaration:
    """Return a declaration written in TOML; its name is the name on the card."""
    table = tomllib.loads(text)
    if like := table.pop("like", ""):  # another declaration, of which this one says what differs
        table = _changed(tomllib.loads(declared_text(like)), table)
    table["card"] = {"name": name, **table.get("card", {})}
    known = table.pop("editions", {})
    for edition in editions:
        if edition not in known:
            raise ScandlError(f"{name} has no edition {edition!r}{did_you_mean(edition, list(known))}")
        table = _changed(table, known[edition])
    try:
        return from_table(Declaration, table)
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"declaration of {name!r}: {error}") from None


def _changed(table: Mapping[str, Any], by: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with the values of another, table by table.

    >>> _changed({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}})
    {'a': {'x': 1, 'y': 3}}
    """
    return {**table} | {
        key: _changed(table.get(key, {}), value) if isinstance(value, Mapping) else value
        for key, value in by.items()
    }
