"""The language model of pocketsphinx counts as is said here."""

from __future__ import annotations

import math
import sys

import pytest

from scandl.errors import ScandlError
from scandl.text.trigrams import END, START, STEP, UNKNOWN, model_file, open_model


def test_probabilities_of_all_words_after_one_add_up() -> None:
    pytest.importorskip("pocketsphinx")
    model = open_model()
    lines = model_file().with_name("cmudict-en-us.dict").read_text(encoding="utf-8").splitlines()
    words = {line.partition(" ")[0] for line in lines} | {END}
    for before in ("of", START):
        steps = [model.prob([word, before]) for word in words]
        total = sum(math.exp(STEP * each) for each in steps if each > UNKNOWN)
        assert total == pytest.approx(1.0, abs=0.02)


def test_words_it_does_not_know_are_marked() -> None:
    pytest.importorskip("pocketsphinx")
    model = open_model()
    assert model.prob(["xqzzv"]) <= UNKNOWN < model.prob(["lighthouse"]) < model.prob(["the"]) < 0


def test_where_it_is_not_installed_one_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    with pytest.raises(ScandlError, match=r"\[trigram\]"):
        open_model()
