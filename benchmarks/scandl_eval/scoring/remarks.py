"""What a reader of a table has to know beside the numbers, in one sentence each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from scandl.corpora import Corpus
from scandl.measures.catalogue import METRICS
from scandl.measures.metric import DURATIONS
from scandl.pairing import REFERENCES, Pairing, disagreements, left_out, named, named_items
from scandl.records import Prediction
from scandl_eval.references.human_ceilings import Ceiling
from scandl_eval.references.reference_rows import HUMAN, LEFT_TO_RIGHT, TRAIN_LABEL_DIST, Beside
from scandl_eval.score_table import ScoreColumn
from scandl_eval.scoring.estimates import Difference, below_zero_notes
from scandl_eval.scoring.rows import BY_SPLIT, Row, span
from scandl_eval.scoring.scoring_spec import Spec, repair_counts

UNDEFINED = dict.fromkeys(
    ("bits-per-fixation", "information-gain"), "is minus infinity: the model gives the probability 0 to"
)

_TWO = "no sentence has two human and two generated scanpaths with durations"
_SOME = "too few human or generated fixations have durations"


def input_notes(
    spec: Spec, pairing: Pairing, as_read: Sequence[Prediction], corpus: Corpus | None
) -> list[str]:
    """Say what was compared with what, and what was repaired."""
    notes = [
        f"NLD as {spec.convention!r}: {spec.metric.about}; each prediction against: {pairing.rule}",
        f"models are compared with {REFERENCES[spec.reference]}",
    ]
    if corpus is not None and corpus.card.kind == "simulated":
        notes.append(
            f"the readers of corpus {corpus.name!r} are simulated: no row here is human; a model like the "
            f"one that made them, which 'scandl corpus show {corpus.name}' names, comes near by construction"
        )
    repairs = sorted(repair_counts(as_read).items())
    if repairs:
        found = ", ".join(f"{n} × {what}" for what, n in repairs)
        notes.append(f"symbols in some of {len(as_read)} predictions needed repair ({spec.repair}): {found}")
    return notes


def input_warnings(
    spec: Spec, pairing: Pairing, as_read: Sequence[Prediction], corpus: Corpus | None
) -> list[str]:
    """Say what of the predictions was left out, what is empty, and what is not as in the corpus."""
    return [
        *left_out(pairing, len(as_read)),
        *_empty_predictions(spec, as_read),
        *disagreements(pairing, len(as_read), corpus),
    ]


def _empty_predictions(spec: Spec, as_read: Sequence[Prediction]) -> list[str]:
    empty = [p for p in as_read if not p.predicted]
    if not empty:
        return []
    worth = "NLD 1" if spec.convention == "words" else "one edit per human fixation"
    if any(p.human == () for p in empty):
        worth += ", 0 where the human scanpath is empty too"
    models = ", ".join(dict.fromkeys(p.model for p in empty))
    return [f"{len(empty)} empty predictions of {models} count as {worth}: {named(empty)}"]


def item_notes(setting: str, found: Mapping[str, ScoreColumn]) -> list[str]:
    """Say when models of one setting were scored on different items, which makes their means no contest.

    A model without any value, as of time without durations, takes no part.
    """
    sets = [set(column.items) for column in found.values() if len(column)]
    if not sets:
        return []
    shared = set.intersection(*sets)
    if all(own == shared for own in sets):
        return []
    return [
        f"models of setting {setting!r} were scored on different items; they share {len(shared)}, "
        "on which `scandl-eval compare` compares them"
    ]


def baseline_note(beside: Beside) -> str:
    """Say how the trivial readers came about, or why they lack."""
    made = {reader.name for reader in beside.trivial}
    if LEFT_TO_RIGHT not in made:
        return (
            f"no {LEFT_TO_RIGHT} and no {TRAIN_LABEL_DIST} row: no texts (give --corpus or a column 'text')"
        )
    if TRAIN_LABEL_DIST not in made:
        return f"no {TRAIN_LABEL_DIST} row: it learns from other sentences, and there is only one"
    return f"{TRAIN_LABEL_DIST} is cross-fitted: learned from other sentences than the one it is scored on"


def ceiling_note(ceiling: Ceiling | None) -> str:
    """Say which human ceiling is shown and what it leaves out, or why there is none."""
    if ceiling is None:
        return (
            f"no {HUMAN} row and no energy distance: no reader is named, and most human scanpaths are copies "
            "of another one of their sentence (give reader_id, or sample for several draws)"
        )
    if not len(ceiling.column):
        return f"no {HUMAN} row: no sentence was read by enough readers ({ceiling.about})"
    left_out = (
        f"; {len(ceiling.excluded)} sentences with too few readers left out" if ceiling.excluded else ""
    )
    unnamed = "; each row is taken for another reader" if ceiling.column.clusters is None else ""
    return (
        f"{HUMAN} ({ceiling.name}): {ceiling.about}, {ceiling.readers_per_sentence:.1f} readers per sentence"
        f"{left_out}{unnamed}"
    )


def energy_notes(rows: Iterable[Row], names: Collection[str]) -> list[str]:
    """Say how to read the energy distance, or why there is none."""
    if "energy" not in names:
        return []
    known = [row for row in rows if row.metric == "energy" and row.mean is not None and row.kind == "model"]
    if not known:
        return ["no energy distance: no sentence has two human and two generated scanpaths"]
    fewest, most = (pick(row.n or 0 for row in known) for pick in (min, max))
    over = str(most) if fewest == most else f"{fewest} to {most}"
    return [
        "energy distance (0 = distributed like human scanpaths; kernel NLD, words; pairs of different "
        f"readers) and diversity ratio (1 = as varied as humans) over {over} sentences; {HUMAN}: one random "
        "half of the readers against the other, 0 in expectation, the interval holds 95 % of the splits",
        *below_zero_notes((row.model, row.ci95) for row in known),
    ]


def duration_notes(pairing: Pairing, names: Iterable[str]) -> list[str]:
    """Say which paths have no durations, and that metrics of time leave them out.

    A model without any has no value in these metrics, which the table shows.
    """
    if not any(DURATIONS in METRICS[name].needs for name in names if name in METRICS):
        return []
    lacking: dict[str, dict[int, Prediction]] = {}
    counts: dict[str, set[int]] = {}
    for p in (instance.prediction for instance in pairing.instances):
        counts.setdefault(p.model, set()).add(id(p))
        if p.durations is None:
            lacking.setdefault(p.model, {})[id(p)] = p
    notes = [
        f"{len(found)} of {len(counts[model])} predictions of {model} have no durations and are left out "
        f"of metrics of time: {named(list(found.values()))}"
        for model, found in lacking.items()
        if len(found) < len(counts[model])
    ]
    humans = {(i.reader_id or "", i.prediction.sentence_id): i.human_durations for i in pairing.instances}
    without = [item for item, durations in humans.items() if durations is None]
    if without:
        notes.append(
            f"{len(without)} of {len(humans)} human scanpaths have no durations and are left out of "
            f"metrics of time: {named_items(without)}"
        )
    return notes


def timed_notes(rows: Iterable[Row]) -> list[str]:
    """Say which models have no value in a metric of whole sentences because it needs durations."""
    lacking: dict[str, dict[str, None]] = {}
    for row in rows:
        metric = METRICS[row.metric]
        if metric.level == "distribution" and DURATIONS in metric.needs and row.mean is None:
            lacking.setdefault(row.metric, {})[row.model] = None
    return [
        f"no {name} of {', '.join(models)}: {_TWO if METRICS[name].kernel else _SOME}"
        for name, models in lacking.items()
    ]


def panel_notes(names: Collection[str]) -> list[str]:
    """Say what the human rows of the distribution panel are."""
    if not any(METRICS[name].asked_as == "distribution-panel" for name in names):
        return []
    return [f"Wasserstein and Jensen–Shannon: {HUMAN} is the distance between random halves of the readers"]


def interval_note(rows: Iterable[Row]) -> str:
    """Say what the interval covers."""
    over = sorted({row.resampled for row in rows if row.resampled not in (None, BY_SPLIT)})
    if not over:
        return "no interval: one reader and one sentence do not vary"
    return f"95 % interval: for other {' or '.join(over)}, by two-way clustered standard errors and t"


def undefined_notes(rows: Iterable[Row]) -> list[str]:
    """Say how many instances each metric could not be computed for."""
    counts: dict[str, list[str]] = {}
    for row in rows:
        if row.n_undefined:
            every = (row.n or 0) + row.n_undefined
            of = f"{row.n_undefined} of {every} instances of {row.model} ({row.setting})"
            counts.setdefault(row.metric, []).append(of)
    return [
        f"{metric} {UNDEFINED.get(metric, 'is not defined for')} {', '.join(found)}"
        for metric, found in counts.items()
    ]


def left_to_right_warning(model: str, setting: str, gaps: Mapping[str, Difference]) -> str | None:
    """Warn when the reader who fixates each word once is not worse than a model.

    ``gaps`` holds the distance of that reader minus that of the model, by metric.
    """
    lost = {
        metric: gap
        for metric, gap in gaps.items()
        if (gap.difference if gap.ci95 is None else gap.ci95[0]) <= 0
    }
    if not lost:
        return None
    better = any(gap.ci95 is not None and gap.ci95[1] < 0 for gap in lost.values())
    relation = "is better than" if better else "is not worse than"
    found = ", ".join(f"{metric} {gap.difference:+.4f} {span(gap.ci95)}" for metric, gap in lost.items())
    return (
        f"{LEFT_TO_RIGHT}, which reads every word once, {relation} {model} ({setting}): {found}; "
        f"a low {' or '.join(lost)} alone is no evidence of human-like reading"
    )
