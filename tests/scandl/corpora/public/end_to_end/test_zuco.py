from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from zuco_files import BOXES, FIXATIONS, TEXT, Trial, save_hdf5, save_old

from scandl.corpora.corpus import Corpus
from scandl.corpora.importers import Filters
from scandl.corpora.public.declaration import read_declaration
from scandl.corpora.public.importing import import_public
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]

WORDS = "SN NW WORD word_len"

FIX = "id sn nw wn fl dur CURRENT_FIX_INTEREST_AREA_LABEL"


EXPECTED = Scanpath("ZAB", "SR-1", (0, 0, 3, 0), (200.0, 120.0, 98.0, 102.0))


def import_zuco(folder: Path, *editions: str, filters: Filters | None = None) -> Corpus:
    return import_public(read_declaration("zuco", editions), folder, filters=filters)


@pytest.fixture(params=[save_old, save_hdf5], ids=["MATLAB 5", "HDF5"])
def save(request: pytest.FixtureRequest) -> Callable[[Path, list[Trial]], None]:
    return request.param  # type: ignore[no-any-return]


Save = Callable[[Path, list[Trial]], None]


def test_fixations_go_to_the_first_box_that_holds_them_and_samples_become_ms(
    save: Save, tmp_path: Path
) -> None:
    save(tmp_path / "resultsZAB_SR.mat", [(TEXT, BOXES, FIXATIONS), ("Two words", BOXES[:2], [(12, 1, 10)])])
    corpus = import_zuco(tmp_path, "SR")
    assert corpus.scanpaths == (EXPECTED, Scanpath("ZAB", "SR-2", (1,), (20.0,)))
    assert corpus.sentences["SR-1"].text == TEXT
    assert corpus.card.dropped == {"fixations outside every word": 1}


def test_a_sentence_is_called_by_its_task_and_number(save: Save, tmp_path: Path) -> None:
    one: Trial = ("One two", BOXES[:2], [(5, 5, 50), (12, 5, 50)])
    save(tmp_path / "resultsZAB_SR.mat", [one, one])
    save(tmp_path / "resultsZDM_SR.mat", [one, one, ("Only here", BOXES[:2], [(5, 5, 50)])])
    save(tmp_path / "resultsZAB_NR.mat", [("Other text", BOXES[:2], [(5, 5, 50)]), one])
    save(tmp_path / "resultsZAB_TSR.mat", [("Third task", BOXES[:2], [(5, 5, 50)])])
    corpus = import_zuco(tmp_path)
    assert {k: s.text for k, s in corpus.sentences.items()} == {
        "NR-1": "Other text",
        "NR-2": "One two",
        "SR-1": "One two",
        "SR-2": "One two",
        "SR-3": "Only here",
    }
    assert corpus.reader_ids == ["ZAB", "ZDM"]
    assert list(import_zuco(tmp_path, "NR").sentences) == ["NR-1", "NR-2"]


def test_trials_that_cannot_be_used_are_counted(save: Save, tmp_path: Path) -> None:
    save(
        tmp_path / "resultsZAB_NR.mat",
        [
            (TEXT, BOXES, FIXATIONS),
            ("No data", BOXES[:2], None),
            ("Not enough boxes", BOXES[:2], [(5, 5, 50)]),
            ("Off text", BOXES[:2], [(99, 99, 50)]),
        ],
    )
    corpus = import_zuco(tmp_path, "NR")
    assert list(corpus.sentences) == ["NR-1"]
    assert corpus.card.dropped == {
        "trials without a recording": 1,
        "trials whose words and word boxes differ in number": 1,
        "trials without a fixation on a word": 1,
        "fixations outside every word": 2,
        "sentences that nobody read": 3,
    }


def test_one_number_is_one_sentence(save: Save, tmp_path: Path) -> None:
    save(tmp_path / "resultsA_NR.mat", [(TEXT, BOXES, FIXATIONS), ("x y", BOXES[:2], None)])
    save(
        tmp_path / "resultsB_NR.mat",
        [("Another text entirely now", BOXES, FIXATIONS), ("x y", BOXES[:2], None)],
    )
    with pytest.raises(
        DataError, match=r"resultsB_NR\.mat: found other words of text 'NR-1' than in a file before"
    ):
        import_zuco(tmp_path, "NR")


def test_the_released_filters_work_on_samples(save: Save, tmp_path: Path) -> None:
    save(tmp_path / "resultsZAB_SR.mat", [(TEXT, BOXES, FIXATIONS), ("x y", BOXES[:2], None)])
    corpus = import_zuco(tmp_path, "SR", "released-code")
    assert corpus.scanpaths[0].positions == (0, 0, 0)  # the 49 samples are gone, the 51 stay
    assert corpus.card.dropped["fixations shorter than 100 ms"] == 1
    with pytest.raises(ScandlError, match="this edition brings its own filters"):
        import_zuco(tmp_path, "released-code", filters=Filters(min_duration=1))


def tables(write: Write, folder: str, fixations: list[tuple[object, ...]]) -> Path:
    words = [(1, n, w, len(w)) for n, w in enumerate(["None", "of", "us"], start=1)] + [(2, 1, "Yes", 3)]
    write(f"{folder}/Word_Infor.csv", WORDS, words)
    return write(f"{folder}/scanpath.csv", FIX, fixations).parent


def import_tables(folder: Path) -> Corpus:
    return import_public(read_declaration("zuco-tables"), folder)


def test_the_two_tables_of_a_task(write: Write, tmp_path: Path) -> None:
    tables(write, "task1", [("ZAB", 1, 3, 1, 0.5, 60, "None"), ("ZAB", "1.0", 3, 3, 0.1, 51, "us")])
    tables(write, "task2", [("ZAB", 1, 3, 2, 0.5, 49, "of"), ("ZDM", 2, 1, 1, 0.1, 80, "Yes")])
    corpus = import_tables(tmp_path)
    assert corpus.scanpaths == (
        Scanpath("ZAB", "task1-1", (0, 2), (120.0, 102.0)),
        Scanpath("ZAB", "task2-1", (1,), (98.0,)),
        Scanpath("ZDM", "task2-2", (0,), (160.0,)),
    )
    assert corpus.sentences["task1-1"].text == "None of us"
    assert corpus.card.dropped == {"sentences that nobody read": 1}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("ZAB", 1, 3, 4, 0, 9, "us"), "scanpath.csv:2: column 'wn': found '4', expected 1..3"),
        (("ZAB", 7, 3, 1, 0, 9, "None"), "scanpath.csv:2: column 'sn': found 'task1-7', expected a sentence"),
        (("ZAB", 1, 3, 1, 0, "x", "None"), "scanpath.csv:2: column 'dur': found 'x', expected a number"),
    ],
)
def test_faulty_tables(write: Write, row: tuple[object, ...], message: str, tmp_path: Path) -> None:
    tables(write, "task1", [row])
    with pytest.raises(DataError) as caught:
        import_tables(tmp_path)
    assert message in str(caught.value)


def test_a_edition_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="zuco has no edition 'XX'; known: NR, SR, TSR, released-code"):
        import_zuco(tmp_path, "XX")


def test_rows_in_two_places_are_not_answered_with_a_flag_there_is_not(write: Write, tmp_path: Path) -> None:
    rows = [("ZAB", 1, 3, 1, 0, 9, "None"), ("ZAB", 2, 1, 1, 0, 9, "Yes"), ("ZAB", 1, 3, 2, 0, 9, "of")]
    tables(write, "task1", rows)
    with pytest.raises(DataError, match="expected them together, or a column that orders them"):
        import_tables(tmp_path)
