"""Crossed regressions of the readers of a corpus: ours beside bambi with nutpie, and beside lme4's glmer.

``python benchmarks/speed/bench_crossed.py [CORPUS] [MEASURE …] [--draws N --tune N --chains N]``: a corpus
below $SCANDL_SHARED_DATA (reading-brain-l1), the four measures. nutpie makes fewer draws, as many as options
say; compared are effective draws of the worst parameter per CPU second. glmer is run where R has lme4; it has
no draws, so its time stands beside ours.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from scandl.corpora import read_corpus
from scandl_analysis.effects.designs import source_glm
from scandl_analysis.glm.diagnostics import convergence
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.spec import FAMILIES, Glm, Sampling
from scandl_analysis.predictors.word_predictors import compute_predictors
from scandl_analysis.words.analysed_run import HUMAN, human_readings
from scandl_analysis.words.word_table import (
    PREDICTORS,
    complete_rows,
    scale,
    with_token,
    without_edges,
    word_rows,
)

R_SCRIPT = Path(__file__).parents[2] / "tests" / "analysis" / "glm" / "end_to_end" / "fit_with_lme4.R"
MOST = 200  # levels of a group that are looked at


def crossed_words(folder: Path) -> pd.DataFrame:
    """Return the words inside the sentences of a corpus with standardised predictors."""
    corpus = read_corpus(folder)
    readings = human_readings(corpus)
    texts = [reading.text for reading in readings]
    predictors = compute_predictors(texts, provider="trigram", language=corpus.card.language)
    words, _ = complete_rows(without_edges(word_rows(readings, predictors), ("first", "last")))
    return with_token(scale(words)[0])


def worst(draws: Any) -> tuple[float, float, float]:
    """Return the smallest bulk and tail ESS and the largest R-hat over all parameters."""
    columns = [each.reshape(*each.shape[:2], -1) for each in draws.values()]
    every = [(c, k) for c in columns for k in np.unique(np.linspace(0, c.shape[2] - 1, MOST).astype(int))]
    found = np.array([convergence(c[..., k]) for c, k in every])
    return float(found[:, 1].min()), float(found[:, 2].min()), float(found[:, 0].max())


def timed(name: str, words: pd.DataFrame, glm: Glm, engine: str, sampling: Sampling) -> tuple[float, float]:
    """Fit, print, and return bulk and tail ESS per CPU second."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = fit(words, glm, engine=engine, sampling=sampling)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    bulk, tail, rhat = worst(found.draws)
    print(
        f"  {name:16} {cpu:8.1f} CPU s {wall:8.1f} s  bulk {bulk:6.0f}  tail {tail:6.0f}  R-hat {rhat:.4f}"
        f"  per CPU second {bulk / cpu:7.2f} {tail / cpu:7.2f}",
        flush=True,
    )
    return bulk / cpu, tail / cpu


def by_glmer(words: pd.DataFrame, glm: Glm) -> None:
    """Print how long glmer takes, where it is."""
    if shutil.which("Rscript") is None:
        print("  glmer            R is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        words[list(glm.columns)].to_csv(Path(folder) / "words.csv", index=False)
        arguments = [R_SCRIPT, Path(folder) / "words.csv", glm.formula, glm.family, 1, Path(folder) / "f.csv"]
        done = subprocess.run(["Rscript", *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"  glmer            {done.stderr.strip().splitlines()[-1]}")
            return
        rows = pd.read_csv(Path(folder) / "f.csv").set_index("name")["value"]
        print(f"  {'glmer':16} {rows['cpu_seconds']:8.1f} CPU s {rows['seconds']:8.1f} s", flush=True)


def main() -> None:
    """Compare on one corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", nargs="?", default="reading-brain-l1")
    parser.add_argument("measures", nargs="*", default=list(FAMILIES))
    for option, default in (("--draws", 250), ("--tune", 400), ("--chains", 4)):
        parser.add_argument(option, type=int, default=default, help=f"of bambi + nutpie ({default})")
    args = parser.parse_args()
    few = Sampling(draws=args.draws, tune=args.tune, chains=args.chains)
    name = args.corpus
    folder = Path(os.environ.get("SCANDL_SHARED_DATA", "../shared/data")) / name
    if not folder.is_dir():
        print(f"{folder} is not here: nothing is compared")
        return
    words = crossed_words(folder)
    for measure in args.measures:
        glm = source_glm("crossed", measure, HUMAN, words, predictors=PREDICTORS, family=FAMILIES[measure])
        fit(words[::20], glm, engine="laplace", sampling=Sampling(draws=4))  # compiled kernels are kept
        print(f"{name}, {len(words):,} words: {glm.formula}", flush=True)
        ours = timed("hmc", words, glm, "hmc", Sampling())
        theirs = timed("bambi + nutpie", words, glm, "nutpie", few)
        print(
            f"  hmc over bambi + nutpie: bulk {ours[0] / theirs[0]:.1f} ×, tail {ours[1] / theirs[1]:.1f} ×"
        )
        by_glmer(words, glm)


if __name__ == "__main__":
    main()
