"""The page on an experiment of one's own: raw files become a page, a table and a script as it shows."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "own-experiment.md"


@pytest.fixture
def examples() -> ModuleType:
    spec = importlib.util.spec_from_file_location("examples", Path(__file__).with_name("test_examples.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def raw_files(folder: Path) -> None:
    """Write fixations of 24 readers on 16 items in four conditions: critics are read slowly when far and mismatched."""
    rng = np.random.default_rng(11)
    rows, texts = [], []
    names = "critic pilot lawyer nurse farmer painter singer banker teacher driver waiter doctor baker sailor judge poet"
    for item, name in enumerate(names.split(), start=1):
        for gender, pronoun in (("match", "himself"), ("mismatch", "herself")):
            for distance, between in (("near", ""), ("far", " who lived in the old town")):
                texts.append(
                    (
                        item,
                        gender,
                        distance,
                        f"We heard that the {name}{between} had hurt {pronoun} badly today.",
                    )
                )
    of = {(item, gender, distance): text.split() for item, gender, distance, text in texts}
    slow, hard = rng.normal(0, 0.12, 24), rng.normal(0, 0.05, 16)
    for reader in range(24):
        for trial, item in enumerate(rng.permutation(16)):
            cell = (reader + item) % 4
            gender, distance = ("match", "mismatch")[cell // 2], ("near", "far")[cell % 2]
            words = of[item + 1, gender, distance]
            for n, word in enumerate(words, start=1):
                critical = word in ("himself", "herself")
                cost = 0.25 * critical * (gender == "mismatch") * (distance == "near")
                ms = np.exp(5.35 + slow[reader] + hard[item] + cost + 0.02 * len(word) + rng.normal(0, 0.25))
                if rng.uniform() > 0.25 / len(word) * 2:
                    who = (f"p{reader + 1:02d}", 20 + reader % 9, "AB"[reader % 2])
                    rows.append((*who, trial + 1, item + 1, gender, distance, n, round(float(ms)), "R"))
    header = ["Subject", "Age", "List", "Trial", "Item", "Gender", "Distance", "Word", "Dur", "Eye"]
    pd.DataFrame(rows, columns=header).to_csv(folder / "raw.csv", index=False)
    pd.DataFrame(texts, columns=["Item", "Gender", "Distance", "Sentence"]).to_csv(
        folder / "texts.csv", index=False
    )
    critical = [
        (f"{item}_{gender}_{distance}", "critical", len(text.split()) - 3)
        for item, gender, distance, text in texts
    ]
    pd.DataFrame(critical, columns=["sentence_id", "region", "words"]).to_csv(
        folder / "regions.csv", index=False
    )


def test_the_page_does_what_it_shows(tmp_path: Path, examples: ModuleType) -> None:
    raw_files(tmp_path)
    examples.replay(PAGE, tmp_path)
    for name in (
        "words.csv",
        "words.codebook.csv",
        "analysis.R",
        "fit/report.html",
        "fit/apa.tex",
        "fit/means.csv",
    ):
        assert (tmp_path / name).stat().st_size > 0
    ours = [command for command, _ in examples.sessions(PAGE) if command.startswith("scandl")]
    assert len(ours) <= 7
    if shutil.which("Rscript"):
        done = subprocess.run(["Rscript", "analysis.R"], cwd=tmp_path, capture_output=True, text=True)
        if done.returncode == 0:
            summary = pd.read_csv(tmp_path / "fit" / "summary.csv", index_col="parameter")
            line = next(row for row in done.stdout.splitlines() if row.startswith("Gender1:Distance1"))
            estimate, error = map(float, line.split()[1:3])
            own = summary.loc["Gender[S.match]:Distance[S.far]", "mean"]
            assert abs(own - estimate) < 0.06 * error
        else:
            pytest.skip("lme4 is not installed: the script was written and not run")
