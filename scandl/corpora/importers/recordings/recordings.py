"""Raw recordings: EyeLink ASC files, and tables of fixations or samples in pixels, through pymovements."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import importer as arguments
from scandl.corpora.importers.assemble import Filters, assemble
from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn
from scandl.corpora.importers.fixations import NO_WORD, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.recordings.gaze_files import TRIAL, Located, from_asc, from_table
from scandl.corpora.importers.recordings.word_areas import (
    LAYOUT,
    METHODS,
    Areas,
    areas_of_layout,
    areas_of_table,
    on_lines,
)
from scandl.corpora.importers.texts import read_sentences, sentences_of
from scandl.errors import ConfigError, ScandlError

if TYPE_CHECKING:
    from scandl.corpora.importers.recordings.word_areas import Floats

CARD = Card(name="recordings", source="raw recordings, read by pymovements")
OUTSIDE_TRIALS = "fixations outside every trial"
FAR = "fixations more than a line away from the text"


def import_recordings(
    files: Sequence[Path | str],
    areas: Path | str | Any,
    *,
    layout: str | None = None,
    lines: str = "slice",
    trial: str = TRIAL,
    eye: str | None = None,
    dispersion: float | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import fixations or samples by mapping them to the areas of words.

    Parameters
    ----------
    files
        ASC files, one per reader and named for them; or tables of fixations (reader_id, sentence_id, x, y,
        duration_ms) or of samples (reader_id, sentence_id, time, x, y), in pixels.
    areas
        A table with one row per word and its edges in pixels, a ``TextStimulus`` of pymovements, or with
        ``layout`` a table of texts.
    layout
        How texts in a monospaced font were shown: left,top,character,line[,columns] in pixels.
    lines
        How fixations on texts of several lines are given a line; ``none`` takes the area they fall in.
    trial
        The message of an ASC file that names the text, with a group ``sentence_id``.
    eye
        Which eye of a binocular ASC file: left or right.
    dispersion
        For samples: pixels within which they are one fixation (I-DT; Salvucci & Goldberg, 2000).
    columns
        ReportColumn names by meaning, where the headers leave it open.
    encoding
        Of text files; None finds it file by file.
    filters
        What to leave out beyond fixations outside every word.
    card
        What is known of the corpus.
    """
    said = dict(columns or {})
    if lines != "none" and lines not in METHODS:
        raise ConfigError(f"--lines {lines!r}: expected none, {', '.join(METHODS)}")
    texts = _areas(areas, layout, said, encoding)
    parts = [
        from_asc(Path(file), trial, eye, encoding)
        if Path(file).suffix.lower() == ".asc"
        else from_table(Path(file), said, dispersion, encoding)
        for file in files
    ]
    sentences = sentences_of({key: area.words for key, area in texts.items()})
    dropped: Counter[str] = Counter()
    paths, notes = [], []
    readers: dict[str, dict[str, str]] = {}
    for part in parts:
        report, far = _report(part, texts, lines)
        found = gather(report, sentences, index_base=0, drop_unknown=True)
        paths += found.scanpaths
        dropped += found.dropped + Counter({OUTSIDE_TRIALS: part.outside, FAR: far, NO_WORD: -far})
        if part.covariates is not None:
            sentences = part.covariates.added_to(sentences)
            readers |= part.covariates.readers
            notes += [part.covariates.note]
    several = any(len(area.lines) > 1 for area in texts.values())
    if several and lines != "none":
        notes.append(f"lines by eyekit's {lines}, {METHODS[lines]}")
    notes = [card.notes, *dict.fromkeys(filter(None, notes))]
    twice = [key for key, n in Counter((p.reader_id, p.sentence_id) for p in paths).items() if n > 1]
    if twice:
        raise ScandlError(f"reader {twice[0][0]!r} read sentence {twice[0][1]!r} in two files: expected one")
    gathered = replace(found, scanpaths=paths, dropped=+dropped, note="")
    card = replace(card, notes="; ".join(filter(None, notes)))
    return assemble(card, sentences, gathered, filters, readers=readers)


def _areas(areas: Any, layout: str | None, said: Mapping[str, str], encoding: str | None) -> dict[str, Areas]:
    if not isinstance(areas, Path | str):  # a TextStimulus
        names = {"word": "aoi", "left": "start_x", "top": "start_y", "right": "end_x", "bottom": "end_y"}
        names |= {"width": "width", "height": "height", "sentence_id": "trial"}
        known = {meaning: getattr(areas, f"{name}_column", None) for meaning, name in names.items()}
        cells = {name: list(map(str, each)) for name, each in areas.aois.to_dict(as_series=False).items()}
        return areas_of_table(Path("stimulus"), cells, {m: n for m, n in known.items() if n} | dict(said))
    path = Path(areas)
    if layout is not None:
        return areas_of_layout(read_sentences(path, said, encoding), layout)
    return areas_of_table(path, read_delimited(path, encoding).columns, said)


def _report(part: Located, texts: Mapping[str, Areas], lines: str) -> tuple[FixationReport, int]:
    """Return the fixations with the word of each, and how many were too far away to be given a line."""
    import numpy as np

    words = np.full(len(part.x), -1)
    far = 0
    trials = ReportColumn.of(
        "trial", (f"{r}\t{s}" for r, s in zip(part.readers, part.sentences, strict=True))
    )
    for code, trial in enumerate(trials.texts):
        key = trial.split("\t")[1]
        if key not in texts:
            continue
        rows = np.flatnonzero(trials.codes == code)
        rows = rows[np.argsort(part.onset[rows], kind="stable")]
        areas, x, y = texts[key], part.x[rows], part.y[rows]
        if lines != "none" and len(areas.lines) > 1:
            near = _near(areas, x, y)
            far += int((~near).sum())
            rows, x, y = rows[near], x[near], y[near]
            if len(rows):
                y = on_lines(areas, x, y, part.onset[rows], part.ms[rows], lines)
        words[rows] = areas.words_at(x, y)
    columns = {
        "reader_id": ReportColumn.of("reader_id", part.readers),
        "sentence_id": ReportColumn.of("sentence_id", part.sentences),
        "word_index": ReportColumn.of("word", (str(word) if word >= 0 else "." for word in words.tolist())),
        "fixation_index": ReportColumn.of("onset", (f"{onset:.6f}" for onset in part.onset.tolist())),
        "duration_ms": ReportColumn.of(
            "duration", (f"{ms:.10g}" if ms == ms else "" for ms in part.ms.tolist())
        ),
    }
    return FixationReport(part.path, columns), far


def _near(areas: Areas, x: Floats, y: Floats) -> Any:
    """Say which fixations are at most a line away from the text."""
    left, top = areas.boxes[:, :2].min(axis=0)
    right, bottom = areas.boxes[:, 2:].max(axis=0)
    line = (bottom - top) / len(areas.lines)
    return (x >= left - line) & (x < right + line) & (y >= top - line) & (y < bottom + line)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="ASC files, or tables of fixations or samples"
    )
    parser.add_argument(
        "--areas",
        type=Path,
        required=True,
        metavar="FILE",
        help="one row per word with its edges; or the texts",
    )
    parser.add_argument("--layout", metavar="L", help=f"of texts in a monospaced font: {LAYOUT}")
    parser.add_argument(
        "--lines",
        choices=("none", *METHODS),
        default="slice",
        help="how fixations on texts of several lines are given one (default slice; none: by their area)",
    )
    parser.add_argument(
        "--trial", default=TRIAL, metavar="REGEX", help=f"the message that names a text ({TRIAL})"
    )
    parser.add_argument("--eye", choices=("left", "right"), help="of binocular ASC files")
    parser.add_argument(
        "--dispersion",
        type=float,
        metavar="PX",
        help="tables are of samples: largest dispersion of a fixation",
    )
    arguments.add_columns(parser, index_base=False)
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_recordings(
        args.files,
        args.areas,
        layout=args.layout,
        lines=args.lines,
        trial=args.trial,
        eye=args.eye,
        dispersion=args.dispersion,
        columns=arguments.columns_of(args.column),
        encoding=args.encoding,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("recordings")(
    Importer("EyeLink ASC files, or fixations or samples in pixels", "your eye tracker", _add_arguments, _run)
)
