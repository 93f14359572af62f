"""The exhibits of a run's report: its figures and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scandl.measures.catalogue import METRICS
from scandl_eval.leaderboard.leaderboard import (
    SHOWN,
    Leaderboard,
    one_of_each_family,
    ordered_models,
    published_lines,
    rank_text,
)
from scandl_eval.references.reference_rows import HUMAN
from scandl_eval.reporting.terms import DAGGER, FOLDS, HOLM, INTERVAL, RANK
from scandl_eval.reporting.verdict import title
from scandl_eval.reporting.viewer import CLASSES, PathFile, evenly
from scandl_eval.scoring.rows import Row
from scandl_reports.document import Column, Figure, Note, Table
from scandl_reports.figures.chart import About, looks
from scandl_reports.figures.comparisons import plane_figure, scatter_figure, shares_figure
from scandl_reports.figures.estimates import Estimate, EstimatePanel, interval_figure

PANELS = ("nld", "energy", "diversity")
POINTS = 60  # of a scatter panel; more cannot be told apart

_LEADERBOARD_NOTE = (
    "Lower is better for NLD and energy; for diversity the nearer to 1 the better. Each interval belongs "
    "to the number before it. Ranks: in brackets those of 95 % of draws; = not distinguished from the "
    "best."
)
_DETAIL_NOTE = "Difference to best: how much worse than the best model, on what all models have."


def leaderboard_figure(board: Leaderboard, setting: str, name: str, readers: str = HUMAN) -> Figure | Note:
    """Draw NLD, energy and diversity with their intervals, the best on top."""
    models = ordered_models(board, setting)
    panels = []
    for metric in PANELS:
        found = {model: each for model in models if (each := estimate(board.find(setting, model, metric)))}
        panels.append(
            EstimatePanel(METRICS[metric].heading, found, estimate(board.find(setting, HUMAN, metric)))
        )
    by = METRICS[board.ranked_by(setting)].heading
    best = f" Best by {by}: {models[0]}." if models else ""
    return interval_figure(
        About(
            f"Models and their uncertainty: {name}",
            f"Dots with intervals for {len(models)} models in three panels, NLD, energy and diversity.{best}",
            "Filled: best, or not distinguished from the best. Lines: 95 % intervals. Dashed line with band: "
            "the readers among themselves.",
            ("NLD", "energy", "diversity", readers),
        ),
        panels,
        reference_name=readers,
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
        panels,
        x_label="NLD",
        y_label="energy distance",
    )
    return drawn if isinstance(drawn, Figure) else None


def saccades(files: Mapping[str, PathFile], name: str, readers: str) -> Figure | Note:
    """Draw the distribution of saccade lengths of each model over that of the readers."""
    shares = {model: file.step_shares() for model, file in files.items()}
    human = next((file.step_shares(human=True) for file in files.values()), ())
    return shares_figure(
        About(
            f"Saccade lengths: {name}",
            f"Bars of saccade lengths in words for {len(shares)} models, that of the readers as an outline.",
            "In words from the fixated one: below 0 regressions, 0 refixations, 1 the next word, above 1 "
            "skips. The outermost classes hold all longer saccades.",
        ),
        CLASSES,
        (readers, human),
        shares,
        x_label="saccade length (words)",
    )


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
            f"On the dashed line a model fixates as often as the readers do; a flat cloud does not tell "
            f"{what}s apart." + cut,
        ),
        pairs,
        x_label="readers",
        y_label="model",
    )


def estimate(row: Row | None) -> Estimate | None:
    """Return the number of a row, if it has one."""
    return None if row is None or row.mean is None else Estimate(row.mean, row.ci95, row.tied_with_best)


def leaderboard_table(
    board: Leaderboard, setting: str, name: str, readers: str, *, variants: bool = False
) -> Table:
    """Return the leaderboard of one setting, the best first, the readers among themselves last.

    Of a model with variants the best is shown, or all ``variants``.
    """
    columns = [Column("model")]
    for metric in SHOWN:
        short = METRICS[metric].heading
        # A definition is linked once a table, or the links would crowd out the words.
        columns += [Column(short, short), Column("95 %", INTERVAL if metric == SHOWN[0] else "")]
    columns += [Column("energy rank", RANK), Column("NLD rank")]
    rows = []
    ordered = ordered_models(board, setting)
    for model in [*(ordered if variants else one_of_each_family(ordered)), HUMAN]:
        found = [board.find(setting, model, metric) for metric in SHOWN]
        cells = [cell for row in found for cell in (_mean(row), row.ci95 if row else None)]
        ranks = [rank_text(board.find(setting, model, metric)) for metric in ("energy", "nld")]
        rows.append((readers if model == HUMAN else model, *cells, *ranks))
    models = [str(row[0]) for row in rows]
    colours = {model: look.colour for model, look in looks(models).items()}
    title = f"Leaderboard with all variants: {name}" if variants else f"Leaderboard: {name}"
    folded = len(ordered) + 1 - len(rows)
    note = f" Of models with variants the best is shown; {folded} others are under More." if folded else ""
    return Table(title, tuple(columns), tuple(rows), _LEADERBOARD_NOTE + note, colours)


def detail_table(board: Leaderboard, setting: str, name: str, readers: str) -> Table:
    """Return every metric of every model with the tests against the best."""
    columns = (
        Column("model"),
        Column("metric"),
        Column("value"),
        Column("95 %", INTERVAL),
        Column("SD folds", FOLDS),
        Column("difference to best"),
        Column("difference 95 %", INTERVAL),
        Column("p (Holm)", HOLM, probability=True),
        Column("†", DAGGER),
        Column("n"),
    )
    rows = tuple(
        (
            readers if row.kind == "human" else row.model,
            METRICS[row.metric].heading,
            row.mean,
            row.ci95,
            row.sd_folds,
            row.difference,
            row.difference_ci95,
            row.p_holm,
            "†" if row.dagger else "",
            row.n,
        )
        for row in _models_and_humans(board, setting)
    )
    return Table(f"All metrics: {name}", columns, rows, _DETAIL_NOTE)


def published_notes(board: Leaderboard, setting: str) -> list[Note]:
    """Return what was printed elsewhere for this setting: other data, never ranked beside ours."""
    return [Note(line[:1].upper() + line[1:] + ".") for line in published_lines(board, setting)]


def _models_and_humans(board: Leaderboard, setting: str) -> Iterable[Row]:
    return (row for row in board.rows if row.setting == setting and row.kind != "published")


def _mean(row: Row | None) -> float | None:
    return None if row is None else row.mean
