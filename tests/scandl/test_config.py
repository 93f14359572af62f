"""Settings: one set of defaults, unknown keys refused, types held."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.config import TrainingConfig, from_table, read_config, to_table, toml_text
from scandl.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    layers: int = 12
    dropout: float = 0.1
    schedule: Literal["sqrt", "cosine"] = "sqrt"
    buckets: tuple[int, ...] = (32, 64)
    condition: bool = True
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    name: str = "run"
    model: Model = field(default_factory=Model)


def test_defaults_file_and_overrides_stack_up(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text('name = "file"\n[model]\nlayers = 4\ndropout = 0\n')
    config = read_config(
        Config, path, ["model.layers=2", "model.schedule=cosine", "model.buckets=[8]", "model.limit=5"]
    )
    assert config == Config(
        name="file", model=Model(layers=2, dropout=0.0, schedule="cosine", buckets=(8,), limit=5)
    )
    assert read_config(Config) == Config()


def test_a_config_comes_back_through_toml(tmp_path: Path) -> None:
    config = Config(name="x", model=Model(layers=3, buckets=(1, 2)))
    path = tmp_path / "c.toml"
    path.write_text(toml_text(to_table(config)))
    assert read_config(Config, path) == config


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "model.layer=2",
            r"unknown setting 'model.layer'; did you mean 'layers'\? known: buckets, condition",
        ),
        ("modle=2", r"unknown setting 'modle'; did you mean 'model'\?"),
        ("model.layers=two", r"setting 'model.layers': found 'two', expected int"),
        ("model.layers=true", r"setting 'model.layers': found True, expected int"),
        ("model.condition=1", r"setting 'model.condition': found 1, expected bool"),
        (
            "model.schedule=lin",
            r"setting 'model.schedule': found 'lin', expected Literal\['sqrt', 'cosine'\]",
        ),
        ("model.buckets=[8, 'wide']", r"setting 'model.buckets': found 'wide', expected int"),
        ("model.limit=x", r"setting 'model.limit': found 'x', expected int or NoneType"),
        ("layers", r"--set 'layers': expected name=value, for example model.layers=4"),
        ("name.x=1", r"setting 'name': found \{'x': 1\}, expected str"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_config(Config, overrides=[override])


def test_a_value_cannot_become_a_group(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'name' is a value, not a group of settings"):
        read_config(Config, overrides=["name=1", "name.x=1"])


def test_broken_toml_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("layers = = 2")
    with pytest.raises(ConfigError, match=r"c.toml: Invalid value \(at line 1, column 10\)"):
        read_config(Config, path)


def test_an_unknown_setting_names_the_file_it_stands_in(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("[model]\nlayer = 2\n")
    with pytest.raises(ConfigError, match=r"c.toml: unknown setting 'model.layer'; did you mean 'layers'\?"):
        read_config(Config, path, ["name=x"])
    path.write_text("[model]\nlayers = 2\n")
    with pytest.raises(ConfigError, match=r"^unknown setting 'modle'"):
        read_config(Config, path, ["modle=x"])


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.toml")
    with pytest.raises(ConfigError, match=r"c.toml: found a pipe or device, expected a TOML file"):
        read_config(Config, tmp_path / "c.toml")


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000 + "]" * 5000])
def test_values_beyond_reading_are_one_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(f"name = {value}")
    with pytest.raises(ConfigError, match=r"c.toml: "):
        read_config(Config, path)
    with pytest.raises(ConfigError, match="--set name: found a value that cannot be read"):
        read_config(Config, overrides=[f"name={value}"])


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b'name = "d\xe9mo"')
    with pytest.raises(ConfigError, match=r"c.toml: 'utf-8' codec can't decode byte 0xe9"):
        read_config(Config, path)


def test_from_table_takes_nested_dataclasses() -> None:
    assert from_table(Config, {"model": {"layers": 1}}).model.layers == 1


_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_value = st.one_of(
    _text, st.integers(-(2**53), 2**53), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
)
_table = st.dictionaries(_text, _value | st.lists(_text, max_size=3), max_size=4)


@given(table=_table, inner=st.dictionaries(_text, _table, max_size=3))
def test_what_is_written_is_read_back(table: dict[str, Any], inner: dict[str, Any]) -> None:
    whole = {key: value for key, value in table.items() if key not in inner} | inner
    assert tomllib.loads(toml_text(whole)) == whole


def test_a_value_that_cannot_be_is_named_with_what_is_expected() -> None:
    with pytest.raises(ConfigError, match=r"setting 'training.lr': found -1, expected a number above 0"):
        TrainingConfig(lr=-1)
    with pytest.raises(
        ConfigError, match=r"setting 'training.batch': found 1000000, expected at most 100,000"
    ):
        TrainingConfig(batch=1_000_000)


@pytest.mark.parametrize(
    ("kind", "chooses"), [("none", False), ("loss", False), ("energy", True), ("nld", True)]
)
def test_only_validation_by_generation_chooses_a_checkpoint(kind, chooses) -> None:
    assert TrainingConfig(validation=kind).chooses is chooses
