"""The long form: fixations in any order become scanpaths."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from scandl.files.prediction_files import read_predictions
from scandl.records import Prediction


def write(folder: Path, text: str, name: str = "preds.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_long_form_is_gathered_from_rows_in_any_order(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "Participant ID,trial_id,fix_order,word_id,duration,model\n"
        "r1,s1,2,3,150,m\nr2,s1,0,4,90,m\nr1,s1,1,0,200,m\n",
    )
    assert read_predictions(path) == [
        Prediction("s1", (0, 3), None, "r1", "m", durations=(200.0, 150.0)),
        Prediction("s1", (4,), None, "r2", "m", durations=(90.0,)),
    ]


name = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\x00", exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=6,
)
