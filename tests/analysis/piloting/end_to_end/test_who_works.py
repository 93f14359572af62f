"""Whoever does the work, the result is the same: this process, two, a cluster, or one that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from scandl_analysis.piloting.pilot import pilot

QUICK = {
    "models": ["ezreader"],
    "measures": ["TFT"],
    "readers": [8],
    "pool": 40,
    "experiments": 60,
    "surprisal": "unigram",
}
FLAGS = [
    "--models",
    "ezreader",
    "--measures",
    "TFT",
    "--readers",
    "8",
    "--pool",
    "40",
    "--experiments",
    "60",
    "--surprisal",
    "unigram",
    "--quiet",
]


@pytest.mark.slow
def test_two_processes_do_what_one_does(stimuli_frame):
    alone = pilot(stimuli_frame, **QUICK)
    together = pilot(stimuli_frame, jobs=2, **QUICK)
    assert alone.effects == together.effects
    assert alone.power == together.power


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_does_what_one_process_does(stimuli_frame):
    distributed = pytest.importorskip("distributed")
    alone = pilot(stimuli_frame, **QUICK)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        there = pilot(stimuli_frame, scheduler=cluster.scheduler_address, **QUICK)
    assert alone.power == there.power


@pytest.mark.slow
def test_what_was_killed_goes_on_to_the_same_bytes(stimuli_frame: pd.DataFrame, tmp_path: Path) -> None:
    stimuli_frame.to_csv(tmp_path / "stimuli.csv", index=False)
    command = [
        sys.executable,
        "-m",
        "scandl_analysis",
        "pilot",
        "--stimuli",
        str(tmp_path / "stimuli.csv"),
        *FLAGS,
    ]
    env = os.environ | {"OMP_NUM_THREADS": "1"}
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    first = subprocess.Popen([*command, "--out", str(killed)], env=env, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list((killed / "pieces").rglob("*.npz")) and time.monotonic() < deadline:
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert not (killed / "effects.csv").exists()
    for out in (killed, whole):
        subprocess.run([*command, "--out", str(out)], env=env, check=True, stdout=subprocess.DEVNULL)
    for name in ("effects.csv", "power.csv", "confounds.csv", "lists.csv"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
