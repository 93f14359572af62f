"""Whether models show the effects of the readers: the verdict in words, and the tables it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from scandl_analysis.chapters.result_tables import (
    READERS,
    amount,
    effect_said,
    interval,
    predictor_words,
    records,
    row_colours,
    row_name,
    source_name,
    span,
    unit_words,
    whole,
)
from scandl_analysis.effects.effect_table import listed
from scandl_analysis.effects.reader_effects import OBSERVED, OUTCOME
from scandl_analysis.effects.recovery import NO_EFFECTS, NOT_SHOWN, SPLIT_HALF, RecoverySummary
from scandl_analysis.effects.verdicts import EQUIVALENT, STRONG, UNDECIDED, WEAK, WRONG
from scandl_analysis.published_numbers import EFFECTS_CORPUS
from scandl_reports.document import Block, Cell, Column, Figure, Note, Table
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, EstimatePanel, interval_figure

Row = Mapping[str, Any]
MOST_WORDS = 60
"""Of a verdict: what does not fit stands in the tables."""
MOST_NAMED = 4
PUBLISHED = "Published rows: from the printed means, each model with the published effects of people."
NONE = "a reader without any effect"
NAMESAKE = "people"
"""The model whose name is also what readers are called."""
VERDICT_COLUMNS = (
    Column("model"),
    Column("effects", "effects shown"),
    Column(EQUIVALENT, "equivalent"),
    Column(WEAK, "too weak"),
    Column(STRONG, "too strong"),
    Column(WRONG, "wrong sign"),
    Column(UNDECIDED, "undecided"),
    Column("distance", "distance"),
    Column("95 %", "distance"),
    Column("more than the nearest", "more than the nearest"),
    Column("note"),
)
SLOPE_COLUMNS = (
    Column("model"),
    Column("slopes"),
    Column("same sign"),
    Column("mean |readers − model|", "of the slopes"),
    Column("RMSE", "of the slopes"),
)


def recovery_verdict(summary: pd.DataFrame, who: str) -> str:
    """Say in at most 60 words what is true of all models, then which is nearest and what it shows."""
    rows = {str(row["model"]): row for row in records(summary)}
    nothing = rows.pop(NO_EFFECTS, None)
    rows.pop(SPLIT_HALF, None)
    known = {_model(name): row for name, row in rows.items() if row.get("minus_none") is not None}
    if not known or nothing is None:
        return f"No model has effects that could be compared with those of {who}."
    said = [_of_all(known, who)]
    ranked = {name: row for name, row in known.items() if row.get("minus_nearest") is not None}
    best = [name for name, row in ranked.items() if row["minus_nearest_low"] <= 0]
    nearest = next((name for name, row in ranked.items() if row["minus_nearest"] == 0), None)
    if len(ranked) > 1:
        said.append(_nearest(best, len(ranked)))
    if nearest is not None and len(best) == 1:
        said.append(_counts(nearest, known[nearest], who))
    return _within([f"T{line[1:]}" if line.startswith("the ") else line for line in said])


def _model(name: str) -> str:
    """Return a model as a sentence about people names it.

    >>> _model("swift"), _model("people")
    ('swift', 'the model people')
    """
    return f"the model {name}" if name == NAMESAKE else name


def _nearest(best: Sequence[str], n_models: int) -> str:
    """Return which model is the nearest, or which cannot be told apart."""
    if len(best) == 1:
        return f"{best[0]} is the nearest."
    if len(best) == n_models:
        return "The models cannot be told apart."
    return f"The nearest are {_named(best)}, which cannot be told apart."


def _of_all(rows: Mapping[str, Row], who: str) -> str:
    """Return the first sentence, which is true of every model."""
    nearer = [name for name, row in rows.items() if row["minus_none_high"] < 0]
    further = [name for name, row in rows.items() if row["minus_none_low"] > 0]
    effects = f"the word effects of {who}"
    if len(rows) == 1:
        (name,) = rows
        if nearer:
            return f"{name} shows word effects of {who}: it is nearer to them than {NONE}."
        if further:
            return f"{name} does not show {effects}: it is further from them than {NONE}."
        return f"{name} cannot be shown to be nearer to {effects} than {NONE}."
    if len(nearer) == len(rows):
        return f"All {len(rows)} models are nearer to {effects} than {NONE}."
    if nearer:
        verb = "is" if len(nearer) == 1 else "are"
        return (
            f"{len(nearer)} of {len(rows)} models {verb} nearer to {effects} than {NONE}: {_named(nearer)}."
        )
    if len(further) == len(rows):
        return f"No model shows {effects}: each is further from them than {NONE}."
    return f"No model can be shown to be nearer to {effects} than {NONE}."


def _counts(name: str, row: Row, who: str) -> str:
    """Return how many of the effects of the readers a model shows, too weakly, too strongly."""
    kinds = {
        "equivalent": EQUIVALENT,
        "too_weak": WEAK,
        "too_strong": STRONG,
        "wrong_sign": "of the wrong sign",
        "undecided": UNDECIDED,
        "missing": "not estimable",
    }
    parts = [f"{int(row[key])} {kind}" for key, kind in kinds.items() if row[key]]
    return f"Of the {int(row['shown'])} effects that {who} show, {name} has {listed(parts)}."


def _named(names: Sequence[str]) -> str:
    """Return some names, and how many more there are."""
    more = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], f"{more} more"] if more > 1 else names)


def _within(sentences: Sequence[str]) -> str:
    """Return as many whole sentences as fit into a verdict.

    >>> _within(["one two.", " ".join(["word"] * 59) + "."])
    'one two.'
    """
    kept: list[str] = []
    words = 0
    for sentence in sentences:
        words += len(sentence.split())
        if kept and words > MOST_WORDS:
            break
        kept.append(sentence)
    return " ".join(kept)


def readers_verdict(effects: pd.DataFrame, who: str) -> str:
    """Say which effects the readers of a corpus show, without any model.

    >>> rows = [("sr", "word_length", -1.0, -1.1, -0.9), ("sr", "surprisal", 0.1, -0.1, 0.2)]
    >>> columns = ["measure", "predictor", "marginal", "marginal_low", "marginal_high"]
    >>> readers_verdict(pd.DataFrame(rows, columns=columns), "people")
    'People show 1 of 2 effects: skipping falls with length.'
    """
    known = [row for row in records(effects) if row["marginal"] is not None]
    clear = [row for row in known if row["marginal_low"] * row["marginal_high"] > 0]
    said = [effect_said(row["measure"], row["predictor"], row["marginal"]) for row in clear]
    start = f"{who[0].upper()}{who[1:]} show {len(clear)} of {len(known)} effects"
    return f"{start}: {_named(said)}." if said else f"{start} of words on reading."


def verdict_blocks(found_rows: pd.DataFrame, summary: pd.DataFrame, title: str, margin: str) -> list[Table]:
    """Return the table of models with their verdicts, and that of every single verdict."""
    if summary.empty:
        return []
    models = judged_models(summary)
    of_all = shared_note(models)
    rows = [_summary_cells(row, of_all) for row in models]
    used = [k for k in range(len(VERDICT_COLUMNS)) if any(row[k] is not None for row in rows)]
    cells = tuple(tuple(row[k] for k in used) for row in rows)
    below = (
        f"Margin: {margin}. {_multiplicity(models)} Distance 0: the effects of the readers; 1: no effects."
        + f" {of_all[:1].upper()}{of_all[1:]}." * bool(of_all)
    )
    table = Table(title, tuple(VERDICT_COLUMNS[k] for k in used), cells, below, row_colours(cells))
    return [table, *_each_verdict(found_rows, title)]


def judged_models(summary: pd.DataFrame) -> list[Row]:
    """Return the lines of the models of which anything is known."""
    return [row for row in records(summary) if row["distance"] is not None or row["shown"] > row["missing"]]


def shared_note(models: Sequence[Row]) -> str:
    """Return what the notes of all models have in common.

    >>> shared_note([{"note": "a; b"}, {"note": "b"}])
    'b'
    """
    parts = [str(row.get("note") or "").split("; ") for row in models]
    return "; ".join(part for part in parts[0] if all(part in each for each in parts)) if parts else ""


def own_note(row: Row, of_all: str) -> str | None:
    """Return the note of a model without what is said of all."""
    parts = str(row.get("note") or "").split("; ")
    return "; ".join(part for part in parts if part not in of_all.split("; ")) or None


def _multiplicity(models: Sequence[Row]) -> str:
    """Say how many verdicts were given, and how many of them are wrong by their own probabilities."""
    rows = [row for row in models if row["model"] not in (NO_EFFECTS, SPLIT_HALF)]
    given = sum(int(row["shown"]) - int(row["undecided"]) - int(row["missing"]) for row in rows)
    wrong = sum(row["expected_wrong"] or 0.0 for row in rows)
    return (
        f"{given} verdicts of {len(rows)} {'model' if len(rows) == 1 else 'models'}, each with a posterior "
        f"probability of at least 95 %; {wrong:.1f} of them are expected to be wrong."
    )


def _summary_cells(row: Row, of_all: str) -> tuple[Cell, ...]:
    counts = ("shown", "equivalent", "too_weak", "too_strong", "wrong_sign", "undecided")
    nearest = "nearest" if row["minus_nearest"] == 0 and row["model"] != NO_EFFECTS else None
    return (
        row_name(row["model"], "run"),
        *(whole(row[name]) for name in counts),
        row["distance"],
        span(row["distance_low"], row["distance_high"]),
        nearest or span(row["minus_nearest_low"], row["minus_nearest_high"]),
        own_note(row, of_all),
    )


def _each_verdict(rows: pd.DataFrame, title: str) -> list[Table]:
    """Return a table with a row for each effect and a column for each source."""
    if rows.empty:
        return []
    sources = list(dict.fromkeys(rows["model"]))
    by_cell: dict[tuple[str, str], dict[str, Row]] = {}
    for row in records(rows):
        by_cell.setdefault((row["measure"], row["predictor"]), {})[row["model"]] = row
    cells: list[tuple[Cell, ...]] = []
    for (measure, predictor), found in by_cell.items():
        first = next(iter(found.values()))
        said = [_said(found[name]) if name in found else None for name in sources]
        unit = next((row["unit"] for row in found.values() if row["unit"]), "")
        of = (unit_words({"measure": measure, "unit": unit}), predictor_words(predictor))
        cells.append((*of, interval(first, "readers"), *said))
    heads = ("measure, unit", "per SD of", "readers", *map(source_name, sources))
    head, _, setting = title.partition(": ")
    return [Table(f"{head}, one by one: {setting}", tuple(map(Column, heads)), tuple(cells))]


def _said(row: Row) -> str | None:
    if row["model_effect"] is None:
        return None
    verdict = "" if row["verdict"] in (None, NOT_SHOWN) else row["verdict"]
    return f"{amount(row['model_effect'], row['unit'])} {verdict}".strip()


def slope_block(summary: pd.DataFrame, published: Sequence[RecoverySummary], title: str) -> list[Table]:
    """Return what published tables allow beside the same of ours: signs and differences of slopes."""
    if not published:
        return []
    ours = [
        (row_name(row["model"], "run"), row["cells"], row["same_sign"], row["mean_abs"], row["rmse"])
        for row in records(summary)
        if row.get("cells")
    ]
    theirs = [
        (row_name(s.model, "published", EFFECTS_CORPUS), s.cells, s.same_sign, s.mean_abs, s.rmse)
        for s in published
    ]
    cells = (*ours, *theirs)
    return [Table(title, SLOPE_COLUMNS, cells, PUBLISHED, row_colours(cells))]


def group_block(groups: pd.DataFrame, setting: str) -> list[Block]:
    """Return the mean outcomes by group of readers or condition of sentences, and the effects in each."""
    if groups.empty:
        return []
    by = str(groups["by"].iloc[0])
    rows = [row for row in records(groups) if row["predictor"] != OBSERVED]
    of_all = shared_note(rows)
    heads = (
        *(Column(by), Column("measure, unit"), Column("effect of"), Column("marginal", "marginal effect")),
        *(Column("slope", "slope"), Column("95 %", "95 % (regression)"), Column("R-hat", "R-hat")),
        Column("note"),
    )
    cells: list[tuple[Cell, ...]] = [
        (
            row["level"],
            unit_words(row),
            predictor_words(row["predictor"] or ""),
            interval(row, "marginal"),
            *(row["mean"], span(row["ci_low"], row["ci_high"]), row["rhat"]),
            own_note(row, of_all),
        )
        for row in rows
    ]
    title = f"Effects by {by}, and differences from the first level: {setting}"
    below = f"{OUTCOME[0].upper()}{OUTCOME[1:]}: of the same words in every level, averaged over readers."
    return [_means_figure(groups, by, setting), Table(title, heads, tuple(cells), below)]


def _means_figure(groups: pd.DataFrame, by: str, setting: str) -> Figure | Note:
    """Draw the mean outcome of each level with its interval, the mean of the data beside it."""
    panels = []
    for _, part in groups.groupby("measure", sort=False):
        found = {(row["predictor"], row["level"]): row for row in records(part)}
        levels = [level for predictor, level in found if predictor == OBSERVED]
        points: dict[str, Estimate] = {}
        for level in levels:
            row = found[OUTCOME, level]
            points[level] = Estimate(row["marginal"], (row["marginal_low"], row["marginal_high"]))
            points[f"{level}, data"] = Estimate(found[OBSERVED, level]["marginal"])
        if levels:
            panels.append(EstimatePanel(unit_words(found[OUTCOME, levels[0]]), points))
    about = About(
        f"Means by {by}: {setting}",
        f"Mean outcomes of {len(panels)} measures by {by}, with 95 % intervals, and the means of the data.",
        "The model averages over the same words in every level. The data are the words that were read.",
    )
    return interval_figure(about, panels, look_of=READERS)
