"""The verdict of a leaderboard in plain words: who can be told apart, and what a simple reader does."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.splits import SETTINGS
from scandl_eval.leaderboard.board_rows import HUMAN, BoardRow, Leaderboard
from scandl_eval.leaderboard.leaderboard_view import ordered_models
from scandl_eval.references.reference_rows import LEFT_TO_RIGHT
from scandl_eval.scoring.ranking import ALPHA
from scandl_eval.scoring.remarks import below_zero_notes
from scandl_reports.document import Finding, shown

Said = tuple[str, str]
"""What is said of a setting, and the numbers it rests on; both may be empty."""

SIMPLE = "fixating every word once, in order"
NAMED = 4  # models that are named before the rest is counted


def findings(board: Leaderboard, setting: str) -> tuple[Finding, ...]:
    """Answer the questions a reader has of one setting."""
    answers = {
        "Best by NLD": _leader(ranked(board, setting, "nld")),
        "Left-to-right reader": _simple_reader(board, setting),
        "Best by energy distance": _leader(ranked(board, setting, "energy")),
        "Energy distance below 0": _below_zero(ranked(board, setting, "energy")),
        "Which to trust": _disagreement(board, setting),
        "Passing for a reader": _exchangeable(board, setting),
    }
    return tuple(
        Finding(about, f"{statement} ({value})." if value else f"{statement}.")
        for about, (statement, value) in answers.items()
        if statement
    )


def title(setting: str) -> str:
    """Return the name of a setting.

    >>> title("ns"), title("all")
    ('New Sentence', 'all')
    """
    return SETTINGS.get(setting, setting)


def ranked(board: Leaderboard, setting: str, metric: str) -> list[BoardRow]:
    """Return the rows of a metric that have a value, best first."""
    rows = [board.find(setting, model, metric) for model in ordered_models(board, setting, metric)]
    return [row for row in rows if row is not None and row.mean is not None]


def _leader(rows: Sequence[BoardRow]) -> Said:
    """Say who is best and who cannot be told from the best."""
    if not rows:
        return "", ""
    best, others = rows[0], rows[1:]
    value = shown(best.mean)
    if not others:
        return f"{best.model} is the only model", value
    if any(row.tied_with_best is None for row in others):
        return f"{best.model}, but there is too little data to say who is separable from it", value
    tied = [row.model for row in others if row.tied_with_best]
    if not tied:
        return f"{best.model}, separably better than {_count(len(others))}", value
    return f"{best.model}; not separable from it: {listed(tied)}", value


def _simple_reader(board: Leaderboard, setting: str) -> Said:
    """Say whether any model is nearer to the readers than one who reads every word once, in order."""
    nld = ranked(board, setting, "nld")
    simple = next((row for row in nld if row.model == LEFT_TO_RIGHT), None)
    if simple is None or simple.mean is None:
        return "It was not run, so whether it already does as well is not known", ""
    if len(nld) == 1:
        start = "There is no other model to compare it with"
    elif simple.tied_with_best is None:
        start = f"There is too little data to say whether any model is better than {SIMPLE}"
    elif simple.tied_with_best:
        start = f"No model is separably better than {SIMPLE}"
    else:
        start = f"{nld[0].model} is separably better than {SIMPLE}"
    human = board.find(setting, HUMAN, "nld")
    if human is None or human.mean is None or simple.mean_matched is None:
        return start, shown(simple.mean)
    value = f"{shown(simple.mean_matched)}, readers among themselves {shown(human.mean)}"
    if human.n != simple.n:
        value += f", on the {human.n} items that several of them read"
    if simple.human_minus_model_ci95 is None or simple.human_minus_model_ci95[0] <= 0:
        return start, value
    return (
        f"{start}, and who reads so is separably nearer to the readers than they are to each other: a low "
        "NLD is no evidence of reading like them",
        value,
    )


def _below_zero(rows: Sequence[BoardRow]) -> Said:
    """Explain what should not be: a distance that is negative beyond chance."""
    told = below_zero_notes((row.model, row.ci95) for row in rows)
    return (told[0][0].upper() + told[0][1:], "") if told else ("", "")


def _disagreement(board: Leaderboard, setting: str) -> Said:
    nld, energy = ranked(board, setting, "nld"), ranked(board, setting, "energy")
    if not (nld and energy) or nld[0].model == energy[0].model:
        return "", ""
    return (
        f"NLD puts {nld[0].model} first, the energy distance {energy[0].model}: NLD rewards one central "
        "path, the energy distance compares whole distributions and is the one to trust",
        "",
    )


def _exchangeable(board: Leaderboard, setting: str) -> Said:
    """Say whether any model's paths could pass for a reader's."""
    tested = [row for row in ranked(board, setting, "energy") if row.p_permutation is not None]
    passed = [row for row in tested if row.p_permutation is not None and row.p_permutation >= ALPHA]
    if not tested:
        return "", ""
    if not passed:
        return "No model: a permutation test tells the paths of each from those of the readers, p < .05", ""
    statement = (
        f"A permutation test does not tell these from the readers: {listed([r.model for r in passed])}"
    )
    known = [board.find(setting, row.model, "classifier-auc") for row in passed]
    told = [row for row in known if row is not None and row.ci95 is not None and row.ci95[0] > 0.5]
    if told:
        statement += f"; a classifier does tell {listed([row.model for row in told])} from them"
    values = [f"{row.model} p = {shown(row.p_permutation)}" for row in passed[:NAMED]]
    values += [f"AUC of {row.model} {shown(row.mean)} {shown(row.ci95)}" for row in told[:NAMED]]
    return statement, ", ".join(values)


def listed(models: Sequence[str]) -> str:
    """Return names as a reader says them; many are cut short and counted.

    >>> listed(["a"]), listed(["a", "b"]), listed(list("abcdef"))
    ('a', 'a and b', 'a, b, c, d and 2 more')
    """
    shown, more = list(models[:NAMED]), len(models) - NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _count(n: int) -> str:
    return "the other model" if n == 1 else f"all {n} other models"
