from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from scandl.corpora.importers import import_pymovements
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

pl = pytest.importorskip("polars")
pm = pytest.importorskip("pymovements")
WORDS = [("1", 1, "The"), ("1", 1, "cat"), ("1", 1, "sat."), ("1", 2, "It"), ("1", 2, "purred.")]


def aois(base: int = 0) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "trial": [t for t, _, _ in WORDS],
            "page": [p for _, p, _ in WORDS],
            "word": [w for *_, w in WORDS],
            "word_idx": [base + n for n in (0, 1, 2, 0, 1)],
            "left": [0, 40, 80, 0, 40],
            "top": [0] * 5,
            "width": [40] * 5,
            "height": [20] * 5,
        }
    )


def stimulus(base: int = 0) -> pm.stimulus.TextStimulus:
    return pm.stimulus.TextStimulus(
        aois(base),
        aoi_column="word",
        start_x_column="left",
        start_y_column="top",
        width_column="width",
        height_column="height",
        trial_column="trial",
        page_column="page",
    )


def mapped_events(base: int = 0) -> pm.Events:
    """Let pymovements itself put fixations on words."""
    events = pm.Events(
        pl.DataFrame(
            {
                "name": ["fixation", "saccade", "fixation", "fixation_ivt", "fixation"],
                "onset": [0, 150, 200, 500, 900],
                "offset": [150, 200, 420, 800, 950],
                "subject_id": [7] * 5,
                "trial": ["1"] * 5,
                "page": [1, 1, 1, 1, 2],
                "location": [[5.0, 5.0], [0.0, 0.0], [85.0, 5.0], [500.0, 500.0], [45.0, 1.0]],
            }
        )
    )
    events.map_to_aois(stimulus(base), verbose=False)
    return events


@pytest.mark.parametrize("base", [0, 1])
def test_a_dataset_whose_events_were_mapped_to_words(base: int) -> None:
    dataset = SimpleNamespace(events=(mapped_events(base),))
    corpus = import_pymovements(dataset, stimulus(base))
    assert corpus.scanpaths == (
        Scanpath("7", "1_1", (0, 2), (150.0, 220.0)),
        Scanpath("7", "1_2", (1,), (50.0,)),
    )
    assert {k: s.text for k, s in corpus.sentences.items()} == {"1_1": "The cat sat.", "1_2": "It purred."}
    assert corpus.card.dropped == {"fixations outside every word": 1}


def test_frames_of_either_kind_and_areas_without_numbers() -> None:
    areas = aois().filter(pl.col("page") == 1).select("trial", "word").to_pandas()
    events = pd.DataFrame(
        {
            "subject_id": ["a", "a"],
            "trial": ["1", "1"],
            "onset": [9, 3],
            "duration": [100, 200],
            "word_idx": [1.0, 2.0],
            "word": ["cat", "sat."],
        }
    )
    said = {"sentence_id": "trial"}
    corpus = import_pymovements(events, areas, columns=said)
    assert corpus.scanpaths == (Scanpath("a", "1", (2, 1), (200.0, 100.0)),)
    with pytest.raises(ScandlError, match="expected --index-base 0 or 1"):
        import_pymovements(events.drop(columns="word"), areas, columns=said)


def test_several_recordings() -> None:
    one, two = mapped_events(), mapped_events()
    two = pm.Events(two.frame.with_columns(subject_id=pl.lit(8)))
    corpus = import_pymovements([one, two], stimulus())
    assert corpus.reader_ids == ["7", "8"]


def test_what_is_missing_is_named() -> None:
    frame = mapped_events().frame
    with pytest.raises(
        DataError, match="events:1: found only the columns name, .*expected --column reader_id=NAME"
    ):
        import_pymovements(frame.drop("subject_id"), stimulus())
    with pytest.raises(DataError, match="events:1: column 'page': found only the columns"):
        import_pymovements(frame.drop("page"), stimulus())
    with pytest.raises(ScandlError, match="expected a pymovements object or a frame, found int"):
        import_pymovements(3, stimulus())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "found no file, expected a Feather file"),
        (lambda whole: b"", "found File is too small to be a well-formed file, expected a Feather file"),
        (
            lambda whole: b"subject,page\n1,2\n",
            "found Not a Feather V1 or Arrow IPC file, expected a Feather",
        ),
        (lambda whole: whole[: len(whole) // 2], "found Not an Arrow file, expected a Feather file"),
        (lambda whole: whole[:-40] + bytes(40), "expected a Feather file"),
    ],
)
def test_a_broken_feather_is_one_line(
    tmp_path: Path, content: Callable[[bytes], bytes] | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from scandl.cli import main

    file, areas = tmp_path / "events.feather", tmp_path / "areas.csv"
    aois().write_csv(areas)
    if content is not None:
        mapped_events().frame.write_ipc(file, compression="uncompressed")
        file.write_bytes(content(file.read_bytes()))
    command = [
        "corpus",
        "import",
        "pymovements",
        str(file),
        "--areas",
        str(areas),
        "--out",
        str(tmp_path / "new"),
    ]
    assert main(command) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"scandl: {file}: found ")
    assert told in line


def test_a_list_in_a_cell_is_one_line() -> None:
    frame = mapped_events().frame.with_columns(onset=pl.lit([1, 2]))
    with pytest.raises(DataError, match=r"column 'onset': found '\[1, 2\]', expected a number that orders"):
        import_pymovements(frame, stimulus())


def test_saved_tables_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from scandl.cli import main

    frame = mapped_events().frame.drop("location_x", "location_y")
    frame.write_ipc(tmp_path / "events.feather", compression="uncompressed")
    aois().write_csv(tmp_path / "areas.csv")
    one = frame.filter(pl.col("page") == 1)
    one.write_csv(tmp_path / "events.csv")
    first = aois().filter(pl.col("page") == 1)
    first.write_csv(tmp_path / "areas.csv")
    for name in ("events.csv", "events.feather"):
        one.write_ipc(tmp_path / "events.feather", compression="uncompressed")
        argv = [
            "corpus",
            "import",
            "pymovements",
            str(tmp_path / name),
            "--areas",
            str(tmp_path / "areas.csv"),
            "--column",
            "sentence_id=trial",
            "--out",
            str(tmp_path / name.replace(".", "-")),
        ]
        assert main(argv) == 0, capsys.readouterr().err
        assert "1 fixations outside every word" in capsys.readouterr().out
