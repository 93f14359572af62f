"""The definitions a reader of our tables may want, in words."""

from __future__ import annotations

from scandl_eval.leaderboard import BOARD_METRICS
from scandl_reports.document import Term

HUMAN, INTERVAL, RANK, HOLM, DAGGER = "Human", "95 %", "rank", "p (Holm)", "†"
FOLDS, STANDARD_ERROR = "SD folds", "SE folds"

_METRICS = {
    "nld": "Normalised Levenshtein distance: the fewest insertions, deletions and substitutions of "
    "fixations that turn one sequence of word positions into the other, divided by the length of the "
    "longer one. 0 means identical, 1 nothing in common. Each generated path is compared with the path of "
    "the reader it stands for, on the same sentence. The expected distance is smallest for one central "
    "path, so a low value alone is no evidence of human-like reading.",
    "nld-scandl": "The same distance with a start and an end symbol counted as fixations of every path, "
    "the way the ScanDL paper (Bolliger et al., 2023) computed it. Lower than NLD, because the two symbols "
    "always match.",
    "energy": "Energy distance (Székely & Rizzo, 2013) between the generated and the human paths of a "
    "sentence, 2 E d(human, model) − E d(human, human′) − E d(model, model′) with d = NLD, averaged over "
    "sentences. 0 means distributed like human paths; it rises when a model is off target and when it is "
    "too uniform.",
    "energy-yujian-bo": "The energy distance with the normalised edit distance of Yujian & Bo (2007), "
    "which is a metric in the mathematical sense.",
    "diversity": "Mean distance between two generated paths of a sentence over mean distance between two "
    "human ones. 1 means as varied as people; 0 means that the model always reads in the same way.",
    "classifier-auc": "Area under the curve of a classifier that is trained to tell generated from human "
    "paths and tested on other sentences. 0.5 means that it cannot.",
    "bits-per-fixation": "Log2-likelihood that the model gives to the human paths, their ends included, "
    "per fixation. Higher is better; only models with a likelihood have it.",
}
_OTHERS = {
    HUMAN: "The human ceiling: readers against each other on the same items, all pairs of readers without "
    "self; for the energy distance, two random halves of the readers. Never ranked among the models.",
    INTERVAL: "95 % interval of a bootstrap that draws readers and sentences with replacement.",
    RANK: "Place among the models, best first. In brackets the ranks that hold 95 % of the resamples; = "
    "marks models that are not separable from the best (paired bootstrap, Holm-adjusted p of at least "
    ".05).",
    HOLM: "Two-sided p of the difference to the best model in a paired bootstrap, adjusted by Holm's "
    "method for all comparisons with the best.",
    FOLDS: "Standard deviation of the fold means (divisor n), which published tables print after ±. Folds "
    "share training data: it is no standard error.",
    STANDARD_ERROR: "Standard deviation of the fold means (divisor n − 1) over the root of their number; "
    "too small for the same reason.",
    DAGGER: "Significantly worse than the best in the paper's paired t-test over folds. Folds share "
    "training data, so this test rejects too often.",
}  # fmt: skip


def board_terms() -> tuple[Term, ...]:
    """Return the definitions for a leaderboard: its metrics, then its other columns."""
    metrics = [Term(metric.short, _METRICS.get(name, metric.about)) for name, metric in BOARD_METRICS.items()]
    return (*metrics, *(Term(name, text) for name, text in _OTHERS.items()))
