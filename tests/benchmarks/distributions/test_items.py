from __future__ import annotations

from scandl.records import Scanpath
from scandl_eval.distributions.items import matched


def test_sides_are_matched_by_sentence_and_the_rest_is_named():
    human = [Scanpath("a", "s", (0,)), Scanpath("b", "s", (1,)), Scanpath("a", "t", (2,))]
    model = [Scanpath("a", "s", (3,)), Scanpath("a", "u", (4,))]
    found = matched(human, model)
    assert [(item.sentence_id, item.paths) for item in found.items] == [("s", [(0,), (1,), (3,)])]
    assert found.left_out == ("t", "u")
    assert matched(human, model, min_model=2).items == ()
