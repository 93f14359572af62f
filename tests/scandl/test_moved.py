"""Old names of modules: every documented import still works, and says where the module is now."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from scandl.moved import MOVED

OLD_IMPORTS = """\
from scandl.atomic import write_text
from scandl.corpora.base import Card, Corpus
from scandl.corpora.catalogue import open_corpus
from scandl.corpora.importers import arguments
from scandl.corpora.importers.base import IMPORTERS, Importer
from scandl.corpora.importers.report import read_report
from scandl.frequency import frequency_per_million
from scandl.io import read_predictions, write_predictions
from scandl_analysis.correlations import correlations
from scandl_analysis.durations import TIME_MEASURES
from scandl_analysis.psycholing import psycholing
from scandl_analysis.readings import human_readings
from scandl_analysis.run_folder import demo_run, open_run
from scandl_analysis.synonyms import our_name
from scandl_analysis.table import complete_rows, scale, word_rows
from scandl_analysis.variability import variability
from scandl_eval.cognitive.ezreader import simulate_ezreader
from scandl_eval.cognitive.inputs import Stimulus
from scandl_eval.cognitive.validation import class_table
from scandl_eval.comparison import compare
from scandl_eval.evaluation import evaluate
from scandl_eval.eyettention.generator import Eyettention
from scandl_eval.eyettention.settings import EyettentionConfig
from scandl_eval.spec import Spec
"""
"""The imports of modules that have moved, as the pages of version 0.1 showed them."""

UNMOVED = """\
from scandl.config import read_config
from scandl.corpora import read_corpus, write_corpus
from scandl.corpora.importers import import_pymovements
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, gather
from scandl.corpora.importers.sentences import read_sentences
from scandl.generators import GENERATORS, SentenceGenerator
from scandl.seeds import stream
from scandl.splits import read_fold
from scandl_analysis.glm.engines import fit
from scandl_analysis.glm.fit import Sampling
from scandl_analysis.glm.spec import Glm
from scandl_analysis.measures import word_measures
from scandl_eval.metrics import METRICS, Metric
from scandl_eval.reporting.terms import board_terms
"""
"""The other imports they showed: these names hold."""


def ran(script: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "always::DeprecationWarning:__main__", "-c", script],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if "DeprecationWarning: scandl" in line]


def test_documented_imports_work_and_warn() -> None:
    """One process imports them all; the warnings name the line of the user, not ours."""
    lines = OLD_IMPORTS.splitlines()
    if importlib.util.find_spec("torch") is None:
        lines = [line for line in lines if "eyettention" not in line]
    warnings = ran("\n".join(lines))
    for n, line in enumerate(lines, start=1):
        old = line.split()[1] + (".arguments" if line.endswith(" arguments") else "")
        told = f"{old} is now {MOVED[old]}; the old name works until version 0.2"
        assert f"<string>:{n}: DeprecationWarning: {told}" in warnings


def test_imports_that_hold_do_not_warn() -> None:
    assert ran(UNMOVED) == []


def test_every_old_name_is_tried() -> None:
    tried = {line.split()[1] for line in OLD_IMPORTS.splitlines()} | {"scandl.corpora.importers.arguments"}
    packages = {old for old in MOVED if any(other.startswith(f"{old}.") for other in MOVED)}
    assert tried - {"scandl.corpora.importers"} == set(MOVED) - packages


def test_old_and_new_are_one_thing() -> None:
    """A class or registry that existed twice would be two: records of one would not be the other's."""
    ran(
        "import scandl.corpora.base, scandl.corpora.corpus, scandl_eval.cognitive.inputs\n"
        "import scandl_eval.models.cognitive.word_inputs as now\n"
        "assert scandl.corpora.base.Corpus is scandl.corpora.corpus.Corpus\n"
        "assert scandl_eval.cognitive.inputs.Stimulus is now.Stimulus"
    )


def test_an_old_module_does_not_hide_the_function_of_its_name() -> None:
    ran(
        "import scandl_analysis\n"
        "import scandl_analysis.variability\n"
        "from scandl_analysis.words.analysed_run import demo_run, open_run\n"
        "found = scandl_analysis.variability(open_run(demo_run(), 'nrns'), resamples=20)\n"
        "assert len(found.table)"
    )


@pytest.mark.parametrize(
    ("package", "module", "names"),
    [
        ("scandl_analysis.measures", "scandl_analysis.measures.word_measures", "MEASURES, skipped"),
        ("scandl_analysis.predictors", "scandl_analysis.predictors.word_predictors", "compute_predictors"),
    ],
)
def test_what_modules_held_that_are_packages_now(package: str, module: str, names: str) -> None:
    warnings = ran(f"from {package} import {names}")
    for name in names.split(", "):
        told = f"{package}.{name} is now in {module}; the old name works until version 0.2"
        assert any(told in line for line in warnings)


def test_a_room_in_such_a_package_is_not_taken_for_what_the_module_had() -> None:
    assert ran("from scandl_analysis.predictors import surprisal; surprisal.Surprisal") == []


def test_other_names_are_not_found() -> None:
    """A file is never loaded a second time under the old name of its package."""
    for name in ("scandl.nowhere", "scandl_eval.cognitive.simulation", "scandl_analysis.measures.nothing"):
        ran(
            f"try: import {name}\n"
            f"except ModuleNotFoundError as error: assert str(error) == \"No module named '{name}'\"\n"
            "else: assert False"
        )
