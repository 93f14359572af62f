"""Which column of a table of predictions is which: our names, other spellings of them, the user's word."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scandl.errors import DataError, Fact, ScandlError, did_you_mean
from scandl.files.cell_values import parse_path
from scandl.files.column_names import find_column, plain
from scandl.files.tables import TextTable

COLUMNS = (
    "model",
    "setting",
    "fold",
    "reader_id",
    "sentence_id",
    "sample",
    "predicted",
    "human",
    "text",
    "durations",
    "log_prob",
)
LONG_FORM = ("fixation_index", "word_index", "duration_ms")
KEPT = ("model", "setting", "fold", "sample", "text")
"""What a table with one row per fixation may say of each scanpath, beside reader and sentence."""
MEANINGS = (*COLUMNS, *LONG_FORM)
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "setting": (),
    "fold": (),
    "reader_id": ("reader", "participant_id", "subject_id", "participant", "subject", "reader_ids"),
    "sentence_id": ("sentenceid", "sent_id", "sn_id", "sn_ids", "item_id", "text_id", "trial_id"),
    "predicted": (
        "pred",
        "prediction",
        "predicted_path",
        "predicted_scanpath",
        "generated",
        "generated_scanpath",
    ),
    "human": ("gold", "human_path", "human_scanpath", "observed", "observed_scanpath", "original_scanpath"),
    "text": ("sentence_text",),
    "durations": ("fixation_durations", "predicted_durations"),
    "model": ("model_name",),
    "sample": ("sample_id",),
    "log_prob": ("logprob", "log_probability"),
}
_LOOKED_AT = 20  # rows from which columns of paths are recognised


class FileWithColumns(str):
    """The path of a prediction file, and the user's word for its columns; elsewhere a path like any other.

    >>> file = FileWithColumns("mine.csv", {"predicted": "path"})
    >>> file, file.columns
    ('mine.csv', {'predicted': 'path'})
    """

    columns: Mapping[str, str]

    def __new__(cls, path: object, columns: Mapping[str, str]) -> FileWithColumns:
        """Keep the columns with the text of the path."""
        made = super().__new__(cls, str(path))
        made.columns = dict(columns)
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, str]]:  # type: ignore[override]
        """Give what a copy in another process is made from."""
        return str(self), self.columns


def parse_meanings(pairs: Sequence[str], known: Sequence[str] = MEANINGS) -> dict[str, str]:
    """Return the ``MEANING=NAME`` pairs of ``--column`` as a mapping.

    >>> parse_meanings(["predicted=path", "reader_id=VP"])
    {'predicted': 'path', 'reader_id': 'VP'}
    """
    chosen = {}
    for pair in pairs:
        meaning, _, name = pair.partition("=")
        if not name:
            raise ScandlError(f"--column {pair!r}: expected MEANING=NAME, for example reader_id=VP")
        if meaning not in known:
            raise ScandlError(f"--column {pair!r}: no meaning {meaning!r}{did_you_mean(meaning, known)}")
        chosen[meaning] = name
    return chosen


def files_of(files: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the files with the user's word for their columns."""
    chosen = parse_meanings(columns)
    return [FileWithColumns(file, chosen) for file in files] if chosen else list(files)


def with_our_names(table: TextTable, chosen: Mapping[str, str]) -> TextTable:
    """Return the table with its columns under our names.

    The user's word comes first, then our name, then a name that differs from ours in case and
    separators or is a common one for the same thing. A column that only looks like one of ours is
    not used, and a warning says so: its values would be lost without a word.
    """
    columns = dict(table.columns)
    for meaning, name in chosen.items():
        if name not in table.columns and meaning in table.columns:
            continue  # of several files, this one has our names
        find_column(table.path, table.columns, meaning, name)
        columns = _renamed(columns, name, meaning)
    columns = _respelt(table.path, columns, {"predicted": _OTHER_NAMES["predicted"]})
    wide = "predicted" in columns
    columns = _respelt(table.path, columns, _OTHER_NAMES if wide else dict.fromkeys(KEPT, ()))
    if wide and "sentence_id" in columns:  # without, a column sentence may be either
        columns = _respelt(table.path, columns, {"text": ("sentence",)})
    _warn_of_lookalikes(table.path, columns, tuple(_OTHER_NAMES) if wide else KEPT)
    return replace(table, columns=columns)


def _respelt(
    path: Path, columns: dict[str, list[str]], others: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Give columns our names where they lack, by another spelling or one of the ``others`` of a meaning."""
    for meaning, names in others.items():
        if meaning not in columns and (name := _spelt_otherwise(path, columns, meaning, names)):
            columns = _renamed(columns, name, meaning)
    return columns


def _renamed(columns: Mapping[str, list[str]], name: str, meaning: str) -> dict[str, list[str]]:
    """Call a column by its meaning, in its place; another column of that name is no longer used."""
    others = {key: cells for key, cells in columns.items() if key == name or key != meaning}
    return {meaning if key == name else key: cells for key, cells in others.items()}


def _spelt_otherwise(path: Path, columns: Iterable[str], meaning: str, others: Sequence[str]) -> str | None:
    """Return the one column that is ``meaning`` in another spelling, or under another common name."""
    for known in ({plain(meaning)}, {plain(name) for name in others}):
        found = [name for name in columns if name not in MEANINGS and plain(name) in known]
        if len(found) > 1:
            raise DataError(
                path,
                1,
                meaning,
                Fact(f"two candidates, {' and '.join(found)}"),
                f"one (call it {meaning!r}, or --column {meaning}={found[0]})",
            )
        if found:
            return found[0]
    return None


def _warn_of_lookalikes(path: Path, columns: Collection[str], meanings: Sequence[str]) -> None:
    lacking = {plain(meaning): meaning for meaning in meanings if meaning not in columns}
    for name in columns:
        near = difflib.get_close_matches(plain(name), lacking, n=1, cutoff=0.8)
        if near and name not in MEANINGS:
            meaning = lacking[near[0]]
            warnings.warn(
                f"{path}: column {name!r} is not used; if it is {meaning!r}, call it so or give"
                f" --column {meaning}={name}",
                stacklevel=2,
            )


def check_wide(table: TextTable) -> None:
    """Refuse a wide table without paths or sentences, and name the columns that may hold them."""
    if "predicted" not in table.columns:
        raise DataError(
            table.path,
            1,
            "predicted",
            Fact(f"only the columns {', '.join(table.columns)}"),
            "a column 'predicted' (one row per scanpath) or 'word_index' (one row per fixation)"
            + _hint("predicted", _columns_of_paths(table)),
        )
    if "sentence_id" not in table.columns:
        others = [name for name in table.columns if name not in MEANINGS]
        raise DataError(
            table.path,
            1,
            "sentence_id",
            Fact(f"only the columns {', '.join(table.columns)}"),
            "a column of this name" + _hint("sentence_id", others),
        )


def _hint(meaning: str, candidates: Sequence[str]) -> str:
    if not candidates:
        return ""
    return f"; if it is one of {', '.join(candidates)}: --column {meaning}={candidates[0]}"


def _columns_of_paths(table: TextTable) -> list[str]:
    """Return the columns whose cells are word positions, at least one of them more than one."""
    return [
        name
        for name, cells in table.columns.items()
        if name not in MEANINGS and _are_paths(cells[:_LOOKED_AT])
    ]


def _are_paths(cells: Sequence[str]) -> bool:
    try:
        return max((len(parse_path(cell)) for cell in cells), default=0) > 1
    except ValueError:
        return False
