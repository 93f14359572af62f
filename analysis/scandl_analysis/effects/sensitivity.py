"""Whether the effects of people hang on how a measure is defined, or on the edges of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from scandl_analysis.effects.effect_table import EffectRow, Effects, listed

COLUMNS = ["measure", "predictor", "definition", "edges", "unit", "marginal", "low", "high", "main", "note"]
LEFT_OUT, KEPT = "left out", "kept"
HANGS = "sign differs"
Choice = tuple[str, str]
"""(definition of the measure, what becomes of the edges of sentences)"""


def sensitivity_table(main: Choice, effects: Mapping[Choice, Sequence[Effects]]) -> pd.DataFrame:
    """Return the marginal effects of people by definition and edges; those of the analysis first.

    ``note`` says where the sign differs from that of the analysis: one interval leaves out 0, and the other
    mean is on the other side.
    """
    ours = {(row.measure, row.predictor): row for each in effects[main] for row in each.rows if each.marginal}
    rows: list[dict[str, Any]] = []
    for (measure, predictor), own in ours.items():
        for choice, found in effects.items():
            for row in (row for each in found for row in each.rows if each.marginal):
                if (row.measure, row.predictor) == (measure, predictor):
                    rows.append(_cells(row, choice) | {"main": choice == main, "note": _note(own, row)})
    return pd.DataFrame(rows, columns=COLUMNS)


def sensitivity_verdict(table: pd.DataFrame) -> str:
    """Say how many signs of clear effects hang on the definition or the edges; nothing where none does.

    >>> row = {"measure": "fpr", "predictor": "word_length", "note": "", "main": True, "low": 1, "high": 2}
    >>> sensitivity_verdict(pd.DataFrame([row, row | {"main": False, "note": HANGS}]))
    'Another definition or the edges of sentences turn the sign of 1 of 1 effects: word_length on fpr.'
    """
    if not len(table):
        return ""
    main = table[table["main"].astype(str) == "True"]
    clear = {
        (row["measure"], row["predictor"]) for row in main.to_dict("records") if row["low"] * row["high"] > 0
    }
    turned = [(row["measure"], row["predictor"]) for row in table.to_dict("records") if row["note"] == HANGS]
    names = list(dict.fromkeys(f"{cell[1]} on {cell[0]}" for cell in turned if cell in clear))
    if not names:
        return ""
    start = "Another definition or the edges of sentences turn the sign of"
    return f"{start} {len(names)} of {len(clear)} effects: {listed(names)}."


def _cells(row: EffectRow, choice: Choice) -> dict[str, Any]:
    return {
        "measure": row.measure,
        "predictor": row.predictor,
        "definition": choice[0],
        "edges": choice[1],
        "unit": row.unit,
        "marginal": row.marginal,
        "low": row.marginal_low,
        "high": row.marginal_high,
    }


def _note(own: EffectRow, other: EffectRow) -> str:
    clear = own.marginal_low * own.marginal_high > 0 or other.marginal_low * other.marginal_high > 0
    return HANGS if clear and own.marginal * other.marginal < 0 else ""
