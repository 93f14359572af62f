from __future__ import annotations

import warnings

import pytest
from word_classes import class_table, rmsd

from scandl.errors import ConfigError
from scandl.models.ezreader.ezreader import simulate_ezreader
from scandl.models.ezreader.ezreader_parameters import EZREADER_10_2, check_ezreader, ezreader_preset


def test_the_default_preset_is_silent():
    assert ezreader_preset("10.2") is EZREADER_10_2


@pytest.mark.parametrize(("name", "misfit"), [("rs2015", 0.22), ("rwm2009", 0.34)])
def test_older_presets_warn_and_fit_worse(name, misfit, schilling, trials):
    with pytest.warns(UserWarning, match=f"preset '{name}' was fitted to an earlier version"):
        parameters = ezreader_preset(name)
    simulated = simulate_ezreader(schilling, runs=100, parameters=parameters, include_final_fixation=False)
    assert rmsd(class_table(trials(schilling, simulated), drop_regressions=True)) == pytest.approx(
        misfit, abs=0.03
    )


def test_an_unknown_preset_says_what_there_is():
    with pytest.raises(
        ConfigError, match=r"no E-Z Reader preset '10\.1'; did you mean '10\.2'\? known: 10\.2, rs2015"
    ):
        ezreader_preset("10.1")


@pytest.mark.parametrize(
    ("name", "value"), [("alpha1", -1.0), ("xi", float("nan")), ("omega2", 0.0), ("psi", float("inf"))]
)
def test_impossible_values_are_refused(name, value):
    with pytest.raises(ConfigError, match=f"E-Z Reader parameter '{name}': found"):
        check_ezreader(EZREADER_10_2._replace(**{name: value}))


def test_whole_numbers_are_taken():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert check_ezreader(EZREADER_10_2._replace(alpha1=115)) == EZREADER_10_2
