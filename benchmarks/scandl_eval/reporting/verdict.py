"""The verdict of a leaderboard in plain words: who can be told apart, and what a simple reader does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scandl.splits import SETTINGS
from scandl_eval.leaderboard.board_rows import HUMAN, BoardRow, Leaderboard
from scandl_eval.leaderboard.leaderboard_view import ordered_models
from scandl_eval.references.reference_rows import LEFT_TO_RIGHT
from scandl_eval.scoring.ranking import ALPHA
from scandl_reports.document import Finding, shown

Said = tuple[str, str]
"""What is said of a setting, and the numbers it rests on; both may be empty."""

SIMPLE = "fixating every word once, in order"
NAMED = 4  # models that are named before the rest is counted


def findings(board: Leaderboard) -> tuple[Finding, ...]:
    """Answer the questions a reader has first; settings with the same answer are told together."""
    questions: dict[str, Callable[[Leaderboard, str], Said]] = {
        "Best by NLD": lambda board, setting: _leader(_ranked(board, setting, "nld")),
        "Left-to-right reader": _simple_reader,
        "Best by energy distance": lambda board, setting: _leader(_ranked(board, setting, "energy")),
        "Which to trust": _disagreement,
        "Passing for human": _exchangeable,
    }
    found = {
        about: _told([(s, answer(board, s)) for s in board.settings]) for about, answer in questions.items()
    }
    if found["Which to trust"]:
        found["Which to trust"] += (
            " NLD rewards one central path; the energy distance compares whole distributions and is the "
            "one to trust."
        )
    return tuple(Finding(about, text) for about, text in found.items() if text)


def title(setting: str) -> str:
    """Return the name of a setting.

    >>> title("ns"), title("all")
    ('New Sentence', 'all')
    """
    return SETTINGS.get(setting, setting)


def _told(answers: Sequence[tuple[str, Said]]) -> str:
    """Return the answers of all settings, those in the same words once."""
    groups: dict[str, list[str]] = {}
    for setting, (statement, value) in answers:
        if statement:
            alone = value if len(answers) == 1 else f"{title(setting)} {value}".strip()
            groups.setdefault(statement, []).append(alone)
    everywhere = len(groups) == 1
    parts = []
    for statement, values in groups.items():
        said = [value for value in values if value]
        # Where every setting has the same answer and no number, naming the settings says nothing.
        told = f" ({'; '.join(said)})" if said and not (everywhere and _only_names(said)) else ""
        parts.append(f"{statement}{told}.")
    return " ".join(parts)


def _only_names(values: Sequence[str]) -> bool:
    return not any(character.isdigit() for value in values for character in value)


def _ranked(board: Leaderboard, setting: str, metric: str) -> list[BoardRow]:
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
    return f"{best.model}; not separable from it: {names(tied)}", value


def _simple_reader(board: Leaderboard, setting: str) -> Said:
    """Say whether any model is nearer to the readers than one who reads every word once, in order."""
    nld = _ranked(board, setting, "nld")
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
    value = f"{shown(simple.mean_matched)}, people among themselves {shown(human.mean)}"
    if human.n != simple.n:
        value += f", on the {human.n} items that several people read"
    if simple.human_minus_model_ci95 is None or simple.human_minus_model_ci95[0] <= 0:
        return start, value
    return (
        f"{start}, and who reads so is separably nearer to people than they are to each other: a low NLD is "
        "no evidence of human-like reading here",
        value,
    )


def _disagreement(board: Leaderboard, setting: str) -> Said:
    nld, energy = _ranked(board, setting, "nld"), _ranked(board, setting, "energy")
    if not (nld and energy) or nld[0].model == energy[0].model:
        return "", ""
    return f"NLD puts {nld[0].model} first, the energy distance {energy[0].model}", ""


def _exchangeable(board: Leaderboard, setting: str) -> Said:
    """Say whether any model's paths could pass for human ones."""
    tested = [row for row in _ranked(board, setting, "energy") if row.p_permutation is not None]
    passed = [row for row in tested if row.p_permutation is not None and row.p_permutation >= ALPHA]
    if not tested:
        return "", ""
    if not passed:
        return "No model: a permutation test tells the paths of each from human ones, p < .05", ""
    statement = f"A permutation test does not tell these from human paths: {names([r.model for r in passed])}"
    known = [board.find(setting, row.model, "classifier-auc") for row in passed]
    told = [row for row in known if row is not None and row.ci95 is not None and row.ci95[0] > 0.5]
    if told:
        statement += f"; a classifier does tell {names([row.model for row in told])} from them"
    values = [f"{row.model} p = {shown(row.p_permutation)}" for row in passed[:NAMED]]
    values += [f"AUC of {row.model} {shown(row.mean)} {shown(row.ci95)}" for row in told[:NAMED]]
    return statement, ", ".join(values)


def names(models: Sequence[str]) -> str:
    """Return names as a reader says them; many are cut short and counted.

    >>> names(["a"]), names(["a", "b"]), names(list("abcdef"))
    ('a', 'a and b', 'a, b, c, d and 2 more')
    """
    shown, more = list(models[:NAMED]), len(models) - NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _count(n: int) -> str:
    return "the other model" if n == 1 else f"all {n} other models"
