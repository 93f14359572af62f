"""Pickles of baselines that the released ScanDL analysis reads: parallel lists of ids.

A pickle can run any code when it is loaded. This reader refuses all but plain lists, dicts, text,
numbers and numpy arrays.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.errors import DataError, Fact
from scandl.files.symbol_repair import clean
from scandl.models.cognitive.importers.trials import Trial

if TYPE_CHECKING:
    from scandl.corpora import Corpus

TERMINAL = 50
"""The id the baselines end with, whatever the length of the sentence."""

_LISTS = ("predicted_sp_ids", "reader_ids", "sn_ids")
_ARRAYS = {
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("_codecs", "encode"),  # the last makes bytes from text
    *((f"numpy.{core}.multiarray", "_reconstruct") for core in ("core", "_core")),
    *((f"numpy.{core}.multiarray", "scalar") for core in ("core", "_core")),
    *((f"numpy.{core}.numeric", "_frombuffer") for core in ("core", "_core")),
}


class _PlainUnpickler(pickle.Unpickler):
    """Builds plain data and numpy arrays, and nothing that could act."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the constructors of arrays; refuse everything else."""
        if (module, name) in _ARRAYS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"the object {module}.{name}")


def read(path: Path, corpus: Corpus) -> list[Trial]:
    """Read one pickle; ids (CLS 0, words from 1, a terminal) become word positions from 0."""
    table = _load(path)
    trials = []
    for i, (ids, reader_id, sentence_id) in enumerate(
        zip(*(table[name] for name in _LISTS), strict=True), start=1
    ):
        sentence = corpus.sentences.get(str(sentence_id))
        if sentence is None:
            raise DataError(path, i, "sn_ids", str(sentence_id), f"a sentence of corpus {corpus.name!r}")
        try:
            symbols = [int(symbol) for symbol in ids]
        except (TypeError, ValueError):
            raise DataError(path, i, "predicted_sp_ids", str(ids), "a list of ids") from None
        if symbols[-1:] == [TERMINAL]:
            symbols[-1] = sentence.n_words + 1
        words, repairs = clean(symbols, sentence.n_words)
        trials.append(Trial(sentence, list(words), reader_id=str(reader_id), repairs=repairs))
    return trials


def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        try:
            table = _PlainUnpickler(stream).load()
        except Exception as error:  # broken bytes can make any call fail, in any way
            expected = "a pickle of plain lists, dicts, text, numbers and numpy arrays"
            raise DataError(path, None, None, Fact(str(error) or "a broken pickle"), expected) from None
    if not isinstance(table, dict):
        found = Fact(f"a {type(table).__name__}")
        raise DataError(path, None, None, found, f"lists named {', '.join(_LISTS)}")
    for name in _LISTS:
        if not hasattr(table.get(name), "__len__"):
            found = Fact("no list of this name")
            raise DataError(path, None, name, found, "the lists of the released code")
        if len(table[name]) != len(table[_LISTS[0]]):
            found = Fact(f"{len(table[name])} entries")
            raise DataError(path, None, name, found, f"{len(table[_LISTS[0]])} as in {_LISTS[0]}")
    return table
