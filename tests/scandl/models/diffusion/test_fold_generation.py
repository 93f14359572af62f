"""Predictions of a fold: every test item, each beside its human path, and no leak."""

from __future__ import annotations

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import Sampling
from scandl.models.diffusion.fold_generation import generate_test_items
from scandl.models.diffusion.trained_models import demonstration_model
from scandl.splits import Fold


def fold_of(setting: str, number: int, test: tuple[tuple[str, str], ...]) -> Fold:
    return Fold(setting=setting, number=number, scheme="shuffled", seed=1, corpus="demo", train=(), test=test)


def test_every_item_and_sample_once() -> None:
    corpus = open_corpus("demo")
    model = demonstration_model()
    model.fold = {"fold_id": "none", "setting": "ns", "corpus": "demo", "train": []}
    test = tuple((p.reader_id, p.sentence_id) for p in corpus.scanpaths[:3])
    fold = fold_of("ns", 2, test)
    made = generate_test_items(model, corpus, fold, samples=2, sampling=Sampling(steps=5))
    assert [(p.reader_id, p.sentence_id, p.sample) for p in made] == [
        (*pair, k) for pair in test for k in (0, 1)
    ]
    assert {(p.model, p.setting, p.fold) for p in made} == {("scandl", "ns", "2")}
    assert [p.human for p in made[::2]] == [corpus.by_pair[pair].words for pair in test]


def test_what_was_trained_on_is_refused() -> None:
    corpus = open_corpus("demo")
    fold = fold_of("nrns", 0, (("r01", "s01"),))
    with pytest.raises(ScandlError, match="the checkpoint .*was trained on"):
        generate_test_items(demonstration_model(), corpus, fold)
