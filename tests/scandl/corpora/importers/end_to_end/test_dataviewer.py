from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scandl.corpora import Corpus, read_corpus, write_corpus
from scandl.corpora.importers import Filters, import_dataviewer
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]

FIX = (
    "RECORDING_SESSION_LABEL sentenceid CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_ID "
    "CURRENT_FIX_INTEREST_AREA_LABEL CURRENT_FIX_DURATION"
)

AREAS = "RECORDING_SESSION_LABEL sentenceid IA_ID IA_LABEL"

WORDS = ["The", "cat", "sat."]

AREA_ROWS = [("r1", "s1", n, word) for n, word in enumerate(WORDS, start=1)]

FIX_ROWS = [
    ("r1", "s1", 2, 3, "sat.", 180),  # not in order of time
    ("r1", "s1", 1, 1, "The", 200),
    ("r1", "s1", 3, ".", ".", 50),
]


def as_reports(corpus: Corpus, folder: Path, base: int = 1, area_base: int = 1) -> tuple[Path, Path]:
    """Write a corpus as Data Viewer would: 1-based, latest fixation first, with strays outside words."""
    fixations, areas = [FIX.replace(" ", "\t")], [AREAS.replace(" ", "\t")]
    for path in corpus.scanpaths:
        words = corpus.sentences[path.sentence_id].words
        who = f"{path.reader_id}\t{path.sentence_id}"
        rows = [
            f"{who}\t{2 * n + 1}\t{w + base}\t{words[w]}\t{path.durations[n] if path.durations else '.'}"
            for n, w in enumerate(path.positions)
        ]
        fixations += [f"{who}\t{2 * len(rows)}\t.\t.\t77", *rows]
        areas += [f"{who}\t{n}\t{word}" for n, word in enumerate(words, start=area_base)]
    (folder / "fix.tsv").write_text("\n".join(fixations) + "\n", encoding="utf-8")
    (folder / "ia.tsv").write_text("\n".join(areas) + "\n", encoding="utf-8")
    return folder / "fix.tsv", folder / "ia.tsv"


@pytest.mark.parametrize("name", ["schilling", "mertzen", "onestop-sample"])
def test_real_corpora_written_as_reports_come_back(
    name: str, shared: Callable[[str], Path], tmp_path: Path
) -> None:
    original = read_corpus(shared(name))
    fixations, areas = as_reports(original, tmp_path)
    by_areas = import_dataviewer(fixations, areas)
    assert set(by_areas.scanpaths) == set(original.scanpaths)
    assert {k: s.text for k, s in by_areas.sentences.items()} == {
        k: s.text for k, s in original.sentences.items()
    }
    assert by_areas.card.dropped == {"fixations outside every word": len(original.scanpaths)}
    by_table = import_dataviewer(fixations, sentences=shared(name) / "sentences.csv")
    write_corpus(by_table, tmp_path / "out")
    for file in ("sentences.csv", "fixations.csv"):
        ours, theirs = (root / file for root in (tmp_path / "out", shared(name)))
        assert sorted(ours.read_bytes().splitlines()) == sorted(theirs.read_bytes().splitlines())


_plain = st.builds(
    "{}{}{}".format,
    st.text("\"'.-", max_size=1),
    st.sampled_from("abcdefgh"),
    st.text("abcdefgh\"'.,-", max_size=3),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), base=st.sampled_from([0, 1]), area_base=st.sampled_from([0, 1]))
def test_any_corpus_written_as_reports_comes_back(
    corpora: Callable[..., st.SearchStrategy[Corpus]], data: st.DataObject, base: int, area_base: int
) -> None:
    corpus = data.draw(corpora(identifiers=st.text("abc01", min_size=1), words=_plain, with_extras=False))
    with tempfile.TemporaryDirectory() as name:
        fixations, areas = as_reports(corpus, Path(name), base, area_base)
        imported = import_dataviewer(fixations, areas, index_base=base)
    assert set(imported.scanpaths) == set(corpus.scanpaths)
    read = {path.sentence_id for path in corpus.scanpaths}
    assert {key: s.text for key, s in imported.sentences.items()} == {
        key: s.text for key, s in corpus.sentences.items() if key in read
    }
    assert sum(p.n_fixations for p in imported.scanpaths) + imported.card.dropped[
        "fixations outside every word"
    ] == sum(p.n_fixations + 1 for p in corpus.scanpaths)


def test_fixations_are_sorted_in_time_and_strays_counted(write: Write) -> None:
    corpus = import_dataviewer(write("f.tsv", FIX, FIX_ROWS), write("a.tsv", AREAS, AREA_ROWS))
    assert corpus.scanpaths == (Scanpath("r1", "s1", (0, 2), (200.0, 180.0)),)
    assert corpus.sentences["s1"].text == "The cat sat."
    assert corpus.card.dropped == {"fixations outside every word": 1}
    assert corpus.card.notes == "word numbers of the source count from 1 (labels agree for 100.0%)"


@pytest.mark.parametrize(("fixation_base", "area_base"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_bases_may_be_mixed_because_labels_decide(write: Write, fixation_base: int, area_base: int) -> None:
    fixations = [("r1", "s1", n, k + fixation_base, WORDS[k], 100) for n, k in enumerate([0, 2, 1])]
    areas = [("r1", "s1", n, word) for n, word in enumerate(WORDS, start=area_base)]
    corpus = import_dataviewer(write("f.tsv", FIX, fixations), write("a.tsv", AREAS, areas))
    assert corpus.scanpaths[0].positions == (0, 2, 1)


def test_without_labels_the_base_is_asked_for(write: Write) -> None:
    header = FIX.replace("CURRENT_FIX_INTEREST_AREA_LABEL ", "")
    path = write("f.tsv", header, [("r1", "s1", 1, 1, 200), ("r1", "s1", 2, 2, 180)])
    areas = write("a.tsv", AREAS, AREA_ROWS)
    with pytest.raises(ScandlError) as caught:
        import_dataviewer(path, areas)
    assert str(caught.value) == (
        f"{path}: column 'CURRENT_FIX_INTEREST_AREA_ID': found word numbers and no labels to compare with "
        "the words, expected --index-base 0 or 1 (what the first word is called)"
    )
    assert import_dataviewer(path, areas, index_base=0).scanpaths[0].positions == (1, 2)
    assert import_dataviewer(path, areas, index_base=1).scanpaths[0].positions == (0, 1)


def test_a_base_that_the_labels_contradict_is_refused(write: Write) -> None:
    files = write("f.tsv", FIX, FIX_ROWS), write("a.tsv", AREAS, AREA_ROWS)
    with pytest.raises(ScandlError, match=r"--index-base 0 contradicts the labels: labels agree for 0\.0%"):
        import_dataviewer(*files, index_base=0)


def test_labels_that_fit_neither_base_are_refused(write: Write) -> None:
    rows = [("r1", "s1", 1, 2, "elephant", 100)]
    with pytest.raises(ScandlError, match="expected one of them near 100 %, or --index-base 0 or 1"):
        import_dataviewer(write("f.tsv", FIX, rows), write("a.tsv", AREAS, AREA_ROWS))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            ("r1", "s1", 2, 4, "sat.", 90),
            "f.tsv:3: column 'CURRENT_FIX_INTEREST_AREA_ID': found '4', "
            "expected 1..3, a word of sentence 's1' counted from 1",
        ),
        (("r1", "s1", 2, 0, ".", 90), "found '0', expected 1..3, a word of sentence 's1' counted from 1"),
        (
            ("r1", "s1", 2, "1.5", "The", 90),
            "f.tsv:3: column 'CURRENT_FIX_INTEREST_AREA_ID': found '1.5', expected the number of a word",
        ),
        (
            ("r1", "s2", 2, 1, "The", 90),
            "f.tsv:3: column 'sentenceid': found 's2', expected a sentence whose words are known",
        ),
        (
            ("r1", "s1", 1, 1, "The", 90),
            "f.tsv:3: column 'CURRENT_FIX_INDEX': found 1 twice in one trial, expected each number once",
        ),
        (
            ("r1", "s1", "b", 1, "The", 90),
            "f.tsv:3: column 'CURRENT_FIX_INDEX': found 'b', expected a number that orders the fixations",
        ),
        *(
            (
                ("r1", "s1", cell, 1, "The", 90),
                f"column 'CURRENT_FIX_INDEX': found '{cell}', expected a number",
            )
            for cell in ("1_0", "inf", "-inf", "nan", "1e999")
        ),
        (
            ("r1", "s1", 2, 1, "The", 60_001),
            "f.tsv:3: column 'CURRENT_FIX_DURATION': found '60001', expected milliseconds above 0 and at most",
        ),
        (
            ("r1", "s1", 2, 1, "The", -5),
            "f.tsv:3: column 'CURRENT_FIX_DURATION': found '-5', expected milliseconds above 0",
        ),
        (
            (".", "s1", 2, 1, "The", 90),
            "f.tsv:3: column 'RECORDING_SESSION_LABEL': found '.', expected an identifier",
        ),
    ],
)
def test_faulty_rows_are_named(write: Write, row: tuple[object, ...], message: str) -> None:
    rows = [("r1", "s1", 1, 2, "cat", 100), row]
    rows += [("r1", "s1", n, 3, "sat.", 100) for n in range(3, 20)]  # enough labels to be sure of the base
    with pytest.raises(DataError) as caught:
        import_dataviewer(write("f.tsv", FIX, rows), write("a.tsv", AREAS, AREA_ROWS))
    assert message in str(caught.value)


@pytest.mark.parametrize("missing", [".", "-1", "", "NA", "nan"])
def test_every_way_to_say_no_word_is_dropped_and_counted(write: Write, missing: str) -> None:
    rows = [*FIX_ROWS[:2], ("r1", "s1", 3, missing, ".", 50)]
    corpus = import_dataviewer(write("f.tsv", FIX, rows), write("a.tsv", AREAS, AREA_ROWS))
    assert corpus.card.dropped == {"fixations outside every word": 1}


def test_without_an_order_the_rows_of_a_trial_must_stand_together(write: Write) -> None:
    header = FIX.replace("CURRENT_FIX_INDEX ", "")
    areas = write("a.tsv", AREAS, [*AREA_ROWS, *(("r2", *row[1:]) for row in AREA_ROWS)])
    rows = [("r1", "s1", 3, "sat.", 1), ("r1", "s1", 1, "The", 2), ("r2", "s1", 2, "cat", 3)]
    corpus = import_dataviewer(write("f.tsv", header, rows), areas)
    assert [path.positions for path in corpus.scanpaths] == [(2, 0), (1,)]
    again = [*rows, ("r1", "s1", 1, "The", 2)]
    with pytest.raises(DataError, match=r"found rows of reader 'r1' on this sentence in two places"):
        import_dataviewer(write("f.tsv", header, again), areas)


def test_a_trial_without_a_fixation_on_a_word_and_an_unread_sentence_are_counted(write: Write) -> None:
    rows = [*FIX_ROWS, ("r2", "s1", 1, ".", ".", 50)]
    areas = [*AREA_ROWS, ("r1", "s2", 1, "Unread.")]
    corpus = import_dataviewer(write("f.tsv", FIX, rows), write("a.tsv", AREAS, areas))
    assert corpus.card.dropped == {
        "fixations outside every word": 2,
        "trials without a fixation on a word": 1,
        "sentences that nobody read": 1,
    }
    assert list(corpus.sentences) == ["s1"]


def test_columns_can_be_named_and_files_can_be_csv(write: Write) -> None:
    fixations = write("f.csv", "VP item_no t region label dur", [("01", "s1", 7, 1, "The", 200)], sep=",")
    areas = write("a.csv", "item_no IA_ID IA_LABEL", [row[1:] for row in AREA_ROWS], sep=",")
    said = {"reader_id": "VP", "sentence_id": "item_no", "fixation_index": "t", "duration_ms": "dur"}
    corpus = import_dataviewer(fixations, areas, columns=said)
    assert corpus.scanpaths == (Scanpath("01", "s1", (0,), (200.0,)),)
    with pytest.raises(DataError, match="column 'VPN': found only the columns"):
        import_dataviewer(fixations, areas, columns=said | {"reader_id": "VPN"})


def test_a_report_without_durations_has_none(write: Write) -> None:
    header = FIX.replace(" CURRENT_FIX_DURATION", "")
    corpus = import_dataviewer(
        write("f.tsv", header, [r[:-1] for r in FIX_ROWS]), write("a.tsv", AREAS, AREA_ROWS)
    )
    assert corpus.scanpaths[0].durations is None


def test_words_that_look_like_missing_values_are_words(write: Write) -> None:
    areas = [("r1", "s1", 1, "NA"), ("r1", "s1", 2, "None"), ("r1", "s1", 3, "nan")]
    rows = [("r1", "s1", 1, 2, "None", 100), ("r1", "s1", 2, 3, "nan", 100)]
    corpus = import_dataviewer(write("f.tsv", FIX, rows), write("a.tsv", AREAS, areas), index_base=1)
    assert corpus.sentences["s1"].text == "NA None nan"
    assert corpus.scanpaths[0].positions == (1, 2)


def test_nothing_left_is_an_error(write: Write) -> None:
    files = write("f.tsv", FIX, FIX_ROWS), write("a.tsv", AREAS, AREA_ROWS)
    with pytest.raises(
        ScandlError, match=r"nothing is left to import \(1 fixations outside every word, 2 fix"
    ):
        import_dataviewer(*files, filters=Filters(min_duration=500))
    with pytest.raises(ScandlError, match="expected either an interest-area report or --sentences"):
        import_dataviewer(files[0])
