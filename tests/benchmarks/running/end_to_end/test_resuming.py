"""A run that dies, or whose worker dies, ends with the tables of one that lived."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from scandl.config import to_table
from scandl_eval.running.run_benchmark import run_benchmark

PROGRAM = """
import json, sys
from scandl.config import from_table
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.tasks import RunConfig
if __name__ == "__main__":
    run_benchmark(from_table(RunConfig, json.loads(sys.argv[1])), sys.argv[2], jobs=2)
"""


@pytest.mark.slow
def test_killed_run_goes_on_to_the_same_tables(config, tmp_path, tables):
    psutil = pytest.importorskip("psutil")
    config = replace(config, models=("left-to-right", "markov", "uniform", "train-label-dist"), samples=15)
    run_benchmark(config, tmp_path / "undisturbed")
    (tmp_path / "program.py").write_text(PROGRAM)
    call = [
        sys.executable,
        str(tmp_path / "program.py"),
        json.dumps(to_table(config)),
        str(tmp_path / "killed"),
    ]
    pieces = tmp_path / "killed" / ".pieces"

    def n_pieces() -> int:
        return sum(path.suffix in (".csv", ".json") for path in pieces.rglob("*"))

    moments, at = random.Random(7), []
    for _ in range(3):
        process, before = subprocess.Popen(call), n_pieces()
        while process.poll() is None and n_pieces() == before:
            time.sleep(0.002)
        time.sleep(moments.uniform(0.0, 0.1))
        workers = psutil.Process(process.pid).children()
        process.kill()
        process.wait()
        at.append(n_pieces())
        assert not psutil.wait_procs(workers, timeout=20)[1]  # they leave by themselves
    total = 4 * 2 * (3 + 1)  # models × settings × (folds + their measures)
    assert 0 < at[0] < total
    subprocess.run(call, check=True)
    assert n_pieces() == total
    assert tables(tmp_path / "killed") == tables(tmp_path / "undisturbed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_cluster_survives_the_death_of_a_worker(config, tmp_path, tables):
    distributed = pytest.importorskip("distributed")
    from threading import Thread

    models = ("left-to-right", "markov", "uniform", "train-label-dist", "markov-text")
    config = replace(config, models=models, samples=8)
    run_benchmark(config, tmp_path / "here")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        gone = []

        def kill_one() -> None:
            while not list((tmp_path / "cluster" / ".pieces").rglob("*.csv")):
                time.sleep(0.005)
            os.kill(pids[0], signal.SIGKILL)
            gone.append(len(list((tmp_path / "cluster" / ".pieces").rglob("*.csv"))))

        killer = Thread(target=kill_one)
        killer.start()
        run_benchmark(config, tmp_path / "cluster", scheduler=cluster.scheduler_address)
        killer.join()
    assert gone[0] < 30  # it died while there was work left
    assert tables(tmp_path / "cluster") == tables(tmp_path / "here")
