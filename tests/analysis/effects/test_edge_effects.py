from __future__ import annotations

from dataclasses import replace

import numpy as np

from scandl_analysis.effects.edge_effects import HANGS, edge_table, edge_verdict
from scandl_analysis.effects.effect_table import EffectRow, Effects
from scandl_analysis.glm.spec import Glm

GLM = Glm("sr", "bernoulli", ("word_length", "surprisal"))


def effects(**means: tuple[float, float]) -> Effects:
    """Return effects with these means and half-widths of the intervals."""
    rows = tuple(
        EffectRow("all", "human", "sr", name, mean, half / 2, mean - half, mean + half, 1.0, 1e3, 1e3, 99, "nuts",
                  "brms")
        for name, (mean, half) in means.items()
    )  # fmt: skip
    return Effects("all", "human", GLM, rows, {name: np.zeros(4) for name in means})


def test_a_sign_that_turns_is_said() -> None:
    inside = effects(word_length=(-1.0, 0.1), surprisal=(-0.2, 0.1))
    whole = effects(word_length=(-0.9, 0.1), surprisal=(0.1, 0.2))
    table = edge_table([inside], [whole])
    assert table["note"].tolist() == ["", HANGS]
    assert table.loc[1, ["inside", "all"]].tolist() == [-0.2, 0.1]
    assert edge_verdict(table) == (
        "The sign of the human effect of surprisal on sr hangs on the first and last words of sentences."
    )


def test_signs_that_nobody_knows_do_not_turn() -> None:
    table = edge_table([effects(surprisal=(-0.1, 0.2))], [effects(surprisal=(0.1, 0.2))])
    assert table["note"].tolist() == [""]
    assert edge_verdict(table) == ""


def test_what_is_not_estimable_is_left_out() -> None:
    nothing = replace(effects(surprisal=(0.0, 1.0)), draws={})
    assert edge_table([nothing], [effects(surprisal=(1.0, 0.1))]).empty
    assert edge_verdict(edge_table([], [])) == ""
