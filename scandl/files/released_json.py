"""The JSON files of the released ScanDL code: parallel lists of ids with CLS, SEP and PAD."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import IDENTIFIER, LARGEST_POSITION, TEXT, is_name, is_text
from scandl.files.json_tables import read_json
from scandl.files.results import write_text
from scandl.files.symbol_repair import clean, frame
from scandl.files.tables import Problems, cell_text
from scandl.records import Prediction

Numbered = tuple[int, Prediction]
"""A prediction and the row of the file it stands in."""

_LISTS = ("predicted_sp_ids", "original_sp_ids", "original_sn", "sn_ids", "reader_ids")


def is_released(loaded: object) -> bool:
    """Say whether a loaded JSON file has lists of the released code."""
    return isinstance(loaded, dict) and any(
        name in loaded for name in ("predicted_sp_ids", "original_sp_ids")
    )


def read_released(path: Path, problems: Problems) -> Iterator[Numbered]:
    """Read a file that can only be of the released code."""
    loaded = read_json(path)
    return released_predictions(path, loaded if isinstance(loaded, dict) else {}, problems)


def released_predictions(path: Path, loaded: Mapping[str, Any], problems: Problems) -> Iterator[Numbered]:
    """Yield the predictions of the released code; ids become 0-based word positions, raw ids are kept.

    The human path is data, not a model's output: whatever would have to be repaired in it is a fault,
    most often a sentence that is not the one that was read.
    """
    lists = _lists(path, loaded)
    for i, entry in enumerate(zip(*(lists[name] for name in _LISTS), strict=True), start=1):
        fault = _fault(entry)
        if fault is not None:
            problems.add(DataError(path, i, *fault))
            continue
        predicted, human, sentence, sentence_id, reader_id = entry
        words = _words(sentence)
        yield (
            i,
            Prediction(
                sentence_id=cell_text(sentence_id),
                predicted=clean(predicted, len(words))[0],
                human=clean(human, len(words))[0],
                reader_id=None if reader_id is None else cell_text(reader_id),
                model=path.stem,
                text=" ".join(words),
                raw=tuple(predicted),
            ),
        )


def _words(sentence: str) -> list[str]:
    return [word for word in sentence.split() if word not in ("[CLS]", "[SEP]", "[PAD]")]


def _fault(entry: Sequence[Any]) -> tuple[str, str, str] | None:
    """Return the column, what was found and what was expected of the first fault of an entry."""
    predicted, human, sentence, sentence_id, reader_id = entry
    for name, ids in (("predicted_sp_ids", predicted), ("original_sp_ids", human)):
        if not _are_ids(ids):
            return name, str(ids), "a list of whole numbers from 0"
    if not isinstance(sentence, str) or not _words(sentence):
        return "original_sn", str(sentence), "the sentence as text"
    if not is_text(sentence):
        return "original_sn", sentence, TEXT
    for name, key in (("sn_ids", sentence_id), ("reader_ids", reader_id)):
        if not (_is_identifier(key) or (name == "reader_ids" and key is None)):
            return name, str(key), f"{IDENTIFIER}, or a whole number"
    n_words = len(_words(sentence))
    if wrong := sorted(clean(human, n_words)[1].keys() - {"empty"}):
        expected = f"0, words 1 to {n_words}, {n_words + 1}, and 127 to the end ({', '.join(wrong)})"
        return "original_sp_ids", str(human), expected
    return None


def _is_identifier(key: object) -> bool:
    whole = type(key) is int or (type(key) is float and key.is_integer())
    return whole or (isinstance(key, str) and key != "" and is_name(key))


def write_json(path: Path | str, predictions: Sequence[Prediction]) -> None:
    """Write predictions in that form; it needs the text and the human path of each."""
    lists: dict[str, list[Any]] = {name: [] for name in _LISTS}
    for p in predictions:
        if p.text is None or p.human is None:
            raise ScandlError(
                f"{path}: sentence {p.sentence_id!r} lacks text or human path, which this JSON form needs"
            )
        n_words = len(p.text.split())
        lists["predicted_sp_ids"].append(list(p.raw or frame(p.predicted, n_words)))
        lists["original_sp_ids"].append(list(frame(p.human, n_words)))
        lists["original_sn"].append(f"[CLS] {p.text} [SEP]")
        lists["sn_ids"].append(p.sentence_id)
        lists["reader_ids"].append(p.reader_id)
    write_text(path, json.dumps(lists, ensure_ascii=False) + "\n")


def _are_ids(ids: object) -> bool:
    return isinstance(ids, list) and all(
        type(symbol) is int and 0 <= symbol <= LARGEST_POSITION for symbol in ids
    )


def _lists(path: Path, loaded: Mapping[str, Any]) -> dict[str, list[Any]]:
    for name in _LISTS:
        if not isinstance(loaded.get(name), list):
            raise DataError(
                path, None, name, Fact("no list of this name"), "the parallel lists of the released code"
            )
        if len(loaded[name]) != len(loaded[_LISTS[0]]):
            raise DataError(
                path,
                None,
                name,
                Fact(f"{len(loaded[name])} entries"),
                f"{len(loaded[_LISTS[0]])} as in {_LISTS[0]}",
            )
    return {name: loaded[name] for name in _LISTS}
