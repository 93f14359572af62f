"""Models against each other on the items they share: paired differences, tests, ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.errors import ScandlError, did_you_mean
from scandl.statistics.bootstrap import fold_spread, holm, paired_t
from scandl_eval.metrics import METRICS, Metric
from scandl_eval.metrics.score_table import Column, columns, score, shared_items
from scandl_eval.scoring.information_gain import (
    AGGREGATION,
    Likelihoods,
    impossible_note,
    known_items,
    lacking_models,
    paired_gain,
)
from scandl_eval.scoring.prediction_sets import load
from scandl_eval.scoring.ranking import ALPHA, Place, rank
from scandl_eval.scoring.scoring_spec import Spec
from scandl_eval.scoring.summary_rows import number, paired_difference, span, text_table

if TYPE_CHECKING:
    from scandl.corpora import Corpus

LOG_LIKELIHOOD = "log-likelihood"
BITS = "bits-per-fixation"
T_CAVEAT = (
    "t over folds is the test of the ScanDL paper: folds share training data, so it rejects too often, "
    "and with five folds it has little power; the interval resamples readers and sentences"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Model A minus model B in one setting and metric, on the items both have.

    ``None`` is a number that cannot be given; where it is infinite, ``note`` says so.
    """

    setting: str
    metric: str
    a: str
    b: str
    n: int
    n_only_a: int
    n_only_b: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    ci95: tuple[float, float] | None
    p: float | None  # bootstrap
    p_holm: float | None = None  # over all pairs of this setting and metric
    n_folds: int = 1
    t_folds: float | None = None
    p_folds: float | None = None
    note: str | None = None

    @property
    def verdict(self) -> str:
        """What the test says in words; where there is none, what the interval does."""
        if self.ci95 is None or self.difference is None:
            return "no interval"
        tied = self.ci95[0] <= 0 <= self.ci95[1] if self.p_holm is None else self.p_holm >= ALPHA
        if tied:
            return "not separable"
        return f"{self.a if self.difference < 0 else self.b} lower"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All pairs, and the ranks by (setting, metric)."""

    pairs: list[Pair]
    ranks: dict[tuple[str, str], dict[str, Place]]
    metric_spec: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """Return the pairs for a JSON file."""
        return [asdict(pair) for pair in self.pairs]


def compare(
    files: Sequence[Path | str], *, models: Sequence[str] = (), corpus: Corpus | None = None,
    spec: Spec | None = None, metrics: Sequence[str] = (), strict: bool = False, seed: int = 1,
) -> Comparison:  # fmt: skip
    """Compare the models of some files, or those named, pair by pair on the items both have."""
    spec = spec or Spec()
    chosen = _chosen(metrics, spec)
    as_read, pairing = load(files, corpus, spec, strict=strict)
    present = list(dict.fromkeys(p.model for p in as_read))
    for name in models:
        if name not in present:
            raise ScandlError(f"no model {name!r} in {files[0]}{did_you_mean(name, present)}")
    wanted = list(models) or present
    if len(set(wanted)) < 2:
        raise ScandlError(f"a comparison needs two models, found {', '.join(wanted)}")
    scores = score(pairing.instances, chosen.values())
    pairs: list[Pair] = []
    ranks = {}
    for name, metric in chosen.items():
        for setting, found in _by_setting(columns(scores, metric.name), wanted).items():
            pairs += _pairs(setting, name, found, seed)
            if shared_items(found.values()):
                ranks[setting, name] = rank(found, higher_is_better=metric.higher_is_better, seed=seed)
    notes = []
    if LOG_LIKELIHOOD in metrics:
        known = known_items(pairing.instances, wanted)
        gains = _gains(known, wanted, seed)
        pairs += gains
        notes += [f"{p.setting}: {BITS} of {p.a} and {p.b}: {p.note}" for p in gains if p.note is not None]
        if lacking := lacking_models(pairing.instances, known, wanted):
            notes.append(f"no log_prob: {', '.join(lacking)}")
    if not pairs:
        raise ScandlError(f"no setting has two of the models {', '.join(wanted)} on shared items")
    items, more = "items both models have", _aggregation(metrics)
    metric_spec = spec.as_dict(pairing=pairing.rule, items=items, **more)
    return Comparison(pairs=pairs, ranks=ranks, metric_spec=metric_spec, notes=notes)


def comparison_lines(found: Comparison) -> list[str]:
    """Return the printed tables: pairs, and ranks where there are three models or more."""
    header = [
        "A",
        "B",
        "setting",
        "metric",
        "A mean",
        "B mean",
        "A − B",
        "95 % interval",
        "p Holm",
        "p t folds",
        "n",
        "",
    ]
    cells = [
        [p.a, p.b, p.setting, p.metric, number(p.mean_a), number(p.mean_b), _signed(p.difference),
         span(p.ci95), _p(p.p_holm), _p(p.p_folds), str(p.n), p.verdict]
        for p in found.pairs
    ]  # fmt: skip
    lines = text_table(header, cells)
    for (setting, metric), placed in found.ranks.items():
        if len(placed) > 2:
            lines += ["", f"ranks in {setting} by {metric}", *text_table(
                ["model", "mean", "rank", "95 % of ranks", ""],
                [[model, number(p.value), str(p.rank), _ranks(p), "not separable from the best"
                  if p.tied_with_best and p.rank > 1 else ""] for model, p in placed.items()],
            )]  # fmt: skip
    return lines


def _chosen(metrics: Sequence[str], spec: Spec) -> dict[str, Metric]:
    """Return the metrics between two scanpaths by the name they were asked for."""
    for name in metrics:
        if name not in METRICS and name != LOG_LIKELIHOOD:
            raise ScandlError(f"no metric {name!r}{did_you_mean(name, [*METRICS, LOG_LIKELIHOOD])}")
    if LOG_LIKELIHOOD in metrics and spec.against == "all-readers":
        raise ScandlError(
            f"{LOG_LIKELIHOOD}: a likelihood belongs to the reader a prediction stands for; "
            "use --against same-reader"
        )
    if not metrics:
        return {"nld": spec.metric}
    return {name: METRICS[name] for name in metrics if name != LOG_LIKELIHOOD}


def _aggregation(metrics: Sequence[str]) -> dict[str, str]:
    """Return what the metric spec has to say about bits per fixation, which are no mean over instances."""
    if LOG_LIKELIHOOD not in metrics:
        return {}
    alone = {"aggregation": AGGREGATION} if set(metrics) == {LOG_LIKELIHOOD} else {}
    return {"aggregation_of_bits": AGGREGATION, **alone}


def _by_setting(found: dict[tuple[str, str], Column], wanted: Sequence[str]) -> dict[str, dict[str, Column]]:
    """Return the columns of each setting that has at least two of the models."""
    settings: dict[str, dict[str, Column]] = {}
    for model in wanted:
        for (name, setting), column in found.items():
            if name == model and len(column):
                settings.setdefault(setting, {})[model] = column
    return {setting: models for setting, models in settings.items() if len(models) > 1}


def _pairs(setting: str, metric: str, found: dict[str, Column], seed: int) -> list[Pair]:
    pairs = [
        pair
        for a, b in combinations(found, 2)
        if (pair := _pair(setting, metric, (a, found[a]), (b, found[b]), seed)) is not None
    ]
    tested = [pair for pair in pairs if pair.p is not None]
    adjusted = holm([pair.p for pair in tested if pair.p is not None])
    by_pair = {(pair.a, pair.b): p for pair, p in zip(tested, adjusted, strict=True)}
    return [replace(pair, p_holm=by_pair.get((pair.a, pair.b))) for pair in pairs]


def _pair(setting: str, metric: str, a: tuple[str, Column], b: tuple[str, Column], seed: int) -> Pair | None:
    gap = paired_difference(a[1], b[1], seed=seed)
    if gap is None:
        return None
    shared = shared_items([a[1], b[1]])
    folds = [fold for fold, _, _ in shared]
    test = paired_t(fold_spread(a[1].at(shared), folds), fold_spread(b[1].at(shared), folds))
    return Pair(
        setting=setting, metric=metric, a=a[0], b=b[0], n=gap.n,
        n_only_a=len(a[1]) - gap.n, n_only_b=len(b[1]) - gap.n,
        mean_a=gap.mean_a, mean_b=gap.mean_b, difference=gap.difference, ci95=gap.ci95, p=gap.p,
        n_folds=len(set(folds)),
        t_folds=None if test is None else test.t,
        p_folds=None if test is None else test.p,
    )  # fmt: skip


def _gains(known: Likelihoods, wanted: Sequence[str], seed: int) -> list[Pair]:
    """Return the pairs in bits per fixation, setting by setting, of the models that give likelihoods."""
    pairs = []
    if not any(len(set(models) & set(wanted)) > 1 for models in known.values()):
        raise ScandlError(f"no likelihoods to compare: fewer than two of {', '.join(wanted)} have log_prob")
    for setting, models in known.items():
        for a, b in combinations([name for name in wanted if name in models], 2):
            if (found := paired_gain(models, a, b, seed=seed)) is not None:
                n = found[2].n_paths
                pairs.append(Pair(
                    setting=setting, metric=BITS, a=a, b=b, n=n, n_only_a=len(models[a]) - n,
                    n_only_b=len(models[b]) - n, mean_a=_finite(found[0]), mean_b=_finite(found[1]),
                    difference=_finite(found[2].bits), ci95=found[2].ci95, p=None,
                    note=impossible_note(models, a, b),
                    n_folds=len({fold for fold, _, _ in models[a].keys() & models[b].keys()}),
                ))  # fmt: skip
    return pairs


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}"


def _p(value: float | None) -> str:
    return "<0.0001" if value is not None and value < 1e-4 else number(value)


def _ranks(place: Place) -> str:
    return "–" if place.rank_interval is None else f"{place.rank_interval[0]}–{place.rank_interval[1]}"
