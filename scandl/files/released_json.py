"""The JSON files of the released ScanDL code: parallel lists of ids with CLS, SEP and PAD."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact, Problems, ScandlError
from scandl.files.atomic_writes import write_text
from scandl.files.symbol_repair import clean, frame
from scandl.records import Prediction

_LISTS = ("predicted_sp_ids", "original_sp_ids", "original_sn", "sn_ids", "reader_ids")


def read_json(path: Path, problems: Problems) -> list[Prediction]:
    """Read one file of the released code; ids become 0-based word positions, raw ids are kept."""
    lists = _lists(path)
    found = []
    for i, (predicted, human, sentence, sentence_id, reader_id) in enumerate(
        zip(*(lists[name] for name in _LISTS), strict=True), start=1
    ):
        words = [word for word in str(sentence).split() if word not in ("[CLS]", "[SEP]", "[PAD]")]
        wrong = next((k for k, ids in enumerate((predicted, human)) if not _are_ids(ids)), None)
        if wrong is not None:
            ids = str((predicted, human)[wrong])
            problems.add(DataError(path, i, _LISTS[wrong], ids, "a list of whole numbers from 0"))
            continue
        found.append(
            Prediction(
                sentence_id=str(sentence_id),
                predicted=clean(predicted, len(words))[0],
                human=clean(human, len(words))[0],
                reader_id=None if reader_id is None else str(reader_id),
                model=path.stem,
                text=" ".join(words),
                raw=tuple(predicted),
            )
        )
    return found


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
    return isinstance(ids, list) and all(type(symbol) is int and symbol >= 0 for symbol in ids)


def _lists(path: Path) -> dict[str, list[Any]]:
    if not path.is_file():
        raise DataError(path, None, None, Fact("no file"), "a JSON file of the released code")
    try:
        loaded = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise DataError(
            path, None, None, Fact(f"broken JSON ({error})"), "the JSON of the released code"
        ) from None
    for name in _LISTS:
        if not isinstance(loaded, dict) or not isinstance(loaded.get(name), list):
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
