"""The JSON files of the released ScanDL code: the human side of its predictions."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus, Pair
from scandl.corpora.importers import importer as arguments
from scandl.corpora.importers.assemble import Filters, assemble
from scandl.corpora.importers.fixations import NO_FIXATION, Gathered
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.errors import DataError, Fact
from scandl.files.other_forms import read_released
from scandl.files.tables import Problems
from scandl.records import Prediction, Scanpath, Sentence

CARD = Card(name="scandl-json", source="output of the released ScanDL code (positions only, no durations)")


def import_scandl_json(files: Iterable[Path | str], *, card: Card = CARD) -> Corpus:
    """Import the human scanpaths and sentences of one or more prediction files.

    Files of several folds or seeds may hold the same reader and sentence again; they must agree.
    """
    sentences: dict[str, Sentence] = {}
    paths: dict[Pair, Scanpath] = {}
    for file in map(Path, files):
        for entry, p in read_released(file, Problems(stop_at_first=True)):
            _enter(file, entry, p, sentences, paths)
    full = [path for path in paths.values() if path.positions]
    dropped = Counter({NO_FIXATION: len(paths) - len(full)})
    return assemble(card, sentences, Gathered(full, dropped, ""), Filters())


def _enter(
    file: Path, entry: int, p: Prediction, sentences: dict[str, Sentence], paths: dict[Pair, Scanpath]
) -> None:
    sentence = sentences.setdefault(p.sentence_id, Sentence(p.sentence_id, p.text or ""))
    if sentence.text != p.text:
        found = Fact(f"another text of sentence {p.sentence_id!r} than before")
        raise DataError(file, entry, "original_sn", found, "one text per sentence")
    path = Scanpath(p.reader_id or "", p.sentence_id, p.human or ())
    if paths.setdefault((path.reader_id, path.sentence_id), path) != path:
        found = Fact(f"another path of reader {p.reader_id!r} on sentence {p.sentence_id!r} than before")
        raise DataError(file, entry, "original_sp_ids", found, "one human scanpath per reader and sentence")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", type=Path, nargs="+", metavar="JSON", help="prediction files")


def _run(args: argparse.Namespace) -> Corpus:
    return import_scandl_json(args.files, card=arguments.card_of(args, CARD))


IMPORTERS.register("scandl-json")(
    Importer("JSON of the released ScanDL code", "running that code on its corpora", _add_arguments, _run)
)
