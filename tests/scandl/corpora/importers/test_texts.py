"""Tables of sentences and of areas: faults are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora.importers import import_csv, import_dataviewer
from scandl.errors import DataError, ScandlError

Write = Callable[..., Path]


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "s.csv"
    path.write_text("text_id,sentence,level\n01,The cat sat.,easy\n02,No,hard\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("text_id,sentence\n1,a\n1,b\n", "s.csv:3: column 'text_id': found '1' a second time, expected each"),
        ("text_id,sentence\n,a\n", "s.csv:2: column 'text_id': found nothing, expected each sentence once"),
        ("text_id,sentence\n1, \n", "s.csv:2: column 'sentence': found ' ', expected a sentence of at least"),
        (
            "text_id,words\n1,a\n",
            "s.csv:1: found only the columns text_id, words, expected --column text=NAME",
        ),
        (
            "words,text\n1,a\n",
            "s.csv:1: found only the columns words, text, expected --column sentence_id=NAME",
        ),
    ],
)
def test_faulty_sentences(write: Write, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "s.csv").write_text(text, encoding="utf-8")
    table = write("f.csv", "subject text_id word_index", [("r", "1", 0)], ",")
    with pytest.raises(ScandlError) as caught:
        import_csv(table, tmp_path / "s.csv")
    assert message in str(caught.value)


def test_the_encoding_is_that_of_both_tables(tmp_path: Path) -> None:
    fixations, sentences = tmp_path / "f.csv", tmp_path / "s.csv"
    fixations.write_text("reader_id,sentence_id,word_index\nZoé,s1,0\n", encoding="latin-1")
    sentences.write_text("sentence_id,text\ns1,Die Tür\n", encoding="latin-1")
    corpus = import_csv(fixations, sentences, encoding="latin-1")
    assert corpus.sentences["s1"].text == "Die Tür"
    assert corpus.scanpaths[0].reader_id == "Zoé"
    assert import_csv(fixations, sentences).scanpaths[0].reader_id == "Zoé"  # found without being told


FIX = (
    "RECORDING_SESSION_LABEL sentenceid CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_ID "
    "CURRENT_FIX_INTEREST_AREA_LABEL CURRENT_FIX_DURATION"
)

AREAS = "RECORDING_SESSION_LABEL sentenceid IA_ID IA_LABEL"

FIX_ROWS = [
    ("r1", "s1", 2, 3, "sat.", 180),  # not in order of time
    ("r1", "s1", 1, 1, "The", 200),
    ("r1", "s1", 3, ".", ".", 50),
]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("r1", "s1", 1, "ice cream")], "found 'ice cream', expected an interest area of one word"),
        ([("r1", "s1", 1, "")], "found '', expected an interest area of one word, without spaces"),
        (
            [("r1", "s1", 1, "a"), ("r1", "s1", 3, "b")],
            "a.tsv:3: column 'IA_ID': found area 3 after area 1 of the trial, expected consecutive numbers",
        ),
        ([("r1", "s1", 1, "a"), ("r1", "s1", 1, "b")], "found area 1 after area 1 of the trial"),
        (
            [("r1", "s1", 1, "a"), ("r2", "s1", 1, "b")],
            "a.tsv:3: column 'IA_LABEL': found other words for sentence 's1' than another reader has, "
            "expected the same words for every reader (a trial number is not a sentence_id",
        ),
        (
            [("r1", "s1", 1, "a"), ("r1", "s1", 2, "b"), ("r2", "s1", 1, "a")],
            "a.tsv:4: column 'IA_LABEL': found other words for sentence 's1'",
        ),
        (
            [("r1", "s1", 1, "a"), ("r2", "s1", 1, "a"), ("r2", "s1", 2, "b")],
            "column 'IA_LABEL': found other words for sentence 's1'",
        ),
    ],
)
def test_faulty_areas_are_named(write: Write, rows: list[tuple[object, ...]], message: str) -> None:
    with pytest.raises(DataError) as caught:
        import_dataviewer(write("f.tsv", FIX, FIX_ROWS), write("a.tsv", AREAS, rows))
    assert message in str(caught.value)


def test_a_table_of_words_is_a_table_of_texts(write: Write) -> None:
    """Words in order or numbered from any base; their other columns are kept with the words."""
    table = write("f.csv", "subject item region", [("r", "s1", 2), ("r", "s2", 1)], ",")
    words = [("s1", 1, "NA", 5), ("s1", 2, "cats", 7), ("s2", 1, "Yes.", 9)]
    for header, rows in (
        ("item region word freq", words),
        ("item word freq", [(key, word, n) for key, _, word, n in words]),
    ):
        corpus = import_csv(table, write("w.csv", header, rows, ","), index_base=1)
        assert {key: s.text for key, s in corpus.sentences.items()} == {"s1": "NA cats", "s2": "Yes."}
        assert corpus.words == {"freq": {"s1": ("5", "7"), "s2": ("9",)}}
        assert corpus.by_pair["r", "s1"].positions == (1,)
    odd = write("w.csv", "Nummer Nr Form", [row[:3] for row in words], ",")
    with pytest.raises(ScandlError, match="expected --column sentence_id=NAME --column text=NAME"):
        import_csv(table, odd, index_base=1)
    said = {"sentences.sentence_id": "Nummer", "sentences.word": "Form", "sentences.word_index": "Nr"}
    corpus = import_csv(table, odd, columns=said, index_base=1)
    assert corpus.sentences["s1"].text == "NA cats"


def test_versions_of_one_item_differ_by_a_column_of_the_table(write: Write) -> None:
    """The advice works when it is followed."""
    fixations = write(
        "f.csv", "subject Item Difficulty region", [("r", 1, "easy", 1), ("r", 1, "hard", 2)], ","
    )
    texts = write("t.csv", "Item Difficulty Sentence", [(1, "easy", "A cat."), (1, "hard", "A lynx.")], ",")
    with pytest.raises(DataError, match=r"--column sentence_id=Item\+Difficulty\)"):
        import_csv(fixations, texts, index_base=1)
    corpus = import_csv(fixations, texts, columns={"sentence_id": "Item+Difficulty"}, index_base=1)
    assert sorted(s.text for s in corpus.sentences.values()) == ["A cat.", "A lynx."]
