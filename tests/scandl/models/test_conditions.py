"""Conditions on paths: against the definitions word by word, exact by rejection, and their errors."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scandl
from scandl.cli import main
from scandl.errors import ScandlError
from scandl.models.conditions import Condition
from scandl.models.model import Model, Request

LETTERS = "a b c d"
PATHS = st.lists(st.integers(0, 3), max_size=8)


@given(PATHS, st.integers(0, 3))
def test_skipping_by_its_definition(path: list[int], word: int) -> None:
    """A word is skipped in first pass unless the eyes land on it before they were beyond it."""
    before_it = path[: path.index(word)] if word in path else path
    landed = word in path and all(each < word for each in before_it)
    assert Condition("skip", (word,)).holds(tuple(path)) != landed


@given(PATHS)
def test_regressions_by_their_definition(path: list[int]) -> None:
    steps = {(a, b) for k, a in enumerate(path) for b in path[k + 1 : k + 2]}
    for word, earlier in itertools.combinations((3, 2, 1, 0), 2):
        assert Condition("back", (word, earlier)).holds(tuple(path)) == ((word, earlier) in steps)


class Dice(Model):
    """Two fixations of which each is on any of four words."""

    name = "dice"

    def draw(self, request: Request, rng: np.random.Generator) -> Sequence[int]:  # type: ignore[override]
        return tuple(rng.integers(0, 4, 2).tolist())


def test_rejection_gives_the_exact_conditional_and_says_how_often_it_drew() -> None:
    """Of sixteen paths seven skip word 2 and go back in no step but 3 → 1, or begin with it."""
    paths = scandl.generate(LETTERS, model=Dice(), samples=4000, given="skip 2; skip 0")
    meet = [p for p in itertools.product(range(4), repeat=2) if _meets(p)]
    counts = Counter(path.positions for path in paths)
    assert set(counts) == set(meet)
    expected = 4000 / len(meet)
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 3 * len(meet)
    draws = np.mean([int(path.extra["draws"]) for path in paths])
    assert draws == pytest.approx(16 / len(meet), rel=0.1)


def _meets(path: tuple[int, ...]) -> bool:
    return path[0] not in (0, 2) and not (path[1] == 2 and path[0] < 2)


def test_places_and_conditions_go_together_and_the_first_draw_is_the_plain_one() -> None:
    text = "The old man the boats of the town"
    told = scandl.generate(text, samples=6, given="0 ... 7; skip 3")
    plain = scandl.generate(text, samples=6, given="0 ... 7")
    for path, without in zip(told, plain, strict=True):
        assert (path.positions[0], path.positions[-1]) == (0, 7)
        assert Condition("skip", (3,)).holds(path.positions)
        assert path.extra["draws"] != "1" or path.positions == without.positions
    assert "draws" not in plain[0].extra


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("skip", "found 'skip', expected skip WORD"),
        ("skip 9", r"found 'skip 9': the words of the text are 0\.\.3"),
        ("jump 1", "found 'jump 1', expected skip WORD"),
        ("skip 0; skip 1; skip 2; skip 3", "none of 2,000 paths has skip 0 and skip 1 and skip 2 and skip 3"),
    ],
)
def test_faults_are_named(condition: str, said: str) -> None:
    with pytest.raises(ScandlError, match=said):
        scandl.generate(LETTERS, model=Dice(), given=condition)


def test_the_command_says_how_many_draws_met_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--text", "The old man the boats.", "--given", "skip 0", "--samples", "3"]) == 0
    assert "3 scanpaths; 3 of " in capsys.readouterr().out
