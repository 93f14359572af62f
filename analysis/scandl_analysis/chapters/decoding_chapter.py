"""The chapter of a report on decoding: when its symbols settle, and how the state gets there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scandl_analysis.chapters.result_tables import read_numbers
from scandl_reports.document import Block, Section
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, curves_figure
from scandl_reports.figures.frames import frames_figure

PROGRESS, PLACES = "decoding.csv", "decoding-places.csv"
"""What ``scandl inspect --out … --places …`` writes."""

MOST_POINTS = 400  # of a curve; more cannot be told apart and make the page heavy


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
