"""Windows and batches: nothing is lost, nothing is counted twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scandl_analysis.predictors.surprisal.windows import batches, windows


@given(st.integers(1, 200), st.integers(2, 40))
def test_every_token_is_scored_once_and_with_half_a_window_before_it(n_tokens: int, size: int) -> None:
    scored = []
    for number, (start, first, end) in enumerate(windows(n_tokens, size)):
        assert 0 <= start <= first < end
        assert end - start <= size
        assert number == 0 or first - start >= size // 2
        scored += range(first, end)
    assert scored == list(range(n_tokens))


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 5), st.integers(1, 100))
def test_every_sequence_is_in_one_batch_within_the_limits(lengths: list[int], rows: int, tokens: int) -> None:
    found = batches(lengths, rows, tokens)
    assert sorted(i for group in found for i in group) == list(range(len(lengths)))
    for group in found:
        assert len(group) == 1 or len(group) <= rows
        padded = len(group) * max(lengths[i] for i in group)
        assert len(group) == 1 or padded <= tokens
        assert padded <= 1.1 * sum(lengths[i] for i in group) + 1e-9
