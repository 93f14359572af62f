"""Rows that compare human and generated scanpaths as distributions, for tables of many metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS
from scandl.measures.distribution.classifier import classifier_test
from scandl.measures.distribution.likelihood import likelihood
from scandl.measures.distribution.panel import panel
from scandl.pairing import Instance
from scandl.records import Scanpath
from scandl.statistics.bootstrap import RESAMPLES
from scandl.statistics.clustered import CROSSED
from scandl_eval.references.reference_rows import HUMAN, Beside, train_label_log_probs
from scandl_eval.scoring.engine import Scored
from scandl_eval.scoring.rows import Row

PANEL = "distribution-panel"
KINDS = ("model", "baseline", "human")  # in the order of the rows


@dataclass(frozen=True, slots=True)
class Group:
    """One model in one setting: its paths, and the readers of the same sentences."""

    model: str
    kind: str  # model, baseline or human
    beside: Beside
    generated: Sequence[Scanpath]
    instances: Sequence[Instance]  # none for a baseline
    seed: int

    @property
    def n_words(self) -> dict[str, int]:
        """The number of words of each sentence whose text is known."""
        units = self.beside.units.values()
        return {unit.prediction.sentence_id: unit.n_words for unit in units if unit.n_words is not None}

    @property
    def sides(self) -> tuple[list[Scanpath], list[Scanpath], dict[str, int]]:
        """The human and the generated paths of sentences whose text is known, and its words.

        Symbols that are no words, which the repairs of published files leave in, are no fixations.
        """
        known = self.n_words
        human = [path for sentence in known for path in self.beside.humans[sentence]]
        generated = [
            _without_symbols(path, known[path.sentence_id])
            for path in self.generated
            if path.sentence_id in known
        ]
        return human, generated, known

    def row(
        self, metric: str, mean: float, ci95: tuple[float, float] | None, n: int, n_undefined: int = 0
    ) -> Row:
        """Return a row of this group."""
        return Row(
            model=self.model,
            setting=self.beside.setting,
            kind=self.kind,
            metric=metric,
            n=n,
            mean=mean if math.isfinite(mean) else None,
            ci95=ci95,
            resampled=None if ci95 is None else CROSSED,
            n_undefined=n_undefined,
        )


def _without_symbols(path: Scanpath, n_words: int) -> Scanpath:
    """Return the path of the fixations that are on words, without durations, which nobody asks for."""
    return replace(
        path, positions=tuple(word for word in path.positions if 0 <= word < n_words), durations=None
    )


def classifier_rows(group: Group) -> Iterator[Row]:
    """Yield how well a classifier tells the sides apart: 0.5 is not at all."""
    found = classifier_test(*group.sides, seed=group.seed)
    yield group.row("classifier-auc", found.auc, found.ci95, found.n_human + found.n_model)


def panel_rows(group: Group) -> Iterator[Row]:
    """Yield the distance in each quantity of the panel; of readers that between random halves of them."""
    human = group.kind == "human"
    found = panel(*group.sides, resamples=0 if human else RESAMPLES, seed=group.seed)
    for name, apart in found.differences.items():
        for measure in ("wasserstein", "jensen-shannon"):
            value, ci95, floor = (
                getattr(apart, measure.replace("-", "_") + end) for end in ("", "_ci95", "_floor")
            )
            metric = f"{name.replace(' ', '-')}-{measure}"
            yield group.row(metric, floor if human else value, None if human else ci95, found.n_sentences)


def likelihood_rows(group: Group) -> Iterator[Row]:
    """Yield the bits per fixation of human paths, and how many more than train-label-dist gives them."""
    units = {
        (i.prediction.fold, i.reader_id, i.prediction.sentence_id): i
        for i in group.instances
        if i.prediction.log_prob is not None and i.reader_id == i.prediction.reader_id
    }
    if not units:
        return
    chosen = list(units.values())
    logs = [i.prediction.log_prob or 0.0 for i in chosen]
    n_fixations = [len(i.human) for i in chosen]
    names = [i.reader_id for i in chosen if i.reader_id is not None]
    readers = names if len(names) == len(chosen) else None
    sentences = [i.prediction.sentence_id for i in chosen]
    impossible = sum(map(math.isinf, logs))
    near = group.beside
    trivial = train_label_log_probs(chosen, near.humans, near.item_of, seed=group.seed)
    for metric, baseline in (("bits-per-fixation", None), ("information-gain", trivial)):
        if metric == "information-gain" and baseline is None:
            continue
        found = likelihood(logs, n_fixations, readers, sentences, baseline=baseline)
        yield group.row(metric, found.bits, found.ci95, found.n_paths - impossible, impossible)


_MADE_BY: Mapping[str, Callable[[Group], Iterator[Row]]] = {
    "classifier-auc": classifier_rows,
    PANEL: panel_rows,
    "log-likelihood": likelihood_rows,
}
"""What makes the rows of metrics, by what they are asked for as."""


def distribution_rows(
    names: Sequence[str], instances: Sequence[Instance], found: Scored, *, seed: int
) -> list[Row]:
    """Return the rows of the named metrics for every model and trivial reader.

    A comparison that needs more readers, sentences or texts than there are has no rows.
    """
    rows: dict[tuple[str, str, str], Row] = {}
    makers = dict.fromkeys(METRICS[name].asked_as for name in names)
    for setting in found.settings:
        if setting.beside.doubtful_readers:
            continue
        for model, paths in setting.compared.paths.items():
            own = [
                i for i in instances if (i.prediction.model, i.prediction.setting) == (model, setting.setting)
            ]
            generated = [path for drawn in paths.values() for path in drawn]
            group = Group(model, "model" if own else "baseline", setting.beside, generated, own, seed)
            for name in makers:
                for row in _rows(name, group):
                    rows.setdefault((row.metric, row.setting, row.model), row)
        near = setting.beside
        readers = Group(HUMAN, "human", near, [p for found in near.humans.values() for p in found], (), seed)
        for row in _rows(PANEL, readers) if PANEL in makers else ():
            rows[row.metric, row.setting, HUMAN] = row
    metrics = list(dict.fromkeys(metric for metric, _, _ in rows))
    wanted = [row for row in rows.values() if row.metric in names]
    return sorted(wanted, key=lambda row: (metrics.index(row.metric), KINDS.index(row.kind)))


def _rows(name: str, group: Group) -> list[Row]:
    try:
        return list(_MADE_BY[name](group))
    except ScandlError:
        return []  # too few of something, see distribution_rows
