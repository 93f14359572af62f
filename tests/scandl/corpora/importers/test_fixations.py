from __future__ import annotations

from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn
from scandl.corpora.importers.fixations import gather
from scandl.records import Scanpath, Sentence

SENTENCES = {"s": Sentence("s", "a b c"), "t": Sentence("t", "d e")}
Row = tuple[str, str, int, str, str]

_row = st.tuples(
    st.sampled_from(["r", "q", "01"]),
    st.sampled_from(["s", "t", "unknown"]),
    st.integers(0, 99),
    st.sampled_from(["1", "2", "2.0", ".", "-1"]),
    st.sampled_from(["90", "200.5"]),
)


def slow(rows: list[Row]) -> tuple[list[Scanpath], Counter[str]]:
    """Go through the rows one by one."""
    dropped: Counter[str] = Counter()
    trials: dict[tuple[str, str], list[tuple[int, int, float]]] = {}
    seen = set()
    for reader, sentence, time, word, ms in rows:
        if sentence not in SENTENCES:
            dropped["fixations in texts without words"] += 1
            continue
        seen.add((reader, sentence))
        if word in (".", "-1"):
            dropped["fixations outside every word"] += 1
        else:
            trials.setdefault((reader, sentence), []).append((time, int(float(word)) - 1, float(ms)))
    paths = []
    for (reader, sentence), fixations in trials.items():
        fixations.sort()
        words, durations = tuple(w for _, w, _ in fixations), tuple(ms for *_, ms in fixations)
        paths.append(Scanpath(reader, sentence, words, durations))
    if len(seen) > len(paths):
        dropped["trials without a fixation on a word"] = len(seen) - len(paths)
    return paths, dropped


@settings(deadline=None)
@given(st.lists(_row, min_size=1, max_size=25, unique_by=lambda row: row[:3]))
def test_rows_in_any_order_become_the_scanpaths_of_the_slow_definition(rows: list[Row]) -> None:
    names = ("reader_id", "sentence_id", "fixation_index", "word_index", "duration_ms")
    columns = {
        name: ReportColumn.of(name, map(str, values))
        for name, values in zip(names, zip(*rows, strict=True), strict=True)
    }
    found = gather(FixationReport(Path("f"), columns), SENTENCES, index_base=1, drop_unknown=True)
    assert (found.scanpaths, found.dropped) == slow(rows)
