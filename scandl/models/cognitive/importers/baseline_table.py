"""The baselines of ScanDL 2.0 (``fixations_df-baselines-*.csv``): tab-separated, words counted from 1."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact
from scandl.files.tables import read_table
from scandl.models.cognitive.importers.trials import Trial, milliseconds, position, whole_number

if TYPE_CHECKING:
    from scandl.corpora import Corpus

_COLUMNS = ("sn_id", "reader_id", "instance_idx", "fixation_index", "fixation_duration", "word_id")


def read(path: Path, corpus: Corpus) -> list[Trial]:
    """Read one table; the fixations of an instance may stand in any order."""
    table = read_table(path, delimiter="\t")
    columns = table.need(*_COLUMNS)
    instances: dict[tuple[str, str, str], list[tuple[int, int, float]]] = {}
    for i, (sentence_id, reader_id, instance, index, duration, word) in enumerate(zip(*columns, strict=True)):
        row = table.line(i)
        if sentence_id not in corpus.sentences:
            raise DataError(path, row, "sn_id", sentence_id, f"a sentence of corpus {corpus.name!r}")
        n_words = corpus.sentences[sentence_id].n_words
        at = position(whole_number(word, path, row, "word_id"), 1, n_words, path, row, "word_id")
        instances.setdefault((sentence_id, reader_id, instance), []).append(
            (
                whole_number(index, path, row, "fixation_index"),
                at,
                milliseconds(duration, path, row, "fixation_duration"),
            )
        )
    trials = []
    for (sentence_id, reader_id, instance), fixations in instances.items():
        fixations.sort(key=lambda fixation: fixation[0])
        if len({index for index, _, _ in fixations}) != len(fixations):
            found = Fact(f"a number twice in instance {instance}")
            raise DataError(path, None, "fixation_index", found, "each fixation once")
        words, durations = [word for _, word, _ in fixations], [ms for _, _, ms in fixations]
        trials.append(Trial(corpus.sentences[sentence_id], words, durations, reader_id))
    return trials
