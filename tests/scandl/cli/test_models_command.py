"""``scandl models``: a line per model, and a card that can be read by people and programs."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from scandl.cli import main
from scandl.models.trained_model import model_card, shipped_models


def test_every_model_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == shipped_models()
    assert any("30 simulated readers; no durations" in line for line in lines)
    assert lines[0].endswith("(default)")


def test_a_card_is_printed_within_100_columns(capsys: pytest.CaptureFixture[str]) -> None:
    for name in shipped_models():
        assert main(["models", "show", name]) == 0
        printed = capsys.readouterr().out
        assert max(map(len, printed.splitlines())) <= 100
        flat = " ".join(printed.split())
        card = model_card(name)
        for part in (card.about, card.made_by, *card.limits, *(c.licence for c in card.corpora)):
            assert " ".join(part.split()) in flat
        assert main(["models", "show", name, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["name"] == name


def test_an_unknown_model_is_one_line(refused: Callable[[list[str]], str]) -> None:
    assert refused(["models", "show", "dmeo"]).startswith(
        "scandl: no shipped model 'dmeo'; did you mean 'demo'?"
    )
