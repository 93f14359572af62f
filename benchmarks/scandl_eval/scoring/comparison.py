"""Models against each other on the items they share: paired differences, tests, ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scandl.errors import ScandlError, did_you_mean
from scandl.files.prediction_inputs import Predictions, as_predictions
from scandl.files.tabular import Tabular
from scandl.measures.catalogue import METRICS
from scandl.records import WHOLE, Prediction
from scandl.splits import paired_t
from scandl.statistics.bootstrap import holm
from scandl_eval.scoring.engine import BITS, is_compared, known_metric, score_predictions
from scandl_eval.scoring.estimates import ALPHA, Estimates, Place, rank
from scandl_eval.scoring.information_gain import (
    AGGREGATION,
    Likelihoods,
    impossible_note,
    known_items,
    lacking_models,
    paired_gain,
)
from scandl_eval.scoring.remarks import duration_notes, input_warnings
from scandl_eval.scoring.rows import number, span, text_table
from scandl_eval.scoring.scoring_spec import Spec, load, named_source, open_if_named

if TYPE_CHECKING:
    from scandl.corpora import Corpus

LOG_LIKELIHOOD = "log-likelihood"
HEADER = (
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
    "verdict",
)
T_CAVEAT = (
    "t over folds is the test of the ScanDL paper: folds share training data, so it rejects too often, "
    "and with five folds it has little power; the interval holds for other readers and sentences"
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
    p: float | None  # two-sided, not adjusted
    p_holm: float | None = None  # over all pairs of this setting and metric
    n_folds: int = 1
    t_folds: float | None = None
    p_folds: float | None = None
    note: str | None = None

    @property
    def verdict(self) -> str:
        """What the test says in words; where there is none, what the interval does.

        A test of a difference does not tell which of two values is nearer to an ideal between them.
        """
        if self.ci95 is None or self.difference is None:
            return "no interval"
        tied = self.ci95[0] <= 0 <= self.ci95[1] if self.p_holm is None else self.p_holm >= ALPHA
        if tied:
            return "not distinguished"
        metric = METRICS[self.metric]
        if self.mean_a is None or self.mean_b is None or metric.straddled(self.mean_a, self.mean_b):
            return f"on either side of {metric.ideal:g}"
        nearer = self.a if metric.loss(self.mean_a) < metric.loss(self.mean_b) else self.b
        return f"{nearer} nearer to people"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Tabular):
    """All pairs, and the ranks by (setting, metric)."""

    pairs: list[Pair]
    ranks: dict[tuple[str, str], dict[str, Place]]
    metric_spec: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        models = dict.fromkeys(model for pair in self.pairs for model in (pair.a, pair.b))
        n = len(self.pairs)
        return f"<Comparison of {', '.join(models)}: {n} paired difference{'s' * (n != 1)}>"

    def records(self) -> list[dict[str, Any]]:
        """Return one record per pair of models, setting and metric."""
        return [asdict(pair) for pair in self.pairs]

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """Return the table of pairs that ``scandl-eval compare`` prints."""
        cells = [
            [
                p.a,
                p.b,
                p.setting,
                p.metric,
                number(p.mean_a),
                number(p.mean_b),
                _signed(p.difference),
                span(p.ci95),
                _p(p.p_holm),
                _p(p.p_folds),
                str(p.n),
                p.verdict,
            ]
            for p in self.pairs
        ]
        return list(HEADER), cells


def compare(
    source: Predictions,
    *others: Predictions,
    models: Sequence[str] = (),
    corpus: Corpus | str | None = None,
    spec: Spec | None = None,
    metrics: Sequence[str] = (),
    strict: bool = False,
    index_base: int | None = None,
    seed: int = 1,
) -> Comparison:
    """Compare the models of some predictions, or those named, pair by pair on the items both have.

    Parameters
    ----------
    source, others
        Prediction files, DataFrames, or records.
    models
        The models to compare; none means all.
    corpus
        The human scanpaths and texts, where the predictions do not bring them: a corpus or its name.
    spec
        How predictions are read and compared.
    metrics
        Names from ``METRICS``; none means NLD.
    strict
        Whether an item that a model lacks is an error.
    index_base
        What positions count from, 0 or 1.
    seed
        The seed of the metrics that draw.

    Returns
    -------
    Comparison
        One row per pair and metric: the difference, its interval and an adjusted p.

    Examples
    --------
    >>> import pandas as pd
    >>> mine = pd.DataFrame({"sentence_id": ["a", "b"], "predicted": ["0 1", "0 2"], "human": ["0 1", "0 1"]})
    >>> found = compare(mine.assign(model="mine"), mine.assign(model="theirs", predicted="0"))
    >>> [(pair.a, pair.b, pair.mean_a, pair.mean_b) for pair in found.pairs]
    [('mine', 'theirs', 0.25, 0.5)]
    """
    source = source if not others else [source, *others]  # type: ignore[list-item]  # sources may be nested
    spec = spec or Spec()
    names = tuple(dict.fromkeys(metrics)) or ("nld",)
    _refuse_likelihood(names, spec)
    chosen = {name: known_metric(name, spec) for name in names if name != LOG_LIKELIHOOD}
    for name, metric in chosen.items():
        if not is_compared(metric):
            said = "has no paired differences; 'scandl-eval score' gives it model by model"
            raise ScandlError(f"{name} {said}")
    read = as_predictions(source, opened := open_if_named(corpus), index_base)
    wanted = _wanted(models, read, named_source(source))
    read, notes = with_common_settings(read, wanted)
    _, as_read, pairing = load(read, opened, spec, strict=strict, name=named_source(source))
    pairs: list[Pair] = []
    ranks = {}
    for found in score_predictions(pairing, opened, spec, chosen, trivial=False, seed=seed).settings:
        for name, estimates in found.estimates.items():
            own = [model for model in wanted if model in estimates.models]
            if len(own) < 2:
                continue
            pairs += _pairs(found.setting, name, own, estimates)
            joint = estimates.joint(own)
            if joint is not None:
                ranks[found.setting, name] = rank(joint, loss=chosen[name].loss, seed=seed)
    if LOG_LIKELIHOOD in names:
        known = known_items(pairing.instances, wanted)
        gains = _gains(known, wanted)
        pairs += gains
        notes += [f"{p.setting}: {BITS} of {p.a} and {p.b}: {p.note}" for p in gains if p.note is not None]
        if lacking := lacking_models(pairing.instances, known, wanted):
            notes.append(f"no log_prob: {', '.join(lacking)}")
    if not pairs:
        raise ScandlError(f"no setting has two of the models {', '.join(wanted)} on shared items")
    items, more = "items both models have", _aggregation(names)
    metric_spec = spec.as_dict(pairing=pairing.rule, items=items, **more)
    return Comparison(
        pairs=pairs,
        ranks=ranks,
        metric_spec=metric_spec,
        notes=[*notes, *duration_notes(pairing, names)],
        warnings=input_warnings(spec, pairing, as_read, opened),
    )


def with_common_settings(
    predictions: Sequence[Prediction], wanted: Sequence[str]
) -> tuple[list[Prediction], list[str]]:
    """Let models meet whose files name their settings differently, and say what was done.

    Where no setting is common to all models, items are paired by reader and sentence alone. A model
    that only lacks some of the settings is named with them.
    """
    settings: dict[str, dict[str, int]] = {model: {} for model in wanted}
    for p in predictions:
        if p.model in settings:
            settings[p.model][p.setting] = settings[p.model].get(p.setting, 0) + 1
    every = list(dict.fromkeys(setting for own in settings.values() for setting in own))
    if any(all(setting in own for own in settings.values()) for setting in every):
        lines = [
            f"{model} has no prediction in setting {setting!r}, where others have, and is left out there"
            for setting in every
            for model, own in settings.items()
            if setting not in own
        ]
        return list(predictions), lines
    told = "; ".join(
        f"{model}: {', '.join(f'{setting} ({n})' for setting, n in own.items())}"
        for model, own in settings.items()
    )
    kept = [replace(p, setting=WHOLE, fold="0") for p in predictions if p.model in settings]
    return kept, [f"no setting is common to all models ({told}): paired by reader and sentence alone"]


def _wanted(models: Sequence[str], read: Sequence[Prediction], name: str) -> list[str]:
    present = list(dict.fromkeys(p.model for p in read))
    for model in models:
        if model not in present:
            raise ScandlError(f"no model {model!r} in {name}{did_you_mean(model, present)}")
    wanted = list(dict.fromkeys(models)) or present
    if len(wanted) < 2:
        raise ScandlError(f"a comparison needs two models, found {', '.join(wanted)}")
    return wanted


def comparison_lines(found: Comparison) -> list[str]:
    """Return the printed tables: pairs, and ranks where there are three models or more."""
    lines = text_table(*found.shown(), keys=2)
    for (setting, metric), placed in found.ranks.items():
        if len(placed) > 2:
            lines += [
                "",
                f"ranks in {setting} by {metric}",
                *text_table(
                    ["model", "mean", "rank", "95 % of ranks", ""],
                    [
                        [
                            model,
                            number(p.value),
                            str(p.rank),
                            _ranks(p),
                            "not distinguished from the best" if p.tied_with_best and p.rank > 1 else "",
                        ]
                        for model, p in placed.items()
                    ],
                ),
            ]
    return lines


def _refuse_likelihood(names: Sequence[str], spec: Spec) -> None:
    if LOG_LIKELIHOOD in names and spec.against == "all-readers":
        raise ScandlError(
            f"{LOG_LIKELIHOOD}: a likelihood belongs to the reader a prediction stands for; "
            "use --against same-reader"
        )


def _aggregation(metrics: Sequence[str]) -> dict[str, str]:
    """Return what the metric spec has to say about bits per fixation, which are no mean over instances."""
    if LOG_LIKELIHOOD not in metrics:
        return {}
    alone = {"aggregation": AGGREGATION} if set(metrics) == {LOG_LIKELIHOOD} else {}
    return {"aggregation_of_bits": AGGREGATION, **alone}


def _pairs(setting: str, metric: str, models: Sequence[str], estimates: Estimates) -> list[Pair]:
    found = [_pair(setting, metric, a, b, estimates) for a, b in combinations(models, 2)]
    pairs = [pair for pair in found if pair is not None]
    tested = [pair for pair in pairs if pair.p is not None]
    adjusted = holm([pair.p for pair in tested if pair.p is not None])
    by_pair = {(pair.a, pair.b): p for pair, p in zip(tested, adjusted, strict=True)}
    return [replace(pair, p_holm=by_pair.get((pair.a, pair.b))) for pair in pairs]


def _pair(setting: str, metric: str, a: str, b: str, estimates: Estimates) -> Pair | None:
    joint, alone = estimates.joint([a, b]), [estimates.joint([model]) for model in (a, b)]
    if joint is None:
        return None
    gap, test = joint.difference(a, b), paired_t(*joint.folds)
    only = [own.n - joint.n if own is not None else 0 for own in alone]
    return Pair(
        setting=setting,
        metric=metric,
        a=a,
        b=b,
        n=gap.n,
        n_only_a=only[0],
        n_only_b=only[1],
        mean_a=_finite(gap.mean_a),
        mean_b=_finite(gap.mean_b),
        difference=_finite(gap.difference),
        ci95=gap.ci95,
        p=gap.p,
        n_folds=max(len(joint.folds[0].means), 1),
        t_folds=None if test is None else test.t,
        p_folds=None if test is None else test.p,
    )


def _gains(known: Likelihoods, wanted: Sequence[str]) -> list[Pair]:
    """Return the pairs in bits per fixation, setting by setting, of the models that give likelihoods."""
    pairs = []
    if not any(len(set(models) & set(wanted)) > 1 for models in known.values()):
        raise ScandlError(f"no likelihoods to compare: fewer than two of {', '.join(wanted)} have log_prob")
    for setting, models in known.items():
        for a, b in combinations([name for name in wanted if name in models], 2):
            if (found := paired_gain(models, a, b)) is not None:
                n = found[2].n_paths
                pairs.append(
                    Pair(
                        setting=setting,
                        metric=BITS,
                        a=a,
                        b=b,
                        n=n,
                        n_only_a=len(models[a]) - n,
                        n_only_b=len(models[b]) - n,
                        mean_a=_finite(found[0]),
                        mean_b=_finite(found[1]),
                        difference=_finite(found[2].bits),
                        ci95=found[2].ci95,
                        p=None,
                        note=impossible_note(models, a, b),
                        n_folds=len({fold for fold, _, _ in models[a].keys() & models[b].keys()}),
                    )
                )
    return pairs


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}"


def _p(value: float | None) -> str:
    return "<0.0001" if value is not None and value < 1e-4 else number(value)


def _ranks(place: Place) -> str:
    return "–" if place.rank_interval is None else f"{place.rank_interval[0]}–{place.rank_interval[1]}"
