"""The figures of a run's report."""

from __future__ import annotations

from collections.abc import Mapping

from scandl_eval.leaderboard.board_rows import BOARD_METRICS, HUMAN, BoardRow, Leaderboard
from scandl_eval.leaderboard.leaderboard_view import one_of_each_family, ordered_models
from scandl_eval.reporting.prediction_paths import CLASSES, PathFile, evenly
from scandl_eval.reporting.verdict import title
from scandl_reports.document import Figure, Note
from scandl_reports.figures.chart import About
from scandl_reports.figures.distributions import shares_figure
from scandl_reports.figures.intervals import Estimate, Panel, interval_figure
from scandl_reports.figures.scatter import plane_figure, scatter_figure

PANELS = ("nld", "energy", "diversity")
POINTS = 60  # of a scatter panel; more cannot be told apart


def leaderboard_figure(board: Leaderboard, setting: str, name: str) -> Figure | Note:
    """Draw NLD, energy and diversity with their intervals, best by NLD on top."""
    models = ordered_models(board, setting)
    panels = []
    for metric in PANELS:
        found = {model: each for model in models if (each := estimate(board.find(setting, model, metric)))}
        panels.append(Panel(BOARD_METRICS[metric].short, found, estimate(board.find(setting, HUMAN, metric))))
    best = f" Lowest NLD: {models[0]}." if models else ""
    return interval_figure(
        About(
            f"Models and their uncertainty: {name}",
            f"Dots with intervals for {len(models)} models in three panels, NLD, energy and diversity.{best}",
            "Filled: best, or not separable from the best. Lines: 95 % intervals. Dashed line with band: "
            "the readers among themselves.",
            ("NLD", "energy", "diversity", "Human"),
        ),
        panels,
    )


def picture(board: Leaderboard, readers: str) -> Figure | None:
    """Draw NLD against energy in every setting, the picture of why NLD must not stand alone."""
    panels = {}
    for setting in board.settings:
        points = {}
        for model in [*one_of_each_family(ordered_models(board, setting)), HUMAN]:
            x, y = (estimate(board.find(setting, model, metric)) for metric in ("nld", "energy"))
            if x is not None and y is not None:
                points[readers if model == HUMAN else model] = (x, y)
        if points:
            panels[title(setting)] = points
    n_models = len({name for points in panels.values() for name in points} - {readers})
    drawn = plane_figure(
        About(
            "NLD against energy distance",
            f"Scatter of {n_models} models and the readers, NLD to the right, energy distance upwards, a "
            "panel a setting.",
            f"Models that read like the readers lie near {readers}, not to the left of it: a model to the "
            "left and above is nearer to each single reader than readers are to each other because it reads "
            "in one central way. Lines: 95 % intervals.",
            ("NLD", "energy"),
        ),
        panels, x_label="NLD", y_label="energy distance",
    )  # fmt: skip
    return drawn if isinstance(drawn, Figure) else None


def saccades(files: Mapping[str, PathFile], name: str, readers: str) -> Figure | Note:
    """Draw the distribution of saccade lengths of each model over that of the readers."""
    shares = {model: file.step_shares() for model, file in files.items()}
    human = next((file.step_shares(human=True) for file in files.values()), ())
    return shares_figure(
        About(
            f"Saccade lengths: {name}",
            f"Bars of saccade lengths in words for {len(shares)} models, that of the readers as an "
            "outline.",
            "In words from the fixated one: below 0 regressions, 0 refixations, 1 the next word, above 1 "
            "skips. The outermost classes hold all longer saccades.",
        ),
        CLASSES, (readers, human), shares, x_label="saccade length (words)",
    )  # fmt: skip


def rates_scatter(files: Mapping[str, PathFile], what: str, name: str) -> Figure | Note:
    """Draw fixations per word, readers against model, a point for each reader or sentence."""
    rates = {model: file.rates(f"{what}_id") for model, file in files.items()}
    total = max((len(found) for found in rates.values()), default=0)
    cut = f" {POINTS} of {total} {what}s are drawn." if total > POINTS else ""
    pairs = {model: evenly(found, POINTS) for model, found in rates.items()}
    return scatter_figure(
        About(
            f"Fixations per word by {what}: {name}",
            f"Scatter of fixations per word, readers to the right and model upwards, a point a {what}.",
            f"On the dashed line a model fixates as often as the readers do; a flat cloud does not know "
            f"{what}s apart." + cut,
        ),
        pairs, x_label="readers", y_label="model",
    )  # fmt: skip


def estimate(row: BoardRow | None) -> Estimate | None:
    """Return the number of a row, if it has one."""
    return None if row is None or row.mean is None else Estimate(row.mean, row.ci95, row.tied_with_best)
