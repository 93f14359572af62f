"""The line of each fixation in a text of several lines, by the published algorithms that eyekit has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.extras import need

if TYPE_CHECKING:
    from scandl.corpora.importers.recordings.word_areas import Areas, Floats, Ints

METHODS = {
    "slice": "Glandorf & Schroeder (2021)",
    "chain": "popEye; Schroeder (2019)",
    "cluster": "popEye; Schroeder (2019)",
    "merge": "Špakov et al. (2019)",
    "regress": "Cohen (2013)",
    "segment": "Abdulin & Komogortsev (2015)",
    "split": "Carr et al. (2022)",
    "stretch": "Lohmeier (2015)",
}
"""Those that need the places of the lines and nothing else, with their sources."""


def on_lines(areas: Areas, x: Floats, y: Floats, onset: Floats, ms: Floats, method: str) -> Floats:
    """Return the heights of fixations after each was moved to the middle of its line."""
    import numpy as np

    middles = np.array([areas.boxes[line, 1::2].mean() for line in areas.lines])
    if len(middles) == 1:
        return np.full(len(y), middles[0])
    return middles[_lines_of(areas, middles, np.column_stack([x, y, onset, onset + ms]), method)]


def _lines_of(areas: Areas, middles: Floats, fixations: Floats, method: str) -> Ints:
    import numpy as np

    eyekit = need("eyekit", "recordings")
    spacing = np.diff(middles)
    if spacing.max() - spacing.min() > 1:
        found = f"{spacing.min():g} to {spacing.max():g}"
        raise ScandlError(f"--lines {method}: lines are {found} pixels apart, expected equal distances")
    lines = [" ".join(areas.words[word] for word in line) for line in areas.lines]
    height = float(spacing.mean())
    # eyekit places a text by the baseline of its first line and tells the middles of its lines.
    place = {"font_face": "Courier New", "font_size": height / 2, "line_height": height}
    shift = eyekit.TextBlock(lines, position=(0, 0), **place).midlines[0]
    block = eyekit.TextBlock(lines, position=(0, float(middles[0]) - shift), **place)
    sequence = eyekit.FixationSequence([tuple(map(round, row)) for row in fixations.tolist()])
    try:
        sequence.snap_to_lines(block, method=method)
    except Exception as error:  # of SciPy, where a trial has too few fixations for a method
        raise ScandlError(
            f"--lines {method}: {len(fixations)} fixations on {len(lines)} lines: {error}"
        ) from None
    moved = np.array([fixation.y for fixation in sequence], dtype=float)
    return np.abs(moved[:, None] - middles).argmin(axis=1)
