"""Events of pymovements that carry the word they fall on, and the areas of its text stimuli."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import importer as arguments
from scandl.corpora.importers.assemble import Filters, assemble
from scandl.corpora.importers.column_meanings import parts_of
from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.fixation_report import FixationReport, report_of
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.texts import area_words, numbered, sentences_of
from scandl.errors import DataError, Fact, ScandlError
from scandl.extras import need
from scandl.files.tables import no_file

CARD = Card(name="pymovements", source="events and areas of interest of pymovements")
Cells = dict[str, list[Any]]


def import_pymovements(
    events: Any,
    stimulus: Any = None,
    *,
    columns: Mapping[str, str] | None = None,
    index_base: int | None = None,
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import fixations that were mapped to words.

    Parameters
    ----------
    events
        A ``Dataset``, ``Events``, a list of them, or a polars or pandas frame. Rows whose ``name``
        does not start with ``fixation`` are left out.
    stimulus
        A ``TextStimulus`` with one area per word, or a frame of such areas; None: those of the dataset.
    columns
        Column names by meaning, where the header leaves it open; for both tables if both have it.
    index_base
        What the first word is called; found by the labels if the events carry them.
    filters
        What to leave out.
    card
        What is known of the corpus.
    """
    said = dict(columns or {})
    stimulus = _of_dataset(events) if stimulus is None else stimulus
    label = getattr(stimulus, "aoi_column", None)
    if label is not None:
        said.setdefault("word", label)
    named = (getattr(stimulus, f"{part}_column", None) for part in ("trial", "page"))
    text = "+".join(name for name in named if name)
    named_by = {"sentence_id": text} if text and "sentence_id" not in said else {}
    frames = stimulus.aois if isinstance(stimulus, _Stimuli) else [getattr(stimulus, "aois", stimulus)]
    areas = _joined([_cells(frame) for frame in frames])
    listed = _report("areas", areas, said, ("sentence_id", "word"), ("word_index", "reader_id"), named_by)
    cells = _fixations_only(_joined([_cells(part) for part in _parts(events)]))
    report = _report("events", cells, said, NEEDED, OPTIONAL, named_by, {"fixation_index": "onset"})
    sentences = sentences_of(area_words(numbered(listed)))
    return assemble(card, sentences, gather(report, sentences, index_base=index_base), filters)


@dataclass(frozen=True, slots=True)
class _Stimuli:
    """The stimuli of a dataset: the areas of each, and what all of them call the columns."""

    aois: list[Any]
    aoi_column: str
    trial_column: str | None
    page_column: str | None


def _of_dataset(dataset: Any) -> _Stimuli:
    texts = [each for each in getattr(dataset, "stimuli", ()) if hasattr(each, "aois")]
    if not texts:
        raise ScandlError("a dataset without text stimuli: expected a TextStimulus as the second argument")
    first = texts[0]
    return _Stimuli([each.aois for each in texts], first.aoi_column, first.trial_column, first.page_column)


def _parts(events: Any) -> Iterable[Any]:
    """Return the frames of a dataset, of one ``Events``, or of a list."""
    inner = getattr(events, "events", events)  # Dataset, Gaze
    parts = inner if isinstance(inner, list | tuple) else [inner]
    return [getattr(part, "frame", part) for part in parts]


def _cells(frame: Any) -> Cells:
    """Return a polars or pandas frame as lists."""
    if hasattr(frame, "to_pandas"):
        return dict(frame.to_dict(as_series=False))
    if hasattr(frame, "to_dict"):
        return {str(name): list(values) for name, values in frame.to_dict("list").items()}
    raise ScandlError(f"expected a pymovements object or a frame, found {type(frame).__name__}")


def _joined(parts: Sequence[Cells]) -> Cells:
    names = list(dict.fromkeys(name for part in parts for name in part))
    lengths = [len(next(iter(part.values()), [])) for part in parts]
    return {
        name: [value for part, n in zip(parts, lengths, strict=True) for value in part.get(name, [None] * n)]
        for name in names
    }


def _fixations_only(cells: Cells) -> Cells:
    if "name" not in cells:
        return cells
    keep = [str(name).startswith("fixation") for name in cells["name"]]
    return {name: [v for v, kept in zip(values, keep, strict=True) if kept] for name, values in cells.items()}


def _report(
    what: str,
    cells: Cells,
    said: Mapping[str, str],
    needed: Sequence[str],
    optional: Sequence[str],
    named_by: Mapping[str, str],
    preferred: Mapping[str, str] | None = None,
) -> FixationReport:
    """Return the columns by meaning; what was said of columns that are not there is of the other table."""
    shown = {name: list(map(_shown, values)) for name, values in cells.items()}
    here = {m: name for m, name in said.items() if all(part in cells for part in parts_of(name, list(cells)))}
    return report_of(Path(what), shown, needed, optional, here | dict(named_by), preferred)


def _shown(value: Any) -> str:
    """Return a cell as text: nothing for None and NaN, 3 for 3.0; a list stays visible as such."""
    try:
        absent = value is None or bool(value != value)
    except ValueError:  # an array compares with itself element by element
        absent = False
    except TypeError:  # pandas does not know whether NA is NA
        absent = True
    if absent:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _read_file(path: Path, encoding: str | None) -> Any:
    """Return a table that pymovements saved: feather, or any text table or Parquet."""
    import pandas as pd

    if path.suffix in (".feather", ".arrow"):
        return _read_feather(path).to_pandas()
    return pd.DataFrame(read_delimited(path, encoding).columns)


def _read_feather(path: Path) -> Any:
    pa, feather = need("pyarrow", "pymovements"), need("pyarrow.feather", "pymovements")
    if not path.is_file():
        raise DataError(path, None, None, no_file(path), "a Feather file")
    try:
        table = feather.read_table(path)
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise DataError(path, None, None, Fact(str(error).splitlines()[0]), "a Feather file") from None
    for name in table.column_names:
        if table.column_names.count(name) > 1:
            raise DataError(path, None, name, Fact("two columns of this name"), "one")
    return table


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "events", type=Path, nargs="+", metavar="EVENTS", help="saved events mapped to words (feather, CSV)"
    )
    parser.add_argument("--areas", type=Path, required=True, metavar="FILE", help="one row per word area")
    arguments.add_columns(parser)
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_pymovements(
        [_read_file(path, args.encoding) for path in args.events],
        _read_file(args.areas, args.encoding),
        columns=arguments.columns_of(args.column),
        index_base=args.index_base,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("pymovements")(
    Importer(
        "events of pymovements mapped to word areas",
        "any public dataset that pymovements can load and whose texts have word areas",
        _add_arguments,
        _run,
    )
)
