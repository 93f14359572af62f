"""Predictions in whatever form a caller has them: files, tables in memory, records.

Every form passes the checks of a file and is refused with the same sentence; only the place is told
otherwise: ``preds.csv:3`` is the third line of a file, ``DataFrame row 3`` is ``frame.iloc[3]`` and
``record 3`` is ``records[3]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.prediction_files import read_predictions, sound_predictions, table_predictions
from scandl.files.symbol_repair import kept_symbols
from scandl.files.tables import Problems, TextTable, cell_text
from scandl.records import Prediction, Scanpath

if TYPE_CHECKING:
    import pandas as pd

    from scandl.corpora.corpus import Corpus

FRAME, RECORDS, UNNAMED = "DataFrame", "record", "model"

Source: TypeAlias = Union["pd.DataFrame", Path, str, Prediction, Scanpath]
"""One thing that holds predictions, or one of them."""
Predictions: TypeAlias = Source | Iterable[Source] | Mapping[str, Source | Iterable[Source]]
"""What functions that take predictions accept; the keys of a mapping name the models."""


class RowError(DataError):
    """A fault in something that is no file.

    >>> print(RowError("DataFrame row", 2, "predicted", "0 x", "word positions such as '0 1 1 3'"))
    DataFrame row 2: column 'predicted': found '0 x', expected word positions such as '0 1 1 3'
    """

    @property
    def place(self) -> str:
        """The row."""
        return f"{self.path} {self.row}"


def as_predictions(
    source: Predictions, corpus: Corpus | None = None, index_base: int | None = None
) -> list[Prediction]:
    """Return predictions from a pandas table, a file, records, or several of them.

    Sources without a column ``model`` are called by the name of their file, or ``DataFrame``; where two
    would get the same name, by their path or number. A prediction of a named reader that two sources
    have is an error, because it would count twice.

    Parameters
    ----------
    source
        A table in wide or long form, as a DataFrame or the path of a file; predictions or scanpaths as
        records; a list of such sources; or a mapping from model names to sources.
    corpus
        Where the sentences are from, so that positions can be checked.
    index_base
        Whether positions count from 0 or from 1. Without it they count from 0, with a warning where
        that looks wrong.

    Examples
    --------
    >>> import pandas as pd
    >>> as_predictions(pd.DataFrame({"sentence_id": ["s1"], "predicted": [[0, 1, 1]]}))[0].predicted
    (0, 1, 1)
    """
    parts = _labelled(list(_parts(source)))
    found: list[Prediction] = []
    first: dict[tuple[object, ...], int] = {}
    for i, part in enumerate(parts):
        predictions = part.read(corpus, index_base)
        if not predictions:
            raise DataError(part.label, None, None, Fact("no predictions"), "at least one row")
        for p in predictions if len(parts) > 1 else ():
            key = (p.model, p.setting, p.fold, p.reader_id, p.sentence_id, p.sample)
            if p.reader_id is not None and first.setdefault(key, i) != i:
                twice = f"sentence {p.sentence_id!r} of reader {p.reader_id!r}, sample {p.sample}"
                both = Fact(f"{twice}, that {parts[first[key]].label} has too")
                raise DataError(part.label, None, "model", both, "each once, or another model name")
        found += predictions
    return found


def prediction_paths(source: Predictions) -> list[Path]:
    """Return the files among the sources, for provenance.

    >>> [path.name for path in prediction_paths(["a.csv", Prediction("s1", (0,)), {"m": "b.csv"}])]
    ['a.csv', 'b.csv']
    """
    return [Path(part.source) for part in _parts(source) if isinstance(part.source, Path | str)]


def scanpath_predictions(paths: Iterable[Scanpath], model: str = UNNAMED) -> list[Prediction]:
    """Return scanpaths as the predictions of a model; those of one reader and sentence are its samples.

    >>> [p.sample for p in scanpath_predictions([Scanpath("", "s1", (0,)), Scanpath("", "s1", (1,))])]
    [0, 1]
    """
    every = list(paths)
    return [
        Prediction(
            sentence_id=path.sentence_id,
            predicted=path.positions,
            reader_id=path.reader_id or None,
            model=model,
            sample=sample,
            text=path.text,
            durations=path.durations,
            raw=kept_symbols(path.extra),
            extra=path.extra,
        )
        for path, sample in zip(every, sample_numbers(every), strict=True)
    ]


def sample_numbers(paths: Iterable[Scanpath]) -> list[int]:
    """Return how many earlier paths of the same reader and sentence each one has.

    >>> sample_numbers([Scanpath("", "a", (0,)), Scanpath("", "a", (1,)), Scanpath("", "b", (0,))])
    [0, 1, 0]
    """
    seen: dict[tuple[str, str], int] = {}
    numbers = []
    for path in paths:
        key = (path.reader_id, path.sentence_id)
        numbers.append(seen.get(key, 0))
        seen[key] = numbers[-1] + 1
    return numbers


def frame_table(frame: pd.DataFrame, label: str = FRAME) -> TextTable:
    """Return a DataFrame as the text a file of it would hold; a named index counts as columns."""
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise DataError(label, None, name, Fact("two columns of this name"), "one")
    return TextTable(Path(label), {name: _texts(frame.iloc[:, k]) for k, name in enumerate(names)})


@dataclass(frozen=True, slots=True)
class _Part:
    """One source, what errors call it, and the model that its predictions are of if they do not say."""

    source: Any
    label: str
    model: str | None = None

    def read(self, corpus: Corpus | None, index_base: int | None) -> list[Prediction]:
        """Return its predictions, checked."""
        if isinstance(self.source, Path | str):
            found = read_predictions(self.source, corpus=corpus, index_base=index_base)
            unnamed = Path(self.source).stem
        elif isinstance(self.source, list):
            found, unnamed = _checked(self.source, corpus, index_base), UNNAMED
        else:
            found = _frame_predictions(self.source, self.label, corpus, index_base)
            unnamed = self.label
        if self.model is None:
            return found
        return [replace(p, model=self.model) if p.model == unnamed else p for p in found]


def _parts(source: Any, model: str | None = None) -> Iterator[_Part]:
    """Yield the sources one by one; records that follow each other are one source."""
    if isinstance(source, Path | str):
        yield _Part(source, str(source), model)
    elif isinstance(source, Prediction | Scanpath):
        yield _Part([source], RECORDS, model)
    elif isinstance(source, Mapping):
        for name, each in source.items():
            yield from _parts(each, str(name))
    elif hasattr(source, "iloc"):
        yield _Part(source, FRAME, model)
    elif isinstance(source, Iterable):
        records: list[Any] = []
        for each in source:
            if isinstance(each, Prediction | Scanpath):
                records.append(each)
            else:
                yield from _parts(each, model)
        if records:
            yield _Part(records, RECORDS, model)
    else:
        raise ScandlError(
            f"predictions: found {type(source).__name__}, expected a DataFrame, a file, records, or a list"
        )


def _labelled(parts: Sequence[_Part]) -> list[_Part]:
    """Return the parts with different labels, and names for models that share a file name."""
    if not parts:
        raise ScandlError("predictions: found none, expected a DataFrame, a file or records")
    files = [isinstance(part.source, Path | str) for part in parts]
    stems = [Path(p.source).stem if file else p.label for p, file in zip(parts, files, strict=True)]
    labelled = []
    for n, (part, stem) in enumerate(zip(parts, stems, strict=True), start=1):
        if stems.count(stem) > 1 and files[n - 1]:
            part = replace(part, model=part.model or part.label)
        elif stems.count(stem) > 1 and stem == FRAME:
            part = replace(part, label=f"{FRAME} {n}")
        labelled.append(part)
    return labelled


def _frame_predictions(
    frame: pd.DataFrame, label: str, corpus: Corpus | None, index_base: int | None
) -> list[Prediction]:
    table = frame_table(frame, label)
    with _told_as(f"{label} row", label):
        numbered = table_predictions(table, corpus, Problems(stop_at_first=True), index_base)
    return [prediction for _, prediction in numbered]


def _checked(
    records: Sequence[Prediction | Scanpath], corpus: Corpus | None, index_base: int | None
) -> list[Prediction]:
    """Return records as checked predictions; positions count from 0 unless the caller says otherwise."""
    paths = [record for record in records if isinstance(record, Scanpath)]
    predictions = [record for record in records if isinstance(record, Prediction)]
    every = [*predictions, *scanpath_predictions(paths)]
    with _told_as(RECORDS, RECORDS):
        numbered = sound_predictions(
            Path(RECORDS), enumerate(every, start=2), corpus, Problems(stop_at_first=True), index_base or 0
        )
    return [prediction for _, prediction in numbered]


@contextmanager
def _told_as(row: str, whole: str) -> Iterator[None]:
    """Tell faults by the position of their row, from 0; as lines of a file they count from 2."""
    try:
        yield
    except DataError as error:
        told = (error.column, error.found, error.expected)
        if error.row is None or error.row < 2:
            raise DataError(whole, None, *told) from None
        raise RowError(row, error.row - 2, *told) from None


def _texts(column: pd.Series[Any]) -> list[str]:
    """Return the cells as text: what pandas takes for missing is empty."""
    missing = column.isna().tolist()
    return ["" if none else cell_text(value) for value, none in zip(column, missing, strict=True)]
