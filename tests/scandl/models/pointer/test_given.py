"""Filling gaps, against the posterior over all paths by enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import scandl
from scandl.cli import main
from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.models.pointer.given import fill, pointer_model
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

TWO = Sentence("two", "Dogs bark.")


@pytest.fixture
def model(make_model: Callable[..., PointerModel]) -> PointerModel:
    """Return a model that nearly guesses: what it draws in one way is not improbable in another."""
    model = make_model()
    model.network.weights = {
        name: 0.3 * value if name.startswith(("quer", "by_distance", "keys", "length.2")) else value
        for name, value in model.network.weights.items()
    }
    return model


def test_what_is_given_stays_and_what_is_drawn_has_a_duration(model: PointerModel) -> None:
    sentence = Sentence("s", "One two three four five.")
    found = fill(model, sentence, [0, None, 3, None, 1], 20, 1)
    assert all((p.positions[0], p.positions[2], p.positions[4]) == (0, 3, 1) for p in found)
    assert len({p.positions for p in found}) > 1
    assert all(p.durations is not None and len(p.durations) == 5 for p in found)
    assert found == fill(model, sentence, [0, None, 3, None, 1], 20, 1)
    assert found[7:] != fill(model, sentence, [0, None, 3, None, 1], 20, 2)[7:]


def test_candidates_are_taken_by_their_probability_as_a_whole(model: PointerModel) -> None:
    """Of any network, also one that was not trained to fill: the exact conditional distribution."""
    paths = [(a, 1, b, 0) for a, b in product((0, 1), repeat=2)]
    reader = next(iter(model.conditions.styles))
    log_probs = model.log_probs([TWO] * 4, [Scanpath(reader, "two", path) for path in paths])
    expected = np.exp(log_probs) / np.exp(log_probs).sum()
    who = Request(TWO, reader)
    drawn = Counter(p.positions for p in fill(model, TWO, [None, 1, None, 0], 600, 1, request=who))
    assert [drawn[path] / 600 for path in paths] == pytest.approx(expected, abs=0.06)


def test_a_stretch_of_unknown_length_is_as_long_as_is_probable(model: PointerModel) -> None:
    given, reader = [0, ..., 1], next(iter(model.conditions.styles))
    by_length = {}
    for n in range(5):  # at most three fixations per word
        paths = [(0, *between, 1) for between in product((0, 1), repeat=n)]
        by_length[n + 2] = np.exp(
            model.log_probs([TWO] * len(paths), [Scanpath(reader, "two", path) for path in paths])
        ).sum()
    found = fill(model, TWO, given, 400, 1, request=Request(TWO, reader), candidates=30)
    assert all(p.positions[0] == 0 and p.positions[-1] == 1 for p in found)
    lengths = Counter(p.n_fixations for p in found)
    for n, probability in by_length.items():
        assert lengths[n] / 400 == pytest.approx(probability / sum(by_length.values()), abs=0.06)


def test_stretches_may_stand_anywhere_and_be_empty(model: PointerModel) -> None:
    found = {p.positions for p in fill(model, TWO, [..., 1, ...], 60, 3)}
    assert (1,) in found
    assert any(len(path) > 1 for path in found)
    assert all(1 in path for path in found)


def test_what_cannot_be_filled_is_refused(model: PointerModel) -> None:
    with pytest.raises(ScandlError, match="found word 2, expected 0 to 1"):
        fill(model, TWO, [0, 2, None])
    with pytest.raises(ScandlError, match="sentence 'two': found an empty path"):
        fill(model, TWO, [])
    with pytest.raises(ScandlError, match="model 'uniform' cannot complete a path"):
        pointer_model(open_model("uniform"))


TEXT = "The old man the boats of the town."


def test_known_places_stay_by_every_door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Python, the command and a table of texts give the same paths."""
    paths = [path.positions for path in scandl.generate(TEXT, given="0 ? 3 ? ? 7", samples=4)]
    for path in paths:
        assert (path[0], path[2], path[5], len(path)) == (0, 3, 7, 6)
    assert len(set(paths)) > 1
    table = tmp_path / "texts.csv"
    table.write_text(f"sentence_id,text,given\nt1,{TEXT},0 ? 3 ? ? 7\n")
    asked = {"typed": ["--text", TEXT, "--given", "0 ? 3 ? ? 7"], "table": ["--text-file", str(table)]}
    for name, flags in asked.items():
        out = tmp_path / f"{name}.csv"
        assert main(["generate", *flags, "--samples", "4", "--out", str(out), "--quiet"]) == 0
        predictions = scandl.read_predictions(out)
        assert [p.predicted for p in predictions] == paths


def test_a_stretch_of_unknown_length_is_filled() -> None:
    paths = [path.positions for path in scandl.generate(TEXT, given="0 1 ... 7", samples=6)]
    assert all(path[:2] == (0, 1) and path[-1] == 7 for path in paths)
    assert len({len(path) for path in paths}) > 1


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("0 8", "given '0 8': found '8', expected positions 0..7, ? (one) or ... (any number)"),
        ("0 x", "given '0 x': found 'x', expected positions 0..7"),
    ],
)
def test_what_is_no_path_is_refused(given: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--text", TEXT, "--given", given]) == 2
    assert fault in capsys.readouterr().err


def test_other_models_cannot_complete_paths(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--text", TEXT, "--given", "0 ?", "--model", "uniform"]) == 2
    assert (
        "model 'uniform' cannot complete a path: expected a model that points at words"
        in capsys.readouterr().err
    )
    assert main(["generate", "--text-file", "a.txt", "--given", "0 ?"]) == 2
    assert "--given goes with --text; a table of texts has a column given" in capsys.readouterr().err
