from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from scandl.corpora import read_corpus, write_corpus
from scandl.corpora.corpus import Corpus
from scandl.corpora.importers import Filters
from scandl.corpora.public.declaration import read_declaration
from scandl.corpora.public.importing import import_public
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]
FIX = (
    "list sentenceid shared_text CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_ID CURRENT_FIX_INTEREST_AREA_LABEL "
    "CURRENT_FIX_DURATION CURRENT_FIX_START RECORDING_SESSION_LABEL TRIAL_INDEX"
)
IA = "list sentenceid sentence IA_ID IA_LABEL TRIAL_INDEX"
SHARED, OWN = "en_1", "1987/w7_001/w7_001.1-1"
LONG = "en_2"
TEXTS = {SHARED: "The cat sat.", OWN: "None of it", LONG: "a b c d e f g h i j k"}
READERS = ["1", "2", "3", "5", "8", "13", "21"]  # List 13 is the sixth


def fix(reader: str, sentence: str, n: int, word: int | str, ms: int = 200) -> tuple[object, ...]:
    label = "." if word == "." else TEXTS[sentence].split()[int(word) - 1]
    return (reader, sentence, 1, n, word, label, ms, 1000 + n, f"ses{reader}", 4)


def ia(reader: str, sentence: str, text: str | None = None) -> list[tuple[object, ...]]:
    words = TEXTS[sentence].split()
    return [(reader, sentence, text or TEXTS[sentence], n, w, 4) for n, w in enumerate(words, start=1)]


@pytest.fixture
def metadata(write: Write) -> Path:
    rows = [(reader, "English", 20 + n) for n, reader in enumerate(READERS)]
    return write("metadata.tsv", "List L1 Age", [*rows[:3], ("4", "Arabic", 30), *rows[3:]])


def import_celer(
    fixations: Path, *_: Path, editions: Sequence[str] = (), filters: Filters | None = None
) -> Corpus:
    """Import the folder of files that were written."""
    return import_public(read_declaration("celer", editions), fixations.parent, filters=filters)


def test_first_language_readers_and_the_file_order_of_time(write: Write, metadata: Path) -> None:
    fixations = [
        fix("13", SHARED, 2, 3),
        fix("13", SHARED, 1, 1),
        fix("13", SHARED, 3, "."),
        fix("4", SHARED, 1, 2),
    ]
    areas = ia("13", SHARED) + ia("4", SHARED)
    corpus = import_celer(write("sent_fix.tsv", FIX, fixations), write("sent_ia.tsv", IA, areas), metadata)
    assert corpus.scanpaths == (Scanpath("13", SHARED, (0, 2), (200.0, 200.0)),)
    assert corpus.card.dropped == {"fixations outside every word": 1}
    assert corpus.readers == {"13": {"L1": "English", "Age": "25", "group": "L1"}}
    everyone = import_celer(
        write("sent_fix.tsv", FIX, fixations),
        write("sent_ia.tsv", IA, areas),
        metadata,
        editions=["everyone"],
    )
    assert everyone.reader_ids == ["13", "4"]
    assert [everyone.readers[key]["group"] for key in ("13", "4")] == ["L1", "L2"]
    write("metadata.tsv", "List L1 Age", [("13", "Arabic", 20)])
    with pytest.raises(
        DataError, match=r"column 'L1': found no reader with 'English', expected one of: Arabic"
    ):
        import_celer(write("sent_fix.tsv", FIX, fixations))


def test_shared_sentences_are_marked_and_kept_on_disk(write: Write, metadata: Path, tmp_path: Path) -> None:
    fixations = [fix("1", SHARED, 1, 1), fix("1", OWN, 1, 1)]
    corpus = import_celer(
        write("sent_fix.tsv", FIX, fixations),
        write("sent_ia.tsv", IA, ia("1", SHARED) + ia("1", OWN)),
        metadata,
    )
    write_corpus(corpus, tmp_path / "celer")
    again = read_corpus(tmp_path / "celer")
    assert {key: s.extra["shared"] for key, s in again.sentences.items()} == {SHARED: "1", OWN: "0"}
    assert again.by_pair["1", OWN].positions == (0,)  # "None" is a word


def test_the_released_code_skips_the_sixth_reader_and_filters(write: Write, metadata: Path) -> None:
    fixations = [
        *(fix(reader, SHARED, 1, 2) for reader in READERS),
        fix("1", OWN, 1, 1, 60),
        fix("1", OWN, 2, 1, 49),
        fix("1", OWN, 3, 3, 300),  # (b)
        *(fix("2", OWN, n, 1) for n in range(51)),  # (c)
        fix("3", LONG, 1, 4),  # (d)
        fix("5", LONG, 1, "."),  # (a)
    ]
    trials = [*((r, SHARED) for r in READERS), ("1", OWN), ("2", OWN), ("3", LONG), ("5", LONG)]
    areas = [row for reader, sentence in trials for row in ia(reader, sentence)]
    files = write("sent_fix.tsv", FIX, fixations), write("sent_ia.tsv", IA, areas), metadata
    corpus = import_celer(*files, editions=["released-code"])
    assert corpus.reader_ids == ["1", "2", "3", "5", "8", "21"]
    assert corpus.by_pair["1", OWN] == Scanpath("1", OWN, (0, 2), (109.0, 300.0))
    assert corpus.card.dropped == {
        "fixations outside every word": 1,
        "trials without a fixation on a word": 1,
        "fixations shorter than 50 ms": 1,
        "trials of more than 50 fixations": 1,
        "trials of at most one fixation on more than 10 words": 1,
        "sentences that nobody read": 1,
    }
    everything = import_celer(*files)
    assert len(everything.reader_ids) == 7
    assert everything.by_pair["1", OWN].positions == (0, 0, 2)
    assert everything.by_pair["2", OWN].n_fixations == 51
    shorter = import_celer(*files, filters=Filters(max_fixations=50))
    assert ("2", OWN) not in shorter.by_pair
    with pytest.raises(ScandlError, match="this edition brings its own filters: give no others"):
        import_celer(*files, editions=["released-code"], filters=Filters(max_fixations=5))


def test_texts_that_are_missing_or_do_not_fit_their_areas_are_counted(write: Write, metadata: Path) -> None:
    fixations = [
        fix("1", SHARED, 1, 1),
        fix("1", OWN, 1, 1),
        fix("2", OWN, 1, 1),
        fix("2", LONG, 1, 9),
        fix("2", LONG, 2, 9),
    ]
    areas = [*ia("1", SHARED), *ia("1", OWN), *ia("2", OWN)[:-1], *ia("2", LONG, ".")]
    corpus = import_celer(write("sent_fix.tsv", FIX, fixations), write("sent_ia.tsv", IA, areas), metadata)
    assert set(corpus.by_pair) == {("1", SHARED), ("1", OWN)}
    assert corpus.card.dropped == {
        "fixations in texts without words": 2,
        "trials whose words and interest areas differ in number": 1,
    }


def test_labels_with_an_embedded_tab_in_quoted_files(metadata: Path, tmp_path: Path) -> None:
    header = "\t".join(f'"{name}"' for name in IA.split())
    rows = [
        f'1\ten_1\t"The cat sat."\t{n}\t"{w}\t{w}"\t4' for n, w in enumerate(TEXTS[SHARED].split(), start=1)
    ]
    (tmp_path / "sent_ia.tsv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    (tmp_path / "sent_fix.tsv").write_text(
        FIX.replace(" ", "\t") + '\n1\ten_1\t1\t1\t2\t"cat\tcat"\t200\t1\ts\t1\n', encoding="utf-8"
    )
    corpus = import_celer(tmp_path / "sent_fix.tsv", tmp_path / "sent_ia.tsv", metadata)
    assert corpus.scanpaths[0].positions == (1,)


def test_the_four_corrections(write: Write, metadata: Path) -> None:
    long = " ".join("abcdefgh" for _ in range(5))[:43]
    given = {
        "1987/w7_019/w7_019.295-3": ("Prices fell~~.", "Prices fell."),
        "1987/w7_036/w7_036.147-43": ("Prices fell~~.", "Prices fell."),
        "1987/w7_091/w7_091.360-6": ("Prices  fell~~.", "Prices fell."),
        "1987/w7_085/w7_085.200-18": (long + "#yz", long + "yz"),
        "en_1": ("Prices  fell~~.", "Prices fell~~."),
    }
    fixations = [("1", name, 1, 1, 1, text.split()[0], 200, 1, "s", 4) for name, (_, text) in given.items()]
    areas = [
        ("1", name, raw, n, word, 4)
        for name, (raw, text) in given.items()
        for n, word in enumerate(text.split(), start=1)
    ]
    corpus = import_celer(write("sent_fix.tsv", FIX, fixations), write("sent_ia.tsv", IA, areas))
    assert {key: sentence.text for key, sentence in corpus.sentences.items()} == {
        name: text for name, (_, text) in given.items()
    }


def test_a_zero_based_file_is_noticed(write: Write, metadata: Path) -> None:
    rows = [("1", SHARED, 1, n, n, w, 200, n, "s", 1) for n, w in enumerate(["The", "cat", "sat."])]
    with pytest.raises(ScandlError, match="--index-base 1 contradicts the labels"):
        import_celer(write("sent_fix.tsv", FIX, rows), write("sent_ia.tsv", IA, ia("1", SHARED)), metadata)


def test_one_sentence_has_one_text(write: Write, metadata: Path) -> None:
    areas = [*ia("1", SHARED), *ia("2", SHARED, "The dog sat.")]
    with pytest.raises(
        DataError, match=r"sent_ia\.tsv:5: column 'sentence': found another text of sentence 'en_1'"
    ):
        import_celer(
            write("sent_fix.tsv", FIX, [fix("1", SHARED, 1, 1)]), write("sent_ia.tsv", IA, areas), metadata
        )


def test_a_reader_stands_once_in_the_metadata(write: Write) -> None:
    metadata = write("metadata.tsv", "List L1 Age", [("1", "English", 20), ("1", "English", 30)])
    files = write("sent_fix.tsv", FIX, [fix("1", SHARED, 1, 1)]), write("sent_ia.tsv", IA, ia("1", SHARED))
    with pytest.raises(DataError, match=r"metadata\.tsv:3: column 'List': found '1' a second time"):
        import_celer(*files, metadata)
