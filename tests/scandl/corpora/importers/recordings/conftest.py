"""A recording whose words are known: two texts, one of two lines, shown in a monospaced font."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scandl.corpora.importers.recordings.word_areas import Areas, areas_of_layout
from scandl.records import Scanpath, Sentence

LAYOUT = "100,300,14,60"
TEXTS = {
    "s1": "The lighthouse keeper counted every ship that\npassed before breakfast and then he slept.",
    "s2": "Nobody saw the small boat.",
}
READ = {
    ("r1", "s1"): (0, 1, 2, 3, 2, 4, 5, 7, 8, 9, 10, 12, 13),
    ("r1", "s2"): (0, 2, 3, 3, 4),
    ("r2", "s1"): (0, 1, 3, 5, 6, 7, 8, 9, 8, 11, 13),
    ("r2", "s2"): (0, 1, 4, 2),
}
Row = tuple[str, str, float, float, int, int]


@pytest.fixture
def areas() -> dict[str, Areas]:
    return areas_of_layout({key: Sentence(key, text) for key, text in TEXTS.items()}, LAYOUT)


@pytest.fixture
def truth() -> list[Scanpath]:
    return [
        Scanpath(reader, text, words, tuple(200.0 + n for n in range(len(words))))
        for (reader, text), words in READ.items()
    ]


@pytest.fixture
def rows(areas: dict[str, Areas]) -> list[Row]:
    """Fixations as reader, text, x, y, onset, duration: lower by up to half a line, as trackers drift."""
    rng = np.random.default_rng(1)
    found: list[Row] = []
    for (reader, text), words in READ.items():
        several = len(areas[text].lines) > 1
        for n, word in enumerate(words):
            left, top, right, bottom = areas[text].boxes[word]
            x = (left + right) / 2 + rng.normal(0, 2)
            y = (top + bottom) / 2 + (28 if several else 0) + rng.normal(0, 6)
            found.append((reader, text, round(float(x), 1), round(float(y), 1), 1000 * n, 200 + n))
    return found


@pytest.fixture
def area_table(tmp_path: Path, areas: dict[str, Areas]) -> Path:
    lines = ["item,IA_LABEL,IA_LEFT,IA_TOP,IA_RIGHT,IA_BOTTOM"]
    lines += [
        ",".join([key, word, *map(str, box)])
        for key, each in areas.items()
        for word, box in zip(each.words, each.boxes.tolist(), strict=True)
    ]
    path = tmp_path / "areas.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def text_table(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    path.write_text(
        "item,sentence\n" + "".join(f'{key},"{text}"\n' for key, text in TEXTS.items()), encoding="utf-8"
    )
    return path
