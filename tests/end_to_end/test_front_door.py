"""What a researcher types in a notebook runs as it is written, on the base installation where that is enough."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "python" / "index.md").read_text(encoding="utf-8")
EXTRAS = (
    "torch",
    "transformers",
    "accelerate",
    "tokenizers",
    "safetensors",
    "optuna",
    "sklearn",
    "onnx",
    "bambi",
    "pymc",
    "arviz",
    "arviz_stats",
    "nutpie",
    "pytensor",
    "pocketsphinx",
    "h5py",
    "pymovements",
    "distributed",
    "tensorboard",
)

SCANDL = """
import scandl
corpus = scandl.open_corpus("demo")
assert repr(corpus) == "<Corpus demo: 30 simulated readers, 80 sentences, 2,140 scanpaths>"
assert len(corpus.to_frame()) == sum(path.n_fixations for path in corpus.scanpaths)
assert len(corpus.sentences) == 80
assert len(corpus.readers) == 30
paths = scandl.generate("The old man the boats.", samples=20, seed=1)
assert len(paths) == 20
assert all(isinstance(path, scandl.Scanpath) for path in paths)
assert len(scandl.to_frame(paths)) == sum(path.n_fixations for path in paths)
from matplotlib.axes import Axes
assert isinstance(scandl.plot_scanpath(paths[0]), Axes)
assert scandl.nld([0, 1, 2, 3], [0, 1, 1, 3]) == 0.25
"""

SCANDL_EVAL = """
import scandl
import scandl_eval
from scandl.files.prediction_inputs import as_predictions
from scandl.models.model import SentenceGenerator

class MyGenerator(SentenceGenerator):
    def draw(self, request, rng):
        return tuple(range(request.sentence.n_words))

corpus = scandl.open_corpus("demo")
records = [
    scandl.Prediction(p.sentence_id, tuple(range(corpus.sentences[p.sentence_id].n_words)), reader_id=p.reader_id, model="mine")
    for p in corpus.scanpaths[:200]
]
mine = scandl.to_frame(records)
theirs = mine.assign(model="theirs", predicted="0 1 2")
results = [
    scandl_eval.evaluate(source, corpus=corpus, metrics=["nld", "energy"]) for source in (mine, records)
]
assert results[0].to_frame().equals(results[1].to_frame())
result = results[0]
assert "<table" in result._repr_html_()
assert "mine" in result.to_markdown()
assert "tabular" in result.to_latex()
assert len(repr(result).splitlines()) < 60
scandl_eval.compare(mine, theirs, corpus=corpus)
import os
assert not os.listdir()
"""

AS_SHOWN = """
import scandl
corpus = scandl.open_corpus("demo")                 # short repr; corpus.to_frame() one row per fixation; corpus.sentences, .readers
paths = scandl.generate("The old man the boats.", samples=20, seed=1)        # list[Scanpath]; scandl.to_frame(paths)
scandl.plot_scanpath(paths[0])                      # matplotlib axes
scandl.nld([0, 1, 2, 3], [0, 1, 1, 3])              # 0.25

import scandl_eval
result = scandl_eval.evaluate(frame_or_file_or_records, corpus=corpus, metrics=["nld", "energy"])
result                                              # a table in the notebook; result.to_frame(), .to_latex(), .to_markdown(), .report("out.html")
scandl_eval.compare(mine, theirs, corpus=corpus)    # paired differences
scandl_eval.benchmark(corpus, models=["scandl", MyGenerator()], settings=["nrns"])   # any object with fit/generate

import scandl_analysis
words = scandl_analysis.word_table(corpus)          # one row per reader × word: measures, durations, predictors
fit = scandl_analysis.fit("skipped ~ length + frequency + surprisal + (1 | reader)", words, family="bernoulli")
fit.summary(), fit.to_inference_data(), fit.plot_forest()
"""
"""The session that the front door was planned for, word for word."""

NOTEBOOK = """
import ast, scandl
from scandl.models.model import SentenceGenerator

class MyGenerator(SentenceGenerator):
    def draw(self, request, rng):
        return tuple(range(request.sentence.n_words))

demo = scandl.open_corpus("demo")
frame_or_file_or_records = [
    scandl.Prediction(p.sentence_id, tuple(range(demo.sentences[p.sentence_id].n_words)), reader_id=p.reader_id, model="mine")
    for p in demo.scanpaths[:200]
]
mine = scandl.to_frame(frame_or_file_or_records)
theirs = mine.assign(model="theirs", predicted="0 1 2")
shown, lines = {{}}, {session!r}
for cell in ast.parse(lines).body:
    text = ast.unparse(cell)
    try:
        if isinstance(cell, ast.Expr):
            shown[text] = eval(text)
        else:
            exec(text)
    except scandl.ScandlError as error:
        shown[text] = str(error)
        break
"""

BASE = """
shown = list(shown.values())
axes, nld, result, compared, board, refused = shown
assert type(axes).__name__ == "Axes"
assert nld == 0.25
assert repr(result) == "<Evaluation of mine: nld, energy; 200 scores>"
assert "<table" in result._repr_html_()
assert repr(compared) == "<Comparison of mine, theirs: 1 paired difference>"
assert repr(board) == "<Leaderboard of MyGenerator in nrns>"
(left_out,) = (line for line in board.warnings if "left out" in line)
assert "scandl is left out: this needs torch, which is not installed: pip install " in left_out
assert "[model]" in left_out
assert "which is not installed: pip install " in refused
assert "[analysis]" in refused
"""

BENCHMARK = """
import scandl
import scandl_eval
from scandl.models.model import SentenceGenerator

class MyGenerator(SentenceGenerator):
    def draw(self, request, rng):
        return tuple(range(request.sentence.n_words))

board = scandl_eval.benchmark(scandl.open_corpus("demo"), models=["left-to-right", MyGenerator()], settings=["nrns"])
import os
assert not os.listdir()
"""

SCANDL_ANALYSIS = """
import scandl
import scandl_analysis
corpus = scandl.open_corpus("demo")
words = scandl_analysis.word_table(corpus)
assert len(words) == sum(corpus.sentences[path.sentence_id].n_words for path in corpus.scanpaths)
assert {"skipped", "FFD", "length", "frequency", "surprisal", "reader"} <= set(words)
"""

FIT = """
import scandl_analysis
words = scandl_analysis.word_table("demo", surprisal="unigram")
words["surprisal"] = words["word_index"]  # unigram surprisal is frequency again
fit = scandl_analysis.fit("skipped ~ length + frequency + surprisal + (1 | reader)", words, family="bernoulli")
fit.summary(), fit.to_inference_data(), fit.plot_forest()
"""


BLOCKED = """
from importlib.machinery import PathFinder
found = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name.partition(".")[0] in {names!r} else found(name, *more)
"""


def run_base(script: str, folder: Path, *, without: tuple[str, ...] = EXTRAS) -> None:
    """Run a script in an empty folder, where the extras cannot be imported."""
    blocked = BLOCKED.format(names=without)
    env = os.environ | {"MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", blocked + script], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert list(folder.iterdir()) == []


def test_scandl_needs_the_base_installation_only(tmp_path: Path) -> None:
    run_base(SCANDL, tmp_path)


def test_words_need_the_base_installation_only(tmp_path: Path) -> None:
    run_base(SCANDL_ANALYSIS, tmp_path)


def test_scores_need_the_base_installation_only(tmp_path: Path) -> None:
    run_base(SCANDL_EVAL, tmp_path)


def test_the_session_runs_as_it_was_planned(tmp_path: Path) -> None:
    """On the base installation: what needs an extra says which, and the rest goes on."""
    run_base(NOTEBOOK.format(session=AS_SHOWN) + BASE, tmp_path)


def test_a_benchmark_of_ones_own_generator(tmp_path: Path) -> None:
    run_base(BENCHMARK, tmp_path)


@pytest.mark.slow
def test_a_regression_needs_the_extra_analysis(tmp_path: Path) -> None:
    pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")
    run_base(FIT, tmp_path, without=("torch",))


def test_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    script = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)[0]
    run_base(script, tmp_path)


def test_the_page_quotes_the_error() -> None:
    session = re.findall(r"```pycon\n(.*?)```", PAGE, flags=re.DOTALL)[0]
    example = doctest.DocTestParser().get_doctest(session, {}, "index.md", None, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0
