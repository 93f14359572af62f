"""A thousand simulated experiments of 48 readers × 32 items, two measures each, beside lme4 on some of them.

``python benchmarks/speed/bench_pilot.py [experiments] [jobs]``
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from scandl.seeds import stream
from scandl.workers import workers
from scandl_analysis.piloting.experiments import (
    Components,
    ExperimentSize,
    ExperimentTask,
    Laboratory,
    assigned,
    experiment,
    simulate,
)
from scandl_analysis.piloting.planned_regression import Contrasts, Plan

TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))
TIME, SKIP = ("critical", "TFT"), ("critical", "sr")
COMPONENTS = {
    ("m", *TIME): Components((5.5, 0.1), (0.2, 0.05), (0.15, 0.05), 0.45, (0.2, 0.2)),
    ("m", *SKIP): Components((-1.2, 0.2), (0.4, 0.1), (0.4, 0.1), 1.0, (0.0, 0.0)),
}
ROOM = Laboratory(Plan(TWO), {"TFT": "gaussian", "sr": "bernoulli"}, {}, COMPONENTS, 1)
TASK = ExperimentTask("m", ExperimentSize(48, 32), (TIME, SKIP), 0, 20)
AT_ONCE, BY_LME4 = 20, 10
LMER = """
suppressMessages(library(lme4))
started <- proc.time()[["user.self"]]
for (file in commandArgs(trailingOnly = TRUE)) {
  d <- read.csv(file)
  suppressMessages(suppressWarnings(lmer(y ~ c + (c || reader) + (c || item), d)))
}
cat(proc.time()[["user.self"]] - started)
"""


def ours(experiments: int, jobs: int) -> float:
    """Return the seconds that all experiments take."""
    tasks = [
        ExperimentTask(TASK.model, TASK.design, TASK.cells, first, AT_ONCE)
        for first in range(0, experiments, AT_ONCE)
    ]
    started = time.perf_counter()
    with workers(ROOM, jobs=jobs) as crew:
        list(crew.each(experiment, tasks))
    return time.perf_counter() - started


def lme4() -> float | None:
    """Return the processor seconds that lme4 takes for one experiment's times; None without it."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number in range(BY_LME4):
            rng = stream(1, "bench", number)
            rows = simulate(COMPONENTS["m", *TIME], TWO, assigned(ROOM, TASK, rng), "gaussian", rng).known()
            files.append(Path(folder) / f"{number}.csv")
            table = np.column_stack([np.log(rows.y), rows.condition - 0.5, rows.reader, rows.item])
            np.savetxt(files[-1], table, delimiter=",", header="y,c,reader,item", comments="")
        script = Path(folder) / "fit.R"
        script.write_text(LMER)
        done = subprocess.run(["Rscript", str(script), *map(str, files)], capture_output=True, text=True)
    return float(done.stdout) / BY_LME4 if done.returncode == 0 else None


def main() -> None:
    experiments, jobs = (int(text) for text in (sys.argv[1:] + ["1000", "2"][len(sys.argv) - 1 :]))
    total = ours(experiments, jobs)
    print(f"{experiments} experiments of {TASK.design}, TFT and sr, {jobs} jobs: {total:.0f} s")
    started = time.process_time()
    experiment(ROOM, ExperimentTask("m", TASK.design, (TIME,), 0, AT_ONCE))
    own = (time.process_time() - started) / AT_ONCE
    print(f"times of one experiment: {1000 * own:.0f} ms of a processor")
    theirs = lme4()
    if theirs is not None:
        print(f"by lme4 {1000 * theirs:.0f} ms: {theirs / own:.1f} times as long")


if __name__ == "__main__":
    main()
