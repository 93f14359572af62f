"""Every fault of a stimulus file gives its line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.planned_regression import planned
from scandl_analysis.piloting.stimuli import (
    balance_note,
    latin_square,
    list_rows,
    read_marks,
    read_positions,
    read_stimuli,
)

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


def test_factors_of_the_contrast_make_the_conditions(tmp_path):
    rows = [
        f"{i},{a},{b},The {w} *{a}{b}* ran." for i, w in ((1, "cat"), (2, "dog")) for a in "xy" for b in "uv"
    ]
    path = written(tmp_path, rows, "Item,gender,distance,text")
    found = read_stimuli(path, "gender*distance")
    assert found.conditions == ("x u", "x v", "y u", "y v")
    assert found.factor("gender") == {"x u": "x", "x v": "x", "y u": "y", "y v": "y"}
    plan = planned(found, "gender*distance")
    assert plan.contrasts.names == ("gender y − x", "distance v − u", "gender × distance")
    with pytest.raises(ScandlError, match="column 'condition': found only the columns"):
        read_stimuli(path)


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


@pytest.mark.parametrize(
    ("marked", "region"),
    [
        ("*One* two three.", (0, 0)),
        ("One two *three.*", (2, 2)),
        ("One two *three*.", (2, 2)),
        ("One [two three] four.", (1, 2)),
        ("One  “*two*,” three", (1, 1)),
        ("One two", None),
    ],
)
def test_marks(marked, region):
    text, found = read_marks(marked)
    assert found == region
    assert not set("*[]") & set(text)
    assert text == " ".join("".join(sign for sign in marked if sign not in "*[]").split())


@pytest.mark.parametrize(
    ("marked", "why"),
    [
        ("*One* two *three*", "one marked region"),
        ("One *two three", "a region between two marks"),
        ("One ** two", "a word between the marks"),
        ("One two] three", "a region between two marks"),
    ],
)
def test_what_is_no_region_is_said(marked, why):
    with pytest.raises(ValueError, match=why):
        read_marks(marked)


@pytest.mark.parametrize("cell", ["x", "6-5", "-1", "5 7 8", "1.5", ""])
def test_positions_that_are_none(cell):
    with pytest.raises(ValueError, match="word positions such as 5 or 5-6"):
        read_positions(cell)


@pytest.mark.parametrize(("items", "conditions"), [(8, 2), (40, 4), (9, 3)])
def test_every_version_stands_in_one_list_and_every_list_is_balanced(items, conditions):
    square = latin_square(items, conditions)
    assert square.shape == (conditions, items)
    for item in square.T:
        assert sorted(item) == list(range(conditions))
    for one in square:
        assert set(np.bincount(one)) == {items // conditions}


def test_lists_as_a_table(stimuli_frame):
    rows = list_rows(read_stimuli(stimuli_frame))
    assert Counter(row["list"] for row in rows) == {1: 4, 2: 4}
    assert Counter((row["list"], row["condition"]) for row in rows) == {
        (1, "short"): 2,
        (1, "long"): 2,
        (2, "short"): 2,
        (2, "long"): 2,
    }
    assert len({(row["item_id"], row["condition"]) for row in rows}) == 8
    assert rows[0]["region_first"] == rows[0]["region_last"] == 3


def test_what_is_not_balanced_is_said():
    assert balance_note(24, 40, 4) == ""
    assert (
        balance_note(24, 42, 4) == "42 items in 4 conditions: within a list some conditions have an item more"
    )
