"""The last step of an import: nothing is lost without being counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora.corpus import Card
from scandl.corpora.importers.assemble import NOBODY, Filters, apply_filters, assemble, handed_over
from scandl.corpora.importers.fixations import Gathered
from scandl.corpora.public.declaration import read_declaration
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence

SENTENCES = {key: Sentence(key, "The cat sat.") for key in ("s1", "s2", "s3")}
PATHS = [Scanpath("r1", "s1", (0, 1), (200.0, 90.0)), Scanpath("r2", "s2", (0, 1, 2), (1.0, 2.0, 3.0))]


def gathered(dropped: dict[str, int] | None = None, note: str = "") -> Gathered:
    return Gathered(PATHS, Counter(dropped or {}), note)


def test_what_was_not_read_is_counted_and_what_was_is_kept() -> None:
    readers = {"r1": {"age": "30"}, "r9": {"age": "99"}}
    corpus = assemble(
        Card(name="c", notes="old"), SENTENCES, gathered({"no word": 4}, "new"), readers=readers
    )
    assert corpus.card.dropped == {"no word": 4, NOBODY: 1}
    assert corpus.card.notes == "old; new"
    assert list(corpus.sentences) == ["s1", "s2"]
    assert list(corpus.readers) == ["r1"]
    assert corpus.scanpaths == tuple(PATHS)


def test_filters_count_what_they_take() -> None:
    corpus = assemble(Card(name="c"), SENTENCES, gathered(), Filters(max_fixations=2))
    assert corpus.scanpaths == (PATHS[0],)
    assert sum(corpus.card.dropped.values()) == 3  # a scanpath, and two sentences nobody reads now


def test_nothing_left_says_why() -> None:
    with pytest.raises(ScandlError, match=r"corpus 'c': nothing is left to import \(4 no word\)"):
        assemble(Card(name="c"), SENTENCES, Gathered([], Counter({"no word": 4}), ""))


CELER_RELEASED = read_declaration("celer", ["released-code"]).filters
ZUCO_RELEASED = read_declaration("zuco", ["released-code"]).filters
LONG = {"s": Sentence("s", "a b c d e f g h i j k")}  # eleven words
SHORT = {"s": Sentence("s", "a b a c")}


def path(words: list[int], ms: list[float]) -> Scanpath:
    return Scanpath("r", "s", tuple(words), tuple(ms))


def test_the_default_keeps_everything() -> None:
    paths = [path([0, 1], [1, 2]), Scanpath("r", "s", (0,))]
    assert apply_filters(Filters(), paths, LONG) == (paths, {})


def test_a_short_inner_fixation_gives_its_time_to_a_neighbour_with_the_same_label() -> None:
    kept, dropped = apply_filters(CELER_RELEASED, [path([0, 2, 1, 1, 1, 3], [60, 40, 70, 30, 80, 49])], SHORT)
    # word 2 is called "a" like word 0; the last fixation is not an inner one, so its time is lost
    assert kept == [path([0, 1, 1], [100, 100, 80])]
    assert dropped == {"fixations shorter than 50 ms": 3}


def test_time_goes_right_when_the_left_neighbour_is_another_word() -> None:
    kept, _ = apply_filters(CELER_RELEASED, [path([0, 1, 1, 3], [60, 40, 70, 80])], SHORT)
    assert kept == [path([0, 1, 3], [60, 110, 80])]


def test_the_released_threshold_for_zuco_is_100_ms_and_hands_nothing_over() -> None:
    kept, dropped = apply_filters(ZUCO_RELEASED, [path([0, 1, 1, 3], [100, 98, 120, 102])], SHORT)
    assert kept == [path([0, 1, 3], [100, 120, 102])]
    assert dropped == {"fixations shorter than 100 ms": 1}


def test_long_trials_go_for_celer_and_stay_for_zuco() -> None:
    fifty, more = path([0] * 50, [200.0] * 50), path([0] * 51, [200.0] * 51)
    assert apply_filters(CELER_RELEASED, [fifty, more], LONG) == (
        [fifty],
        {"trials of more than 50 fixations": 1},
    )
    assert apply_filters(ZUCO_RELEASED, [fifty, more], LONG)[0] == [fifty, more]


def test_one_fixation_on_more_than_ten_words_is_not_reading() -> None:
    one = path([0], [200])
    assert apply_filters(CELER_RELEASED, [one], LONG) == (
        [],
        {"trials of at most one fixation on more than 10 words": 1},
    )
    ten = {"s": Sentence("s", "a b c d e f g h i j")}
    assert apply_filters(CELER_RELEASED, [one], ten)[0] == [one]


def test_a_trial_that_loses_all_its_fixations_is_counted() -> None:
    kept, dropped = apply_filters(Filters(min_duration=50), [path([0, 1], [10, 20])], SHORT)
    assert (kept, dropped) == (
        [],
        {"fixations shorter than 50 ms": 2, "trials without a fixation that is long enough": 1},
    )


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 120)), min_size=1, max_size=12))
def test_handing_over_is_deletion_for_the_ids_and_never_invents_time(trial: list[tuple[str, int]]) -> None:
    labels, ms = [label for label, _ in trial], [float(t) for _, t in trial]
    short = [t < 50 for t in ms]
    after = handed_over(labels, ms, short)
    kept = [t for t, gone in zip(after, short, strict=True) if not gone]
    assert all(new >= old for new, old in zip(after, ms, strict=True))
    assert sum(kept) <= sum(ms)
    words = {"s": Sentence("s", "a b c")}
    scanpath = path(["abc".index(label) for label in labels], ms)
    paths, _ = apply_filters(CELER_RELEASED, [scanpath], words)
    expected = tuple(w for w, gone in zip(scanpath.positions, short, strict=True) if not gone)
    assert [p.positions for p in paths] == ([expected] if expected else [])


@pytest.mark.parametrize("ms", [float("nan"), float("inf"), -1.0])
def test_a_threshold_is_a_number_of_milliseconds(ms: float) -> None:
    with pytest.raises(ScandlError, match="--min-duration .*: expected milliseconds from 0"):
        Filters(min_duration=ms)
    with pytest.raises(ScandlError, match="--max-fixations 0: expected a number from 1"):
        Filters(max_fixations=0)
