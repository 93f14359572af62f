"""The declared choices behind an NLD value, and predictions read and put beside humans as they say.

Convention, repair, pairing, item set: the same scanpaths give other numbers under other choices, so
every result carries them.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, Fact, LeftOutWarning, ScandlError, did_you_mean
from scandl.files.prediction_inputs import Predictions, as_predictions, prediction_paths
from scandl.files.symbol_repair import CLS, REPAIR_COLUMN, clean, cut_sep, remove_pad, repaired_paths
from scandl.measures.catalogue import METRICS, Metric
from scandl.measures.metric import OnDemand
from scandl.measures.pair.nld import score, score_scandl
from scandl.pairing import REFERENCES, Pairing, disagreements, lacking, left_out, pair
from scandl.records import Prediction
from scandl.statistics.distances import BIN_MS, TIMED, timed_kernel

if TYPE_CHECKING:
    from scandl.corpora import Corpus


CONVENTIONS = {
    "words": replace(METRICS["nld"], score=score),
    "scandl": replace(METRICS["nld-scandl"], score=score_scandl),
}
"""What every table is made of, so that its function is imported now and not on demand."""
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
            ("convention", CONVENTIONS),
            ("repair", REPAIRS),
            ("against", AGAINST),
            ("reference", REFERENCES),
        ):
            if getattr(self, kind) not in known:
                value = getattr(self, kind)
                raise ScandlError(f"no {kind} {value!r}{did_you_mean(value, known)}")
        if not 1.0 <= self.bin_ms <= LONGEST_BIN:
            raise ScandlError(f"found bins of {self.bin_ms:g} ms, expected 1 to {LONGEST_BIN:g} (--bin)")

    @property
    def metric(self) -> Metric:
        """The metric that computes NLD in this convention."""
        return CONVENTIONS[self.convention]

    @property
    def timed_metric(self) -> Metric:
        """The metric that computes NLD of paths written in bins of the declared length."""
        if self.bin_ms == BIN_MS:
            return METRICS[TIMED]
        about = f"NLD of words repeated once per {self.bin_ms:g} ms of fixation"
        timed = OnDemand("nld", {"bin_ms": self.bin_ms}, "score_timed")
        return replace(METRICS[TIMED], name=timed_kernel(self.bin_ms), score=timed, about=about)

    def addressed(self, prediction: Prediction) -> Prediction:
        """Return the prediction without its reader when it is to be compared with all of them."""
        if self.against == "same-reader":
            return prediction
        return replace(prediction, reader_id=None, human=None)

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
        elif prediction.extra.get(REPAIR_COLUMN):
            counts += repaired_paths([prediction.extra[REPAIR_COLUMN]])
    return counts


def _unframed(ids: tuple[int, ...], n_words: int) -> tuple[int, ...]:
    """Return 0-based positions without the frame; other symbols inside stay and cost an edit each."""
    body = ids[1:] if ids[:1] == (CLS,) else ids
    body = body[:-1] if body[-1:] == (n_words + 1,) else body
    return tuple(symbol - 1 for symbol in body)


def load(
    source: Predictions,
    corpus: Corpus | str | None,
    spec: Spec,
    *,
    strict: bool = False,
    name: str | None = None,
    index_base: int | None = None,
) -> tuple[Corpus | None, list[Prediction], Pairing]:
    """Read predictions and put them beside the humans as ``spec`` says, or say why that cannot be done.

    With ``strict`` every prediction needs a human scanpath, that of the corpus where it has one, and
    every model a prediction for each item.
    """
    opened = open_if_named(corpus)
    as_read = as_predictions(source, opened, index_base)
    return (
        opened,
        as_read,
        beside_humans(as_read, opened, spec, strict=strict, name=name or named_source(source)),
    )


def beside_humans(
    as_read: Sequence[Prediction], opened: Corpus | None, spec: Spec, *, strict: bool, name: str
) -> Pairing:
    """Put predictions that were read beside the humans, or say why that cannot be done."""
    if opened is None and all(p.human is None for p in as_read):
        found = Fact(f"no human scanpath in {len(as_read)} predictions")
        raise DataError(name, None, "human", found, "a column 'human', or a corpus (--corpus)")
    if opened is None and spec.against == "all-readers":
        raise ScandlError("to compare with all readers of a sentence, give a corpus (--corpus)")
    pairing = pair([spec.addressed(spec.repaired(p)) for p in with_common_folds(as_read)], opened)
    lost = left_out(pairing, len(as_read))
    if not pairing.instances:
        raise ScandlError(f"{name}: {lost[0]}")
    if strict:
        for said in (*lost, *disagreements(pairing, len(as_read), opened), *lacking(pairing, opened)):
            raise ScandlError(f"{name}: {said}")
    for said in lost:
        warnings.warn(f"{name}: {said}", LeftOutWarning, stacklevel=3)
    return pairing


def named_source(source: Predictions) -> str:
    """Return the name of predictions for a message: the first file, or what they are."""
    files = prediction_paths(source)
    return str(files[0]) if files else "the predictions"


def open_if_named(corpus: Corpus | str | None) -> Corpus | None:
    """Return the corpus, opened where it was given by name or folder."""
    if not isinstance(corpus, str):
        return corpus

    return open_corpus(corpus)


Place = tuple[str, str | None, str]
"""(setting, reader, sentence)"""


def with_common_folds(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Give an item the same fold in every model, so that models are matched on it.

    Files of different origin name their folds differently, or not at all. The names of the model
    with the most folds in a setting are taken. A setting in which some model tests an item in
    several folds (resampled splits) is left as it is: there the fold is part of the item.
    """
    if len({p.model for p in predictions}) < 2:
        return list(predictions)
    folds: dict[tuple[str, str], dict[Place, str]] = {}
    repeated: set[str] = set()
    for p in predictions:
        place = (p.setting, p.reader_id, p.sentence_id)
        if (
            p.reader_id is not None
            and folds.setdefault((p.setting, p.model), {}).setdefault(place, p.fold) != p.fold
        ):
            repeated.add(p.setting)
    names: dict[Place, str] = {}
    for (setting, _), own in sorted(folds.items(), key=lambda group: -len(set(group[1].values()))):
        if setting not in repeated:
            names = own | names
    return [
        replace(p, fold=name)
        if (name := names.get((p.setting, p.reader_id, p.sentence_id), p.fold)) != p.fold
        else p
        for p in predictions
    ]
