"""Prediction files: three forms in, the same records out, and an error text for each fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.errors import DataError
from scandl.files.prediction_files import read_numbered, read_predictions, write_predictions, write_result
from scandl.files.tables import Problems
from scandl.records import Prediction, Scanpath, Sentence

TEXT = "The cat sat on the mat."

CORPUS = Corpus(
    Card(name="tiny"),
    {"s1": Sentence("s1", TEXT)},
    (Scanpath("r1", "s1", (0, 1, 2)), Scanpath("r2", "s1", (0, 2))),
)


def write(folder: Path, text: str, name: str = "preds.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_the_smallest_file_is_enough(tmp_path: Path) -> None:
    path = write(tmp_path, "sentence_id,predicted,human\ns1,0 1 1,0 2\ns1,,0\n")
    assert read_predictions(path) == [
        Prediction("s1", (0, 1, 1), (0, 2), model="preds"),
        Prediction("s1", (), (0,), model="preds"),
    ]


def test_every_column_arrives(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "model,setting,fold,reader_id,sentence_id,sample,predicted,human,text,durations,log_prob,colour\n"
        f"m,ns,ns-0,007,s1,2,0 1,1 0,{TEXT},200 180.5,-3.25,red\n",
    )
    assert read_predictions(path) == [
        Prediction(
            "s1",
            (0, 1),
            (1, 0),
            "007",
            "m",
            "ns",
            "ns-0",
            2,
            TEXT,
            (200.0, 180.5),
            -3.25,
            None,
            {"colour": "red"},
        )
    ]


def test_a_spreadsheets_mark_and_line_ends_change_nothing(tmp_path: Path) -> None:
    plain = write(tmp_path, "sentence_id,predicted,human\ns1,0 1,0\n")
    expected = read_predictions(plain)
    excel = write(tmp_path, "\ufeffsentence_id,predicted,human\r\ns1,0 1,0\r\n")
    assert read_predictions(excel) == expected


FAULTS = {
    "semicolons": ("sentence_id;predicted;human\ns1;0;0\n", 1, None, "found the delimiter ';', expected ','"),
    "tabs": ("sentence_id\tpredicted\thuman\n", 1, None, "found the delimiter '\\t', expected ','"),
    "empty": ("", 1, None, "found an empty file, expected a header line with column names"),
    "missing column": ("predicted,human\n0,0\n", 1, "sentence_id", "expected a column of this name"),
    "twice the same column": (
        "sentence_id,predicted,predicted\n",
        1,
        "predicted",
        "found two columns of this name, expected one",
    ),
    "short row": (
        "sentence_id,predicted,human\ns1,0\n",
        2,
        None,
        "found 2 fields, expected 3 as in the header",
    ),
    "not a number": (
        "sentence_id,predicted,human\ns1,0,0\ns1,0 x,0\n",
        3,
        "predicted",
        "found '0 x', expected word positions such as '0 1 1 3'",
    ),
    "negative": (
        "sentence_id,predicted,human\ns1,0 -1,0\n",
        2,
        "predicted",
        "found '0 -1', expected word positions",
    ),
    "two spaces": (
        "sentence_id,predicted,human\ns1,0  1,0\n",
        2,
        "predicted",
        "found '0  1', expected word positions",
    ),
    "out of the text": (
        f"sentence_id,predicted,human,text\ns1,0 6,0,{TEXT}\n",
        2,
        "predicted",
        "found '0 6', expected positions 0..5, the sentence has 6 words",
    ),
    "human out of the text": (
        f"sentence_id,predicted,human,text\ns1,0,9,{TEXT}\n",
        2,
        "human",
        "found '9', expected positions 0..5",
    ),
    "no identifier": (
        "sentence_id,predicted,human\n,0,0\n",
        2,
        "sentence_id",
        "found '', expected an identifier",
    ),
    "duplicate": (
        "reader_id,sentence_id,predicted,human\nr,s1,0,0\nr,s1,1,0\n",
        3,
        "sentence_id",
        "found reader 'r', sentence 's1', sample 0 a second time",
    ),
    "durations": (
        "sentence_id,predicted,human,durations\ns1,0 1,0,200\n",
        2,
        "durations",
        "found 1 durations, expected 2, one per fixation",
    ),
    "duration text": (
        "sentence_id,predicted,human,durations\ns1,0,0,long\n",
        2,
        "durations",
        "found 'long', expected milliseconds",
    ),
    "log_prob": (
        "sentence_id,predicted,human,log_prob\ns1,0,0,nan\n",
        2,
        "log_prob",
        "found 'nan', expected a natural log-probability from -1e9 to 0, or -inf",
    ),
    "more than certain": (
        "sentence_id,predicted,human,log_prob\ns1,0,0,-3\ns2,0,0,3\n",
        3,
        "log_prob",
        "found '3', expected a natural log-",
    ),
    "far more than certain": (
        "sentence_id,predicted,human,log_prob\ns1,0,0,1e308\n",
        2,
        "log_prob",
        "found '1e308', expected a natural log-",
    ),
    "sample": (
        "sentence_id,predicted,human,sample\ns1,0,0,first\n",
        2,
        "sample",
        "found 'first', expected a whole number from 0",
    ),
    "two candidates": (
        "subject,participant,sentence_id,fix_order,word_id\na,b,s1,0,0\n",
        1,
        "reader_id",
        "found two candidates, subject and participant, expected one",
    ),
    "repeated fixation": (
        "reader_id,sentence_id,fixation_index,word_index\nr,s1,0,0\nr,s1,0,1\n",
        2,
        "fixation_index",
        "found 0 twice in the scanpath of sentence 's1'",
    ),
    "base not known": (
        "reader_id,sentence_id,fixation_index,IA_ID\nr,s1,0,1\nr,s1,1,3\n",
        1,
        "IA_ID",
        "found no position 0, so that they may count from 1, expected positions from 0; say what they count from (--index-base 0 or 1)",
    ),
    "name of the readers": (
        "model,sentence_id,predicted,human\nm,s1,0,0\nHuman,s1,0,0\n",
        3,
        "model",
        "found 'Human', expected another name, this one is reserved for the readers themselves",
    ),
    "name in two lines": (
        'model,sentence_id,predicted,human\n"a\nb",s1,0,0\n',
        2,
        "model",
        "found 'a\\nb', expected a name without line breaks and other control characters",
    ),
    "word not a number": (
        "reader_id,sentence_id,fixation_index,word_index\nr,s1,0,-1\n",
        2,
        "word_index",
        "found '-1', expected a word position from 0",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_file_row_and_column(tmp_path: Path, fault: str) -> None:
    text, row, column, message = FAULTS[fault]
    path = write(tmp_path, text)
    with pytest.raises(DataError) as caught:
        read_predictions(path)
    assert (caught.value.path, caught.value.row, caught.value.column) == (path, row, column)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_header_says_what_a_header_has(tmp_path: Path) -> None:
    path = write(tmp_path, "s1,0 1,0 2\ns1,0,0\n")
    with pytest.raises(
        DataError, match=r"preds.csv:1: column 'predicted': found only the columns s1, 0 1, 0 2"
    ):
        read_predictions(path)


def test_a_missing_file_and_a_binary_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none.csv: found no file, expected a CSV or Parquet file"):
        read_predictions(tmp_path / "none.csv")
    path = tmp_path / "latin.csv"
    path.write_bytes(b"sentence_id,predicted\ns\xe9,0\n")
    with pytest.raises(DataError, match="found byte 23 that is not UTF-8, expected UTF-8 text"):
        read_predictions(path)


def test_a_sentence_must_be_of_the_corpus(tmp_path: Path) -> None:
    path = write(tmp_path, "reader_id,sentence_id,predicted\nr1,s1,0\nr1,s9,0\n")
    with pytest.raises(
        DataError,
        match=r"preds.csv:3: column 'sentence_id': found 's9', expected a sentence of corpus 'tiny'",
    ):
        read_predictions(path, corpus=CORPUS)


def test_a_text_must_agree_with_the_corpus(tmp_path: Path) -> None:
    path = write(tmp_path, "reader_id,sentence_id,predicted,text\nr1,s1,0,The dog sat.\n")
    with pytest.raises(DataError, match="expected the text of sentence 's1' in the corpus"):
        read_predictions(path, corpus=CORPUS)


def test_all_problems_are_listed_when_asked(tmp_path: Path) -> None:
    path = write(tmp_path, f"sentence_id,predicted,human,text\ns1,x,0,{TEXT}\ns1,0,0,{TEXT}\ns1,9,0,{TEXT}\n")
    problems = Problems()
    assert len(read_predictions(path, problems=problems)) == 1
    assert [error.row for error in problems.errors] == [2, 4]


def test_a_file_of_the_readers_name_needs_a_model_column(tmp_path: Path) -> None:
    path = tmp_path / "human.csv"
    path.write_text("sentence_id,predicted,human\ns1,0,0\n")
    with pytest.raises(DataError, match=r"human.csv:2: column 'model': found 'human', expected another name"):
        read_predictions(path)
    path.write_text("model,sentence_id,predicted,human\nm,s1,0,0\n")
    assert read_predictions(path)[0].model == "m"


def test_each_prediction_keeps_its_row(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "reader_id,sentence_id,fixation_index,word_index\nr,s1,0,0\nr,s1,1,2\nq,s1,0,1\nr,s1,2,3\nr,s2,0,0\n",
    )
    numbered = read_numbered(path)
    assert [row for row, _ in numbered] == [2, 4, 6]
    assert [prediction for _, prediction in numbered] == read_predictions(path)


words = st.lists(st.integers(0, 5), max_size=9).map(tuple)

name = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\x00", exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
)


@st.composite
def predictions(draw: st.DrawFn) -> list[Prediction]:
    """Draw a table whose rows are all told apart by their sample number."""
    with_extras = draw(st.booleans())
    rows = []
    for sample in range(draw(st.integers(1, 5))):
        predicted = draw(words)
        rows.append(
            Prediction(
                sentence_id=draw(name),
                predicted=predicted,
                human=draw(words),
                reader_id=draw(name),
                model=draw(name),
                setting=draw(st.sampled_from(["ns", "nr", "nrns"])),
                fold=draw(name),
                sample=sample,
                text=TEXT,
                durations=tuple(
                    draw(st.floats(10, 5000).map(lambda x: float(f"{x:.10g}"))) for _ in predicted
                )
                or None,
                log_prob=draw(st.none() | st.floats(-1e6, 0)),
                extra={"note": draw(name)} if with_extras else {},
            )
        )
    return rows


@settings(max_examples=60, deadline=None)
@given(rows=predictions(), suffix=st.sampled_from([".csv", ".parquet"]))
def test_tables_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Prediction], suffix: str
) -> None:
    path = tmp_path_factory.mktemp("round") / f"preds{suffix}"
    write_predictions(path, rows)
    assert read_predictions(path, index_base=0) == rows


@settings(max_examples=40, deadline=None)
@given(rows=predictions())
def test_json_comes_back_in_what_it_can_hold(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Prediction]
) -> None:
    path = tmp_path_factory.mktemp("round") / "preds.json"
    distinct = list({(row.reader_id, row.sentence_id): row for row in rows}.values())
    write_predictions(path, distinct)
    back = read_predictions(path)
    held = ("sentence_id", "predicted", "human", "reader_id", "text")
    assert [[getattr(p, f) for f in held] for p in back] == [[getattr(p, f) for f in held] for p in distinct]


def test_one_model_in_seconds_is_found_among_others(tmp_path: Path) -> None:
    rows = [
        f"{model},r{n},s,0 1,{ms} {ms}"
        for model, ms in (("a", 210), ("slow", 0.21), ("c", 180))
        for n in range(6)
    ]
    path = tmp_path / "preds.csv"
    path.write_text("model,reader_id,sentence_id,predicted,durations\n" + "\n".join(rows) + "\n")
    with pytest.raises(DataError) as caught:
        read_predictions(path)
    assert str(caught.value) == (
        f"{path}: column 'durations': found a median of 0.21 in model 'slow', expected milliseconds; these look "
        "like seconds, multiply them by 1000"
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_no_human_path_does_not_become_an_empty_one(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"preds{suffix}"
    humans = ((0, 1), None, ())
    write_predictions(path, [Prediction(f"s{n}", (0,), human) for n, human in enumerate(humans)])
    assert tuple(p.human for p in read_predictions(path)) == humans


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("preds.csv", "sentence_id,predicted,human\ns,0,0 1\ns,0,\ns,0,[]\n"),
        ("preds.json", '[{"sentence_id": "s", "predicted": [0], "human": %s}]'),
        ("preds.jsonl", '{"sentence_id": "s", "predicted": [0], "human": %s}'),
    ],
)
def test_a_cell_without_a_human_path_is_missing(tmp_path: Path, name: str, text: str) -> None:
    records = [text % human for human in ("[0, 1]", "null", "[]")] if "%s" in text else [text]
    joined = "\n".join(records) if name != "preds.json" else ",".join(record[1:-1] for record in records)
    (tmp_path / name).write_text(f"[{joined}]" if name == "preds.json" else joined)
    assert [p.human for p in read_predictions(tmp_path / name)] == [(0, 1), None, ()]


def test_a_result_with_nan_is_refused_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_result(path, metric_spec={"name": "nld"}, rows=[{"mean": 0.5}], provenance={})
    before = path.read_bytes()
    with pytest.raises(ValueError, match="Out of range float"):
        write_result(path, metric_spec={}, rows=[{"mean": float("nan")}], provenance={})
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["result.json"]
