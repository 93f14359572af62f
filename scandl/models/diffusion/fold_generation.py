"""Predictions for the test items of a fold: what ``scandl generate --corpus`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.files.symbol_repair import kept_symbols
from scandl.models.model import Request
from scandl.records import Prediction

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.models.diffusion.diffusion_model import Sampling, ScanpathModel
    from scandl.splits import Fold


def generate_test_items(
    model: ScanpathModel,
    corpus: Corpus,
    fold: Fold,
    *,
    samples: int = 1,
    seed: int = 1,
    sampling: Sampling | None = None,
    quiet: bool = True,
) -> list[Prediction]:
    """Return ``samples`` predictions for every test item of a fold, beside the human scanpath of each.

    A model that was trained on what the setting says is new is refused.
    """
    model.refuse_leak(fold.test, corpus.name, fold.setting)
    requests = [Request(corpus.sentences[s], r, k) for r, s in fold.test for k in range(samples)]
    paths = model.generate(requests, seed=seed, sampling=sampling, quiet=quiet)
    return [
        Prediction(
            sentence_id=r.sentence.sentence_id,
            predicted=path.words,
            human=corpus.by_pair[r.reader_id, r.sentence.sentence_id].words,
            reader_id=r.reader_id,
            model="scandl",
            setting=fold.setting,
            fold=str(fold.number),
            sample=r.sample,
            text=r.sentence.text,
            raw=kept_symbols(path.extra),
            extra=path.extra,
        )
        for r, path in zip(requests, paths, strict=True)
    ]
