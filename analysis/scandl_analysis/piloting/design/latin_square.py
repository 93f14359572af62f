"""Latin squares: every reader reads one version of each item, every version is read equally often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scandl_analysis.piloting.design.stimuli import Stimuli


def latin_square(n_items: int, n_conditions: int) -> NDArray[np.int64]:
    """Return the condition of each item in each list, (lists, items).

    >>> latin_square(4, 2)
    array([[0, 1, 0, 1],
           [1, 0, 1, 0]])
    """
    lists, items = np.arange(n_conditions)[:, None], np.arange(n_items)[None]
    return (lists + items) % n_conditions


def list_rows(stimuli: Stimuli) -> list[dict[str, str | int]]:
    """Return the lists as a table: which version of which item stands in which list."""
    square = latin_square(len(stimuli.items), len(stimuli.conditions))
    rows: list[dict[str, str | int]] = []
    for number, conditions in enumerate(square, start=1):
        for item, code in zip(stimuli.items, conditions.tolist(), strict=True):
            stimulus = stimuli.by_cell[item, stimuli.conditions[code]]
            first, last = stimulus.region if stimulus.region is not None else ("", "")
            rows.append(
                {
                    "list": number,
                    "item_id": item,
                    "condition": stimulus.condition,
                    "text": stimulus.text,
                    "region_first": first,
                    "region_last": last,
                }
            )
    return rows


def balance_note(n_readers: int, n_items: int, n_conditions: int) -> str:
    """Say where a design is not balanced; nothing where it is.

    >>> balance_note(48, 32, 4)
    ''
    >>> balance_note(50, 32, 4)
    '50 readers on 4 lists: some lists are read by one reader more than others'
    """
    said = []
    if n_readers % n_conditions:
        said.append(
            f"{n_readers} readers on {n_conditions} lists: some lists are read by one reader more than others"
        )
    if n_items % n_conditions:
        said.append(
            f"{n_items} items in {n_conditions} conditions: within a list some conditions have an item more"
        )
    return "; ".join(said)
