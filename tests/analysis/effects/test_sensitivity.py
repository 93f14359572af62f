"""Effects by definition and edges: which signs turn, and what is said of them."""

from __future__ import annotations

import numpy as np

from scandl_analysis.effects.effect_table import Effects, not_estimable, with_marginal
from scandl_analysis.effects.sensitivity import HANGS, KEPT, LEFT_OUT, sensitivity_table, sensitivity_verdict
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Glm

MAIN, OTHER = ("firstpass", LEFT_OUT), ("paper", KEPT)


def effects(**means: tuple[float, float]) -> Effects:
    """Return effects on regressing with these means and standard deviations."""
    glm = Glm("fpr", "bernoulli", tuple(means))
    known = not_estimable(NotEstimableError("x"), glm, "s", "human", n_rows=1, engine="e", priors="p")
    rng = np.random.default_rng(4)
    return with_marginal(known, {name: rng.normal(m, sd, 4000) for name, (m, sd) in means.items()}, {})


def test_a_sign_that_turns_is_said() -> None:
    main = effects(word_length=(-0.04, 0.01), surprisal=(0.02, 0.01))
    other = effects(word_length=(0.01, 0.02), surprisal=(0.03, 0.01))
    table = sensitivity_table(MAIN, {MAIN: [main], OTHER: [other]})
    assert table["note"].tolist() == ["", HANGS, "", ""]
    assert table["main"].tolist() == [True, False, True, False]
    assert table.loc[1, ["definition", "edges"]].tolist() == ["paper", KEPT]
    said = "turn the sign of 1 of 2 effects: word_length on fpr."
    assert sensitivity_verdict(table).endswith(said)


def test_signs_that_nobody_knows_do_not_turn() -> None:
    found = {MAIN: [effects(surprisal=(-0.01, 0.02))], OTHER: [effects(surprisal=(0.01, 0.02))]}
    table = sensitivity_table(MAIN, found)
    assert table["note"].tolist() == ["", ""]
    assert sensitivity_verdict(table) == sensitivity_verdict(sensitivity_table(MAIN, {MAIN: []})) == ""
