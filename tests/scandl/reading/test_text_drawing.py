from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scandl.reading.text_drawing import scanpath_lines


def test_numbers_stand_below_their_word_and_lines_are_broken_together() -> None:
    words = ["Dogs", "bark", "at", "cats."]
    assert scanpath_lines(words, [0, 3, 1, 1, 3], width=12) == ["Dogs bark", "1    3 4", "at cats.", "   2 5"]


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(10, 60))
def test_the_path_can_be_read_off_the_drawing(path: list[int], width: int) -> None:
    words = ["w0", "w1", "w2", "w3", "w4", "w5"]
    lines = scanpath_lines(words, path, width)
    found: dict[int, int] = {}
    for above, below in zip(lines[::2], lines[1::2], strict=True):
        starts = [(above.index(word), n) for n, word in enumerate(words) if word in above]
        for (start, n), (stop, _) in zip(starts, [*starts[1:], (len(below) + 1, -1)], strict=True):
            found |= {int(number): n for number in below[start:stop].split()}
    assert [found[k] for k in sorted(found)] == path
