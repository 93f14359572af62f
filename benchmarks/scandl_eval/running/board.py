"""From the scores to the leaderboard: rows setting by setting, and what a reader of them must not miss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from scandl.corpora.corpus import corpus_digest
from scandl.files.results import provenance
from scandl.measures.catalogue import METRICS, Metric, usual_metrics
from scandl.measures.metric import HALVES
from scandl.pairing import named_items
from scandl.splits import SETTINGS, FoldSpread, paired_t
from scandl.statistics.clustered import CROSSED
from scandl_eval.leaderboard.leaderboard import Leaderboard
from scandl_eval.references.human_ceilings import Ceiling
from scandl_eval.references.reference_rows import HUMAN, LEFT_TO_RIGHT, published_rows, readers_name
from scandl_eval.running.scored_run import Counts, DistributionTests, ScoredRun
from scandl_eval.running.tasks import Corpora, Group, RunConfig
from scandl_eval.scoring.engine import SettingScores, kernel_of
from scandl_eval.scoring.estimates import ALPHA, Estimates, Joint, Place, places, unsure_places
from scandl_eval.scoring.rows import Row, ceiling_row, halves_row, joint_row, joint_with_humans, span
from scandl_eval.scoring.scoring_spec import Spec

DIGITS = 6  # what is printed; the last bits of a sum depend on the machine


def build_leaderboard(
    config: RunConfig,
    corpora: Corpora,
    runs: Sequence[ScoredRun],
    tests: Mapping[Group, DistributionTests],
    refused: Mapping[Group, str],
) -> Leaderboard:
    """Compare the models within each setting; those that refused one are named with their reason."""
    rows: list[Row] = []
    for run in runs:
        setting = run.found.setting
        own = {model: found for (model, of), found in tests.items() if of == setting}
        readers = readers_name(corpora.tested(setting))
        found = setting_rows(run.found, run.counts, own, seed=config.seed)
        rows += [replace(row, model=readers) if row.kind == "human" else row for row in found]
        rows += _published_rows(setting)
    rounded = [_rounded(row) for row in rows]
    warnings = [line for setting in config.settings for line in left_to_right_lines(rounded, setting)]
    warnings += [*lacking_lines(runs), *no_likelihood_lines(runs), *no_human_lines(rounded)]
    warnings += [
        f"{SETTINGS.get(setting, setting)}: {model} is left out: {reason}."
        for (model, setting), reason in refused.items()
    ]
    return Leaderboard(rounded, _metric_spec(config), _provenance(config, corpora), warnings)


def lacking_lines(runs: Sequence[ScoredRun]) -> list[str]:
    """Say which models lack items of their setting, and on how many the ranks rest."""
    lines = []
    for run in runs:
        units = {model: set(run.found.columns["nld"][model].items) for model in run.found.models}
        every, shared = set.union(*units.values()), set.intersection(*units.values())
        for model, found in units.items():
            lacks = [(reader, sentence) for _, reader, sentence in sorted(every - found)]
            if lacks:
                setting = run.found.setting
                lines.append(
                    f"{SETTINGS.get(setting, setting)}: {model} has no prediction for {len(lacks)} of "
                    f"{len(every)} items ({named_items(lacks)}); ranks are over the {len(shared)} items that "
                    "all models have."
                )
    return lines


def no_likelihood_lines(runs: Sequence[ScoredRun]) -> list[str]:
    """Say which models give the likelihood of some human paths only, which makes no sum."""
    return [
        f"{SETTINGS.get(run.found.setting, run.found.setting)}: {model} has log_prob for {n} of "
        f"{len(run.found.columns['nld'][model])} scanpaths, so no likelihood."
        for run in runs
        for model, n in run.n_log_prob.items()
        if 0 < n < len(run.found.columns["nld"][model])
    ]


def no_human_lines(rows: Sequence[Row]) -> list[str]:
    """Say in which settings nobody can be compared with another reader."""
    settings = dict.fromkeys(row.setting for row in rows)
    with_human = {row.setting for row in rows if row.kind == "human"}
    return [
        f"{SETTINGS.get(setting, setting)}: no row of the readers, no sentence was read by two of them."
        for setting in settings
        if setting not in with_human
    ]


def left_to_right_lines(rows: Sequence[Row], setting: str) -> list[str]:
    """Say where left-to-right stands by NLD, when no model or not even the readers are better."""
    nld = {
        HUMAN if row.kind == "human" else row.model: row
        for row in rows
        if row.setting == setting and row.metric == "nld"
    }
    simple = nld.get(LEFT_TO_RIGHT)
    models = [row for row in nld.values() if row.kind == "model" and row.rank is not None]
    if simple is None or simple.mean is None or simple.rank is None:
        return []
    beaten = [row for row in models if (row.rank or 0) > simple.rank]
    said = []
    if beaten:
        others = "the other model" if len(models) == 2 else f"{len(beaten)} of {len(models) - 1} other models"
        said.append(f"lower than {others}")
    gap = simple.human_minus_model_ci95
    if gap is not None and gap[0] > 0:
        said.append(
            f"clearly nearer to the readers than they are to each other ({nld[HUMAN].mean:.3f} on the same "
            f"items, difference {simple.human_minus_model:.3f} {span(gap)})"
        )
    if not said:
        return []
    return [
        f"{SETTINGS.get(setting, setting)}: left-to-right, which fixates each word once and learned nothing, "
        f"has an NLD of {simple.mean:.3f}, {' and '.join(said)}. NLD rewards a central path: judge by "
        "energy and diversity."
    ]


def _published_rows(setting: str) -> list[Row]:
    return [
        Row(
            setting=setting,
            model=row.model,
            kind="published",
            metric="nld-scandl",
            n=None,
            mean=row.mean,
            sd_folds=row.spread,
            dagger=row.worse_than_best,
            note=f"{row.corpus}, NLD in the convention {row.convention!r}; {row.source}",
        )
        for row in published_rows(setting)
    ]


def _metric_spec(config: RunConfig) -> dict[str, Any]:
    spec = Spec().as_dict(pairing="same reader", items="test parts of all folds run")
    chosen = [*usual_metrics(), *(METRICS[name] for name in config.metrics)]
    about = {metric.name: metric.about for metric in chosen}
    notes = {
        "ranking": "paired tests on shared items; tied = Holm-adjusted p at least .05 against the best",
        "dagger": "worse than the best in a paired t-test over folds, which share training data: too liberal",
        "intervals": "for other readers and sentences: two-way clustered standard errors and t",
        "energy": "pairs of different readers; in the row of the readers one random half against the other",
    }
    return {**spec, "metrics": about, "notes": notes}


def _provenance(config: RunConfig, corpora: Corpora) -> dict[str, Any]:
    made = provenance(seed=config.seed).as_dict()
    used = {config.corpus: corpora.corpus} | (
        {config.test_corpus: corpora.test_corpus} if config.test_corpus and corpora.test_corpus else {}
    )
    return made | {"inputs": {name: corpus_digest(corpus) for name, corpus in used.items()}}


def _rounded(row: Row) -> Row:
    def cut(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(cut(part) for part in value)
        return round(value, DIGITS) if isinstance(value, float) else value

    return replace(row, **{field.name: cut(getattr(row, field.name)) for field in fields(row)})


def setting_rows(
    found: SettingScores, counts: Mapping[str, Counts], tests: Mapping[str, DistributionTests], *, seed: int
) -> list[Row]:
    """Return the rows of one setting: every metric of every model, then those of the readers."""
    rows: list[Row] = []
    for name, estimates in found.estimates.items():
        rows += _compared(found, METRICS[name], estimates, counts, seed)
    rows += _auc_rows(found, METRICS["classifier-auc"], tests, counts)
    rows = [_with_p(row, tests) for row in rows]
    humans, matched = human_rows(found)
    return [*(with_matched(row, matched) for row in rows), *humans]


def _compared(
    found: SettingScores, metric: Metric, estimates: Estimates, counts: Mapping[str, Counts], seed: int
) -> list[Row]:
    """Return the rows of one metric with ranks and differences to the best model."""
    own = {model: estimates.joint([model]) for model in found.models if model in estimates.models}
    known = {model: joint for model, joint in own.items() if joint is not None}
    finite = [model for model, joint in known.items() if math.isfinite(joint.values[0])]
    shared = estimates.joint(finite) if finite else None
    # Models that share no item, or none with a defined value, cannot be ranked.
    ranked = shared is not None and bool(np.isfinite(shared.values).all())
    placed = (
        dict(zip(finite, places(shared, loss=metric.loss, seed=seed), strict=True))
        if ranked and shared is not None
        else {}
    )
    best = min(placed, key=lambda model: placed[model].rank) if placed else None
    rows = []
    for model, joint in known.items():
        if model not in finite:
            if math.isinf(joint.values[0]):
                rows.append(_infinite_row(found.setting, metric, model, joint.n))
            continue
        tested = best is not None and shared is not None and model != best
        row = replace(
            joint_row(metric.name, found.setting, joint, "model"), **counts[model].cells(metric.name)
        )
        if model in placed:
            row = replace(row, **_place(placed[model]))
        if tested and shared and best:
            row = replace(row, **_fold_test(metric, shared, model, best))
        rows.append(row)
    return rows


def _infinite_row(setting: str, metric: Metric, model: str, n: int) -> Row:
    """Return the row of a model that holds some human path impossible: its mean is no number."""
    return Row(
        setting=setting,
        model=model,
        kind="model",
        metric=metric.name,
        n=n,
        mean=None,
        note="minus infinity: the model gives some human scanpath the probability 0",
    )


def _auc_rows(
    found: SettingScores,
    metric: Metric,
    tests: Mapping[str, DistributionTests],
    counts: Mapping[str, Counts],
) -> list[Row]:
    """Return the classifier's rows; each has an interval of its own, so ranks come without one."""
    known = {model: tests[model] for model in found.models if tests[model].auc is not None}
    values = np.array([each.auc for each in known.values()], dtype=np.float64)
    placed = unsure_places(values, loss=metric.loss) if known else []
    return [
        Row(
            setting=found.setting,
            model=model,
            kind="model",
            metric=metric.name,
            n=each.n_paths,
            mean=each.auc,
            ci95=None if each.auc_ci95 is None else (each.auc_ci95[0], each.auc_ci95[1]),
            resampled=CROSSED,
            **_place(place),
            **counts[model].cells(metric.name),
        )
        for (model, each), place in zip(known.items(), placed, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Matched:
    """A model on the items of the human row, and how much farther readers are from each other."""

    mean: float
    human_minus_model: float
    ci95: tuple[float, float] | None


def human_rows(found: SettingScores) -> tuple[list[Row], dict[tuple[str, str], Matched]]:
    """Return the rows of the readers, which are not ranked, and each (model, metric) on their items."""
    rows: list[Row] = []
    matched = {}
    for name, estimates in found.estimates.items():
        metric = METRICS[name]
        if not estimates.models:
            continue
        if metric.level == "distribution":
            row = halves_row(name, metric, kernel_of(metric, found.bin_ms), found)
            rows += [row] if row is not None else []
            continue
        ceiling = found.beside.ceiling(metric, "all-pairs")
        if not len(ceiling.column):
            continue
        rows.append(_human_row(found.setting, name, ceiling))
        for model in found.models:
            part = _matched(ceiling, found, name, model)
            if part is not None:
                matched[model, name] = part
    return rows, matched


def _matched(ceiling: Ceiling, found: SettingScores, metric: str, model: str) -> Matched | None:
    """Compare a model with the readers on those of the ceiling's items that the model has."""
    column = found.columns[metric][model]
    has = set(column.items)
    items = [item for item in ceiling.column.items if item in has]
    if not items:
        return None
    joint = joint_with_humans(ceiling.at(items), {model: column})
    gap = joint.difference(HUMAN, model)
    return Matched(gap.mean_b, gap.difference, gap.ci95)


def with_matched(row: Row, matched: Mapping[tuple[str, str], Matched]) -> Row:
    """Return the row with what it is on the items of the human row."""
    found = matched.get((row.model, row.metric)) if row.kind == "model" else None
    if found is None:
        return row
    return replace(
        row,
        mean_matched=found.mean,
        human_minus_model=found.human_minus_model,
        human_minus_model_ci95=found.ci95,
    )


def _human_row(setting: str, metric: str, ceiling: Ceiling) -> Row:
    """Return the row of the readers, with a note on how they meet and on sentences of one reader."""
    note = "all pairs of readers without self" if ceiling.name == "all-pairs" else ceiling.about
    if ceiling.excluded:
        note += f"; {len(ceiling.excluded)} sentences with one reader left out"
    return replace(ceiling_row(metric, setting, ceiling), note=note)


def _with_p(row: Row, tests: Mapping[str, DistributionTests]) -> Row:
    """Return the row of an energy distance with the p-value of its permutation test."""
    metric = METRICS[row.metric]
    if not metric.kernel or metric.human != HALVES:
        return row
    return replace(row, p_permutation=tests[row.model].p_values.get(metric.kernel))


def _place(place: Place) -> dict[str, Any]:
    return {name: value for name, value in asdict(place).items() if name != "value"}


def _fold_test(metric: Metric, shared: Joint, model: str, best: str) -> dict[str, Any]:
    """Return the paper's test: a paired t over how bad both are in each fold."""
    losses, least = (
        FoldSpread(
            {
                fold: metric.loss(value)
                for fold, value in shared.folds[shared.models.index(name)].means.items()
            }
        )
        for name in (model, best)
    )
    test = paired_t(losses, least)
    if test is None:
        return {}
    return {"p_folds": test.p, "dagger": test.p < ALPHA and losses.mean > least.mean}
