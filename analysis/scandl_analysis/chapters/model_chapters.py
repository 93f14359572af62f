"""The chapters on a trained model that a run folder may hold: learning, few-step sampling, decoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from scandl.errors import DataError
from scandl.files.tables import TextTable, read_table
from scandl_analysis.chapters.result_tables import read_numbers, records, span
from scandl_reports.document import Block, Note, Section
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, curve_panels_figure, curves_figure
from scandl_reports.figures.frames import frames_figure

LOG = "log.csv"
"""The log that training writes beside its checkpoints."""
Curve = list[tuple[float, Estimate]]
STEPS = "steps.csv"
"""The table that ``scandl-eval steps`` writes."""
QUANTITIES = {
    "nld": "NLD",
    "energy": "energy distance",
    "diversity": "diversity",
    "repaired": "share repaired",
}
PROGRESS, PLACES = "decoding.csv", "decoding-places.csv"
"""What ``scandl inspect --out … --places …`` writes."""
MOST_POINTS = 400  # of a curve; more cannot be told apart and make the page heavy


def model_sections(run: Path) -> list[Section]:
    """Return the chapters there are files for."""
    return [*learning_sections(run), *steps_sections(run), *decoding_sections(run)]


def missing_model_notes(run: Path) -> list[Note]:
    """Say of each chapter that is not there which command makes its file."""
    checkpoint = run / "training" / "last.pt"
    commands = {
        "learning curves": f"scandl train … --out {run / 'training'}",
        "quality by the number of denoising steps": (
            f"scandl-eval steps --model {checkpoint} … --out {run / STEPS}"
        ),
        "decoding progress": (
            f"scandl inspect --model {checkpoint} … --out {run / PROGRESS} --places {run / PLACES}"
        ),
    }
    files = (LOG, STEPS, PROGRESS)
    return [
        Note(f"No {what} of a trained model in this folder: made by '{command}'.", "missing")
        for (what, command), file in zip(commands.items(), files, strict=True)
        if not any(run.rglob(file))
    ]


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


def loss_curve(log: TextTable) -> Curve:
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


def steps_sections(run: Path) -> list[Section]:
    """Return the curves of the models whose numbers of steps were compared, if any were."""
    tables = {_name(path, run): read_steps(path) for path in sorted(run.rglob(STEPS))}
    if not tables:
        return []
    about = About(
        "Quality by the number of denoising steps",
        f"NLD, energy distance, diversity and share of repaired paths of {len(tables)} models over steps.",
        "One line a model, the band is its 95 % interval. Fewer steps are worth having while the energy "
        "distance stays inside the interval of the most steps; NLD hardly shows what is lost.",
    )
    panels = {title: _curves(tables, column) for column, title in QUANTITIES.items()}
    return [Section("Few-step sampling", (curve_panels_figure(about, panels, x_label="steps", log_x=True),))]


def read_steps(path: Path) -> pd.DataFrame:
    """Return the rows of a table of steps."""
    return read_numbers(path, ("steps", "nld", "energy", "diversity"))


def _curves(tables: Mapping[str, pd.DataFrame], column: str) -> dict[str, Sequence[tuple[float, Estimate]]]:
    """Return value and interval over steps; what a table does not have is left out."""
    return {
        name: [
            (row["steps"], Estimate(row[column], span(row.get(f"{column}_low"), row.get(f"{column}_high"))))
            for row in records(table)
            if row.get(column) is not None
        ]
        for name, table in tables.items()
    }


def _name(path: Path, run: Path) -> str:
    """Return what to call the model of a table: the folder below the run, or the run."""
    folder = path.parent.relative_to(run)
    return str(folder) if folder.parts else run.resolve().name


def decoding_sections(run: Path) -> list[Section]:
    """Return settled shares and, where there are places, the states in two dimensions."""
    blocks: list[Block] = []
    progress = {str(path.parent.relative_to(run)): path for path in sorted(run.rglob(PROGRESS))}
    if progress:
        about = About(
            "Settled positions while decoding",
            f"Share of settled positions over denoising steps, {len(progress)} curves.",
            "From noise on the right to the scanpath on the left: the share of generated positions that "
            "already have their final symbol, averaged over several readings of one sentence.",
        )
        curves = {_label(name, run): settled_curve(path) for name, path in progress.items()}
        blocks.append(curves_figure(about, curves, x_label="step", y_label="settled share"))
    for path in sorted(run.rglob(PLACES)):
        about = About(
            f"States while decoding: {_label(str(path.parent.relative_to(run)), run)}",
            "Points of sentence, scanpath and padding positions in two dimensions at several steps.",
            "The vectors of one reading by t-SNE, each step by itself, from noise to the end. Positions that "
            "become words of the scanpath separate from padding when they settle.",
        )
        blocks.append(frames_figure(about, read_places(path)))
    return [Section("Decoding progress", tuple(blocks))] if blocks else []


def settled_curve(path: Path) -> list[tuple[float, Estimate]]:
    """Return step and settled share, thinned evenly with both ends kept."""
    table = read_numbers(path, ("step", "settled_share"))
    points = list(zip(table["step"].tolist(), table["settled_share"].tolist(), strict=True))
    return [(float(step), Estimate(float(share))) for step, share in thinned(points)]


def read_places(path: Path) -> dict[str, list[tuple[str, float, float]]]:
    """Return the points of each step, in the order they were taken."""
    table = read_numbers(path, ("step", "kind", "x", "y"))
    return {
        f"t = {step}": list(zip(part["kind"], part["x"].astype(float), part["y"].astype(float), strict=True))
        for step, part in table.groupby("step", sort=False)
    }


def thinned(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> list[tuple[float, float]]:
    """Return at most so many points, evenly spread, the first and the last among them.

    >>> thinned([(float(k), 0.0) for k in range(9)], most=3)
    [(0.0, 0.0), (4.0, 0.0), (8.0, 0.0)]
    """
    if len(points) <= most:
        return list(points)
    return [points[round(k * (len(points) - 1) / (most - 1))] for k in range(most)]


def _label(name: str, run: Path) -> str:
    return run.resolve().name if name == "." else name
