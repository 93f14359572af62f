from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus, read_corpus, write_corpus
from scandl.corpora.corpus_folder import find_corpus, open_corpus
from scandl.errors import DataError, ScandlError
from scandl.files.tables import Problems
from scandl.records import Scanpath, Sentence

Folder = Callable[..., Path]


def same(a: Corpus, b: Corpus) -> bool:
    """Compare what the files hold: a reader's and a sentence's order in time, not trial by trial."""
    return (a.card, dict(a.sentences), set(a.scanpaths), a.words, a.readers) == (
        b.card,
        dict(b.sentences),
        set(b.scanpaths),
        b.words,
        b.readers,
    )


@pytest.mark.parametrize("form", ["csv", "parquet"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_corpus_comes_back_as_it_was(
    form: str, corpora: Callable[[], st.SearchStrategy[Corpus]], data: st.DataObject
) -> None:
    corpus = data.draw(corpora())
    with tempfile.TemporaryDirectory() as name:
        write_corpus(corpus, Path(name) / "c", form=form)
        assert same(read_corpus(Path(name) / "c"), corpus)


def test_the_real_corpora_come_back_as_they_are(shared: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("schilling", "onestop-sample"):
        corpus = read_corpus(shared(name))
        write_corpus(corpus, tmp_path / name)
        assert read_corpus(tmp_path / name) == corpus
        ours, theirs = (root / "fixations.csv" for root in (tmp_path / name, shared(name)))
        assert sorted(ours.read_bytes().splitlines()) == sorted(theirs.read_bytes().splitlines())


def test_identifiers_are_text(folder: Folder) -> None:
    corpus = read_corpus(folder())
    assert corpus.reader_ids == ["01", "1"]
    assert corpus.by_pair["01", "s1"].positions == (0, 2)
    assert corpus.by_pair["1", "s1"].durations is None
    assert corpus.by_pair["1", "s2"].durations == (99.0,)


def test_rows_may_stand_in_any_order(folder: Folder) -> None:
    rows = "reader_id,sentence_id,fixation_index,word_index\nr,s1,1,2\nr,s2,0,1\nr,s1,0,0\n"
    corpus = read_corpus(folder(fixations__csv=rows))
    assert corpus.by_pair["r", "s1"].positions == (0, 2)


def test_spreadsheets_marks_and_line_ends_do_not_matter(folder: Folder) -> None:
    root = folder()
    expected = read_corpus(root)
    for name in ("sentences.csv", "fixations.csv", "corpus.toml"):
        text = (root / name).read_text(encoding="utf-8").replace("\n", "\r\n")
        (root / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_corpus(root) == expected


HEAD = "reader_id,sentence_id,fixation_index,word_index,duration_ms\n"
FAULTS = [
    ({"corpus__toml": None}, "corpus.toml: found no file, expected corpus.toml with at least a name"),
    (
        {"corpus__toml": "kind = 'human'\n"},
        "corpus.toml: column 'name': found nothing, expected the name of the corpus",
    ),
    ({"corpus__toml": "name = 3\n"}, "corpus.toml: column 'name': found 3, expected the name of the corpus"),
    ({"corpus__toml": "name"}, "corpus.toml: found Expected '=' after a key"),
    ({"corpus__toml": 'name="x"\nkind="robot"'}, "column 'kind': found 'robot', expected human or simulated"),
    (
        {"corpus__toml": 'name="x"\nfirst_fixation="cut"'},
        "column 'first_fixation': found 'cut', expected whole or truncated",
    ),
    (
        {"corpus__toml": 'name="x"\n[dropped]\nwhy="many"'},
        "column 'dropped': found \"{'why': 'many'}\", expected a table of whole numbers",
    ),
    ({"sentences__csv": "sentence_id,sentence\n"}, "sentences.csv:1: column 'text': found only the columns"),
    (
        {"sentences__csv": "sentence_id,text\ns1,a b c\ns2,a b\ns1,c\n"},
        "sentences.csv:4: column 'sentence_id': found 's1' a second time, expected each sentence once",
    ),
    (
        {"sentences__csv": "sentence_id,text\ns1,a b c\ns2,a b\n,c\n"},
        "sentences.csv:4: column 'sentence_id': found nothing, expected each sentence once, with an id",
    ),
    (
        {"sentences__csv": "sentence_id,text\ns1,a b c\ns2,a b\ns3, \n"},
        "sentences.csv:4: column 'text': found ' ', expected a sentence of at least one word",
    ),
    ({"fixations__csv": ""}, "fixations.csv:1: found an empty file, expected a header line"),
    (
        {"fixations__csv": HEAD + ",s1,0,0,1\n"},
        "fixations.csv:2: column 'reader_id': found nothing, expected an identifier",
    ),
    (
        {"fixations__csv": HEAD + "r,s9,0,0,1\n"},
        "fixations.csv:2: column 'sentence_id': found 's9', expected a sentence of sentences.csv",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,1\nr,s1,1,3,1\n"},
        "fixations.csv:3: column 'word_index': found '3', expected a position 0..2 of sentence 's1'",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,-1,1\n"},
        "fixations.csv:2: column 'word_index': found '-1', expected a whole number from 0",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,²,0,1\n"},
        "fixations.csv:2: column 'fixation_index': found '²', expected a whole number from 0",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,0\n"},
        "fixations.csv:2: column 'duration_ms': found '0', expected milliseconds above 0 and at most 60,000, or nothing",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,long\n"},
        "fixations.csv:2: column 'duration_ms': found 'long', expected milliseconds above 0 and at most 60,000, or nothing",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,1\nr,s1,2,0,1\n"},
        "fixations.csv:3: column 'fixation_index': found 2 for reader 'r', sentence 's1', "
        "expected 0, 1, 2 … without gap or repetition",
    ),
    (
        {"words__csv": "sentence_id,word_index,cloze\ns9,0,1\n"},
        "words.csv:2: column 'sentence_id': found 's9', expected a sentence of sentences.csv",
    ),
    (
        {"words__csv": "sentence_id,word_index,cloze\ns2,²,1\n"},
        "words.csv:2: column 'word_index': found '²', expected a position 0..1 of sentence 's2'",
    ),
    (
        {"words__csv": "sentence_id,word_index,cloze\ns2,0,1\ns2,0,2\n"},
        "words.csv:3: column 'word_index': found word 0 of sentence 's2' a second time, expected each word",
    ),
    (
        {"words__csv": "sentence_id,word_index,cloze\ns2,0,1\n"},
        "words.csv: column 'word_index': found no row for word 1 of sentence 's2', expected every word",
    ),
    (
        {"readers__csv": "reader_id,age\n1,20\n1,30\n"},
        "readers.csv:3: column 'reader_id': found '1' a second time, expected each reader once, with an id",
    ),
    *(
        (
            {"sentences__csv": f"sentence_id,text\ns1,a b{sign} c\ns2,a b\n"},
            f"sentences.csv:2: column 'text': found {f'a b{sign} c'!r}, expected text without control characters",
        )
        for sign in ("\x00", "\x01", "\x08", "\x1b", "\ufffe", "\uffff")
    ),
    (
        {"sentences__csv": "sentence_id,text\ns1,a b c\ns2\x1b[2J,a b\n"},
        "sentences.csv:3: column 'sentence_id': found 's2\\x1b[2J', expected an identifier without line breaks",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,1\nr\x00,s1,0,0,1\n"},
        "fixations.csv:3: column 'reader_id': found 'r\\x00', expected an identifier without line breaks",
    ),
    (
        {"corpus__toml": 'name = "a\\u001b[2J"'},
        "corpus.toml: column 'name': found 'a\\x1b[2J', expected the name of the corpus, without control",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,1_0\n"},
        "fixations.csv:2: column 'duration_ms': found '1_0', expected milliseconds above 0 and at most 60,000, or nothing",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0,0,٣\n"},
        "fixations.csv:2: column 'duration_ms': found '٣', expected milliseconds above 0 and at most 60,000, or nothing",
    ),
    (
        {"fixations__csv": HEAD + "r,s1,0," + "9" * 5000 + ",1\n"},
        "fixations.csv:2: column 'word_index': found '9999",
    ),
    (
        {"readers__csv": "reader_id,age\n,20\n"},
        "readers.csv:2: column 'reader_id': found nothing, expected each reader once, with an id",
    ),
]


@pytest.mark.parametrize(("files", "message"), FAULTS)
def test_faults_name_file_row_column_and_what_was_expected(
    folder: Folder, files: dict[str, str | None], message: str
) -> None:
    root = folder(**files)
    with pytest.raises(DataError) as caught:
        read_corpus(root)
    assert str(caught.value).startswith(str(root))
    assert message in str(caught.value)
    problems = Problems()
    read_corpus(root, problems)
    assert message in " ".join(map(str, problems.errors))


def test_all_faults_of_all_files_are_collected(folder: Folder) -> None:
    root = folder(
        corpus__toml="kind = 'human'",
        fixations__csv=HEAD + "r,s1,0,7,1\nr,s2,0,0,1\nr,s3,0,0,1\n",
        readers__csv="id\n1\n",
    )
    problems = Problems()
    corpus = read_corpus(root, problems)
    assert [Path(error.path).name for error in problems.errors] == [
        "corpus.toml",
        "fixations.csv",
        "fixations.csv",
        "readers.csv",
    ]
    assert [error.row for error in problems.errors] == [None, 2, 4, 1]
    assert [path.sentence_id for path in corpus.scanpaths] == ["s2"]


def test_two_truths_are_refused(folder: Folder) -> None:
    root = folder()
    (root / "fixations.parquet").write_bytes(b"")
    with pytest.raises(DataError, match=r"both fixations\.csv and fixations\.parquet.*expected one of them"):
        read_corpus(root)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no folder"):
        read_corpus(tmp_path / "absent")


def test_a_failed_write_leaves_the_old_corpus(folder: Folder, tmp_path: Path) -> None:
    corpus = read_corpus(folder())
    write_corpus(corpus, tmp_path / "out")
    broken = replace(corpus, words={"cloze": {"absent": ("1",)}})
    with pytest.raises(KeyError):
        write_corpus(broken, tmp_path / "out")
    assert read_corpus(tmp_path / "out") == corpus
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "toy"]


def test_what_could_not_be_read_again_is_not_written(folder: Folder, tmp_path: Path) -> None:
    corpus = read_corpus(folder())
    ill = {**corpus.sentences, "s1": replace(corpus.sentences["s1"], text="a \x00 b")}
    with pytest.raises(
        DataError,
        match=r"out/sentences.csv:2: column 'text': found 'a \\x00 b', expected text without control characters, "
        "its words of at most 10,000 letters; it was not written",
    ):
        write_corpus(replace(corpus, sentences=ill), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"durations": (70_000.0,)}, "fixations.csv:2: column 'duration_ms': found '70000'"),
        (
            {"durations": (0.2,) * 12, "positions": (0,) * 12},
            "fixations.csv: column 'duration_ms': found a median",
        ),
        ({"reader_id": "a\nb"}, "fixations.csv:2: column 'reader_id': found 'a\\\\nb'"),
        ({"positions": (99,)}, "fixations.csv:2: column 'word_index': found '99'"),
    ],
)
def test_what_check_refuses_is_not_written(
    folder: Folder, tmp_path: Path, change: dict[str, object], fault: str
) -> None:
    corpus = read_corpus(folder())
    path = replace(corpus.scanpaths[0], positions=(0,), durations=None)
    with pytest.raises(DataError, match=f"out/{fault}.*; it was not written"):
        write_corpus(replace(corpus, scanpaths=(replace(path, **change),), readers={}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("cell", ["many", "", "nan"])
def test_a_word_column_that_holds_no_number_names_the_cell(folder: Folder, cell: str) -> None:
    table = f"sentence_id,word_index,frequency_per_million\n\ns2,0,3\ns2,1,{cell}\n"
    root = folder(words__csv=table)
    with pytest.raises(DataError) as caught:
        read_corpus(root).word_numbers("frequency_per_million")
    assert str(caught.value) == (
        f"{root / 'words.csv'}:4: column 'frequency_per_million': found {cell!r}, expected a number"
    )
    made = replace(read_corpus(root), folder=None)
    with pytest.raises(
        ScandlError, match=f"words column 'frequency_per_million': found {cell!r}, expected a"
    ):
        made.word_numbers("frequency_per_million")


def test_first_fixations_on_the_card(tmp_path: Path) -> None:
    """The key is kept when a corpus is written again, and read as what the card says."""
    corpus = Corpus(
        Card(name="c", first_fixation="truncated"),
        {"s": Sentence("s", "A dog")},
        (Scanpath("r", "s", (0, 1)),),
    )
    write_corpus(corpus, tmp_path / "c")
    assert read_corpus(tmp_path / "c").card.first_fixation == "truncated"
    write_corpus(replace(corpus, card=Card(name="c")), tmp_path / "d")
    assert "first_fixation" not in (tmp_path / "d" / "corpus.toml").read_text()


def test_names_are_found_in_order(installed: Path) -> None:
    assert find_corpus("mine") == Path("corpora/mine")
    assert find_corpus("toy") == installed / "a" / "toy"
    assert open_corpus("toy").by_pair["01", "s1"].positions == (0, 2)
    assert open_corpus(installed / "b" / "toy") == open_corpus("toy")


def test_no_folder_takes_the_name_of_the_demo(installed: Path) -> None:
    write_corpus(open_corpus("toy"), Path("demo"))
    write_corpus(open_corpus("toy"), Path("other"))
    assert open_corpus("demo").card.kind == "simulated"
    assert open_corpus("./demo").name == open_corpus(Path("demo")).name == "toy"
    assert open_corpus("other").name == "toy"


def test_an_unknown_name_says_what_there_is(installed: Path) -> None:
    with pytest.raises(ScandlError) as caught:
        open_corpus("tyo")
    assert str(caught.value) == (
        "no corpus 'tyo'; did you mean 'toy'? known: demo, mine, toy "
        "(folders are found in ./corpora and $SCANDL_CORPORA)"
    )


def test_a_folder_that_is_no_corpus_says_what_it_lacks(installed: Path) -> None:
    with pytest.raises(DataError, match=r"corpus\.toml: found no file"):
        open_corpus(installed / "a" / "not-a-corpus")
    with pytest.raises(DataError, match="found no folder"):
        open_corpus("./absent")


def test_a_public_corpus_that_is_not_here_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SCANDL_CORPORA", raising=False)
    with pytest.raises(ScandlError, match="no corpus 'schilling' here: scandl corpus fetch schilling"):
        open_corpus("schilling")
