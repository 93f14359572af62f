"""Tables of sentences: faults are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora.importers import import_csv
from scandl.errors import ScandlError

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
