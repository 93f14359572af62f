"""The names that other tools give to our columns.

Upper or lower case, underscores, dashes and spaces do not matter: ``Participant ID`` is
``participant_id``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from scandl.errors import DataError, Fact

ALIASES: dict[str, tuple[str, ...]] = {
    "reader_id": (
        "participant_id",
        "subject_id",
        "participant",
        "subject",
        "RECORDING_SESSION_LABEL",
        "list",
        "reader_ids",
        "id",
    ),
    "sentence_id": (
        "sentenceid",
        "unique_trial_id",
        "trial_id",
        "unique_paragraph_id",
        "paragraph_id",
        "text_id",
        "trial",
        "TRIAL_INDEX",
        "item_id",
        "page",
        "sn_ids",
        "sn",
    ),
    "fixation_index": (
        "fix_order",
        "fixation_id",
        "CURRENT_FIX_INDEX",
        "CURRENT_FIX_NUM",
        "order_in_trial",
        "onset",
        "timestamp_ms",
        "CURRENT_FIX_START",
    ),
    "word_index": (
        "word_id",
        "IA_ID",
        "CURRENT_FIX_INTEREST_AREA_ID",
        "CURRENT_FIX_INTEREST_AREA_INDEX",
        "word_idx",
        "word_index_in_text",
        "aoi",
        "wn",
        "region",
    ),
    "duration_ms": ("duration", "CURRENT_FIX_DURATION", "CURRENT_FIX_LEN", "fixation_duration"),
    "word": ("IA_LABEL", "CURRENT_FIX_INTEREST_AREA_LABEL", "label", "token", "text"),
    "sentence": ("original_sn",),
}


def plain(name: str) -> str:
    """Return a column name without case and separators.

    >>> plain("Recording_Session-Label")
    'recordingsessionlabel'
    """
    return re.sub(r"[^0-9a-z]", "", name.lower())


def find_column(path: Path, header: Iterable[str], meaning: str, chosen: str | None = None) -> str | None:
    """Return the column of ``header`` that carries ``meaning``, or None when there is none.

    The canonical name wins; two other names for one meaning are refused, because a guess between
    them would be silent. ``chosen`` is the user's own word for it.

    >>> find_column(Path("f.csv"), ["Subject", "x"], "reader_id")
    'Subject'
    """
    names = list(header)
    if chosen is not None:
        if chosen not in names:
            raise DataError(
                path,
                1,
                chosen,
                Fact(f"only the columns {', '.join(names)}"),
                f"the column named for {meaning}",
            )
        return chosen
    if meaning in names:
        return meaning
    known = {plain(alias) for alias in (meaning, *ALIASES.get(meaning, ()))}
    candidates = [name for name in names if plain(name) in known]
    if len(candidates) > 1:
        raise DataError(
            path,
            1,
            meaning,
            Fact(f"two candidates, {' and '.join(candidates)}"),
            f"one (call it {meaning!r}, or --column {meaning}={candidates[0]})",
        )
    return candidates[0] if candidates else None
