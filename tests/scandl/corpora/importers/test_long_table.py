from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.corpora import read_corpus
from scandl.corpora.importers import Filters, import_csv
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "s.csv"
    path.write_text("text_id,sentence,level\n01,The cat sat.,easy\n02,No,hard\n", encoding="utf-8")
    return path


def test_our_own_name_counts_from_0(write: Write, sentences: Path) -> None:
    table = write(
        "f.csv", "subject text_id word_index duration", [("r", "01", 0, 200), ("r", "01", 2, 90)], ","
    )
    corpus = import_csv(table, sentences)
    assert corpus.scanpaths == (Scanpath("r", "01", (0, 2), (200.0, 90.0)),)
    assert corpus.sentences["01"].extra == {"level": "easy"}


def test_any_other_name_is_asked_for(write: Write, sentences: Path) -> None:
    table = write("f.csv", "subject text_id word_id", [("r", "01", 1)], ",")
    with pytest.raises(ScandlError, match="expected --index-base 0 or 1"):
        import_csv(table, sentences)
    assert import_csv(table, sentences, index_base=1).scanpaths[0].positions == (0,)


def test_our_own_name_with_labels_from_1_is_noticed(write: Write, sentences: Path) -> None:
    table = write(
        "f.csv", "subject text_id word_index word", [("r", "01", 1, "The"), ("r", "01", 2, "cat")], ","
    )
    with pytest.raises(ScandlError, match="--index-base 0 contradicts the labels"):
        import_csv(table, sentences)


def test_published_simulations_are_read_as_they_are(shared: Callable[[str], Path]) -> None:
    folder = shared("mertzen")
    corpus = import_csv(folder / "simulated_swift.csv", folder / "sentences.csv")
    assert (len(corpus.scanpaths), sum(p.n_fixations for p in corpus.scanpaths)) == (768, 13_079)
    human = import_csv(folder / "fixations.csv", folder / "sentences.csv")
    assert human.scanpaths == read_corpus(folder).scanpaths


@pytest.mark.parametrize("durations", [(210, "", 30), ("", "", "")])
def test_durations_are_counted_when_lost_and_needed_by_a_filter(
    write: Write, sentences: Path, durations: tuple[object, ...]
) -> None:
    rows = [("r", "01", n, ms) for n, ms in enumerate(durations)] + [("q", "01", 1, 250)]
    table = write("f.csv", "subject text_id word_index duration", rows, ",")
    corpus = import_csv(table, sentences)
    assert [path.durations for path in corpus.scanpaths] == [None, (250.0,)]
    lost = sum(ms != "" for ms in durations)
    assert corpus.card.dropped.get("durations of trials in which another fixation has none", 0) == lost
    with pytest.raises(
        ScandlError, match="below 50 ms needs the duration of each .* reader 'r' lacks one on"
    ):
        import_csv(table, sentences, filters=Filters(min_duration=50))


def test_a_header_alone_is_not_asked_for_its_base(write: Write, sentences: Path) -> None:
    with pytest.raises(DataError, match="found a header and no rows"):
        import_csv(write("f.csv", "subject text_id word_id", [], ","), sentences)


SPELLINGS = {
    "reader_id": "Subject SUBJ subj_id Subject-Nr participant PARTICIPANT_NO ppt VP vpn Reader List",
    "sentence_id": "SentenceID sentence.nr Sent_ID text-id Item ITEM_NO item_number Trial TRIAL_INDEX trial-nr",
    "fixation_index": "fix_nr FixNum FIXATION_NUMBER Fix_Start onset",
    "duration_ms": "Duration DUR fix_dur FixationDuration CURRENT_FIX_DURATION",
    "word_index": "WordID WORD_NR wordnum IA_ID aoi",
}


@pytest.mark.parametrize(("meaning", "name"), [(m, n) for m, row in SPELLINGS.items() for n in row.split()])
def test_the_usual_spellings_are_known(write: Write, sentences: Path, meaning: str, name: str) -> None:
    names = {m: m for m in SPELLINGS} | {meaning: name}
    rows = [("r", "01", 1, 90, 1), ("r", "01", 0, 200, 0)]
    table = write("f.csv", ",".join(names.values()), rows, ",")
    corpus = import_csv(table, sentences, index_base=0)
    assert corpus.scanpaths == (Scanpath("r", "01", (0, 1), (200.0, 90.0)),)


def raw_files(folder: Path) -> tuple[Path, Path]:
    """Write an experiment as a laboratory has it: item × condition, odd names, columns of everything."""
    header = "Subject,Age,List,Trial,Item,Condition,Word,Dur,X,Eye"
    rows = [
        f"{who},{age},{which},{trial},{item},{condition},{word},{200 + word},{31.5 * word},R"
        for who, age, which, cells in (
            ("p1", 21, "A", ((1, "easy"), (2, "hard"))),
            ("p2", 34, "B", ((2, "easy"), (1, "hard"))),
        )
        for trial, (item, condition) in enumerate(cells, start=1)
        for word in (1, 2, 3)
    ]
    (folder / "raw.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    texts = [
        f"{item},{condition},The {adjective} {noun}."
        for item, noun in ((1, "cat"), (2, "dog"))
        for condition, adjective in (("easy", "old"), ("hard", "aged"))
    ]
    (folder / "texts.csv").write_text("\n".join(["Item,Condition,Sentence", *texts]) + "\n", encoding="utf-8")
    return folder / "raw.csv", folder / "texts.csv"


def test_versions_of_items_conditions_ages_and_lists_are_kept_and_the_rest_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(file) for file in raw_files(tmp_path)]
    said = ["--column", "sentence_id=Item+Condition", "--column", "word_index=Word", "--index-base", "1"]
    out = tmp_path / "corpus"
    assert main(["corpus", "import", "csv", *files, *said, "--out", str(out)]) == 0
    corpus = read_corpus(out)
    assert corpus.sentences["1_hard"].text == "The aged cat."
    assert corpus.sentences["1_hard"].item_id == "1"
    assert corpus.sentences["1_hard"].extra["Condition"] == "hard"
    assert corpus.readers == {"p1": {"Age": "21", "List": "A"}, "p2": {"Age": "34", "List": "B"}}
    printed = capsys.readouterr().out
    for line in (
        "columns: reader_id is Subject, sentence_id is Item+Condition, word_index is Word, duration_ms is Dur",
        "columns left out, different between fixations: X",
        "columns left out, the same in every row: Eye",
    ):
        assert line in printed
    header = files and Path(files[0]).read_text(encoding="utf-8").splitlines()[0]
    assert all(name in printed for name in header.split(","))  # nothing is dropped without being named


def test_excel_utf16_and_csv_make_the_same_corpus(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="scandl[excel] is not installed")
    raw, texts = raw_files(tmp_path)
    book = openpyxl.Workbook()
    for line in raw.read_text(encoding="utf-8").splitlines():
        book.active.append([float(c) if c.replace(".", "").isdigit() else c for c in line.split(",")])
    book.save(tmp_path / "raw.xlsx")
    (tmp_path / "raw16.csv").write_text(raw.read_text(encoding="utf-8"), encoding="utf-16")
    columns = {"sentence_id": "Item+Condition", "word_index": "Word"}
    one, two, three = (
        import_csv(tmp_path / file, texts, columns=columns, index_base=1)
        for file in ("raw.csv", "raw.xlsx", "raw16.csv")
    )
    assert one == two == three


def test_a_column_of_whole_texts_is_no_label(write: Write, sentences: Path) -> None:
    table = write("f.csv", "subject text_id word_index text", [("r", "01", 0, "The cat sat.")], ",")
    corpus = import_csv(table, sentences)
    assert corpus.scanpaths[0].positions == (0,)
    assert "columns left out, the texts have their own: text" in corpus.card.notes


@pytest.mark.parametrize("codec", ["cp1252", "utf-8-sig", "utf-16"])
def test_a_table_of_german_excel(tmp_path: Path, codec: str) -> None:
    """Semicolons, decimal commas, German names; an age and a condition."""
    fixations, sentences = tmp_path / "f.csv", tmp_path / "s.csv"
    fixations.write_bytes(
        "Versuchsperson;Alter;Satznummer;Bedingung;Fixationsnummer;Wortnummer;Dauer\n"
        "Jörg;21;1;schwer;2;2;180,25\nJörg;21;1;schwer;1;1;210,5\nJörg;21;2;leicht;1;1;90\n"
        "Anna;34;2;leicht;1;1;99\nAnna;34;1;schwer;1;1;99\n".encode(codec)
    )
    sentences.write_bytes("Satznummer;Wortlaut\n1;Große Männer sahen\n2;Ja\n".encode(codec))
    corpus = import_csv(fixations, sentences, index_base=1)
    assert corpus.by_pair["Jörg", "1"] == Scanpath("Jörg", "1", (0, 1), (210.5, 180.25))
    assert corpus.readers["Jörg"]["Alter"] == "21"
    assert corpus.sentences["2"].extra["Bedingung"] == "leicht"
    fixations.write_bytes(fixations.read_bytes().decode(codec).replace("210,5", "1,210").encode(codec))
    with pytest.raises(DataError, match="column 'Dauer': found '1,210', expected milliseconds"):
        import_csv(fixations, sentences, index_base=1)


def test_names_that_a_tool_made_numbers_of(write: Write) -> None:
    table = write("f.csv", "Subject Item WordID", [("r", "1.0", "1.0"), ("r", "12.0", "NA")], ",")
    corpus = import_csv(table, write("t.csv", "Item text", [("1", "Yes."), ("12", "No.")], ","), index_base=1)
    assert corpus.scanpaths == (Scanpath("r", "1", (0,)),)
    assert corpus.card.dropped["fixations outside every word"] == 1


def test_what_r_writes_by_default_is_not_taken_for_csv(tmp_path: Path, sentences: Path) -> None:
    table = tmp_path / "f.txt"
    table.write_text('"Subject" "Item" "WordID"\n"1" "r" 1 1\n')
    with pytest.raises(DataError, match=r"f\.txt:1: found .*expected columns apart by tab, comma, semicolon"):
        import_csv(table, sentences)
    table.write_text("Subject|Item|WordID\nr|01|1\n")
    assert import_csv(table, sentences, index_base=1).scanpaths[0].positions == (0,)
    table.write_text("Subject,Subject,Item,WordID\nr,r,01,1\n")
    with pytest.raises(DataError, match="column 'Subject': found two columns of this name, expected one"):
        import_csv(table, sentences)


def test_advice_calls_the_text_as_the_other_table_does(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("Leser,Folge,Nr,Stelle\nA,1,1,1\nA,2,1,2\nB,1,2,1\n")
    (tmp_path / "s.csv").write_text("Nr,Inhalt\n1,Der Mann\n2,Ja\n")
    with pytest.raises(ScandlError) as caught:
        import_csv(tmp_path / "f.csv", tmp_path / "s.csv")
    advice = str(caught.value).split("probably: ")[1]
    assert "--column reader_id=Leser --column sentence_id=Nr" in advice
    said = dict(flag.split("=") for flag in advice.replace("--column ", "").split()[:-2])
    assert import_csv(tmp_path / "f.csv", tmp_path / "s.csv", columns=said, index_base=1).reader_ids == [
        "A",
        "B",
    ]
