"""A pilot that the tests of its page look at."""

from __future__ import annotations

import pandas as pd
import pytest

from scandl_analysis.piloting.pilot import pilot
from scandl_analysis.piloting.pilot_result import PilotResult


@pytest.fixture(scope="session")
def pilot_page() -> PilotResult:
    rows = [
        (str(i), c, f"The {who} *{verb}* the {what} again.")
        for i, (who, what) in enumerate(
            [("farmer", "horse"), ("lawyer", "client"), ("nurse", "baby"), ("cook", "soup")]
        )
        for c, verb in (("short", "saw"), ("long", "investigated"))
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "condition", "text"])
    return pilot(
        frame,
        models=["ezreader", "swift"],
        measures=["sr", "TFT"],
        readers=[8, 12],
        pool=48,
        experiments=20,
        effects=["TFT=25ms"],
        surprisal="unigram",
    )
