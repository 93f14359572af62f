"""Stimuli one can read at a glance, and a pilot of them that several tests look at."""

from __future__ import annotations

import pandas as pd
import pytest

from scandl_analysis.piloting.pilot import pilot
from scandl_analysis.piloting.pilot_result import PilotResult

ROWS = [
    ("1", "short", "The old farmer *saw* the horse near the barn."),
    ("1", "long", "The old farmer *investigated* the horse near the barn."),
    ("2", "short", "The young lawyer *met* the client after lunch."),
    ("2", "long", "The young lawyer *interrogated* the client after lunch."),
    ("3", "short", "The tired nurse *fed* the baby in the morning."),
    ("3", "long", "The tired nurse *transported* the baby in the morning."),
    ("4", "short", "The new teacher *led* the class to the museum."),
    ("4", "long", "The new teacher *accompanied* the class to the museum."),
]


@pytest.fixture(scope="session")
def stimuli_frame() -> pd.DataFrame:
    return pd.DataFrame(ROWS, columns=["item_id", "condition", "text"])


@pytest.fixture(scope="session")
def piloted(stimuli_frame: pd.DataFrame) -> PilotResult:
    return pilot(
        stimuli_frame,
        models=["ezreader", "swift"],
        measures=["sr", "TFT"],
        readers=[8, 12],
        pool=48,
        experiments=20,
        effects=["TFT=25ms"],
        surprisal="unigram",
    )
