"""Put the rows of all settings together, with what a reader of them must not miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from scandl.corpora.corpus import corpus_digest
from scandl.files.provenance import provenance
from scandl.pairing import named_items
from scandl.splits import SETTINGS
from scandl_eval.leaderboard.leaderboard import BOARD_METRICS, HUMAN, BoardRow, Leaderboard
from scandl_eval.references.published_tables import published_rows
from scandl_eval.references.reference_rows import LEFT_TO_RIGHT
from scandl_eval.running.run_config import RunConfig
from scandl_eval.running.scored_run import DistributionTests, ScoredRun
from scandl_eval.running.setting_rows import setting_rows
from scandl_eval.running.tasks import Corpora, Group
from scandl_eval.scoring.scoring_spec import Spec
from scandl_eval.scoring.summary_rows import span

DIGITS = 6  # what is printed; the last bits of a sum depend on the machine


def build_leaderboard(
    config: RunConfig, corpora: Corpora, runs: Sequence[ScoredRun],
    tests: Mapping[Group, DistributionTests], refused: Mapping[Group, str],
) -> Leaderboard:  # fmt: skip
    """Compare the models within each setting; those that refused one are named with their reason."""
    rows: list[BoardRow] = []
    for run in runs:
        setting = run.found.setting
        own = {model: found for (model, of), found in tests.items() if of == setting}
        rows += setting_rows(run.found, run.counts, own, seed=config.seed)
        rows += _published_rows(setting)
    rounded = [_rounded(row) for row in rows]
    warnings = [line for setting in config.settings for line in left_to_right_lines(rounded, setting)]
    warnings += [*lacking_lines(runs), *no_likelihood_lines(runs), *no_human_lines(rounded)]
    warnings += [
        f"{SETTINGS.get(setting, setting)}: {model} is left out: {reason}."
        for (model, setting), reason in refused.items()
    ]
    return Leaderboard(rounded, _metric_spec(), _provenance(config, corpora), warnings)


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


def no_human_lines(rows: Sequence[BoardRow]) -> list[str]:
    """Say in which settings nobody can be compared with another reader."""
    settings = dict.fromkeys(row.setting for row in rows)
    with_human = {row.setting for row in rows if row.kind == "human"}
    return [
        f"{SETTINGS.get(setting, setting)}: no {HUMAN} row, no sentence was read by two readers."
        for setting in settings
        if setting not in with_human
    ]


def left_to_right_lines(rows: Sequence[BoardRow], setting: str) -> list[str]:
    """Say where left-to-right stands by NLD, when no model or not even the readers are better."""
    nld = {row.model: row for row in rows if row.setting == setting and row.metric == "nld"}
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
            f"separably nearer to the readers than they are to each other ({nld[HUMAN].mean:.3f} on the same "
            f"items, difference {simple.human_minus_model:.3f} {span(gap)})"
        )
    if not said:
        return []
    return [
        f"{SETTINGS.get(setting, setting)}: left-to-right, which fixates each word once and learned nothing, "
        f"has an NLD of {simple.mean:.3f}, {' and '.join(said)}. NLD rewards a central path: judge by "
        "energy and diversity."
    ]


def _published_rows(setting: str) -> list[BoardRow]:
    return [
        BoardRow(
            setting=setting, model=row.model, kind="published", metric="nld-scandl", n=None, mean=row.mean,
            sd_folds=row.spread, dagger=row.worse_than_best,
            note=f"{row.corpus}, NLD in the convention {row.convention!r}; {row.source}",
        )
        for row in published_rows(setting)
    ]  # fmt: skip


def _metric_spec() -> dict[str, Any]:
    spec = Spec().as_dict(pairing="same reader", items="test parts of all folds run")
    about = {metric.name: metric.about for metric in BOARD_METRICS.values()}
    notes = {
        "ranking": "paired tests on shared items; tied = Holm-adjusted p at least .05 against the best",
        "dagger": "worse than the best in a paired t-test over folds, which share training data: too liberal",
        "intervals": "for other readers and sentences: two-way clustered standard errors and t",
        "energy": "pairs of different readers; Human is one random half of the readers against the other",
    }
    return {**spec, "metrics": about, "notes": notes}


def _provenance(config: RunConfig, corpora: Corpora) -> dict[str, Any]:
    made = provenance(seed=config.seed).as_dict()
    used = {config.corpus: corpora.corpus} | (
        {config.test_corpus: corpora.test_corpus} if config.test_corpus and corpora.test_corpus else {}
    )
    return made | {"inputs": {name: corpus_digest(corpus) for name, corpus in used.items()}}


def _rounded(row: BoardRow) -> BoardRow:
    def cut(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(cut(part) for part in value)
        return round(value, DIGITS) if isinstance(value, float) else value

    return replace(row, **{field.name: cut(getattr(row, field.name)) for field in fields(row)})
