"""One name everywhere: each model has it in the catalogue, in its class and in its files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.models.catalogue import (
    BASELINES,
    TRAINED,
    all_names,
    code_of,
    model_names,
    model_sources,
    open_model,
)
from scandl.models.model import Model

OWN = """
class MyReader:
    "Read the first word alone."

    def fit(self, training, *, seed):
        return self

    def read(self, requests, *, seed):
        return [[0] for _ in requests]
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "my_reader.py").write_text(OWN)
    return tmp_path / "my_reader.py"


@pytest.mark.parametrize("name", model_names())
def test_a_model_is_called_as_it_was_asked_for_and_says_what_it_is(name: str) -> None:
    model = open_model(name)
    assert isinstance(model, Model)
    assert model.name == name
    assert model.about
    assert code_of(name) is None
    assert open_model(model) is model


def test_the_name_scandl_is_of_diffusion_models_alone() -> None:
    named = {name: target for name, target in (BASELINES | TRAINED).items() if name.startswith("scandl")}
    assert open_model("scandl-masked").order == "random"  # type: ignore[attr-defined]
    del named["scandl-masked"]
    assert {target.partition(".")[0] for target in named.values()} == {"diffusion"}


def test_durations_may_be_added_to_any_model() -> None:
    model = open_model("markov+times-by-word")
    assert model.name == "markov+times-by-word"
    assert (model.needs.training, model.needs.durations) == (True, True)
    assert code_of(model.name) is None


def test_a_class_in_a_file_is_a_model(own: Path) -> None:
    source = f"{own}:MyReader"
    model = open_model(source)
    assert (model.name, model.about) == ("MyReader", "Read the first word alone.")
    assert code_of(source) == own
    assert model_sources(["uniform", source]) == {"uniform": "uniform", "MyReader": source}
    with pytest.raises(ScandlError, match="no class 'MyRaeder'; did you mean 'MyReader'"):
        open_model(f"{own}:MyRaeder")
    with pytest.raises(ScandlError, match=r"gone.py: no such file; expected a Python file with a class A"):
        open_model(f"{own.with_name('gone.py')}:A")
    (own.parent / "broken.py").write_text("1 / 0")
    with pytest.raises(ScandlError, match=r"broken.py: ZeroDivisionError: division by zero"):
        open_model(f"{own.parent / 'broken.py'}:MyReader")


def test_two_models_of_one_name_are_refused(own: Path) -> None:
    (own.parent / "other.py").write_text(OWN)
    with pytest.raises(ScandlError, match="models: found 'MyReader' twice, as .*expected two names"):
        model_sources([f"{own}:MyReader", f"{own.parent / 'other.py'}:MyReader"])


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("scandl-peple", "no model 'scandl-peple'; did you mean 'scandl-paper'"),
        ("ezraeder", r"no model 'ezraeder'; did you mean 'ezreader'\?"),
        (3, "models: found int, expected a name or an object with fit and read"),
    ],
)
def test_what_is_no_model_says_what_there_is(what: object, text: str) -> None:
    with pytest.raises(ScandlError, match=text):
        open_model(what)


def test_a_folder_that_has_the_name_of_a_model_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "swift").mkdir()
    monkeypatch.chdir(tmp_path)
    assert open_model("swift").name == "swift"


def test_all_means_what_is_fitted_in_less_than_a_minute() -> None:
    assert set(all_names()) >= set(BASELINES)
    assert "scandl" not in all_names()


def test_one_model_is_opened_without_importing_the_others() -> None:
    code = (
        "import sys; from scandl.models.catalogue import open_model; open_model('uniform');"
        "print([name for name in ('torch', 'numba', 'scandl.models.swift') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
