"""The definitions a reader of our tables may want, in words; of every metric, what counts as better."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scandl.measures.catalogue import METRICS
from scandl_eval.leaderboard.leaderboard import BOARD_METRICS
from scandl_reports.document import Term

HUMAN, INTERVAL, RANK, HOLM, DAGGER = "Human", "95 %", "rank", "p (Holm)", "†"
SIMULATED = "Readers"
"""What simulated readers are called where people are called Human."""
FOLDS, STANDARD_ERROR, PASSING = "SD folds", "SE folds", "Passing for a reader"

_METRICS = {
    "nld": "Normalised Levenshtein distance: the fewest insertions, deletions and substitutions of "
    "fixations that turn one sequence of word positions into the other, divided by the length of the "
    "longer one. 0 means identical, 1 nothing in common. Each generated path is compared with the path of "
    "the reader it stands for, on the same sentence. Lower is better, but the expected distance is smallest "
    "for one central path, so a low value alone is no evidence of human-like reading.",
    "nld-scandl": "Normalised Levenshtein distance with a start and an end symbol counted as fixations of "
    "every path, the way the ScanDL paper (Bolliger et al., 2023) computed it. Smaller than without them, "
    "because the two symbols always match. Lower is better.",
    "energy": "Energy distance (Székely & Rizzo, 2013) between the generated paths of a sentence and those "
    "of the readers, 2 E d(reader, model) − E d(reader, reader′) − E d(model, model′) with d = NLD, "
    "averaged over sentences; always of two different readers. Lower is better: 0 means distributed like the "
    "readers' paths, and chance takes it a little below; it rises when a model is off target and when it is "
    "too uniform.",
    "energy-yujian-bo": "The energy distance with the normalised edit distance of Yujian & Bo (2007), "
    "which is a metric in the mathematical sense. Lower is better.",
    "diversity": "Mean distance between two generated paths of a sentence over mean distance between two "
    "of the readers'. The nearer to 1 the better: 1 means as varied as they are, 0 that the model always "
    "reads in the same way.",
    "nld-time": "Normalised Levenshtein distance of the two paths written in time: each word stands once for "
    "every 50 ms of a fixation on it, and at least once. Lower is better. Not defined without durations.",
    "energy-time": "The energy distance with that distance of timed paths as kernel: how near the generated "
    "paths are to the readers' in place and time. Lower is better; 0 means distributed alike.",
    "diversity-time": "Diversity with that distance of timed paths. The nearer to 1 the better.",
    "duration-wasserstein": "1-Wasserstein distance of the log durations of the model's and the readers' "
    "fixations, the first of a path left out. Lower is better, down to the row Human.",
    "duration-mean-ratio": "Geometric mean of the generated durations over that of the readers', the first "
    "fixation of a path left out. The nearer to 1 the better.",
    "duration-sd-ratio": "Standard deviation of the generated log durations over that of the readers'. The "
    "nearer to 1 the better.",
    "word-time-correlation": "Correlation over words of the mean gaze duration (first-pass reading time) of "
    "the model with that of the readers. Higher is better, up to the row Human: two halves of the readers, "
    "raised to all of them (Spearman–Brown).",
    "classifier-auc": "Area under the curve of a classifier that is trained to tell generated paths from "
    "those of readers and tested on other sentences and readers. The nearer to 0.5 the better: 0.5 means "
    "that it cannot.",
    "bits-per-fixation": "Log2-likelihood that the model gives to the readers' paths, their ends included, "
    "per fixation. Higher is better; only models with a likelihood have it.",
}
_GAIN = (
    "Bits per fixation that the model gives to the readers' paths beyond those of train-label-dist, which "
    "knows how frequent each length of a saccade is and nothing of the text. Higher is better; 0 means no "
    "better than that."
)
_INTERVAL = (
    "95 % interval for other readers and other sentences, from standard errors clustered by both (Cameron, "
    "Gelbach & Miller, 2011) and Student's t; a generated path goes with the reader it stands for. That "
    "holds for NLD and the other distances, energy, diversity and bits, for differences between models and "
    "for ranks; the AUC has a bootstrap of readers and sentences. In the row Human both readers of a pair "
    "count; its energy is that of one half of the readers against the other, and the interval holds 95 % of "
    "random splits. Where a file does not name its readers, intervals are for other sentences alone."
)
_STANDARD_ERROR = (
    "Standard deviation of the fold means (divisor n − 1) over the root of their number. Folds share "
    "training data, so it is too small."
)
_OTHERS = {
    HUMAN: "The ceiling: readers against each other on the same items, all pairs of readers without "
    "self; for the energy distance, two random halves of the readers. Never ranked among the models.",
    INTERVAL: _INTERVAL,
    RANK: "Place among the models, best first. In brackets the ranks that hold 95 % of draws from "
    "what is known of all models together; = marks models that are not separable from the best (paired "
    "test, Holm-adjusted p of at least .05).",
    HOLM: "Two-sided p of the difference to the best model, paired, adjusted by Holm's "
    "method for all comparisons with the best.",
    FOLDS: "Standard deviation of the fold means (divisor n), which published tables print after ±. Folds "
    "share training data: it is no standard error.",
    STANDARD_ERROR: _STANDARD_ERROR,
    DAGGER: "Significantly worse than the best in the paper's paired t-test over folds. Folds share "
    "training data, so this test rejects too often.",
    PASSING: "Whether a permutation test of the energy distance, which exchanges paths of model and readers "
    "of the same sentence, gives p of at least .05 (p_permutation in the leaderboard files). The test takes "
    "paths for independent although those of one reader belong together, so it rejects too often where "
    "readers differ. And a test that finds nothing proves nothing: with few paths any model may pass.",
}

_QUANTITIES = {
    "saccade length": "saccade lengths (signed, in words)",
    "path length": "path lengths (in fixations)",
    "fixations per word": "fixations per word (words without any included)",
    "skip rate": "skip rates (share of the words of a sentence skipped in first pass)",
    "regression rate": "regression rates (share of the words of a sentence whose first visit is left for a "
    "word to the left)",
    "run length": "run lengths (fixations on a word before the eyes leave it)",
}
_DISTANCES = {
    "wasserstein": "1-Wasserstein distance, how far one distribution has to be moved to become the other,",
    "jensen-shannon": "Jensen–Shannon divergence (in bits: 0 the same, 1 no value in common)",
}
_PANEL = {
    f"{name.replace(' ', '-')}-{distance}": f"{about} between the model's and the readers' {what}. Lower is "
    "better, down to the row Human: two samples of the same readers are never at 0."
    for name, what in _QUANTITIES.items()
    for distance, about in _DISTANCES.items()
}
_PANEL_INTERVAL = (
    " Those of Wasserstein and Jensen–Shannon are moved so that the resamples have the estimate as their "
    "mean, because resampling makes any such distance larger."
)
_HUMAN_OF_SCORES = (
    "Readers against each other on the same items, none against themselves; “How to read this” says in which "
    "way. For the energy, Wasserstein and Jensen–Shannon distances: two random halves of the readers."
)
_SCORES = (
    _METRICS
    | _PANEL
    | {
        "information-gain": _GAIN,
    }
)


def called(text: str, readers: str) -> str:
    """Return a text in which the row Human has the name that it has on the page.

    >>> called("down to the row Human", "Readers")
    'down to the row Readers'
    """
    return re.sub(rf"\b{HUMAN}\b", readers, text)


def board_terms(readers: str = HUMAN) -> tuple[Term, ...]:
    """Return the definitions for a leaderboard: its metrics, then its other columns."""
    metrics = {metric.short: _METRICS[name] for name, metric in BOARD_METRICS.items()}
    return _terms(metrics | _OTHERS, readers)


def _terms(texts: Mapping[str, str], readers: str) -> tuple[Term, ...]:
    return tuple(Term(called(name, readers), called(text, readers)) for name, text in texts.items())


def scoring_terms(metrics: Iterable[str], *, convention: str, readers: str = HUMAN) -> tuple[Term, ...]:
    """Return the definitions for a table of scores: its metrics, by the names of its rows, then its columns.

    ``convention`` says what its NLD is.
    """
    texts = {name: _score_text(name) for name in metrics}
    if "nld" in texts and convention == "scandl":
        texts["nld"] = _METRICS["nld-scandl"]
    of_panel = _PANEL_INTERVAL if not _PANEL.keys().isdisjoint(texts) else ""
    texts |= {HUMAN: _HUMAN_OF_SCORES, INTERVAL: _INTERVAL + of_panel, STANDARD_ERROR: _STANDARD_ERROR}
    return _terms(texts, readers)


def _score_text(name: str) -> str:
    if name in _SCORES:
        return _SCORES[name]
    metric = METRICS[name]  # of this package, or of another one
    better = "Higher" if metric.higher_is_better else "Lower"
    starts_with_a_name = metric.about.split()[0] in METRICS
    about = metric.about if starts_with_a_name else metric.about[:1].upper() + metric.about[1:]
    return f"{about}. {better} is better."
