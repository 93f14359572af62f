from __future__ import annotations

import numpy as np
import pytest

from scandl.measures.distribution.transitions import FROM, TO, compare_transitions, transition_counts


def named(counts):
    return {(FROM[i], TO[j]): int(counts[i, j]) for i, j in np.argwhere(counts)}


def test_each_step_follows_the_one_before():
    assert named(transition_counts([1, 1, 0, 9])) == {
        ("START", "+2"): 1,
        ("+2", "+0"): 1,
        ("+0", "-1"): 1,
        ("-1", "+3"): 1,
        ("+3", "END"): 1,
    }
    assert transition_counts([]).sum() == 0


def test_a_path_of_n_fixations_has_n_plus_one_transitions(readings):
    for path in readings(1):
        assert transition_counts(path.positions).sum() == path.n_fixations + 1


def test_rows_are_probabilities_and_the_difference_is_their_weighted_total_variation():
    human, model = transition_counts([0, 1]) + transition_counts([0, 2]), transition_counts([0, 1]) * 5
    found = compare_transitions(human, model)
    assert np.nansum(found.human, axis=1)[[0, FROM.index("+1"), FROM.index("+2")]] == pytest.approx(1.0)
    # START, used twice, agrees. After +1, used 3 times: human +1 ⅓, +2 ⅓, END ⅓; model +1 ½, END ½.
    # After +2, used once, the model never is.
    assert found.difference == pytest.approx((3 * (1 / 3) + 1) / 6)
