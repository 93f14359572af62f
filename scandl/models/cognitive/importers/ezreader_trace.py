"""The trace of the original E-Z Reader program: one line per fixation, ``dur: … pos: … word: … token``.

The plain trace has no sentence numbers. Every reading starts on the centre of the first word, so
that is how one sentence is told from the next, in the order of the corpus; a form with ``sent:``
is read too. A landing at the very end of the sentence is labelled word 0 by the program; it
belongs to the last word. Durations may be ``Infinity``, and numbers may have decimal commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact
from scandl.models.cognitive.importers.trials import (
    Trial,
    lines_of,
    milliseconds,
    number,
    position,
    whole_number,
)
from scandl.records import Sentence

if TYPE_CHECKING:
    from scandl.corpora import Corpus

_FIELD = re.compile(r"\b(sent|dur|pos|word):\s*(\S+)")


@dataclass(frozen=True, slots=True)
class _Fixation:
    row: int
    duration: float
    at: float  # characters from the start of the sentence
    rounding: float  # half of the last printed digit of ``at``
    word: int
    sentence: int | None


def read(path: Path, corpus: Corpus, index_base: int | None = None) -> list[Trial]:
    """Read a trace; ``index_base`` says what ``sent:`` counts from, where the file does not show it."""
    fixations = _fixations(path)
    order = list(corpus.sentences.values())
    if all(f.sentence is not None for f in fixations):
        base = _sentence_base(path, fixations, len(order), index_base)
        of_trial = [(f.sentence or 0) - base for f in fixations]
    elif index_base is not None:
        found = Fact("fixations without a sentence number")
        raise DataError(path, None, "sent", found, "numbers for --index-base to count")
    else:
        of_trial = _segmented(path, fixations, order)
    trials: list[Trial] = []
    for i, (fixation, place) in enumerate(zip(fixations, of_trial, strict=True)):
        if not 0 <= place < len(order):
            raise DataError(
                path, fixation.row, "sent", fixation.sentence, f"one of the {len(order)} sentences"
            )
        if i == 0 or place != of_trial[i - 1] or _starts(fixation, order[place]):
            trials.append(Trial(order[place]))
        trials[-1].words.append(_word(path, fixation, trials[-1]))
        trials[-1].durations.append(fixation.duration)
    return trials


def _fixations(path: Path) -> list[_Fixation]:
    found = []
    for row, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        fields = dict(reversed(_FIELD.findall(line)))  # the first of a name counts: words follow
        missing = [name for name in ("dur", "pos", "word") if name not in fields]
        if missing:
            raise DataError(path, row, missing[0], line.strip(), "dur: … pos: … word: … token")
        decimals = len(re.split("[.,]", fields["pos"])[1]) if re.search("[.,]", fields["pos"]) else 0
        found.append(
            _Fixation(
                row,
                milliseconds(fields["dur"], path, row, "dur"),
                number(fields["pos"], path, row, "pos"),
                0.5001 * 10.0**-decimals,
                whole_number(fields["word"], path, row, "word"),
                whole_number(fields["sent"], path, row, "sent") if "sent" in fields else None,
            )
        )
    if not found:
        raise DataError(path, 1, None, Fact("an empty file"), "dur: … pos: … word: … token")
    return found


def _sentence_base(
    path: Path, fixations: Sequence[_Fixation], n_sentences: int, index_base: int | None
) -> int:
    if index_base is not None:
        return index_base
    numbers = {f.sentence for f in fixations}
    if 0 in numbers:
        return 0
    if n_sentences in numbers:
        return 1
    found = Fact("numbers that fit a count from 0 and from 1")
    raise DataError(path, None, "sent", found, "--index-base 0 or 1")


def _segmented(path: Path, fixations: Sequence[_Fixation], order: Sequence[Sentence]) -> list[int]:
    """Return the place in the order of sentences of each fixation's trial."""
    places = []
    started = 0
    for fixation in fixations:
        if _starts(fixation, order[started % len(order)]):
            started += 1
        elif started == 0:
            raise DataError(
                path, fixation.row, "pos", fixation.at, "the centre of the first word of the corpus"
            )
        places.append((started - 1) % len(order))
    if started % len(order):
        raise DataError(
            path,
            None,
            None,
            Fact(f"{started} readings that start on the centre of a first word"),
            f"a multiple of the corpus's {len(order)} sentences, in its order",
        )
    return places


def _starts(fixation: _Fixation, sentence: Sentence) -> bool:
    centre = 1.0 + len(sentence.words[0]) / 2.0
    return fixation.word == 0 and abs(fixation.at - centre) <= fixation.rounding


def _word(path: Path, fixation: _Fixation, trial: Trial) -> int:
    """Return the word of a fixation, proved by its position in the sentence."""
    borders = list(accumulate(len(word) + 1 for word in trial.sentence.words))
    if fixation.word == 0 and fixation.at + fixation.rounding >= borders[-1]:
        trial.repairs["word 0 at the end of the sentence"] += 1
        return len(borders) - 1
    word = position(fixation.word, 0, len(borders), path, fixation.row, "word")
    left = borders[word - 1] if word else 0
    if not left - fixation.rounding <= fixation.at <= borders[word] + fixation.rounding:
        expected = f"{left}..{borders[word]}, where word {word} of {trial.sentence.sentence_id!r} stands"
        raise DataError(path, fixation.row, "pos", fixation.at, expected)
    return word
