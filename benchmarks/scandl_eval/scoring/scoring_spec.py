"""The declared choices behind an NLD value: convention, repair, pairing, item set.

The same scanpaths give other numbers under other conventions, so every result carries these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from scandl.errors import ScandlError, did_you_mean
from scandl.files.symbol_repair import CLS, REPAIR_COLUMN, clean, cut_sep, remove_pad, repaired_paths
from scandl.pairing import REFERENCES
from scandl.records import Prediction
from scandl.statistics.timed_paths import BIN_MS, TIMED, timed_kernel
from scandl_eval.metrics import METRICS, Metric
from scandl_eval.metrics.metric import OnDemand

CONVENTIONS = {"words": "nld", "scandl": "nld-scandl"}
REPAIRS = ("clean", "remove-pad", "cut-sep")
AGAINST = ("same-reader", "all-readers")
LONGEST_BIN = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """How predictions are read, repaired and compared.

    ``convention`` is ``words`` (positions only) or ``scandl`` (a CLS before and a SEP after both
    paths, as the published numbers of ScanDL were made). ``repair`` applies to raw symbols only,
    which the JSON files of the released code have. ``against`` is the reader the prediction stands
    for, or all readers of the sentence. ``reference`` names the readers that models are compared with as a
    distribution: see ``scandl.pairing.REFERENCES``. ``bin_ms`` is the length of the bins
    of ``nld-time`` and of what rests on it.
    """

    convention: str = "words"
    repair: str = "clean"
    against: str = "same-reader"
    reference: str = "tested"
    bin_ms: float = BIN_MS  # of paths written in time

    def __post_init__(self) -> None:
        for kind, known in (
            ("convention", CONVENTIONS), ("repair", REPAIRS), ("against", AGAINST), ("reference", REFERENCES),
        ):  # fmt: skip
            if getattr(self, kind) not in known:
                value = getattr(self, kind)
                raise ScandlError(f"no {kind} {value!r}{did_you_mean(value, known)}")
        if not 1.0 <= self.bin_ms <= LONGEST_BIN:
            raise ScandlError(f"found bins of {self.bin_ms:g} ms, expected 1 to {LONGEST_BIN:g} (--bin)")

    @property
    def metric(self) -> Metric:
        """The metric that computes NLD in this convention."""
        return METRICS[CONVENTIONS[self.convention]]

    @property
    def timed_metric(self) -> Metric:
        """The metric that computes NLD of paths written in bins of the declared length."""
        if self.bin_ms == BIN_MS:
            return METRICS[TIMED]
        about = f"NLD of words repeated once per {self.bin_ms:g} ms of fixation"
        score = OnDemand("nld", {"bin_ms": self.bin_ms}, "score_timed")
        return replace(METRICS[TIMED], name=timed_kernel(self.bin_ms), score=score, about=about)

    def addressed(self, prediction: Prediction) -> Prediction:
        """Return the prediction without its reader when it is to be compared with all of them."""
        return (
            prediction if self.against == "same-reader" else replace(prediction, reader_id=None, human=None)
        )

    def repaired(self, prediction: Prediction) -> Prediction:
        """Return the prediction with its raw symbols, where it has any, read in the declared way.

        >>> raw = Prediction("s1", (0, 1), text="a b c", raw=(0, 1, 4, 2, 4, 127))
        >>> Spec(repair="cut-sep").repaired(raw).predicted
        (0,)
        >>> Spec(repair="remove-pad").repaired(raw).predicted
        (0, 3, 1)
        """
        if prediction.raw is None or prediction.text is None:
            return prediction
        if self.repair == "clean":
            return replace(prediction, raw=None)
        n_words = len(prediction.text.split())
        kept = remove_pad(prediction.raw)
        kept = kept if self.repair == "remove-pad" else cut_sep(kept, n_words)
        return replace(prediction, raw=kept, predicted=_unframed(kept, n_words))

    def as_dict(self, *, pairing: str, items: str, **more: Any) -> dict[str, Any]:
        """Return the ``metric_spec`` of a result file, with what else the command has to declare."""
        return {
            "spec": self.convention,
            "version": self.metric.version,
            "about": self.metric.about,
            "repair": self.repair,
            "pairing": pairing,
            "reference": self.reference,
            "reference_readers": REFERENCES[self.reference],
            "items": items,
            "aggregation": "samples averaged within (fold, reader, sentence), then the mean over instances",
            **({} if self.bin_ms == BIN_MS else {"bin_ms": self.bin_ms}),
            **more,
        }


def repair_counts(predictions: Iterable[Prediction]) -> Counter[str]:
    """Count the predictions that needed each kind of repair, as their raw symbols or their column tell."""
    counts: Counter[str] = Counter()
    for prediction in predictions:
        if prediction.raw is not None and prediction.text is not None:
            counts.update(clean(prediction.raw, len(prediction.text.split()))[1].keys())
        else:
            counts += repaired_paths([prediction.extra.get(REPAIR_COLUMN, "")])
    return counts


def _unframed(ids: tuple[int, ...], n_words: int) -> tuple[int, ...]:
    """Return 0-based positions without the frame; other symbols inside stay and cost an edit each."""
    body = ids[1:] if ids[:1] == (CLS,) else ids
    body = body[:-1] if body[-1:] == (n_words + 1,) else body
    return tuple(symbol - 1 for symbol in body)
