"""What a checkpoint keeps of its training, and what it therefore refuses to be tested on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scandl.corpora.corpus import Corpus, Pair
from scandl.errors import ScandlError
from scandl.records import WHOLE
from scandl.splits import Fold


def fold_record(fold: Fold, corpus: Corpus) -> dict[str, Any]:
    """Return what a checkpoint keeps of its fold: enough to refuse to be tested on its training items."""
    return {"setting": fold.setting, **_record(fold.fold_id, (*fold.train, *fold.validation), corpus)}


def whole_record(training: Corpus) -> dict[str, Any]:
    """Return the same of a training without a fold, where all that is known is what was learned from."""
    return _record(WHOLE, [(path.reader_id, path.sentence_id) for path in training.scanpaths], training)


def _record(name: str, learned: Collection[Pair], corpus: Corpus) -> dict[str, Any]:
    return {
        "fold_id": name,
        "corpus": corpus.name,
        "train": [list(pair) for pair in learned],
        "versions": _versions(learned, corpus),
    }


def _versions(learned: Iterable[Pair], corpus: Corpus) -> list[str]:
    """Return the sentences that were not learned from, but whose items were, in another version."""
    read = {sentence for _, sentence in learned}
    items = {corpus.sentences[name].item for name in read}
    return sorted(
        name for name, sentence in corpus.sentences.items() if sentence.item in items and name not in read
    )


def refuse_leak(
    fold: Mapping[str, Any], pairs: Iterable[Pair], corpus: str, setting: str | None = None
) -> None:
    """Raise if what must be new in these test items of a corpus was trained on.

    New must be what the setting of the checkpoint keeps new, and what ``setting``, under which the
    items are tested, claims to be. A model that does not say what it was trained on is not tested.
    """
    if not fold:
        raise ScandlError(
            "the checkpoint does not say what it was trained on, so nothing is known to be new to it;"
            " scandl train writes one that does"
        )
    trained_on = fold.get("corpus", corpus)
    if trained_on != corpus:  # ids of another corpus are other readers and sentences
        if setting in ("ns", "nr", "nrns"):
            raise ScandlError(
                f"the checkpoint was trained on corpus {trained_on!r}: on {corpus!r} it is not tested"
                f" in setting {setting!r}, use --setting cross"
            )
        return
    settings = {fold.get("setting"), setting}
    if settings & {"cross", WHOLE}:
        raise ScandlError(
            f"the checkpoint was trained on corpus {corpus!r}, which it is asked to be tested on"
        )
    trained = {(reader, sentence) for reader, sentence in fold.get("train", ())}
    readers = {reader for reader, _ in trained} if settings & {"nr", "nrns"} else set()
    # Another version of what was read is as well known as what was read.
    sentences = {sentence for _, sentence in trained} | set(fold.get("versions", ()))
    for reader, sentence in pairs:
        if reader in readers:
            known = f"reader {reader!r}"
        elif settings & {"ns", "nrns"} and sentence in sentences:
            known = f"sentence {sentence!r}"
        elif (reader, sentence) in trained:
            known = f"reader {reader!r} in sentence {sentence!r}"
        else:
            continue
        raise ScandlError(
            f"the checkpoint of fold {fold['fold_id']} was trained on {known},"
            " which it is asked to be tested on"
        )
