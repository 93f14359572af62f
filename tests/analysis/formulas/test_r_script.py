"""The script for R: run by Rscript, it finds the slopes that are found here."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus, write_corpus
from scandl_analysis.cli import main
from scandl_analysis.formulas.formula import read_formula
from scandl_analysis.formulas.model_frame import model_frame
from scandl_analysis.formulas.r_script import r_script, write_words
from scandl_analysis.formulas.regression import fit

_SLOPES = "est <- coef(found)[, 1:2, drop = FALSE]; write.csv(est, 'slopes.csv')"


def _lme4_is_here() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True).returncode == 0


needs_lme4 = pytest.mark.skipif(not _lme4_is_here(), reason="R with lme4 is not installed")


def by_r(folder: Path) -> pd.DataFrame:
    script = (folder / "analysis.R").read_text(encoding="utf-8")
    (folder / "run.R").write_text(script + _SLOPES, encoding="utf-8")
    done = subprocess.run(["Rscript", "run.R"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return pd.read_csv(folder / "slopes.csv", index_col=0)


def same_slopes(folder: Path, formula: str, **options: str) -> None:
    words = pd.read_csv(folder / "words.csv", keep_default_na=False, na_values=[""])
    ours = fit(formula, words, **options)  # type: ignore[arg-type]
    theirs = by_r(folder)
    table = ours.summary().loc[[*ours.effects]]
    errors = theirs["Std. Error"].to_numpy()[1:]
    np.testing.assert_allclose(table["mean"] / errors, theirs["Estimate"].to_numpy()[1:] / errors, atol=0.05)
    np.testing.assert_allclose(table["sd"], errors, rtol=0.1)


@needs_lme4
@pytest.mark.parametrize("contrast", ["sum", "sdif", "treatment"])
def test_a_two_by_two_design_with_slopes(design_corpus: Corpus, tmp_path: Path, contrast: str) -> None:
    formula = "FPRT ~ a * b + (1 + a || reader) + (1 | item)"
    write_corpus(design_corpus, tmp_path / "c")
    argv = [
        "words",
        "--corpus",
        str(tmp_path / "c"),
        "--surprisal",
        "unigram",
        "--contrast",
        contrast,
        "--quiet",
    ]
    assert main([*argv, "--out", str(tmp_path / "words.csv"), "--r", formula]) == 0
    same_slopes(tmp_path, formula, contrast=contrast)


@needs_lme4
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("schilling", "sr ~ scale(word_length) + poly(frequency, 2) + (1 | reader)"),
        (
            "mertzen",
            "TFT ~ ns(word_length, 3) + scale(frequency) + (1 + scale(frequency) || reader) + (1 | sentence)",
        ),
    ],
)
def test_real_corpora(name: str, formula: str, shared: Callable[[str], Path], tmp_path: Path) -> None:
    write_words(tmp_path / "words.csv", shared(name), formula=formula, surprisal="unigram")
    same_slopes(tmp_path, formula)


def test_names_priors_and_columns_are_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    words = pd.DataFrame(
        {"ms": rng.lognormal(5, 0.3, 40), "b": rng.normal(size=40), "g": np.tile(list("wxyz"), 10)}
    )
    words["cond"] = np.tile(["it's", "no"], 20)
    formula = read_formula("ms ~ cond * s(b) + (1 + cond || g)")
    found = r_script(
        formula, model_frame(formula, words), tmp_path / "w.csv", contrast="treatment", priors="weak"
    )
    for line in (
        "words$cond <- factor(words$cond, levels = c('it\\'s', 'no'))",
        "library(splines)",
        "model <- lmer(log(ms) ~ 1 + cond + ns(b, 3) + cond:ns(b, 3) + (1 + slope_1 || g), data = words)",
        "class = b), prior(normal(",
    ):
        assert line in found


def test_the_table_for_r_is_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "--corpus", "demo", "--out", str(tmp_path / "w.parquet"), "--r"]) == 2
    assert "--r: R reads the table as CSV, so --out must end in .csv" in capsys.readouterr().err
