"""Results are made in few modules: who follows a command through the code reads no more than these."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import scandl
from scandl.corpora import write_corpus

SCRIPT = Path(__file__).with_name("modules_visited.py")
MOST = {"generate": 36, "train": 33, "nld": 27, "run": 59, "psycholing": 56, "pilot": 64}


def visited(package: str, command: str, *arguments: str | Path) -> list[str]:
    """Return the modules in which a command does work, and hold it to their number."""
    call = [sys.executable, str(SCRIPT), package, command, *map(str, arguments)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    modules = done.stdout.split()
    assert len(modules) <= MOST[command], "\n".join(modules)
    return modules


def test_generate_does_its_work_in_few_modules(tmp_path: Path) -> None:
    """The shipped model, a table."""
    out = tmp_path / "paths.csv"
    modules = visited("scandl", "generate", "--text", "The old man the boats.", "--out", out)
    assert "scandl.models.readings" in modules
    assert out.exists()


def test_train_does_its_work_in_few_modules(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="scandl[model] is not installed")
    fold = ("--corpus", "demo", "--setting", "ns", "--fold", "0", "--preset", "small")
    modules = visited("scandl", "train", *fold, "--set", "training.steps=2", "--out", tmp_path / "trained")
    assert "scandl.training.trainer" in modules


def test_nld_does_its_work_in_few_modules(tmp_path: Path) -> None:
    """With texts, baselines, human ceiling, energy and intervals, on readers who have a name."""
    rows = [
        f"{reader},{sentence},{fold},one two three four,{predicted},{human}"
        for sentence, fold in (("s1", 0), ("s2", 1), ("s3", 0), ("s4", 1))
        for reader, predicted, human in (
            ("a", "0 1 3", "0 2 3"),
            ("b", "0 1 2 3", "0 1 1 3"),
            ("c", "0 3", "1 2"),
        )
    ]
    file = tmp_path / "preds.csv"
    file.write_text("\n".join(["reader_id,sentence_id,fold,text,predicted,human", *rows]) + "\n")
    assert "scandl_eval.scoring.engine" in visited("scandl_eval", "nld", "--pred", file)


def test_run_and_psycholing_do_their_work_in_few_modules(tmp_path: Path) -> None:
    """A run of two models with its report, then regressions of its words with theirs, crossed and published."""
    for extra in ("nutpie", "pocketsphinx", "typst"):
        pytest.importorskip(extra, reason="scandl[analysis,pdf] is not installed")
    demo = scandl.open_corpus("demo")
    readers, sentences = demo.reader_ids[:10], list(demo.sentences)[:10]
    few = demo.restricted_to([(reader, sentence) for reader in readers for sentence in sentences])
    corpus, run = tmp_path / "few", tmp_path / "run"
    write_corpus(few, corpus)
    models = visited(
        "scandl_eval",
        "run",
        "--corpus",
        corpus,
        "--settings",
        "nrns",
        "--models",
        "uniform,markov-text",
        "--resamples",
        "50",
        "--out",
        run,
    )
    assert "scandl_eval.scoring.engine" in models
    assert (run / "report.html").exists()
    for design in ("crossed", "paper"):
        effects = tmp_path / design
        regressions = visited(
            "scandl_analysis",
            "psycholing",
            "--run",
            run,
            "--design",
            design,
            "--surprisal",
            "trigram",
            "--measures",
            "sr,tfc,FPRT",
            "--chains",
            "2",
            "--draws",
            "20",
            "--out",
            effects,
        )
        assert "scandl_analysis.glm.posterior" in regressions
        assert (effects / "report.html").exists()


def test_pilot_does_its_work_in_few_modules(tmp_path: Path) -> None:
    """With the three models that read by default, tables and report."""
    pytest.importorskip("typst", reason="scandl[pdf] is not installed")
    rows = [
        f"{item},{condition},The {who} *{verb}* the {what}."
        for item, (who, what) in enumerate([("cook", "soup"), ("nurse", "baby"), ("boy", "dog")])
        for condition, verb in (("short", "saw"), ("long", "investigated"))
    ]
    stimuli = tmp_path / "stimuli.csv"
    stimuli.write_text("\n".join(["item_id,condition,text", *rows]) + "\n")
    few = (
        "--readers",
        "4",
        "--pool",
        "4",
        "--experiments",
        "20",
        "--measures",
        "tfc",
        "--surprisal",
        "unigram",
    )
    planned = visited("scandl_analysis", "pilot", "--stimuli", stimuli, "--out", tmp_path / "pilot", *few)
    assert "scandl_analysis.piloting.mixed_model" in planned
    assert (tmp_path / "pilot" / "report.html").exists()
