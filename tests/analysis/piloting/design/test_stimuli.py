"""Every fault of a stimulus file gives its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.design.stimuli import read_stimuli

GOOD = [
    "1,a,The *cat* sat down.",
    "1,b,The *lion* sat down.",
    "2,a,A *dog* ran off.",
    "2,b,A *wolf* ran off.",
]


def written(folder: Path, rows: list[str], header: str = "item_id,condition,text") -> Path:
    path = folder / "stimuli.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_stimuli_are_read(tmp_path, stimuli_frame):
    found = read_stimuli(written(tmp_path, GOOD))
    assert (found.items, found.conditions) == (("1", "2"), ("a", "b"))
    assert found.by_cell["2", "b"].text == "A wolf ran off."
    assert found.by_cell["2", "b"].region == (1, 1)
    assert found.by_cell["2", "b"].line == 5
    assert len(read_stimuli(stimuli_frame).every) == 8


def test_regions_by_position(tmp_path):
    rows = [f"{row.replace('*', '')},1" for row in GOOD]
    assert read_stimuli(written(tmp_path, rows, "item_id,condition,text,region")).by_cell[
        "1", "a"
    ].region == (1, 1)


def test_without_regions_there_is_the_sentence(tmp_path):
    assert not read_stimuli(written(tmp_path, [row.replace("*", "") for row in GOOD])).has_region


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        ({3: ""}, 4, "column 'condition': found item '2' without 'b', expected all of a, b"),
        (
            {3: "2,b,A *dog* ran off."},
            5,
            "column 'text': found the text of line 4 again, expected a text of its own",
        ),
        (
            {2: "2,a,A dog ran off."},
            4,
            "column 'text': found no critical region, expected one as in other rows",
        ),
        (
            {1: "1,b,The *lion sat down."},
            3,
            "column 'text': found 'The *lion sat down.', expected a region between",
        ),
        (
            {1: "1,a,The *lion* sat down."},
            3,
            "found item '1' in condition 'a' again, expected it once, as in line 2",
        ),
        ({0: f"1,a,*The* {'cat ' * 120}"}, 2, "column 'text': found 121 words, expected at most 100"),
        ({0: "1,,The *cat* sat down."}, 2, "column 'condition': found '', expected a value"),
    ],
)
def test_each_fault_gives_its_line(tmp_path, change, line, said):
    rows = [change.get(n, row) for n, row in enumerate(GOOD)]
    path = written(tmp_path, [row for row in rows if row])
    with pytest.raises(ScandlError) as error:
        read_stimuli(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("4", "found '4', expected words of the text, 0 to 3"),
        ("2-9", "found '2-9', expected words of the text, 0 to 3"),
        ("here", "found 'here', expected word positions such as 5 or 5-6"),
    ],
)
def test_a_region_outside_the_sentence(tmp_path, cell, said):
    rows = [f"{row.replace('*', '')},1" for row in GOOD]
    rows[3] = f"2,b,A wolf ran off.,{cell}"
    path = written(tmp_path, rows, "item_id,condition,text,region")
    with pytest.raises(ScandlError) as error:
        read_stimuli(path)
    assert str(error.value).startswith(f"{path}:5: column 'region': {said}")


def test_several_faults_are_counted(tmp_path):
    path = written(tmp_path, [GOOD[0], "1,b,The *lion sat.", "2,a,A ** dog.", "2,b,A *wolf* ran."])
    with pytest.raises(ScandlError, match=r":3: .*\(and 1 more fault\)"):
        read_stimuli(path)


def test_one_item_is_no_experiment(tmp_path):
    with pytest.raises(ScandlError, match="found 1 item, expected at least 2"):
        read_stimuli(written(tmp_path, GOOD[:2]))
