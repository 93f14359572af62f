"""The catalogue of metrics, in the order in which tables show them.

Whatever lists metrics is a query over it: the columns of a leaderboard, what can be sorted by, the
definitions of a report, the tables of the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scandl.measures.metric import (
    BY_DEFINITION,
    DURATIONS,
    HALVES,
    HIGHER,
    LIKELIHOOD,
    LOWER,
    METRICS,
    NOBODY,
    TEXT,
    Metric,
    OnDemand,
    asked_for,
    pair_metrics,
    score_by_default,
    usual_metrics,
)

__all__ = ["METRICS", "Metric", "asked_for", "pair_metrics", "score_by_default", "usual_metrics"]


def _add(name: str, about: str, **more: Any) -> None:
    METRICS.register(name)(Metric(name, about, **more))


def _pair(
    name: str,
    module: str,
    about: str,
    options: Mapping[str, Any] = {},
    *,
    function: str = "score",
    **more: Any,
) -> None:
    _add(name, about, score=OnDemand(module, options, function), **more)


_pair(
    "nld",
    "nld",
    "edit distance / longer path, word positions only",
    short="NLD",
    usual=True,
    definition="Normalised Levenshtein distance: the fewest insertions, deletions and substitutions of "
    "fixations that turn one sequence of word positions into the other, divided by the length "
    "of the longer one. 0 means identical, 1 nothing in common. Each generated path is "
    "compared with the path of the reader it stands for, on the same sentence. Lower is "
    "better, but the expected distance is smallest for one central path, so a low value alone "
    "is no evidence of human-like reading.",
)
_pair(
    "nld-scandl",
    "nld",
    "NLD with CLS and SEP counted as fixations, as published",
    function="score_scandl",
    short="NLD scandl",
    usual=True,
    definition="Normalised Levenshtein distance with a start and an end symbol counted as fixations of "
    "every path, the way the ScanDL paper (Bolliger et al., 2023) computed it. Smaller than "
    "without them, because the two symbols always match. Lower is better.",
)
_pair("levenshtein", "nld", "edit distance in fixations", {"kernel": "levenshtein"}, unit="fixations")
_pair("yujian-bo", "nld", "edit distance normalised to a metric (Yujian & Bo, 2007)", {"kernel": "yujian-bo"})
_add(
    "energy",
    "energy distance to the human paths, NLD kernel",
    kernel="nld",
    human=HALVES,
    usual=True,
    definition="Energy distance (Székely & Rizzo, 2013) between the generated paths of a sentence and "
    "those of the readers, 2 E d(reader, model) − E d(reader, reader′) − E d(model, model′) "
    "with d = NLD, averaged over sentences; always of two different readers. Lower is better: "
    "0 means distributed like the readers' paths, and chance takes it a little below; it rises "
    "when a model is off target and when it is too uniform.",
)
_add(
    "energy-yujian-bo",
    "energy distance, Yujian–Bo kernel",
    short="energy YB",
    kernel="yujian-bo",
    human=HALVES,
    usual=True,
    definition="The energy distance with the normalised edit distance of Yujian & Bo (2007), which is a "
    "metric in the mathematical sense. Lower is better.",
)
_add(
    "diversity",
    "spread of generated over spread of human paths",
    ideal=1.0,
    kernel="nld",
    human=BY_DEFINITION,
    usual=True,
    definition="Mean distance between two generated paths of a sentence over mean distance between two of "
    "the readers'. The nearer to 1 the better: 1 means as varied as they are, 0 that the model "
    "always reads in the same way.",
)
_pair(
    "nld-time",
    "nld",
    "NLD of words repeated once per 50 ms of fixation",
    function="score_timed",
    short="NLD time",
    needs=(DURATIONS,),
    usual=True,
    definition="Normalised Levenshtein distance of the two paths written in time: each word stands once "
    "for every 50 ms of a fixation on it, and at least once. Lower is better. Not defined "
    "without durations.",
)
_add(
    "energy-time",
    "energy distance, kernel NLD time",
    short="energy time",
    kernel="nld-time",
    human=HALVES,
    needs=(DURATIONS,),
    usual=True,
    definition="The energy distance with that distance of timed paths as kernel: how near the generated "
    "paths are to the readers' in place and time. Lower is better; 0 means distributed alike.",
)
_add(
    "diversity-time",
    "spread of timed paths over that of readers",
    short="diversity time",
    ideal=1.0,
    kernel="nld-time",
    human=BY_DEFINITION,
    needs=(DURATIONS,),
    usual=True,
    definition="Diversity with that distance of timed paths. The nearer to 1 the better.",
)
_pair(
    "weighted-edit",
    "alignment",
    "edit distance, substitution min(1, |i−j|/3)",
    function="score_edit",
    unit="fixations",
)
_pair("weighted-nld", "alignment", "weighted-edit / longer path", {"normalised": True}, function="score_edit")
_pair(
    "scasim",
    "alignment",
    "place and time to turn one path into the other, ms, 1° per word",
    function="score_scasim",
    needs=(DURATIONS,),
    unit="ms",
)
_pair(
    "scasim-per-fixation",
    "alignment",
    "scasim / fixations of both paths, ms",
    {"normalise": "fixations"},
    function="score_scasim",
    needs=(DURATIONS,),
    unit="ms",
)
_pair(
    "scasim-per-duration",
    "alignment",
    "scasim / total duration of both paths",
    {"normalise": "duration"},
    function="score_scasim",
    needs=(DURATIONS,),
)
_pair(
    "scanmatch",
    "alignment",
    "best alignment score, threshold 2 words",
    function="score_scanmatch",
    ideal=HIGHER,
)
_pair(
    "scanmatch-50ms",
    "alignment",
    "ScanMatch in bins of 50 ms",
    {"bin_ms": 50.0},
    function="score_scanmatch",
    ideal=HIGHER,
    needs=(DURATIONS,),
)
for _name in ("shape", "direction", "length", "position", "duration"):
    _needs = (TEXT, DURATIONS) if _name == "duration" else (TEXT,)
    _pair(
        f"multimatch-{_name}",
        "multimatch",
        f"{_name} of aligned saccades, near 1 at chance",
        {"dimension": _name},
        ideal=HIGHER,
        needs=_needs,
    )
    _pair(
        f"multimatch-{_name}-above-chance",
        "multimatch",
        f"multimatch-{_name} with 0 = other sentences",
        {"dimension": _name, "above_chance": True},
        ideal=HIGHER,
        needs=_needs,
    )

_OF_TIMES: Mapping[str, Any] = {"human": HALVES, "needs": (DURATIONS,)}
_DURATION_METRICS: tuple[tuple[str, str, str, float, str], ...] = (
    (
        "wasserstein",
        "durations",
        "Wasserstein distance of log durations",
        LOWER,
        "1-Wasserstein distance of the log durations of the model's and the readers' fixations, the first "
        "of a path left out. Lower is better, down to the row Human.",
    ),
    (
        "mean-ratio",
        "mean ratio",
        "geometric mean of durations over readers'",
        1.0,
        "Geometric mean of the generated durations over that of the readers', the first fixation of a "
        "path left out. The nearer to 1 the better.",
    ),
    (
        "sd-ratio",
        "SD ratio",
        "SD of log durations over that of readers",
        1.0,
        "Standard deviation of the generated log durations over that of the readers'. The nearer to 1 the "
        "better.",
    ),
)
for _name, _short, _about, _ideal, _definition in _DURATION_METRICS:
    _add(
        f"duration-{_name}",
        _about,
        short=_short,
        ideal=_ideal,
        definition=_definition,
        usual=True,
        **_OF_TIMES,
    )
    for _kind, _which in (
        ("single", "the only one of a first pass"),
        ("first", "the first of several of a first pass"),
        ("refixation", "a later one on the same word"),
        ("regression", "one after a saccade to the left"),
    ):
        _add(
            f"duration-{_name}-{_kind}",
            f"duration-{_name} of one kind of fixation: {_which}",
            ideal=_ideal,
            **_OF_TIMES,
        )
_add(
    "word-time-correlation",
    "r of words' mean gaze durations",
    short="word times",
    ideal=HIGHER,
    usual=True,
    definition="Correlation over words of the mean gaze duration (first-pass reading time) of the model "
    "with that of the readers. Higher is better, up to the row Human: two halves of the "
    "readers, raised to all of them (Spearman–Brown).",
    **_OF_TIMES,
)
_add("word-time-correlation-FFD", "r of words' mean first fixation durations", ideal=HIGHER, **_OF_TIMES)
_add("word-time-correlation-TFT", "r of words' mean total times", ideal=HIGHER, **_OF_TIMES)
_add(
    "classifier-auc",
    "how well a classifier tells model from human paths",
    short="AUC",
    ideal=0.5,
    asked_as="classifier-auc",
    needs=(TEXT,),
    human=NOBODY,
    usual=True,
    definition="Area under the curve of a classifier that is trained to tell generated paths from those "
    "of readers and tested on other sentences and readers. The nearer to 0.5 the better: 0.5 "
    "means that it cannot.",
)
_QUANTITIES = {
    "saccade-length": "saccade lengths (signed, in words)",
    "path-length": "path lengths (in fixations)",
    "fixations-per-word": "fixations per word (words without any included)",
    "skip-rate": "skip rates (share of the words of a sentence skipped in first pass)",
    "regression-rate": "regression rates (share of the words of a sentence whose first visit is left for a "
    "word to the left)",
    "run-length": "run lengths (fixations on a word before the eyes leave it)",
}
for _name, _what in _QUANTITIES.items():
    for _apart, _about in (
        (
            "wasserstein",
            "1-Wasserstein distance, how far one distribution has to be moved to become the other,",
        ),
        ("jensen-shannon", "Jensen–Shannon divergence (in bits: 0 the same, 1 no value in common)"),
    ):
        _add(
            f"{_name}-{_apart}",
            f"{_apart} between the {_name.replace('-', ' ')}s of model and readers",
            asked_as="distribution-panel",
            needs=(TEXT,),
            human=HALVES,
            definition=f"{_about} between the model's and the readers' {_what}. Lower is better, down to "
            "the row Human: two samples of the same readers are never at 0.",
        )
_add(
    "bits-per-fixation",
    "log2-likelihood of human paths per fixation",
    short="bits",
    ideal=HIGHER,
    unit="bits",
    asked_as="log-likelihood",
    needs=(LIKELIHOOD,),
    human=NOBODY,
    usual=True,
    definition="Log2-likelihood that the model gives to the readers' paths, their ends included, per "
    "fixation. Higher is better; only models with a likelihood have it.",
)
_add(
    "information-gain",
    "bits per fixation beyond train-label-dist",
    ideal=HIGHER,
    unit="bits",
    asked_as="log-likelihood",
    needs=(LIKELIHOOD, TEXT),
    human=NOBODY,
    definition="Bits per fixation that the model gives to the readers' paths beyond those of "
    "train-label-dist, which knows how frequent each length of a saccade is and nothing of the "
    "text. Higher is better; 0 means no better than that.",
)
_add(
    "log-density",
    "log density per fixation of the durations of human paths",
    ideal=HIGHER,
    needs=(DURATIONS,),
    human=NOBODY,
)
