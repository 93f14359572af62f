"""An experiment of one's own in the four commands of the tutorial: reports, import, formula, page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.cli import main as scandl
from scandl_analysis.cli import main as analysis

TUTORIAL = Path(__file__).parents[4] / "docs" / "tutorial.md"
WORDS = [
    "the",
    "old",
    "river",
    "house",
    "slowly",
    "under",
    "mountain",
    "bright",
    "garden",
    "window",
    "child",
    "letter",
]
SLOWER = 0.25  # log ms that the condition "hard" adds, and 0.1 more a standard deviation of length


def write_reports(folder: Path) -> None:
    """Write what Data Viewer exports: one row per fixation, one per interest area, with a condition."""
    rng = np.random.default_rng(1)
    fixations, areas = [], []
    for sentence in range(16):
        words = rng.choice(WORDS, 7).tolist()
        condition = ("easy", "hard")[sentence % 2]
        for reader in range(6):
            who = {
                "RECORDING_SESSION_LABEL": f"p{reader}",
                "sentenceid": f"s{sentence}",
                "condition": condition,
            }
            areas += [who | {"IA_ID": k + 1, "IA_LABEL": word} for k, word in enumerate(words)]
            for k, word in enumerate(words):
                slow = (SLOWER + 0.1 * (len(word) - 5)) * (condition == "hard")
                ms = np.exp(5.3 + 0.02 * len(word) + slow + 0.1 * (reader - 2.5) / 2 + rng.normal(0, 0.2))
                fixations.append(
                    who
                    | {
                        "CURRENT_FIX_INDEX": k + 1,
                        "CURRENT_FIX_INTEREST_AREA_ID": k + 1,
                        "CURRENT_FIX_INTEREST_AREA_LABEL": word,
                        "CURRENT_FIX_DURATION": round(ms),
                    }
                )
    pd.DataFrame(fixations).to_csv(folder / "fixations.tsv", sep="\t", index=False)
    pd.DataFrame(areas).to_csv(folder / "areas.tsv", sep="\t", index=False)


def commands() -> list[list[str]]:
    """Return the commands that the tutorial shows."""
    section = TUTORIAL.read_text(encoding="utf-8").split("## 7. Your own experiment")[1].split("\n## ")[0]
    block = re.findall(r"```text\n(.*?)```", section, flags=re.DOTALL)[0].replace("\\\n", " ")
    return [shlex.split(line) for line in block.splitlines() if line.startswith("scandl")]


@pytest.mark.slow
def test_four_commands_from_reports_to_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCANDL_CORPORA", "")
    write_reports(tmp_path)
    shown = commands()
    assert len(shown) == 4
    for room, *arguments in shown:
        quick = ["--engine", "laplace", "--draws", "100"] if "fit" in arguments[:1] else []
        if "psycholing" in arguments:
            quick = ["--engine", "laplace", "--draws", "50", "--no-ceiling", "--no-edge-check"]
        assert (scandl if room == "scandl" else analysis)([*arguments, *quick]) == 0, capsys.readouterr().err
    table = pd.read_csv(tmp_path / "fit" / "summary.csv").set_index("parameter")
    effect = table.loc["condition[hard-easy]"]
    assert effect["ci_low"] < SLOWER + 0.1 * 0.2 < effect["ci_high"] + 0.15
    assert table.loc["scale(word_length):condition[hard-easy]", "ci_low"] > 0
    page = (tmp_path / "fit" / "report.html").read_text(encoding="utf-8")
    assert "condition[hard-easy] above" in page
    assert "Effects by condition" in (tmp_path / "by-condition" / "report.html").read_text(encoding="utf-8")
