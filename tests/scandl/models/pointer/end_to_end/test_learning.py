"""Learning is real: both orders memorise what they saw, and draw it as often as they saw it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import NetworkConfig, Order, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.records import Positions, Scanpath, Sentence

pytestmark = pytest.mark.slow

A, B = (0, 1, 2), (0, 2, 1, 2)


def trained(corpus: Corpus, folder: Path, steps: int) -> PointerModel:
    network = NetworkConfig(width=64, dropout=0.0, condition_dropout=0.5)
    training = TrainingConfig(
        steps=steps, batch=40, lr=3e-3, ema_decay=0.98, warmup=50, save_every=10_000, seed=1
    )
    return load(train(PointerConfig(network=network, training=training), corpus, folder))


def drawn(model: PointerModel, sentence: Sentence, n: int) -> Counter[Positions]:
    return Counter(
        path.positions for path in model.read([Request(sentence, "", k) for k in range(n)], seed=1)
    )


@pytest.mark.parametrize("order", get_args(Order))
def test_two_paths_come_as_often_as_they_were_seen(order: Order, tmp_path: Path) -> None:
    paths = ([A] * 7 + [B] * 3) * 4
    corpus = Corpus(
        Card(name="two"),
        {"s": Sentence("s", "The cat sat.")},
        tuple(Scanpath(f"r{i % 40}", "s", p) for i, p in enumerate(paths)),
    )
    found = drawn(trained(corpus, tmp_path, 800).drawn_by(order=order), corpus.sentences["s"], 2000)
    assert found[A] + found[B] >= 0.97 * 2000  # no mixtures of the two
    assert found[A] / 2000 == pytest.approx(0.7, abs=0.05)


@pytest.mark.parametrize("order", get_args(Order))
def test_sixteen_paths_of_one_sentence_are_learned_by_heart(order: Order, tmp_path: Path) -> None:
    demo = open_corpus("demo")
    sentence, paths = next(
        (sentence, paths)
        for sentence in demo.sentences.values()
        if sentence.n_words <= 7 and len(paths := _short_and_different(demo, sentence)) >= 16
    )
    paths = paths[:16]
    corpus = demo.restricted_to({(path.reader_id, path.sentence_id) for path in paths})
    found = drawn(trained(corpus, tmp_path, 2500).drawn_by(order=order), sentence, 128)
    among = [found[path.positions] for path in paths]
    assert sum(among) >= 0.9 * 128
    assert sum(count > 0 for count in among) >= 12  # and not one of them again and again


def _short_and_different(corpus: Corpus, sentence: Sentence) -> list[Scanpath]:
    kinds: dict[Positions, Scanpath] = {}
    for path in corpus.by_sentence[sentence.sentence_id]:
        if path.n_fixations <= 9:
            kinds.setdefault(path.positions, path)
    return list(kinds.values())
