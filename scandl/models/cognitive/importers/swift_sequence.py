"""Fixation sequences of the original SWIFT program (``seq_*``, ``fixseqin_*``): six columns, no header.

Sentence and word (both from 1), letter position in the word, fixation ms, saccade ms, and a flag:
1 at the first fixation of a trial, 2 at the last, 0 between. Durations are whole milliseconds, cut.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact
from scandl.models.cognitive.importers.trials import (
    Trial,
    lines_of,
    milliseconds,
    position,
    whole_number,
)

if TYPE_CHECKING:
    from scandl.corpora import Corpus

_COLUMNS = ("sentence", "word", "letter", "fixation_ms", "saccade_ms", "flag")


def read(path: Path, corpus: Corpus) -> list[Trial]:
    """Read a sequence file; sentences are counted in the order of the corpus."""
    order = list(corpus.sentences.values())
    trials: list[Trial] = []
    is_open = False
    for row, line in enumerate(lines_of(path), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != len(_COLUMNS):
            found = Fact(f"{len(cells)} columns")
            raise DataError(path, row, None, found, f"six: {', '.join(_COLUMNS)}")
        place = whole_number(cells[0], path, row, "sentence") - 1
        flag = whole_number(cells[5], path, row, "flag")
        if not 0 <= place < len(order):
            raise DataError(path, row, "sentence", cells[0], f"1..{len(order)}, a sentence of the corpus")
        if flag not in (0, 1, 2) or (flag == 1) == is_open:
            raise DataError(path, row, "flag", cells[5], "1 first, 0 between, 2 last fixation of a trial")
        if flag == 1:
            trials.append(Trial(order[place]))
        elif trials[-1].sentence is not order[place]:
            raise DataError(path, row, "sentence", cells[0], "the same sentence until the flag 2")
        word = whole_number(cells[1], path, row, "word")
        trials[-1].words.append(position(word, 1, order[place].n_words, path, row, "word"))
        trials[-1].durations.append(milliseconds(cells[3], path, row, "fixation_ms"))
        is_open = flag != 2
    if not trials:
        raise DataError(path, 1, None, Fact("an empty file"), f"six columns: {', '.join(_COLUMNS)}")
    return trials
