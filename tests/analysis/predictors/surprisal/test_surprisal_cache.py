"""Values on disk: found again, kept apart by everything that matters, never trusted when broken."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scandl.files.cache_folder import cache_folder
from scandl_analysis.predictors.surprisal import surprisal
from scandl_analysis.predictors.surprisal.surprisal_cache import through_cache


@dataclass
class Counting:
    """A provider that says how often it was asked."""

    model: str = "m"
    cached: bool = True
    asked: list[str] = field(default_factory=list)

    @property
    def identity(self) -> Mapping[str, str]:
        return {"provider": "counting", "model": self.model}

    @property
    def record(self) -> Mapping[str, str]:
        return {**self.identity, "detail": "known after loading"}

    def nats(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        self.asked += texts
        return [tuple(0.1 * len(word) for word in text.split()) for text in texts]


def test_what_was_computed_is_found_again(tmp_path: Path) -> None:
    provider = Counting()
    first = surprisal(["a bb", "a bb", "c"], provider, cache=tmp_path)
    again = surprisal(["c", "a bb"], provider, cache=tmp_path)
    assert provider.asked == ["a bb", "c"]
    assert again.values == first.values
    assert again.record == first.record == {**provider.record, "unit": "nats"}
    assert (first.from_cache, again.from_cache) == (0, 2)


def test_only_new_texts_are_computed_and_old_ones_stay(tmp_path: Path) -> None:
    provider = Counting()
    for texts in (["a"], ["a", "b"], ["a", "b"]):
        through_cache(provider, texts, tmp_path)
    assert provider.asked == ["a", "b"]


def test_another_model_has_its_own_values(tmp_path: Path) -> None:
    surprisal(["a"], Counting("one"), cache=tmp_path)
    other = Counting("two")
    surprisal(["a"], other, cache=tmp_path)
    assert other.asked == ["a"]


def test_fast_providers_leave_nothing_on_disk(tmp_path: Path) -> None:
    surprisal(["a"], Counting(cached=False), cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"nats": 3}', '{"nats": {"a": ["x"]}, "record": {}}'])
def test_a_broken_file_is_computed_again(tmp_path: Path, content: str) -> None:
    surprisal(["a"], Counting(), cache=tmp_path)
    (file,) = (tmp_path / "surprisal").iterdir()
    file.write_text(content)
    again = Counting()
    assert surprisal(["a"], again, cache=tmp_path).values == {"a": (0.1,)}
    assert again.asked == ["a"]
    assert json.loads(file.read_text())["nats"] == {"a": [0.1]}


def test_a_cache_that_cannot_be_written_costs_no_result(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert surprisal(["a"], Counting(), cache=blocked).values == {"a": (0.1,)}


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"  # SCANDL_CACHE
    monkeypatch.delenv("SCANDL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / "scandl"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder().parts[-3:] == ("Library", "Caches", "scandl")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert cache_folder() == tmp_path / "scandl" / "cache"
