"""Durations that cannot be: one line each, the same for files, tables in memory and records."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scandl.corpora import read_corpus
from scandl.errors import DataError
from scandl.files.duration_check import duration_fault, is_duration, seconds_fault
from scandl.files.prediction_files import read_predictions
from scandl.files.prediction_inputs import as_predictions
from scandl.records import Prediction

EXPECTED = "expected milliseconds above 0 and at most 60,000, such as '210 180'"
FAULTS = {
    "another length": ((200.0, 210.0), "found 2 durations, expected 3, one per fixation"),
    "zero": ((200.0, 0.0, 180.0), f"found '200 0 180', {EXPECTED}"),
    "negative": ((200.0, -5.0, 180.0), f"found '200 -5 180', {EXPECTED}"),
    "a million": ((200.0, 1e6, 180.0), f"found '200 1000000 180', {EXPECTED}"),
}


@pytest.mark.parametrize(("durations", "line"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_line(durations, line, tmp_path):
    cell = " ".join(f"{ms:.10g}" for ms in durations)
    file = tmp_path / "preds.csv"
    file.write_text(f"sentence_id,predicted,durations\ns0,0,200\ns1,0 1 2,{cell}\n")
    frame = pd.DataFrame(
        {"sentence_id": ["s0", "s1"], "predicted": ["0", "0 1 2"], "durations": ["200", cell]}
    )
    records = [Prediction("s0", (0,)), Prediction("s1", (0, 1, 2), durations=durations)]
    for source, place in ((file, f"{file}:3"), (frame, "DataFrame row 1"), (records, "record 1")):
        with pytest.raises(DataError) as caught:
            as_predictions(source)
        assert str(caught.value) == f"{place}: column 'durations': {line}"


def test_seconds_are_named_as_such(tmp_path):
    file = tmp_path / "preds.csv"
    rows = [f"s{k},0 1,0.2{k} 0.3" for k in range(9)]
    file.write_text("\n".join(["sentence_id,predicted,durations", *rows, ""]))
    with pytest.raises(DataError) as caught:
        read_predictions(file)
    found = "found a median of 0.3, expected milliseconds; these look like seconds, multiply them by 1000"
    assert str(caught.value) == f"{file}: column 'durations': {found}"


def corpus_with(folder: Path, durations) -> Path:
    (folder / "corpus.toml").write_text("name = 'mine'\nlanguage = 'en'\nkind = 'human'\n")
    (folder / "sentences.csv").write_text("sentence_id,text\ns1,The old man the boats.\n")
    rows = [f"r{k},s1,0,0,{ms}" for k, ms in enumerate(durations)]
    head = "reader_id,sentence_id,fixation_index,word_index,duration_ms"
    (folder / "fixations.csv").write_text("\n".join([head, *rows, ""]))
    return folder


@pytest.mark.parametrize("ms", ["0", "-5", "1000000", "nan"])
def test_a_corpus_is_checked_alike(ms, tmp_path):
    with pytest.raises(DataError) as caught:
        read_corpus(corpus_with(tmp_path, ["200", ms]))
    expected = "expected milliseconds above 0 and at most 60,000, or nothing"
    assert str(caught.value).endswith(f"fixations.csv:3: column 'duration_ms': found '{ms}', {expected}")


def test_a_corpus_in_seconds_is_named_as_such(tmp_path):
    with pytest.raises(
        DataError, match=r"fixations.csv: column 'duration_ms': found a median of 0.25, expected m"
    ):
        read_corpus(corpus_with(tmp_path, ["0.25"] * 12))


def test_missing_durations_are_no_fault():
    assert duration_fault(Prediction("s1", (0, 1))) is None
    assert seconds_fault([None, (200.0,) * 12]) is None
    assert seconds_fault([(0.2,) * 9]) is None  # too few to speak of a median


def test_the_longest_is_a_minute():
    assert is_duration(60_000.0)
    assert not is_duration(60_000.1)
