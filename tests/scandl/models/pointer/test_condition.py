"""Condition vectors against the numbers they stand for, and whom simulated readers are like."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer.condition import Conditions, task_of
from scandl.models.pointer.style import STYLE, Style, styles_of


def test_a_vector_holds_the_standardised_style_and_one_flag_a_label(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    table = np.array([style.values for style in styles_of(corpus).values()])
    vector = conditions.vector(conditions.styles["a"], {"group": "L2"})
    assert len(vector) == conditions.width == len(STYLE) + 2 + 2
    spread = np.where(table.std(0) > 0, table.std(0), 1.0)  # all begin on the first word here
    np.testing.assert_allclose(vector[: len(STYLE)], (table[0] - table.mean(0)) / spread, rtol=1e-5)
    assert vector[-4:].tolist() == pytest.approx([1.0, np.log(2) / 5, 0.0, 1.0])
    assert not conditions.vector(None, {"group": "L3"}).any()


def test_an_odd_style_is_told_within_what_the_network_knows(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    far = Style((100.0, -100.0, float("nan"), *conditions.mean[3:]), 10)
    assert conditions.vector(far, {})[:4].tolist() == [3.0, -3.0, 0.0, 0.0]


def test_simulated_readers_are_like_those_who_did_the_task(corpus: Corpus) -> None:
    told = Conditions.of(corpus)
    tasks = {"a": "sentence", "b": "paragraph"}
    readers = {name: {**own, "task": tasks[name]} for name, own in told.readers.items()}
    everyone = replace(told, readers=readers)
    assert everyone.like() == ["a", "b"]
    assert everyone.like("L2") == everyone.like("", "paragraph") == ["b"]
    assert everyone.like("L2", "sentence") == ["b"]  # nobody of this group read sentences
    assert everyone.like("L3") == ["a", "b"]  # a group nobody belongs to
    assert {everyone.simulated(f"sim{n}", 1, task="sentence") for n in range(9)} == {"a"}


def test_counted_simulated_readers_are_like_different_readers_and_others_like_anyone(corpus: Corpus) -> None:
    told = Conditions.of(corpus)
    everyone = replace(told, readers={f"r{k}": {"group": "", "task": ""} for k in range(40)})
    for stem in ("sim", "", "p 0"):
        like = [everyone.simulated(f"{stem}{n}", 1) for n in range(1, 81)]
        assert sorted(like[:40]) == sorted(everyone.readers)  # each once
        assert like[40:] == like[:40]
    drawn = {everyone.simulated(name, seed) for name in ("Ann", "Bo") for seed in range(200)}
    assert len(drawn) == 40
    assert everyone.simulated("Ann", 3) == everyone.simulated("Ann", 3)
    assert everyone.simulated("9" * 5000, 1) in everyone.readers  # a name, though no number Python reads


def test_a_text_is_read_as_a_paragraph_where_it_is_long_and_has_several_sentences() -> None:
    assert task_of(["Dr.", "Smith", "left."]) == "sentence"
    assert task_of(("word " * 40 + "end.").split()) == "sentence"
    assert task_of(("word " * 20 + "end.” " + "More " * 20).split()) == "paragraph"


def test_a_table_gives_the_conditions_back(corpus: Corpus) -> None:
    conditions = Conditions.of(corpus)
    table = json.loads(json.dumps(conditions.to_table()))
    assert Conditions.from_table(table) == conditions
    table["mean"].pop()
    with pytest.raises(ScandlError, match="found styles of 9 numbers, expected 10: made by another version"):
        Conditions.from_table(table)
