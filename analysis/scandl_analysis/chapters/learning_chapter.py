"""The chapter of a report on training: what the logs in a run folder say."""

from __future__ import annotations

from pathlib import Path

from scandl.errors import DataError
from scandl.files.tables import Table, read_table
from scandl_reports.document import Section
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, curves_figure

LOG = "log.csv"
"""The log that training writes beside its checkpoints."""

Curve = list[tuple[float, Estimate]]


def learning_sections(run: Path) -> list[Section]:
    """Return the learning curves of the models that were trained inside the run folder."""
    curves = {
        str(path.parent.relative_to(run)): loss_curve(read_table(path)) for path in sorted(run.rglob(LOG))
    }
    if not curves:
        return []
    about = About(
        "Learning curves",
        f"The training loss of {len(curves)} models over steps.",
        "Training loss as logged, one line a model; a single run has no interval.",
    )
    return [Section("Training", (curves_figure(about, curves, x_label="step", y_label="training loss"),))]


def loss_curve(log: Table) -> Curve:
    """Return step and loss of the lines that have a loss; the others hold named numbers."""
    steps, losses = log.need("step", "loss")
    curve: Curve = []
    for k, (step, loss) in enumerate(zip(steps, losses, strict=True)):
        if loss:
            try:
                curve.append((float(step), Estimate(float(loss))))
            except ValueError:
                raise DataError(log.path, log.line(k), "loss", loss, "a number") from None
    return curve
