"""What the first and last words of sentences do to the effects of the readers: with them, without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scandl_analysis.effects.effect_table import Effects, listed

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = [
    "measure",
    "predictor",
    "inside",
    "inside_low",
    "inside_high",
    "all",
    "all_low",
    "all_high",
    "note",
]
HANGS = "sign hangs on the edges"


def edge_table(inside: Sequence[Effects], everywhere: Sequence[Effects]) -> pd.DataFrame:
    """Return the human effects without and with the edges of sentences, one row per measure and predictor.

    ``note`` says where the sign hangs on the edges: two intervals that leave out 0 on different sides, or one
    that leaves it out while the other mean is on the other side.
    """
    import pandas as pd

    whole = {(each.measure, row.predictor): row for each in everywhere for row in each.rows if each.draws}
    rows: list[dict[str, Any]] = []
    for each in inside:
        for row in each.rows if each.draws else ():
            other = whole.get((each.measure, row.predictor))
            if other is None:
                continue
            clear = row.ci_low * row.ci_high > 0 or other.ci_low * other.ci_high > 0
            rows.append({
                "measure": each.measure, "predictor": row.predictor, "inside": row.mean,
                "inside_low": row.ci_low, "inside_high": row.ci_high, "all": other.mean,
                "all_low": other.ci_low, "all_high": other.ci_high,
                "note": HANGS if clear and row.mean * other.mean < 0 else "",
            })  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def edge_verdict(table: pd.DataFrame) -> str:
    """Say which signs hang on the edges of sentences; nothing where none does.

    >>> import pandas as pd
    >>> row = {"measure": "sr", "predictor": "surprisal", "note": HANGS}
    >>> edge_verdict(pd.DataFrame([row]))
    'The sign of the human effect of surprisal on sr hangs on the first and last words of sentences.'
    """
    if table.empty or not (table["note"] == HANGS).any():
        return ""
    found = table[table["note"] == HANGS]
    names = [f"{p} on {m}" for m, p in zip(found["measure"], found["predictor"], strict=True)]
    what, verb = (
        ("sign of the human effect", "hangs") if len(names) == 1 else ("signs of the human effects", "hang")
    )
    return f"The {what} of {listed(names)} {verb} on the first and last words of sentences."
