"""Cells: what is read is what was written, and what means nothing is refused."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import read_corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, ScandlError
from scandl.files.cell_values import (
    duration_fault,
    is_duration,
    join_path,
    parse_duration,
    parse_durations,
    parse_identifier,
    parse_index,
    parse_log_prob,
    parse_path,
    seconds_fault,
)
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.files.prediction_inputs import as_predictions
from scandl.records import Prediction


@given(st.lists(st.integers(0, 5000)))
def test_a_path_comes_back(path: list[int]) -> None:
    assert parse_path(join_path(path)) == tuple(path)


@given(st.lists(st.integers(0, 10**6).map(lambda n: n / 100), min_size=1))
def test_durations_come_back(durations: list[float]) -> None:
    assert parse_durations(join_path(durations)) == tuple(durations)


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        *((parse_path, text) for text in ("x", "0 x", "-1", "0  1", " 0", "0 ", "1.0", "٣", "0,1", "1e3")),
        *((parse_index, text) for text in ("", "-1", "1.0", "x", "²")),
        *((parse_duration, text) for text in ("", "x", "-1", "nan", "inf")),
        *((parse_log_prob, text) for text in ("", "x", "nan", "inf", "0.1", "-1e10")),
        (parse_identifier, ""),
    ],
)
def test_what_means_nothing_is_refused(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse(text)


def test_an_impossible_path_has_a_logarithm_and_rounding_above_certainty_is_certain() -> None:
    assert parse_log_prob("-inf") == -math.inf
    assert parse_log_prob("1e-7") == 0.0


@pytest.mark.parametrize(
    "values",
    [
        [0, 1, 3],
        (0, 1),
        (4,),
        [],
        np.array([0, 1, 10]),
        list(np.array([0, 2])),
        np.arange(120),
        np.array([0.0, 2.0]),
    ],
)
def test_lists_are_read_as_pandas_writes_them(values: object, tmp_path: object) -> None:
    file = f"{tmp_path}/paths.csv"
    pd.DataFrame({"predicted": [values]}).to_csv(file, index=False)
    (cell,) = pd.read_csv(file, dtype=str)["predicted"]
    assert parse_path(cell) == tuple(int(v) for v in values)  # type: ignore[attr-defined]
    assert parse_durations(cell) == tuple(float(v) for v in values)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "cell", ["array([0, 1])", "array([0, 1], dtype=int32)", "[np.int64(0), np.int64(1)]"]
)
def test_the_repr_of_numpy_is_read(cell: str) -> None:
    assert parse_path(cell) == (0, 1)


@pytest.mark.parametrize(
    "cell",
    [
        "[0, x]",
        "[[0, 1], [2]]",
        "[0 1 ... 8 9]",
        "[0, 1.5]",
        "[0, -1]",
        "[0, None]",
        "0, 1",
        "{0, 1}",
        "٣",
        "1_0",
        "9" * 400,
        "9" * 5000,
    ],
)
def test_what_is_no_path_is_refused(cell: str) -> None:
    with pytest.raises(ValueError, match=re.escape(cell)):
        parse_path(cell)


@pytest.mark.parametrize("cell", ["1_0", "٣", "nan", "inf", "infinity", " 5", "-1", "0x10"])
def test_a_duration_is_a_plain_number(cell: str) -> None:
    with pytest.raises(ValueError, match=re.escape(cell)):
        parse_duration(cell)
    assert parse_duration("1.5e2") == 150


def test_an_index_of_hundreds_of_digits_is_refused() -> None:
    with pytest.raises(ValueError, match="9999"):
        parse_index("9" * 5000)


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


DEMO = open_corpus("demo")
PREDICTIONS = [
    Prediction(
        path.sentence_id,
        path.positions[1:],
        human=path.positions,
        reader_id=path.reader_id,
        model="mine",
        text=DEMO.sentences[path.sentence_id].text,
    )
    for path in DEMO.by_sentence["s01"]
]


def shifted(positions: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(position + 1 for position in positions)


def from_one(p: Prediction, *, human: bool = True) -> Prediction:
    """Return a prediction as a file that counts from 1 has it."""
    return replace(p, predicted=shifted(p.predicted), human=shifted(p.human or ()) if human else p.human)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_both_columns_count_from_what_was_said(tmp_path: Path, suffix: str) -> None:
    ours, other = tmp_path / f"ours{suffix}", tmp_path / f"other{suffix}"
    write_predictions(ours, PREDICTIONS)
    write_predictions(other, [from_one(p) for p in PREDICTIONS])
    assert read_predictions(other, index_base=1) == read_predictions(ours, index_base=0) == PREDICTIONS


def test_a_frame_records_and_the_long_form_too(tmp_path: Path) -> None:
    moved = [from_one(p) for p in PREDICTIONS]
    assert as_predictions(moved, DEMO, index_base=1) == PREDICTIONS
    frame = pd.DataFrame({"sentence_id": ["s"], "predicted": [[1, 3]], "human": [[2]]})
    assert [(p.predicted, p.human) for p in as_predictions(frame, index_base=1)] == [((0, 2), (1,))]
    long = tmp_path / "long.csv"
    long.write_text("reader_id,sentence_id,fixation_index,IA_ID\nr,s,0,1\nr,s,1,3\n")
    with pytest.raises(DataError, match=r"say what they count from \(--index-base 0 or 1\)"):
        read_predictions(long)
    assert [read_predictions(long, index_base=base)[0].predicted for base in (0, 1)] == [(1, 3), (0, 2)]


def test_human_paths_that_contain_0_stay(tmp_path: Path) -> None:
    path = tmp_path / "mixed.csv"
    write_predictions(path, [from_one(p, human=False) for p in PREDICTIONS])
    with pytest.warns(UserWarning, match="mixed.csv: human paths contain 0, so that only predictions count"):
        assert read_predictions(path, index_base=1) == PREDICTIONS


def test_a_prediction_with_0_does_not_count_from_1(tmp_path: Path) -> None:
    path = tmp_path / "zero.csv"
    path.write_text("sentence_id,predicted,human\ns,1 2,1\ns,0 1,1\n")
    with pytest.raises(
        DataError, match="zero.csv:3: column 'predicted': found '0 1', expected positions from 1"
    ):
        read_predictions(path, index_base=1)


def test_faults_are_told_as_the_file_has_them() -> None:
    too_far = {"sentence_id": ["s"], "predicted": ["1 3"], "text": ["two words"]}
    with pytest.raises(DataError, match=r"found '1 3', expected positions 1..2, the sentence has 2 words$"):
        as_predictions(pd.DataFrame(too_far), index_base=1)
    with pytest.raises(DataError, match=r"positions 0..1, the sentence has 2 words$"):
        as_predictions(pd.DataFrame(too_far), index_base=0)
    by_one = pd.DataFrame(too_far | {"predicted": ["1 2"]})
    with pytest.raises(DataError, match=r"has 2 words; does this file count from 1\? --index-base 1$"):
        as_predictions(by_one)
    with pytest.raises(ScandlError, match="index base 2: expected 0 or 1"):
        as_predictions(by_one, index_base=2)


@pytest.mark.parametrize("beside", ["file", "corpus"])
def test_a_model_without_any_0_beside_people_who_have_some_is_named(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "preds.csv"
    humans = sum(0 in path.positions for path in DEMO.by_sentence["s01"])
    assert 0 < humans <= len(PREDICTIONS)
    suspect = [replace(p, predicted=(1, 2), human=p.human if beside == "file" else None) for p in PREDICTIONS]
    sound = [replace(p, predicted=(0, 1), model="other") for p in suspect]
    write_predictions(path, [*suspect, *sound])
    corpus = DEMO if beside == "corpus" else None
    with pytest.warns(UserWarning, match="position 0") as raised:
        read_predictions(path, corpus=corpus)
    n = len(PREDICTIONS)
    assert [str(each.message) for each in raised] == [
        f"{path}: position 0 is in none of {n} predictions of mine but in {humans} of {n} human scanpaths: if "
        "predictions count from 1, give --index-base 1, if from 0 --index-base 0"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_predictions(path, corpus=corpus, index_base=0)
