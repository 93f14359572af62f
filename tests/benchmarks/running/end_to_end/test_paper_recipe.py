"""The published table as a recipe, in miniature: from the corpora's own files to the table, with one command.

The files are made up in the layout of CELER and ZuCo; the network is tiny and learns next to nothing. What is
tested is the way, not the numbers: every cell is computed again from the predictions, slowly.
"""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from scandl.cli import main as scandl
from scandl.training.checkpoint import read_checkpoint

pytestmark = pytest.mark.slow

VOCABULARY = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "dogs",
    "ran",
    "to",
    "their",
    "old",
    "home",
    "where",
    "someone",
    "was",
    "singing",
]
TINY = (
    "model.layers=1",
    "model.heads=2",
    "model.dim=16",
    "model.feed_forward=16",
    "model.encoder=lexical",
    "diffusion.steps=20",
    "training.steps=40",
    "training.batch=8",
    "training.save_every=10",
)
MODELS = "uniform,train-label-dist,ezreader,swift,scandl-paper"


def write_tsv(path: Path, header: str, rows: list[tuple[object, ...]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [header.split(), *rows]
    path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


def texts(rng: np.random.Generator, n: int) -> list[list[str]]:
    return [rng.choice(VOCABULARY, rng.integers(5, 9)).tolist() for _ in range(n)]


def path_of(rng: np.random.Generator, n_words: int) -> list[int]:
    """Read on, mostly; sometimes skip, sometimes look back. Words count from 1."""
    steps = rng.choice([-1, 0, 1, 1, 1, 2], 12).cumsum() + 1
    return [int(word) for word in steps if 1 <= word <= n_words] or [1]


def write_celer(folder: Path) -> None:
    rng = np.random.default_rng(1)
    fixations, areas = [], []
    for s, words in enumerate(texts(rng, 10)):
        for reader in range(1, 11):
            areas += [
                (reader, f"en_{s}", " ".join(words), n, word, s) for n, word in enumerate(words, start=1)
            ]
            fixations += [
                (reader, f"en_{s}", 1, n, word, words[word - 1], 200, n * 300, f"ses{reader}", s)
                for n, word in enumerate(path_of(rng, len(words)), start=1)
            ]
    write_tsv(
        folder / "sent_fix.tsv",
        "list sentenceid shared_text CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_ID"
        " CURRENT_FIX_INTEREST_AREA_LABEL CURRENT_FIX_DURATION CURRENT_FIX_START RECORDING_SESSION_LABEL"
        " TRIAL_INDEX",
        fixations,
    )
    write_tsv(folder / "sent_ia.tsv", "list sentenceid sentence IA_ID IA_LABEL TRIAL_INDEX", areas)
    write_tsv(folder / "metadata.tsv", "List L1", [(reader, "English") for reader in range(1, 11)])


def write_zuco(folder: Path) -> None:
    rng = np.random.default_rng(2)
    words, fixations = [], []
    for s, text in enumerate(texts(rng, 4), start=1):
        words += [(s, n, word, len(word)) for n, word in enumerate(text, start=1)]
        for reader in ("ZAB", "ZDM", "ZKW"):
            fixations += [
                (reader, s, len(text), word, 0.5, 100, text[word - 1]) for word in path_of(rng, len(text))
            ]
    write_tsv(folder / "Word_Infor.csv", "SN NW WORD word_len", words)
    write_tsv(folder / "scanpath.csv", "id sn nw wn fl dur CURRENT_FIX_INTEREST_AREA_LABEL", fixations)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("sources")
    write_celer(folder / "celer")
    write_zuco(folder / "zuco-tables" / "NR")
    out = tmp_path_factory.mktemp("corpora")
    for name in ("celer", "zuco-tables"):
        given = ["--from", str(folder / name), "--out", str(out / name)]
        edition = ["--edition", "released-code"] if name == "celer" else []
        assert scandl(["corpus", "fetch", name, *given, *edition]) == 0
    return out / "celer", out / "zuco-tables"


def command(corpora: tuple[Path, Path], out: Path, *more: str) -> list[str]:
    celer, zuco = map(str, corpora)
    changes = [part for change in TINY for part in ("--set", change)]
    return [
        sys.executable,
        "-m",
        "scandl_eval",
        "run",
        "--config",
        "paper.toml",
        "--corpus",
        celer,
        "--test-corpus",
        zuco,
        "--models",
        MODELS,
        "--resamples",
        "50",
        "--out",
        str(out),
        "--quiet",
        *changes,
        *more,
    ]


@pytest.fixture(scope="module")
def finished(
    corpora: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    out = tmp_path_factory.mktemp("runs") / "paper"
    done = subprocess.run(command(corpora, out), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return out, done


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def slow_nld(one: list[int], two: list[int]) -> float:
    """Edit distance by its recursion, row by row, over the longer length."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, b in enumerate(two, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1] / max(len(one), len(two))


def slow_cell(predictions: list[dict[str, str]]) -> tuple[float, float, int]:
    """Mean of the fold means and their population SD; symbols as drawn, trailing padding off."""
    by_fold: dict[str, list[float]] = {}
    for row in predictions:
        end = len(row["text"].split()) + 1
        human = [0, *(int(word) + 1 for word in row["human"].split()), end]
        drawn = [0, *(int(word) + 1 for word in row["predicted"].split()), end]
        if row.get("symbols"):
            drawn = [int(symbol) for symbol in row["symbols"].split()]
            while drawn and drawn[-1] == 127:
                drawn.pop()
        by_fold.setdefault(row["fold"], []).append(slow_nld(human, drawn))
    means = [sum(values) / len(values) for values in by_fold.values()]
    mean = sum(means) / len(means)
    return mean, (sum((m - mean) ** 2 for m in means) / len(means)) ** 0.5, len(means)


def test_every_cell_is_what_the_predictions_say(
    finished: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, done = finished
    table = rows_of(out / "published.csv")
    models = [*MODELS.split(","), "Human"]
    assert {(row["setting"], row["model"]) for row in table} == {
        (setting, model) for setting in ("ns", "nr", "nrns", "cross") for model in models
    }
    for row in table:
        if row["model"] == "Human":
            continue
        predictions = rows_of(out / "predictions" / row["model"] / f"{row['setting']}.csv")
        mean, sd, n_folds = slow_cell(predictions)
        assert float(row["nld"]) == pytest.approx(mean, abs=1e-6)
        assert int(row["n_folds"]) == n_folds == (1 if row["setting"] == "cross" else 5)
        assert float(row["sd_folds"] or 0) == pytest.approx(sd, abs=1e-6)
        assert float(row["difference"]) == pytest.approx(mean - float(row["published"]), abs=1e-5)
    ours = next(r for r in table if (r["setting"], r["model"]) == ("nrns", "scandl-paper"))
    assert (ours["published_as"], ours["published"], ours["published_sd_folds"]) == (
        "ScanDL",
        "0.515",
        "0.014",
    )
    assert "Beside the published table" in done.stdout
    assert "New Reader/New Sentence | ScanDL" in done.stdout


def test_the_human_cells_are_pairs_of_readers(
    finished: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    """For each tested path the mean distance to those of the other tested readers of the sentence."""
    out, _ = finished
    for row in rows_of(out / "published.csv"):
        if row["model"] != "Human":
            continue
        tested = rows_of(out / "predictions" / "uniform" / f"{row['setting']}.csv")
        by_fold: dict[str, list[float]] = {}
        for one in tested:
            frame = len(one["text"].split()) + 1
            others = [
                two
                for two in tested
                if two["sentence_id"] == one["sentence_id"] and two["reader_id"] != one["reader_id"]
            ]
            paths = [[0, *(int(w) + 1 for w in each["human"].split()), frame] for each in (one, *others)]
            if others:
                found = [slow_nld(paths[0], path) for path in paths[1:]]
                by_fold.setdefault(one["fold"], []).append(sum(found) / len(found))
        means = [sum(values) / len(values) for values in by_fold.values()]
        assert float(row["nld"]) == pytest.approx(sum(means) / len(means), abs=1e-6)


def test_seeds_folds_and_checkpoints_are_those_of_the_recipe(
    finished: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, _ = finished
    checkpoints = [read_checkpoint(path) for path in (out / "checkpoints").glob("*/last.pt")]
    assert {saved["fold"]["fold_id"] for saved in checkpoints} == {
        *(f"{setting}-{k}" for setting in ("ns", "nr", "nrns") for k in range(5)),
        "cross-0",
    }
    assert {saved["config"]["training"]["seed"] for saved in checkpoints} == {101}
    assert 'scheme = "paper"' in (out / "run.toml").read_text()
    assert '"scheme": "paper"' in (out / "splits" / "ns-0.json").read_text()
    assert '"seed": 77' in (out / "splits" / "cross-0.json").read_text()


def test_a_killed_run_ends_where_another_does(
    finished: tuple[Path, subprocess.CompletedProcess[str]], corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    for n in (1, 4):  # once in the first training, once after some folds
        with subprocess.Popen(
            command(corpora, out, "--jobs", "1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as run:
            limit = time.monotonic() + 600
            while len(list(out.glob("checkpoints/*/log.csv"))) < n and time.monotonic() < limit:
                assert run.poll() is None
                time.sleep(0.02)
            os.kill(run.pid, signal.SIGKILL)
    assert not (out / "leaderboard.csv").exists()
    done = subprocess.run(command(corpora, out), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    whole = finished[0]
    for name in (
        "published.csv",
        "leaderboard.csv",
        *(f"predictions/scandl-paper/{s}.csv" for s in ("ns", "cross")),
    ):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
