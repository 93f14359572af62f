"""The names that other tools give to our columns.

Upper or lower case, underscores, dashes and spaces do not matter: ``Participant ID`` is
``participant_id``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from scandl.errors import DataError, Fact

ALIASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "reader_id": (
        (
            "reader",
            "participant_id",
            "subject_id",
            "participant",
            "subject",
            "subj",
            "subj_id",
            "sbj",
            "subject_nr",
            "subject_no",
            "subject_number",
            "participant_nr",
            "participant_no",
            "participant_number",
            "ppt",
            "vp",
            "vpn",
            "vp_nr",
            "versuchsperson",
            "RECORDING_SESSION_LABEL",
            "reader_ids",
        ),
        ("list", "id"),
    ),
    "sentence_id": (
        (
            "sentenceid",
            "sentence_nr",
            "sentence_no",
            "sentence_number",
            "sent_id",
            "sent_nr",
            "sentnum",
            "satz",
            "satz_nr",
            "satznummer",
            "unique_trial_id",
            "unique_paragraph_id",
            "paragraph_id",
            "text_id",
            "stimulus_id",
            "stim_id",
            "sn_ids",
            "sn",
        ),
        ("item_id", "item", "item_nr", "item_no", "item_number", "itemnum"),
        ("trial_id", "trial", "TRIAL_INDEX", "trial_nr", "trial_no", "trial_number", "trialnum", "page"),
    ),
    "item_id": (("item", "item_nr", "item_no", "item_number", "itemnum"),),
    "fixation_index": (
        (
            "fix_order",
            "fixation_id",
            "fix_index",
            "fix_nr",
            "fix_no",
            "fix_number",
            "fixnum",
            "fixation_nr",
            "fixation_no",
            "fixation_number",
            "fixationsnummer",
            "CURRENT_FIX_INDEX",
            "CURRENT_FIX_NUM",
            "order_in_trial",
        ),
        ("onset", "timestamp_ms", "CURRENT_FIX_START", "fix_start", "start_time"),
    ),
    "word_index": (
        (
            "word_id",
            "word_idx",
            "word_nr",
            "word_no",
            "word_number",
            "wordnum",
            "wort_nr",
            "wortnummer",
            "word_index_in_text",
            "wn",
            "IA_ID",
            "CURRENT_FIX_INTEREST_AREA_ID",
            "CURRENT_FIX_INTEREST_AREA_INDEX",
            "aoi",
        ),
        ("region",),
    ),
    "duration_ms": (
        (
            "duration",
            "dur",
            "fix_dur",
            "fix_duration",
            "CURRENT_FIX_DURATION",
            "CURRENT_FIX_LEN",
            "fixation_duration",
            "dauer",
        ),
    ),
    "word": (("IA_LABEL", "CURRENT_FIX_INTEREST_AREA_LABEL", "label", "token"), ("text",)),
    "x": (("CURRENT_FIX_X", "fix_x", "fixation_x", "gaze_x", "x_pos", "pos_x", "x_px", "FPOGX"),),
    "y": (("CURRENT_FIX_Y", "fix_y", "fixation_y", "gaze_y", "y_pos", "pos_y", "y_px", "FPOGY"),),
    "time": (("timestamp", "time_ms", "t", "TIMESTAMP", "sample_time"),),
    "left": (("IA_LEFT", "x_min", "xmin", "start_x", "x1", "top_left_x"),),
    "top": (("IA_TOP", "y_min", "ymin", "start_y", "y1", "top_left_y"),),
    "right": (("IA_RIGHT", "x_max", "xmax", "end_x", "x2", "bottom_right_x"),),
    "bottom": (("IA_BOTTOM", "y_max", "ymax", "end_y", "y2", "bottom_right_y"),),
    "width": (("w",),),
    "height": (("h",),),
    "sentence": (("original_sn",),),
    "text": (("sentence", "sentence_text", "stimulus", "stimulus_text", "wortlaut"),),
}
"""Names of one meaning; those of one row say it equally well, an earlier row says it more surely."""


def plain(name: str) -> str:
    """Return a column name without case and separators.

    >>> plain("Recording_Session-Label")
    'recordingsessionlabel'
    """
    return re.sub(r"[^0-9a-z]", "", name.lower())


def find_column(
    path: Path,
    header: Iterable[str],
    meaning: str,
    chosen: str | None = None,
    taken: Collection[str] = (),
) -> str | None:
    """Return the column of ``header`` that carries ``meaning``, or None when there is none.

    The canonical name wins, then the names that say it most surely; two of them for one meaning are
    refused, because a guess between them would be silent. ``chosen`` is the user's own word for it,
    ``taken`` are columns that the user said mean something else.

    >>> find_column(Path("f.csv"), ["Subject", "x"], "reader_id")
    'Subject'
    >>> find_column(Path("f.csv"), ["List", "Trial", "Item"], "sentence_id")
    'Item'
    """
    names = [name for name in header if name == chosen or name not in taken]
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
    candidates = candidate_columns(names, meaning)
    if len(candidates) > 1:
        raise DataError(
            path,
            1,
            meaning,
            Fact(f"two candidates, {' and '.join(candidates)}"),
            f"one (call it {meaning!r}, or --column {meaning}={candidates[0]})",
        )
    return candidates[0] if candidates else None


def candidate_columns(names: Sequence[str], meaning: str) -> list[str]:
    """Return the columns that say a meaning most surely: one is certain, several are doubtful.

    >>> candidate_columns(["ID", "Subject", "VP"], "reader_id")
    ['Subject', 'VP']
    """
    if meaning in names:
        return [meaning]
    for aliases in ((meaning,), *ALIASES.get(meaning, ())):
        known = set(map(plain, aliases))
        if found := [name for name in names if plain(name) in known]:
            return found
    return []
