"""Evaluate scanpath models: scores, baselines, ceilings, rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.extras import lazy_names

if TYPE_CHECKING:
    from scandl.measures.catalogue import METRICS
    from scandl.version import __version__
    from scandl_eval.running.benchmark import benchmark
    from scandl_eval.running.run_benchmark import run_benchmark
    from scandl_eval.scoring.comparison import compare
    from scandl_eval.scoring.evaluation import evaluate
else:
    __getattr__, __dir__ = lazy_names(
        "scandl_eval",
        {
            "METRICS": "scandl.measures.catalogue",
            "__version__": "scandl.version",
            "benchmark": "scandl_eval.running.benchmark",
            "compare": "scandl_eval.scoring.comparison",
            "evaluate": "scandl_eval.scoring.evaluation",
            "run_benchmark": "scandl_eval.running.run_benchmark",
        },
    )

__all__ = ["METRICS", "__version__", "benchmark", "compare", "evaluate", "run_benchmark"]
