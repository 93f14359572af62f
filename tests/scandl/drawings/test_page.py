"""Words in lines: nothing overlaps, nothing is lost, displays keep their lines, scripts their direction."""

from __future__ import annotations

import itertools
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from scandl.drawings.page import columns, right_to_left, scanpath_lines, set_page

LETTERS = st.text("abcé猫म\u093f", min_size=1, max_size=9)


@given(st.lists(LETTERS, min_size=1, max_size=9), st.integers(1, 40))
def test_lines_are_few_and_about_equally_long(words: list[str], width: int) -> None:
    """Held against all ways to cut the words: the fewest lines that fit, and of these the shortest longest."""
    page = set_page(words, width)
    found = [[each.text for each in page.words if each.line == n] for n in range(page.n_lines)]
    assert [word for line in found for word in line] == words

    def longest(lines: list[list[str]]) -> int:
        return max(columns(" ".join(line)) for line in lines)

    ways = [
        [words[a:b] for a, b in itertools.pairwise((0, *cuts, len(words)))]
        for n in range(len(words))
        for cuts in itertools.combinations(range(1, len(words)), n)
    ]
    fitting = [lines for lines in ways if all(len(each) == 1 or longest([each]) <= width for each in lines)]
    fewest = min(map(len, fitting))
    assert len(found) == fewest
    assert longest(found) == min(longest(lines) for lines in fitting if len(lines) == fewest)
    assert page.columns == longest(found)
    for n in range(len(found)):
        at = [each for each in page.words if each.line == n]
        assert next(each.left for each in at) == 0
        assert all(b.left == a.left + a.columns + 1 for a, b in itertools.pairwise(at))


def test_a_display_keeps_its_lines_however_wide() -> None:
    page = set_page(["a", "b", "c", "d"], width=3, lines=[4, 4, 4, 5])
    assert [word.line for word in page.words] == [0, 0, 0, 1]


def test_the_first_word_stands_at_the_right_end_where_one_reads_from_there() -> None:
    forward, mirrored = set_page(["aa", "b", "cccc"]), set_page(["אא", "ב", "גגגג"])
    assert mirrored.right_to_left
    assert not forward.right_to_left
    for there, here in zip(forward.words, mirrored.words, strict=True):
        assert there.left == mirrored.columns - here.left - here.columns


def test_marks_and_wide_letters_count_as_a_terminal_counts_them() -> None:
    decomposed = unicodedata.normalize("NFD", "éàü")
    assert len(decomposed) == 6
    assert columns(decomposed) == columns("éàü") == 3
    assert columns("日本") == 4
    assert columns("क्षि") == 3  # two letters and the sign of the vowel, which takes a place


def test_a_foreign_word_does_not_turn_a_text_round() -> None:
    assert not right_to_left(["He", "said", "שלום", "to", "everyone"])
    assert not right_to_left([])


def test_no_words_make_no_lines() -> None:
    assert set_page([]).n_lines == 0


def test_numbers_stand_below_their_word_and_lines_are_broken_together() -> None:
    words = ["Dogs", "bark", "at", "cats."]
    assert scanpath_lines(words, [0, 3, 1, 1, 3], width=12) == ["Dogs bark", "1    3 4", "at cats.", "   2 5"]
    assert scanpath_lines(words, [0], lines=[1, 2, 2, 2])[::2] == ["Dogs", "bark at cats."]


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
