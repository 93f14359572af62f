"""Score predictions: the models, and the rows they have to be read beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scandl.corpora import Corpus
from scandl.files.prediction_inputs import Predictions, as_predictions
from scandl.files.results import provenance
from scandl.files.tabular import Tabular
from scandl.measures.catalogue import METRICS, Metric, asked_for
from scandl.measures.metric import DURATIONS, LOWER
from scandl.pairing import Pairing, lacking
from scandl.records import Prediction
from scandl_eval.references.reference_rows import HUMAN, LEFT_TO_RIGHT, TRAIN_LABEL_DIST, called, readers_name
from scandl_eval.score_table import Scores, sample_spread
from scandl_eval.scoring import remarks as say
from scandl_eval.scoring.distribution_rows import distribution_rows
from scandl_eval.scoring.engine import SettingScores, kernel_of, known_metric, score_predictions
from scandl_eval.scoring.estimates import Difference
from scandl_eval.scoring.rows import (
    Row,
    best_cells,
    ceiling_row,
    empty_row,
    halves_row,
    summary_rows,
    table_cells,
    with_column,
)
from scandl_eval.scoring.scoring_spec import Spec, beside_humans, named_source, open_if_named
from scandl_reports.writing import check_form, write_report

NO_BASELINES = "none"
DEFAULT = ("nld", "energy", "diversity")
KINDS = {LEFT_TO_RIGHT: "baseline", TRAIN_LABEL_DIST: "baseline", HUMAN: "human"}
Gaps = dict[tuple[str, str], dict[str, Difference]]
"""Left-to-right minus the model, by (model, setting), then by metric."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Evaluation(Tabular):
    """What there is to say about predictions; every aggregate follows from ``scores``."""

    rows: list[Row]
    scores: Scores
    metric_spec: dict[str, Any]
    notes: list[str]
    warnings: list[str]
    gaps: Gaps

    def __repr__(self) -> str:
        models = dict.fromkeys(row.model for row in self.rows if row.kind == "model")
        metrics = dict.fromkeys(row.metric for row in self.rows)
        return f"<Evaluation of {', '.join(models)}: {', '.join(metrics)}; {len(self.scores):,} scores>"

    def records(self) -> list[dict[str, Any]]:
        """Return one record per model, setting and metric."""
        return [row.as_dict() for row in self.rows]

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """Return the table that ``scandl-eval nld`` prints."""
        return table_cells(self.rows)

    def captioned(self) -> tuple[str, str]:
        """Return a caption and a label for LaTeX."""
        metrics = ", ".join(dict.fromkeys(row.metric for row in self.rows))
        told = "Brackets: 95 % intervals for other readers and sentences. Best model in bold."
        return f"Models beside people: {metrics}. {told}", f"tab:{self.rows[0].metric}"

    def best(self) -> set[tuple[int, int]]:
        """Return which cells hold the best value of a metric in a setting, people left aside."""
        return best_cells(self.rows)

    def report(self, path: Path | str) -> None:
        """Write the report, .html, .pdf, .txt or .tex by the ending."""
        from scandl_eval.reporting.scoring_report import build_scoring_report

        check_form(path)
        write_report(build_scoring_report(self, provenance(seed=1).as_dict()), path)


def evaluate(
    source: Predictions,
    *,
    corpus: Corpus | str | None = None,
    spec: Spec | None = None,
    metrics: Sequence[str] = (),
    ceiling: str = "all-pairs",
    baselines: Sequence[str] = (),
    strict: bool = False,
    index_base: int | None = None,
    seed: int = 1,
) -> Evaluation:
    """Score models beside trivial baselines and the human ceiling on their own items.

    Parameters
    ----------
    source
        Prediction files, a DataFrame, or records.
    corpus
        The human scanpaths and texts, where the predictions do not bring them: a corpus or its name.
    spec
        How predictions are read and compared.
    metrics
        Names from ``METRICS``; none means NLD, energy and diversity.
    ceiling
        How people are compared with people: ``all-pairs``, ``one-other``, ``split-half``, ``medoid``,
        ``best-other`` or ``same-n``.
    baselines
        Models that read the same items beside these: names, or ``all`` for the usual ones. The trivial
        readers stand beside without being asked for, unless this is ``none``.
    strict
        Make an error of a prediction without a human scanpath, of human scanpaths that are not the
        corpus's, and of an item that a model lacks.
    index_base
        What positions count from, 0 or 1.
    seed
        The seed of baselines and of metrics that draw.

    Returns
    -------
    Evaluation
        The rows, the score of each prediction, notes and warnings.
    """
    spec = spec or Spec()
    names = tuple(dict.fromkeys(name for asked in metrics or DEFAULT for name in asked_for(asked)))
    chosen = {name: known_metric(name, spec) for name in names if not METRICS[name].asked_as}
    opened = open_if_named(corpus)
    own = as_predictions(source, opened, index_base)
    others = tuple(name for name in baselines if name != NO_BASELINES)
    made = _read_by(others, own, opened, seed) if others else []
    as_read = [*own, *made]
    pairing = beside_humans(as_read, opened, spec, strict=strict, name=named_source(source))
    found = score_predictions(pairing, opened, spec, chosen, trivial=NO_BASELINES not in baselines, seed=seed)
    rows: list[Row] = []
    notes: list[str] = []
    gaps: Gaps = {}
    beside = {p.model for p in made}
    for name in chosen:
        for setting in found.settings:
            more, said = _metric_rows(name, chosen[name], setting, found.scores, ceiling)
            rows += more
            notes += said
            for model, gap in _gaps(name, chosen[name], setting, beside).items():
                gaps.setdefault((model, setting.setting), {})[name] = gap
    if whole := [name for name in names if name not in chosen]:
        rows += distribution_rows(whole, pairing.instances, found, seed=seed)
    rows = _without_lent_folds(_with_empty(rows, as_read), as_read)
    readers = readers_name(opened)
    rows = [replace(row, model=readers) if row.kind == "human" else row for row in rows]
    rows = [replace(row, kind="baseline") if row.model in beside else row for row in rows]
    warnings = [say.left_to_right_warning(*group, by_metric) for group, by_metric in gaps.items()]
    of_input = [
        *say.input_notes(spec, pairing, own, opened),
        *lacking(pairing, opened),
        *say.duration_notes(pairing, names),
        *(say.baseline_note(setting.beside) for setting in found.settings if NO_BASELINES not in baselines),
    ]
    notes = [*of_input, *notes, *_row_notes(rows, names)]
    return Evaluation(
        rows=rows,
        scores=found.scores,
        metric_spec=_metric_spec(spec, pairing, len(as_read), chosen, ceiling),
        notes=[called(line, readers) for line in dict.fromkeys(notes)],
        warnings=[*say.input_warnings(spec, pairing, own, opened), *filter(None, warnings)],
        gaps=gaps,
    )


def _read_by(
    names: Sequence[str], predictions: Sequence[Prediction], corpus: Corpus | None, seed: int
) -> list[Prediction]:
    from scandl_eval.references.baseline_readings import baseline_readings  # models import scipy

    return baseline_readings(names, predictions, corpus, seed=seed)


def _row_notes(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Return what has to be said of the numbers, whatever they were made from."""
    return [
        *say.undefined_notes(rows),
        *say.panel_notes(names),
        say.interval_note(rows),
        *say.energy_notes(rows, names),
        *say.timed_notes(rows),
    ]


def _metric_rows(
    name: str, metric: Metric, found: SettingScores, scores: Scores, ceiling: str
) -> tuple[list[Row], list[str]]:
    """Return the rows of one metric in one setting, models first, readers last, and what to say of them."""
    if name not in found.estimates:
        return [], []
    kinds = {model: KINDS[model] for model in KINDS if model not in found.models}
    rows = summary_rows(name, found.setting, found.estimates[name], kinds)
    if metric.level == "distribution":
        without = [m for m in found.models if m not in found.estimates[name].models]
        if DURATIONS in metric.needs:
            rows += [empty_row(name, found.setting, model) for model in without]
        human = halves_row(name, metric, kernel_of(metric, found.bin_ms), found)
        return rows if human is None else [*rows, human], []
    drawn = sample_spread(scores, metric.name)
    by_model = found.columns[name]
    rows = [
        replace(with_column(row, by_model[row.model]), sd_samples=drawn.get((row.model, row.setting)))
        for row in rows
    ]
    rows += [
        empty_row(name, found.setting, model, kinds.get(model, "model"), column.n_undefined)
        for model, column in by_model.items()
        if not len(column)
    ]
    humans = None if found.beside.doubtful_readers else found.beside.ceiling(metric, ceiling)
    if humans is not None and len(humans.column):
        rows.append(ceiling_row(name, found.setting, humans))
    notes = [*say.item_notes(found.setting, {m: by_model[m] for m in found.models}), say.ceiling_note(humans)]
    return rows, notes


def _gaps(name: str, metric: Metric, found: SettingScores, beside: Collection[str]) -> dict[str, Difference]:
    """Return how far left-to-right is from each model in a distance; below 0 it is nearer to readers."""
    if metric.level == "distribution" or metric.ideal != LOWER or name not in found.estimates:
        return {}
    estimates = found.estimates[name]
    if LEFT_TO_RIGHT not in estimates.models:
        return {}
    gaps = {}
    for model in found.models:
        joint = estimates.joint([LEFT_TO_RIGHT, model]) if model in estimates.models else None
        if joint is not None and model != LEFT_TO_RIGHT and model not in beside:
            gaps[model] = joint.difference(LEFT_TO_RIGHT, model)
    return gaps


def _with_empty(rows: Iterable[Row], predictions: Iterable[Prediction]) -> list[Row]:
    empty = Counter((p.model, p.setting) for p in predictions if not p.predicted)
    return [replace(row, n_empty=empty[row.model, row.setting]) for row in rows]


def _without_lent_folds(rows: Iterable[Row], predictions: Iterable[Prediction]) -> list[Row]:
    """Take the spread over folds from models that have one fold: their items have those of another model."""
    folds: dict[tuple[str, str], set[str]] = {}
    for p in predictions:
        folds.setdefault((p.model, p.setting), set()).add(p.fold)
    return [
        replace(row, se_folds=None, sd_folds=None, n_folds=1, mean_of_folds=row.mean)
        if len(folds.get((row.model, row.setting), ())) == 1 and row.n_folds > 1
        else row
        for row in rows
    ]


def _metric_spec(
    spec: Spec, pairing: Pairing, n_read: int, chosen: Mapping[str, Metric], ceiling: str
) -> dict[str, Any]:
    return spec.as_dict(
        pairing=pairing.rule,
        items=f"{n_read - len(pairing.without_human)} of {n_read} predictions",
        ceiling=ceiling,
        energy_kernel="nld, words",
        energy_pairs="paths of two different readers",
        metrics={
            name: {
                "name": metric.name,
                "version": metric.version,
                "better": metric.better,
                "about": metric.about,
            }
            for name, metric in chosen.items()
        },
    )
