"""A run beside the published table: only under the published folds, and only what was published."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from scandl.files.tables import read_table
from scandl.measures.pair.nld import score_scandl
from scandl.pairing import Instance
from scandl.records import Prediction
from scandl.statistics.distances import nld
from scandl_eval.running.published_comparison import comparison_lines
from scandl_eval.running.run_benchmark import PUBLISHED, run_benchmark
from scandl_eval.running.tasks import RunConfig


def test_what_was_published_stands_beside_ours(config: RunConfig, tmp_path: Path) -> None:
    models = ("uniform", "train-label-dist", "left-to-right")
    out = tmp_path / "run"
    run_benchmark(replace(config, models=models, scheme="paper"), out)
    table = read_table(out / PUBLISHED).columns
    cells = list(zip(table["setting"], table["published_as"], table["published"], strict=True))
    assert cells == [
        ("ns", "Uniform", "0.779"),
        ("ns", "Train-label-dist", "0.672"),
        ("ns", "Human", "0.538"),
        ("nr", "Uniform", "0.781"),
        ("nr", "Train-label-dist", "0.672"),
        ("nr", "Human", "0.536"),
    ]
    lines = comparison_lines(out / PUBLISHED)
    assert any(line.startswith("New Sentence | Uniform") and "0.779 ± 0.002" in line for line in lines)
    run_benchmark(replace(config, models=models), out)  # on other folds nothing is comparable
    assert not (out / PUBLISHED).exists()
    assert not (out / PUBLISHED).exists()


def test_symbols_count_as_they_were_drawn() -> None:
    """A missing end and an inner symbol cost, trailing padding does not."""
    prediction = Prediction("s", (0, 1), (0, 1), text="a b c", raw=(0, 1, 127, 2, 127, 127))
    assert score_scandl([Instance(prediction, (0, 1), None, text="a b c")])[0] == nld(
        (0, 1, 2, 4), (0, 1, 127, 2)
    )
