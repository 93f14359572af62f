"""The verdict of a leaderboard in plain words: what to know after half a minute, and of the data first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scandl.corpora.corpus import Card, Corpus
from scandl.splits import SETTINGS
from scandl_eval.leaderboard.leaderboard import Leaderboard, ordered_models
from scandl_eval.references.reference_rows import HUMAN, LEFT_TO_RIGHT
from scandl_eval.scoring.estimates import ALPHA, below_zero_notes
from scandl_eval.scoring.rows import Row
from scandl_reports.document import Finding, shown

Said = tuple[str, str]
"""What is said of a setting, and the numbers it rests on; both may be empty."""

SIMPLE = "fixating every word once, in order"
NAMED = 4  # models that are named before the rest is counted

EFFECTS = "Effects and times"
"""Where the regressions of ``scandl-analysis`` say what they found."""
FEW_READERS = 10


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


def ranked(board: Leaderboard, setting: str, metric: str) -> list[Row]:
    """Return the rows of a metric that have a value, best first."""
    rows = [board.find(setting, model, metric) for model in ordered_models(board, setting, metric)]
    return [row for row in rows if row is not None and row.mean is not None]


def _leader(rows: Sequence[Row]) -> Said:
    """Say who is best and who cannot be told from the best."""
    if not rows:
        return "", ""
    best, others = rows[0], rows[1:]
    value = shown(best.mean)
    if not others:
        return f"{best.model} is the only model", value
    if any(row.tied_with_best is None for row in others):
        return f"{best.model}, but there is too little data to say who can be distinguished from it", value
    tied = [row.model for row in others if row.tied_with_best]
    if not tied:
        return f"{best.model}, clearly better than {_count(len(others))}", value
    return f"{best.model}; not distinguished from it: {listed(tied)}", value


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
        start = f"No model is clearly better than {SIMPLE}"
    else:
        start = f"{nld[0].model} is clearly better than {SIMPLE}"
    human = board.find(setting, HUMAN, "nld")
    if human is None or human.mean is None or simple.mean_matched is None:
        return start, shown(simple.mean)
    value = f"{shown(simple.mean_matched)}, readers among themselves {shown(human.mean)}"
    if human.n != simple.n:
        value += f", on the {human.n} items that several of them read"
    if simple.human_minus_model_ci95 is None or simple.human_minus_model_ci95[0] <= 0:
        return start, value
    return (
        f"{start}, and a reader who does so is clearly nearer to the readers than they are to each other: "
        "a low NLD is no evidence of reading like them",
        value,
    )


def _below_zero(rows: Sequence[Row]) -> Said:
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


def data_findings(cards: Iterable[Card]) -> list[Finding]:
    """Say of each corpus whose readers are simulated that they are, and what its card tells of them.

    The card is quoted because it names the model that made the readers: that model, and models like
    it, are nearer to them by construction.
    """
    simulated = {card.name: card for card in cards if card.kind == "simulated"}
    return [Finding("Data", _said(card)) for card in simulated.values()]


def _said(card: Card) -> str:
    start = (
        f"The readers of {card.name} are simulated: the numbers show the method and say nothing about "
        "people. The model that made the readers, and models like it, come near to them by construction."
    )
    if not card.notes:
        return f"{start} The card of the corpus does not say which model that is."
    return f"{start} From the card of the corpus: “{card.notes}”"


def headline(board: Leaderboard, cards: Iterable[Card], n_readers: int | None) -> tuple[Finding, ...]:
    """Return who is nearest, how far from the readers, whether it takes a model, and what to distrust."""
    said = {
        "Nearest to the readers": _nearest(board),
        "How far from the readers": _how_far(board),
        "Better than left to right?": _left_to_right(board),
        "What to distrust": _distrust(board, cards, n_readers),
    }
    return tuple(Finding(about, text) for about, text in said.items() if text)


def tested_on(corpora: Iterable[Corpus], n_models: int) -> str:
    """Say what was tested on whom.

    >>> tested_on([], 3)
    '3 models'
    """
    who = [
        f"{len(corpus.reader_ids):,} {'simulated' if corpus.card.kind == 'simulated' else 'human'} readers "
        f"and {len(corpus.sentences):,} sentences of {corpus.name}"
        for corpus in corpora
    ]
    models = f"{n_models} model{'' if n_models == 1 else 's'}"
    return f"{models} tested on {'; '.join(who)}" if who else models


def _nearest(board: Leaderboard) -> str:
    """Name the models that lead by energy distance, each with its settings, and who is not distinguished."""
    leaders = {setting: rows for setting in board.settings if (rows := ranked(board, setting, "energy"))}
    if not leaders:
        return ""
    by_model: dict[str, list[str]] = {}
    for setting, rows in leaders.items():
        by_model.setdefault(rows[0].model, []).append(setting)
    parts = [
        f"{model}{_where(settings, board)} (energy distance "
        f"{_range([leaders[setting][0] for setting in settings])})"
        for model, settings in by_model.items()
    ]
    return f"{'; '.join(parts)}{_separable(leaders)}."


def _separable(leaders: dict[str, list[Row]]) -> str:
    others = [row for rows in leaders.values() for row in rows[1:]]
    if not others:
        return ", the only model"
    if any(row.tied_with_best is None for row in others):
        return "; too little data to say who can be distinguished from the best"
    tied = [row.model for row in others if row.tied_with_best]
    if not tied:
        return ", clearly ahead of every other model"
    return f"; not distinguished from the best: {listed(list(dict.fromkeys(tied)))}"


def _how_far(board: Leaderboard) -> str:
    """Set the best model beside two halves of the readers, setting by setting."""
    inside: list[str] = []
    outside: list[str] = []
    told: list[str] = []
    spans: list[Row] = []
    for setting in board.settings:
        rows, own = ranked(board, setting, "energy"), board.find(setting, HUMAN, "energy")
        if not rows or own is None or own.mean is None or own.ci95 is None or rows[0].mean is None:
            continue
        spans.append(own)
        (inside if rows[0].mean <= own.ci95[1] else outside).append(setting)
        if rows[0].p_permutation is not None and rows[0].p_permutation < ALPHA:
            told.append(setting)
    if not spans:
        return ""
    scale = f"Two halves of the readers are up to {shown(_highest(spans))} apart (upper end of 95 %)"
    if not outside:
        place = "the best model lies within that"
    elif not inside:
        place = "the best model is further away"
    else:
        place = f"the best model lies within that in {_titles(inside)} and further away elsewhere"
    if len(told) == len(spans):
        return f"{scale}; {place}, and a permutation test tells its paths from theirs."
    if told:
        return f"{scale}; {place}; a permutation test tells its paths from theirs in {_titles(told)}."
    return f"{scale}; {place}."


def _left_to_right(board: Leaderboard) -> str:
    """Say whether any model is nearer by NLD than a reader who fixates every word once, in order."""
    better: list[str] = []
    not_better: list[str] = []
    for setting in board.settings:
        rows = ranked(board, setting, "nld")
        simple = next((row for row in rows if row.model == LEFT_TO_RIGHT), None)
        if simple is not None and len(rows) > 1 and simple.tied_with_best is not None:
            (not_better if simple.tied_with_best else better).append(setting)
    if not (better or not_better):
        return "Not known: the reader who fixates every word once, in order, was not run or cannot be tested."
    if not better:
        return "No: by NLD no model is clearly nearer than fixating every word once, in order" + _own_nld(
            board, not_better
        )
    models = list(dict.fromkeys(ranked(board, setting, "nld")[0].model for setting in better))
    start = f"Yes, by NLD: {listed(models)}{_where(better, board)}"
    return f"{start}; not in {_titles(not_better)}." if not_better else f"{start}."


def _own_nld(board: Leaderboard, settings: Sequence[str]) -> str:
    """Add that the readers themselves are further apart, where it is so: then NLD proves nothing."""
    simple = [board.find(setting, LEFT_TO_RIGHT, "nld") for setting in settings]
    nearer = [
        row for row in simple if row and row.human_minus_model_ci95 and row.human_minus_model_ci95[0] > 0
    ]
    if len(nearer) < len(settings):
        return "."
    return (
        ", which is even nearer to each reader than the readers are to each other: a low NLD proves nothing "
        "here."
    )


def _distrust(board: Leaderboard, cards: Iterable[Card], n_readers: int | None) -> str:
    simulated = [card.name for card in cards if card.kind == "simulated"]
    if simulated:
        return (
            f"The readers of {listed(simulated)} are simulated: nothing here is about people, and models "
            "like the one that made the readers come near by construction."
        )
    first = {
        (ranked(board, s, "nld")[0].model, ranked(board, s, "energy")[0].model)
        for s in board.settings
        if ranked(board, s, "nld") and ranked(board, s, "energy")
    }
    if n_readers is not None and n_readers < FEW_READERS:
        return (
            f"There are only {n_readers} readers: intervals are wide, and other readers may read otherwise."
        )
    if any(nld != energy for nld, energy in first):
        leaders = listed(sorted({nld for nld, energy in first if nld != energy}))
        return f"NLD, which puts {leaders} first: it rewards one central path; trust the energy distance."
    return "One corpus: whether this holds for other readers and texts only another corpus can tell."


def _where(settings: Sequence[str], board: Leaderboard) -> str:
    if len(board.settings) == 1:
        return ""
    everywhere = len(settings) == len(board.settings)
    return " in every setting" if everywhere else f" in {_titles(settings)}"


def _titles(settings: Sequence[str]) -> str:
    return listed([title(setting) for setting in settings])


def _range(rows: Sequence[Row]) -> str:
    """Return the mean of one row, or the lowest and highest of several."""
    means = sorted(
        {shown(row.mean): row.mean for row in rows if row.mean is not None}.items(), key=lambda m: m[1]
    )
    return means[0][0] if len(means) == 1 else f"{means[0][0]} to {means[-1][0]}"


def _highest(rows: Sequence[Row]) -> float:
    return max(row.ci95[1] for row in rows if row.ci95 is not None)
