"""Files in the documented form of each corpus, with its traps, against what they must give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scandl.corpora.corpus import Corpus
from scandl.corpora.corpus_folder import read_corpus, write_corpus
from scandl.corpora.public.declaration import read_declaration
from scandl.corpora.public.importing import OUTSIDE, import_public
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath


def write(
    path: Path, header: str, rows: Iterable[Sequence[object]], sep: str = "\t", encoding: str = "utf-8"
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [sep.join(header.split())] if header else []
    lines += [sep.join(map(str, row)) for row in rows]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


def made(name: str, folder: Path, **columns: str) -> Corpus:
    return import_public(read_declaration(name), folder, columns)


EVENTS = "Words CURRENT_FIX_DURATION CURRENT_FIX_INTEREST_AREA_ID CURRENT_FIX_START SentenceID"
ONE = [
    ("Could", 200, 1, 300, "t.01.01"),
    ("humans", 100, 2, 20, "t.01.01"),  # before it in time
    ("n/a", 50, ".", 10, "t.01.01"),
    ("n/a", 77, 9, 900, "t.01.01"),  # the sentence has two words
    ("n/a", 60, ".", 7, "UNDEFINEDnull"),
    ("Mars", 250, 10, 5, "t.01.21"),  # the label lacks the full stop
]


def reading_brain(folder: Path, reader: int = 1, rows: Sequence[Sequence[object]] = ONE) -> Path:
    return write(folder / f"sub-{reader:02}_task-read_run-1_events.tsv", EVENTS, rows)


def test_reading_brain_from_events_alone(tmp_path: Path) -> None:
    reading_brain(tmp_path)
    corpus = made("reading-brain-l1", tmp_path)
    assert corpus.scanpaths == (
        Scanpath("L1-01", "t.01.01", (1, 0), (100.0, 200.0)),
        Scanpath("L1-01", "t.01.21", (9,), (250.0,)),
    )
    texts = {key: (sentence.text, sentence.item_id) for key, sentence in corpus.sentences.items()}
    mars = "They can also show land characteristics and weather on Mars."
    assert texts == {"t.01.01": ("Could humans", "t.01"), "t.01.21": (mars, "t.01")}
    assert corpus.readers == {"L1-01": {"group": "L1"}}
    assert corpus.card.dropped == {
        "rows with another SentenceID": 1,
        OUTSIDE: 1,
        "fixations outside every word": 1,
    }
    assert corpus.card.first_fixation == "truncated"


@pytest.mark.parametrize("group", ["l1", "l2"])
def test_reading_brain_gives_the_derived_corpus(
    group: str, shared: Callable[[str], Path], tmp_path: Path
) -> None:
    dataset = {"l1": "ds003974", "l2": "ds003988"}[group]
    truth = read_corpus(shared(f"reading-brain-{group}"))
    for path in shared(f"raw/reading-brain/{dataset}").iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "sentences.csv").symlink_to(shared(f"reading-brain-{group}") / "sentences.csv")
    corpus = made(f"reading-brain-{group}", tmp_path)
    who = set(corpus.reader_ids)
    expected = [path for path in truth.scanpaths if path.reader_id in who]
    write_corpus(corpus, tmp_path / "made")
    write_corpus(replace(truth, scanpaths=tuple(expected)), tmp_path / "true")
    for table in ("fixations.csv", "sentences.csv", "readers.csv"):
        assert (tmp_path / "made" / table).read_bytes() == (tmp_path / "true" / table).read_bytes()


def test_a_word_that_nobody_fixated_is_asked_for(tmp_path: Path) -> None:
    reading_brain(tmp_path, rows=[("late", 100, 3, 1, "t.02.01"), ("a", 100, 1, 2, "t.02.01")])
    with pytest.raises(
        DataError, match=r"found no fixation on word 2 of text 't\.02\.01', expected all files"
    ):
        made("reading-brain-l1", tmp_path)


def test_an_altered_layout_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "sub-01_task-read_run-1_events.tsv", EVENTS.replace("SentenceID", "Sent"), ONE)
    with pytest.raises(DataError) as caught:
        made("reading-brain-l1", tmp_path)
    assert str(caught.value).startswith(f"{path}:1: column 'SentenceID': found only the columns Words, ")
    empty = write(tmp_path / "empty" / "x.txt", "", []).parent
    with pytest.raises(DataError, match="found no such file, expected files called sub-"):
        made("reading-brain-l1", empty)
    with pytest.raises(DataError, match="found no folder"):
        made("reading-brain-l1", tmp_path / "absent")


def test_one_reader_twice_on_a_text_is_refused(tmp_path: Path) -> None:
    reading_brain(tmp_path)
    write(tmp_path / "sub-01_task-read_run-2_events.tsv", EVENTS, ONE)
    with pytest.raises(DataError, match=r"reader 'L1-01' on text 't\.01\.01' as in a file before"):
        made("reading-brain-l1", tmp_path)


PROVO = (
    "RECORDING_SESSION_LABEL,Text_ID,CURRENT_FIX_INDEX,CURRENT_FIX_INTEREST_AREA_ID,"
    "CURRENT_FIX_INTEREST_AREA_LABEL,CURRENT_FIX_DURATION"
)


def test_provo_is_cut_into_sentences_and_its_apostrophes_are_read(tmp_path: Path) -> None:
    words = ["It", "doesn’t.", "So", "what?"]
    rows = [("sub1", 7, n, at, words[at - 1], 100 + n) for n, at in enumerate((1, 3, 2, 4), start=1)]
    rows.insert(2, ("sub1", 7, 9, ".", ".", 80))
    write(tmp_path / "Provo-Fixation_Report.csv", PROVO, rows, ",", "mac_roman")
    corpus = made("provo", tmp_path)
    assert {key: sentence.text for key, sentence in corpus.sentences.items()} == {
        "7-1": "It doesn’t.",
        "7-2": "So what?",
    }
    assert {sentence.item for sentence in corpus.sentences.values()} == {"7"}
    assert corpus.by_pair["sub1", "7-1"] == Scanpath("sub1", "7-1", (0, 1), (101.0, 103.0))
    assert corpus.readers["sub1"] == {"group": "L1", "task": "part"}


@pytest.mark.slow
def test_provo_gives_the_derived_corpora(shared: Callable[[str], Path], tmp_path: Path) -> None:
    wholes, parts = read_corpus(shared("provo-passages")), read_corpus(shared("provo"))
    some = [path for path in wholes.scanpaths if path.sentence_id in ("3", "4", "13")]
    rows = [
        (
            path.reader_id,
            path.sentence_id,
            n,
            word + 1,
            wholes.sentences[path.sentence_id].words[word],
            f"{ms:g}",
        )
        for path in reversed(some)
        for n, (word, ms) in enumerate(zip(path.positions, path.durations or (), strict=True))
    ]
    quoted = [[f'"{cell}"' for cell in row] for row in rows]
    write(tmp_path / "Fixation_Report.csv", PROVO, quoted, ",", "mac_roman")
    for name, truth in (("provo-passages", wholes), ("provo", parts)):
        corpus = made(name, tmp_path)
        assert {key: s.text for key, s in corpus.sentences.items()} == {
            key: s.text for key, s in truth.sentences.items() if key.split("-")[0] in ("3", "4", "13")
        }
        assert corpus.by_pair == {
            pair: path for pair, path in truth.by_pair.items() if pair[1].split("-")[0] in ("3", "4", "13")
        }
        assert all(s.item == s.sentence_id.split("-")[0] for s in corpus.sentences.values())


def test_mertzen_gives_the_derived_corpus(shared: Callable[[str], Path], tmp_path: Path) -> None:
    truth = read_corpus(shared("mertzen"))
    lines = [truth.sentences[str(n)].text if str(n) in truth.sentences else "filler." for n in range(1, 355)]
    write(tmp_path / "DATA" / "items.txt", "", [(line,) for line in lines])
    items = [(key, s.item_id, "1a", "no", "no") for key, s in truth.sentences.items()]
    header = "sno itemid condition distractor_animacy distractor_subjecthood"
    write(tmp_path / "DATA" / "items.csv", header, items, ",")
    for reader in truth.reader_ids[:9]:
        rows = [
            (path.sentence_id, word + 1, 1.5, f"{ms:g}", 20, 0)
            for path in truth.scanpaths
            if path.reader_id == reader
            for word, ms in zip(path.positions, path.durations or (), strict=True)
        ]
        write(tmp_path / "DATA" / f"fixseqin_{reader}-1abcd.dat", "", rows)
    corpus = made("mertzen", tmp_path)
    who = set(truth.reader_ids[:9])
    assert corpus.scanpaths == tuple(path for path in truth.scanpaths if path.reader_id in who)
    assert all(
        (s.text, s.item_id) == (truth.sentences[key].text, truth.sentences[key].item_id)
        for key, s in corpus.sentences.items()
    )


def test_the_user_can_name_a_column(tmp_path: Path) -> None:
    rows = [("sub1", 7, 1, 1, "Yes.", 100)]
    write(tmp_path / "Fixation_Report.csv", PROVO.replace("Text_ID", "Which"), rows, ",")
    with pytest.raises(ScandlError, match="--column sentence_id=NAME"):
        made("provo", tmp_path)
    assert made("provo", tmp_path, sentence_id="Which").scanpaths[0].sentence_id == "7-1"


COPCO = (
    "RECORDING_SESSION_LABEL CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_ID CURRENT_FIX_DURATION "
    "paragraphid speechid"
)


def test_copco_joins_characters_to_words(tmp_path: Path) -> None:
    words = [(1125, 0, n, word) for n, word in enumerate(["på", "tværs", "af."], start=1)]
    write(tmp_path / "P01.csv", "speechId paragraphId wordId word", words, ",")
    write(tmp_path / "P02.csv", "speechId paragraphId wordId word", words, ",")
    # på 1-2, tværs 3-7, af. 8-10; the lists of the source lack the letters that are not ASCII
    areas = [2, 3, 7, ".", 8, 10, 11]
    rows = [("P01", n, area, 100 + n, 0, 1125) for n, area in enumerate(areas)]
    practice = ("P01", 1, 3, 99, -1, 1327)
    write(tmp_path / "FIX_report_P01.txt", COPCO, [practice, *rows], encoding="latin-1")
    corpus = made("copco", tmp_path)
    assert corpus.scanpaths == (
        Scanpath("P01", "1125_0_s0", (0, 1, 1, 2, 2), (100.0, 101.0, 102.0, 104.0, 105.0)),
    )
    assert corpus.sentences["1125_0_s0"].item == "1125"
    assert corpus.card.dropped[OUTSIDE] == 1
    assert corpus.card.dropped["fixations in texts without words"] == 1


def test_texts_must_agree_between_files(tmp_path: Path) -> None:
    for n, word in ((1, "på"), (2, "paa")):
        write(tmp_path / f"P0{n}.csv", "speechId paragraphId wordId word", [(1, 0, 1, word)], ",")
    write(tmp_path / "FIX_report_P01.txt", COPCO, [("P01", 1, 1, 100, 0, 1)])
    with pytest.raises(DataError, match=r"P02\.csv: found other words of text '1_0' than in a file before"):
        made("copco", tmp_path)


def test_potec_has_sentences_of_its_own_and_counts_words_through_the_text(tmp_path: Path) -> None:
    """By its codebook: words without punctuation beside them with it, numbers as 3.0, rows on no word."""
    words = [
        ("b0", n, sentence, word, word + mark)
        for n, (sentence, word, mark) in enumerate(
            [(1, "Das", ""), (1, "ist", ""), (1, "gut", "."), (2, "Sehr", "!")], start=1
        )
    ]
    header = "text_id word_index_in_text sent_index_in_text word word_with_punct"
    write(tmp_path / "stimuli/word_features/b0.tsv", header, words)
    header = "fixation_index fixation_duration reader_id text_id sent_index_in_text word_index_in_text word"
    rows = [
        (2, 120, 0, "b0", "1.0", "3.0", "gut"),
        (1, 110, 0, "b0", "1.0", "1.0", "Das"),
        (3, 90, 0, "b0", "", "", ""),
        (4, 80, 0, "b0", "2.0", "4.0", "Sehr"),
    ]
    write(tmp_path / "eyetracking_data/scanpaths/reader0_b0_scanpath.tsv", header, rows)
    corpus = made("potec", tmp_path)
    assert corpus.scanpaths == (
        Scanpath("0", "b0_1", (0, 2), (110.0, 120.0)),
        Scanpath("0", "b0_2", (0,), (80.0,)),
    )
    assert corpus.sentences["b0_1"].text == "Das ist gut."
    assert corpus.sentences["b0_2"].item == "b0"
    assert corpus.card.dropped == {"fixations outside every word": 1}
    assert corpus.card.language == "de"


def test_mertzen_has_no_headers_and_a_text_a_line(tmp_path: Path) -> None:
    data = tmp_path / "SEAM-2023-Paper-main" / "DATA"
    write(data / "items.txt", "", [("A filler.",), ("The first version.",), ("The other version.",)])
    header = "sno itemid condition distractor_animacy distractor_subjecthood"
    write(data / "items.csv", header, [(2, 7, "1a", "no", "no"), (3, 7, "1b", "yes", "no")], ",")
    rows = [(3, 2, 0.5, 124, 21, 1), (3, 1, 2.0, 173, 0, 2), (2, 3, 1.0, 300, 0, 1)]
    write(data / "fixseqin_12-1abcd.dat", "", rows)
    write(data / "fixseqin_12-1abcd-test.dat", "", rows)  # a part of the same
    corpus = made("mertzen", tmp_path)
    assert corpus.scanpaths == (
        Scanpath("12", "2", (2,), (300.0,)),
        Scanpath("12", "3", (1, 0), (124.0, 173.0)),
    )
    assert corpus.sentences["3"].item == "7"
    assert corpus.sentences["3"].extra["condition"] == "1b"
    write(data / "fixseqin_12-1abcd.dat", "", [(3, 2, 0.5)])
    with pytest.raises(DataError, match=r"fixseqin_12-1abcd\.dat:1: found 3 fields, expected 6"):
        made("mertzen", tmp_path)


def test_onestop_as_it_is_fetched(tmp_path: Path) -> None:
    trial = "participant_id unique_paragraph_id repeated_reading_trial practice_trial"
    of = ("l1", "2_1_1_Ele", "False", "False")
    areas = [(*of, n, word) for n, word in enumerate(["He", "ran!"])]
    write(tmp_path / "a" / "ia_Paragraph.csv", f"{trial} IA_ID IA_LABEL", areas)
    columns = "CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_INDEX CURRENT_FIX_INTEREST_AREA_LABEL CURRENT_FIX_DURATION"
    write(
        tmp_path / "fixations_Paragraph.csv",
        f"{trial} {columns}",
        [(*of, 1, 2, "ran!", 200), (*of, 2, 1, "He", 90)],
    )
    corpus = made("onestop", tmp_path)
    assert corpus.scanpaths == (Scanpath("l1", "2_1_1_Ele_s0", (1, 0), (200.0, 90.0)),)
    assert corpus.card.name == "onestop"
    assert "@article{onestop2025" in corpus.card.bibtex


def schilling(truth: Corpus, folder: Path, header: str, sep: str = "\t") -> Path:
    """Write the source's form of the corpus: misnamed texts of reader 24, a broken record of reader 30."""
    words = [
        (key, sentence.n_words, n + 1, *(truth.words[name][key][n] for name in SCHILLING_WORDS), word, "[]")
        for key, sentence in truth.sentences.items()
        for n, word in enumerate(sentence.words)
    ]
    write(folder / "data/schilling-parsed-full.tsv", "sentID nw wordID length freq pred word deps", words)
    (folder / "fitting.jl").write_text("subj, item = 1, 2\n")
    rows: list[tuple[object, ...]] = []
    for path in truth.scanpaths:
        item = path.sentence_id
        if path.reader_id == "24" and item in ("1", "2"):
            item = str(int(item) + 1)
        for n, (at, ms) in enumerate(zip(path.positions, path.durations or (), strict=True), start=1):
            label = {("5", "adds"): "ads", ("31", "rag"): "rug"}.get(
                (path.sentence_id, word := truth.sentences[path.sentence_id].words[at]), word
            )
            rows.append((path.reader_id, item, 1 + (int(item) > 24), n, at + 1, label, f"{ms:g}"))
    rows += [("30", "19", 1, n, 2, "bride's", 200) for n in (27, 29, 28)]
    rows.sort(key=lambda row: int(str(row[0])))
    return write(folder / "data/fix.tsv", header, rows, sep)


SCHILLING_WORDS = ("length", "frequency_per_million", "cloze")


@pytest.mark.parametrize(
    ("header", "sep"),
    [
        ("subj item condition fixnum region label duration", "\t"),
        ("Subject sentID condition fix_index word_id token dur", ";"),
    ],
)
def test_schilling_gives_the_derived_corpus(
    shared: Callable[[str], Path], tmp_path: Path, header: str, sep: str
) -> None:
    truth = read_corpus(shared("schilling"))
    schilling(truth, tmp_path, header, sep)
    corpus = made("schilling", tmp_path)
    assert corpus.scanpaths == truth.scanpaths
    assert {key: s.text for key, s in corpus.sentences.items()} == {
        key: s.text for key, s in truth.sentences.items()
    }
    assert {name: dict(corpus.words[name]) for name in SCHILLING_WORDS} == {
        name: dict(truth.words[name]) for name in SCHILLING_WORDS
    }
    assert corpus.card.dropped == {"trials whose record begins late and is out of order": 1}


def test_a_table_that_is_not_found_by_its_columns_is_asked_for(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    truth = read_corpus(shared("schilling"))
    schilling(truth, tmp_path, "who item condition fixnum region label duration")
    with pytest.raises(DataError, match=r"fix\.tsv:1: .*--column reader_id=NAME"):
        made("schilling", tmp_path)
    assert made("schilling", tmp_path, reader_id="who").by_pair == truth.by_pair
