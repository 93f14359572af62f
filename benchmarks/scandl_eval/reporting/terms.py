"""The definitions a reader of our tables may want, in words; of every metric, what counts as better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scandl.measures.catalogue import METRICS, usual_metrics
from scandl_eval.references.reference_rows import HUMAN, called
from scandl_eval.scoring.distribution_rows import PANEL
from scandl_reports.document import Term

INTERVAL, RANK, HOLM, DAGGER = "95 %", "rank", "p (Holm)", "†"
FOLDS, STANDARD_ERROR, PASSING = "SD folds", "SE folds", "Passing for a reader"

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
    "what is known of all models together; = marks models that are not distinguished from the best (paired "
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

_PANEL_INTERVAL = (
    " Those of Wasserstein and Jensen–Shannon are moved so that the resamples have the estimate as their "
    "mean, because resampling makes any such distance larger."
)
_HUMAN_OF_SCORES = (
    "Readers against each other on the same items, none against themselves; “How to read this” says in which "
    "way. For the energy, Wasserstein and Jensen–Shannon distances: two random halves of the readers."
)


def board_terms(readers: str = HUMAN, metrics: Iterable[str] = ()) -> tuple[Term, ...]:
    """Return the definitions for a leaderboard: its metrics, then its other columns."""
    names = dict.fromkeys([*(metric.name for metric in usual_metrics()), *metrics])
    return _terms({METRICS[name].heading: METRICS[name].meaning for name in names} | _OTHERS, readers)


def _terms(texts: Mapping[str, str], readers: str) -> tuple[Term, ...]:
    return tuple(Term(called(name, readers), called(text, readers)) for name, text in texts.items())


def scoring_terms(metrics: Iterable[str], *, convention: str, readers: str = HUMAN) -> tuple[Term, ...]:
    """Return the definitions for a table of scores: its metrics, by the names of its rows, then its columns.

    ``convention`` says what its NLD is.
    """
    names = list(metrics)
    texts = {name: METRICS[name].meaning for name in names}
    if "nld" in texts and convention == "scandl":
        texts["nld"] = METRICS["nld-scandl"].meaning
    of_panel = _PANEL_INTERVAL if any(METRICS[name].asked_as == PANEL for name in names) else ""
    texts |= {HUMAN: _HUMAN_OF_SCORES, INTERVAL: _INTERVAL + of_panel, STANDARD_ERROR: _STANDARD_ERROR}
    return _terms(texts, readers)
