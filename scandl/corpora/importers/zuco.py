"""ZuCo 1.0 (Hollenstein et al. 2018): two reading tasks, from the MATLAB files or from tables."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import import_flags as arguments
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.filters import ZUCO_RELEASED, Filters, released_or
from scandl.corpora.importers.fixation_report import ReportColumn, read_report, whole_number
from scandl.corpora.importers.fixations import Gathered, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.zuco_mat import read_task, results_of
from scandl.errors import ScandlError, did_you_mean
from scandl.records import Scanpath, Sentence

CARD = Card(
    name="zuco",
    licence="check with the owner",
    citation="Hollenstein et al. (2018), ZuCo, Scientific Data",
    source="ZuCo 1.0",
)
MS_PER_SAMPLE = 2  # the tracker ran at 500 Hz and durations are written in samples
TASKS = ("SR", "NR")  # taken without a word from the user
KNOWN_TASKS = (*TASKS, "TSR")
WORDS, FIXATIONS = "Word_Infor.csv", "scanpath.csv"


@dataclass(frozen=True, slots=True)
class ZucoTask:
    """One task as it was read: sentences by their number from 1, durations in samples."""

    sentences: dict[int, tuple[str, ...]]
    scanpaths: list[Scanpath]  # sentence_id is the number
    dropped: Counter[str]


def import_zuco(
    folders: Sequence[Path | str],
    *,
    tasks: Sequence[str] | None = None,
    released_code: bool = False,
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import ZuCo 1.0.

    Parameters
    ----------
    folders
        Either folders that hold ``results<READER>_<TASK>.mat``, or one folder per task with
        ``Word_Infor.csv`` and ``scanpath.csv`` (both tab-separated), in the order of the tasks.
    tasks
        For MATLAB files: which tasks, in order (default SR, then NR). Sentences of the second are
        numbered on from the last of the first. Tables do not say which task they are of.
    released_code
        Apply the filters of the released ScanDL code.
    filters
        What to leave out; not together with ``released_code``.
    card
        What is known of the corpus.
    """
    filters = released_or(ZUCO_RELEASED if released_code else None, filters)
    sources = [Path(folder) for folder in folders]
    _check_tasks(tasks or ())
    if any((folder / FIXATIONS).exists() for folder in sources):
        if tasks:
            raise ScandlError(
                "--task chooses among MATLAB files: tables do not name their task, so give only the folders "
                "of the tasks you want"
            )
        read: Iterable[ZucoTask] = (_read_tables(folder) for folder in sources)
    else:
        read = (_read_mat(results_of(sources, task)) for task in tasks or TASKS)
    sentences: dict[str, Sentence] = {}
    paths: list[Scanpath] = []
    dropped: Counter[str] = Counter()
    for task in read:
        shift = len(sentences) and max(map(int, sentences))
        sentences |= {
            str(number + shift): Sentence(str(number + shift), " ".join(words))
            for number, words in task.sentences.items()
        }
        paths += [_in_ms(path, shift) for path in task.scanpaths]
        dropped += task.dropped
    return assemble(card, sentences, Gathered(paths, dropped, ""), filters)


def _check_tasks(tasks: Sequence[str]) -> None:
    for n, task in enumerate(tasks):
        if task not in KNOWN_TASKS:
            raise ScandlError(f"no task {task!r} of ZuCo{did_you_mean(task, KNOWN_TASKS)}")
        if task in tasks[:n]:
            raise ScandlError(f"task {task!r} is given twice: its scanpaths would count twice")


def _in_ms(path: Scanpath, shift: int) -> Scanpath:
    durations = path.durations and tuple(samples * MS_PER_SAMPLE for samples in path.durations)
    return replace(path, sentence_id=str(int(path.sentence_id) + shift), durations=durations)


def _read_mat(files: Sequence[tuple[str, Path]]) -> ZucoTask:
    sentences, paths, dropped = read_task(files)
    return ZucoTask(sentences, paths, dropped)


def _read_tables(folder: Path) -> ZucoTask:
    """Read the two tables of one task."""
    words = _words(folder / WORDS)
    report = read_report(
        folder / FIXATIONS,
        ("reader_id", "sentence_id", "word_index", "duration_ms"),
        ("word", "nw"),
        preferred={
            "reader_id": "id",
            "sentence_id": "sn",
            "word_index": "wn",
            "duration_ms": "dur",
            "word": "CURRENT_FIX_INTEREST_AREA_LABEL",
        },
    )
    report.numbers("sentence_id", whole_number, "the number of a sentence", frozenset())
    sn = report["sentence_id"]
    plain = ReportColumn(sn.name, [str(int(float(text))) for text in sn.texts], sn.codes)
    report = replace(report, columns=report.columns | {"sentence_id": plain})
    sentences = {str(number): Sentence(str(number), " ".join(text)) for number, text in words.items()}
    if "nw" in report:
        n_words = report.numbers("nw", whole_number, "the number of words")
        for row, (code, n) in enumerate(zip(plain.codes.tolist(), n_words.tolist(), strict=True)):
            known = len(words.get(int(plain.texts[code]), ()))
            if known and n != known:
                raise report.error(row, "nw", f"{n:g}", f"{known}, as {WORDS} has words")
    gathered = gather(report, sentences, index_base=1)
    return ZucoTask(words, gathered.scanpaths, gathered.dropped)


def _words(path: Path) -> dict[int, tuple[str, ...]]:
    """Return the words of each sentence, which stand in reading order."""
    report = read_report(path, ("SN", "WORD"))
    numbers = report.numbers("SN", whole_number, "the number of a sentence", frozenset()).astype(int)
    found: dict[int, list[str]] = {}
    for row, number in enumerate(numbers.tolist()):
        word = report.cell(row, "WORD")
        if len(word.split()) != 1:
            raise report.error(row, "WORD", word, "one word")
        found.setdefault(number, []).append(word.strip())
    return {number: tuple(words) for number, words in found.items()}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="with results*.mat, or tables of one task",
    )
    parser.add_argument(
        "--task",
        action="append",
        metavar="NAME",
        help="of MATLAB files: SR, NR or TSR; repeat for several (default: SR, then NR)",
    )
    parser.add_argument("--released-code", action="store_true", help="filters of the released ScanDL code")
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_zuco(
        args.folders,
        tasks=args.task,
        released_code=args.released_code,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("zuco")(
    Importer(
        "ZuCo 1.0: reading of sentences with eye tracking and EEG",
        "the ZuCo project of Hollenstein et al. (open repository; check the terms there)",
        _add_arguments,
        _run,
    )
)
