"""The same model in brms, where R and brms are installed: the published method itself."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.diagnostics import summarise
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.spec import Family, Glm

SCRIPT = """
suppressMessages(library(brms))
arguments <- commandArgs(trailingOnly = TRUE)
words <- read.csv(arguments[1])
family <- if (arguments[2] == "bernoulli") bernoulli() else poisson()
fit <- brm(y ~ word_length + frequency + surprisal + (1 | reader_id), words, family,
           chains = 4, iter = 4000, warmup = 1000, seed = 123, refresh = 0, silent = 2)
names <- c("b_word_length", "b_frequency", "b_surprisal", "sd_reader_id__Intercept")
write.csv(posterior_summary(fit, variable = names), arguments[3])
"""


def have_brms() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return (
        subprocess.run(["Rscript", "-e", "library(brms)"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.slow
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_means_and_intervals_are_those_of_brms(
    made_words: Callable[..., pd.DataFrame], tmp_path: Path, family: Family
) -> None:
    if not have_brms():
        pytest.skip("R with brms is not installed")
    words = made_words(family, n_readers=12, n_own=6)
    words.to_csv(tmp_path / "words.csv", index=False)
    (tmp_path / "fit.R").write_text(SCRIPT)
    arguments = [str(tmp_path / name) for name in ("fit.R", "words.csv")]
    subprocess.run(
        ["Rscript", *arguments, family, str(tmp_path / "out.csv")], check=True, capture_output=True
    )
    theirs = pd.read_csv(tmp_path / "out.csv", index_col=0)
    ours = summarise(fit(words, Glm("y", family, groups=("reader_id",)), sampling=Sampling(draws=3000)))
    for name, row in zip(
        ("word_length", "frequency", "surprisal", "1|reader_id_sigma"), theirs.to_numpy(), strict=True
    ):
        found = ours[name]
        # 12,000 draws on each side: a Monte Carlo error of about 2 % of the posterior deviation.
        np.testing.assert_allclose(
            [found.mean, found.ci_low, found.ci_high], row[[0, 2, 3]], atol=0.1 * found.sd
        )
