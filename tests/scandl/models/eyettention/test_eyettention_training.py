"""Training: it learns by heart what can be learned by heart, and stops when nothing new is learned."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from scandl.corpora import Card, Corpus, read_corpus
from scandl.corpora.demo import FOLDER
from scandl.errors import ScandlError
from scandl.models.eyettention.eyettention_model import TrainedEyettention
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    NetworkConfig,
)
from scandl.models.eyettention.eyettention_training import held_out, make_task, train, training_config
from scandl.records import Scanpath, Sentence
from scandl.training.checkpoint import read_checkpoint
from scandl.training.trainer import Trainer

SMALL = NetworkConfig(
    word_layers=1,
    word_units=8,
    fixation_layers=1,
    fixation_units=16,
    decoder=(32,),
    positions=32,
    input_dropout=0.0,
    dropout=0.0,
)
FAST = LearningConfig(epochs=6, batch=32, lr=1e-2)


def demo(n_sentences: int, n_readers: int) -> Corpus:
    corpus = read_corpus(FOLDER)
    sentences, readers = list(corpus.by_sentence)[:n_sentences], corpus.reader_ids[:n_readers]
    return corpus.restricted_to([(reader, sentence) for reader in readers for sentence in sentences])


def twenty() -> Corpus:
    """Twenty scanpaths of as many sentences: the text tells them apart."""
    corpus = read_corpus(FOLDER)
    firsts = [paths[0] for paths in list(corpus.by_sentence.values())[:20]]
    return corpus.restricted_to([(path.reader_id, path.sentence_id) for path in firsts])


def learned_by_heart(network: NetworkConfig, learning: LearningConfig, folder) -> float:
    """Return the likelihood per event of twenty paths, at its best of every hundredth step."""
    corpus, config = twenty(), EyettentionConfig(network=network, learning=learning)
    task = make_task(config, corpus, corpus)
    told = replace(training_config(learning, len(corpus.scanpaths)), save_every=1000, validate_every=100)
    Trainer(task, told, folder, validate=task.validate, quiet=True, device="cpu").run()
    model = TrainedEyettention.load(folder / "best.pt")
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    total = sum(model.log_probs(sentences, corpus.scanpaths, outcome=False))
    return total / sum(path.n_fixations + 1 for path in corpus.scanpaths)


def test_it_learns_twenty_scanpaths_by_heart(tmp_path):
    learning = LearningConfig(epochs=80, patience=80, batch=20, lr=1e-2)
    assert learned_by_heart(replace(SMALL, fixation_units=64, word_units=32), learning, tmp_path) > -0.2


@pytest.mark.slow
@pytest.mark.parametrize(("layers", "steps"), [(2, 400), (8, 900)])
def test_the_published_layers_learn_twenty_scanpaths_by_heart(layers, steps, tmp_path):
    network = NetworkConfig(word_layers=layers, fixation_layers=layers, input_dropout=0.0, dropout=0.0)
    learning = LearningConfig(epochs=steps, patience=steps, batch=20)
    assert learned_by_heart(network, learning, tmp_path) > -0.2


def test_a_killed_training_goes_on_to_the_same_weights(tmp_path):
    corpus, config = demo(12, 6), EyettentionConfig(network=replace(SMALL, dropout=0.2), learning=FAST)
    whole = read_checkpoint(train(config, corpus, tmp_path / "whole"))
    training, validation = held_out(corpus, config.learning)
    task = make_task(config, training, validation)
    told = replace(training_config(config.learning, len(training.scanpaths)), save_every=3)
    Trainer(task, told, tmp_path / "parts", validate=task.validate, quiet=True, device="cpu").run(
        stop_after=7
    )
    parts = read_checkpoint(train(config, corpus, tmp_path / "parts"))
    assert whole["step"] == parts["step"]
    assert all(torch.equal(weight, parts["weights"][name]) for name, weight in whole["weights"].items())


def test_training_stops_when_validation_gets_no_better(tmp_path):
    # What is validated on contradicts what is learned, so the first epochs are the best.
    text = {f"s{n}": Sentence(f"s{n}", "one two three four five") for n in range(10)}
    config = EyettentionConfig(network=SMALL, learning=replace(FAST, epochs=500, patience=3, batch=9))
    _, validation = held_out(
        Corpus(Card(name="toy"), text, tuple(Scanpath("r", key, (0,)) for key in text)), config.learning
    )
    (odd,) = validation.sentences
    paths = tuple(Scanpath("r", key, (4, 0, 4, 0) if key == odd else (0, 1, 2, 3)) for key in text)
    best = train(config, Corpus(Card(name="toy"), text, paths), tmp_path)
    steps, stopped = read_checkpoint(best)["step"], read_checkpoint(tmp_path / "last.pt")["step"]
    assert stopped == steps + 3
    assert stopped < 100


@pytest.mark.parametrize("kind", ["sentences", "readers", "scanpaths"])
def test_validation_holds_out_a_tenth_of_what_is_new(kind):
    corpus = demo(20, 10)
    training, validation = held_out(corpus, LearningConfig(validation=kind))
    assert len(training.scanpaths) + len(validation.scanpaths) == len(corpus.scanpaths)
    both = set(training.by_pair) & set(validation.by_pair)
    assert not both
    if kind == "sentences":
        assert len(validation.sentences) == 2
        assert not set(training.sentences) & set(validation.sentences)
    elif kind == "readers":
        assert len(validation.reader_ids) == 1
        assert not set(training.reader_ids) & set(validation.reader_ids)
    else:
        assert len(validation.scanpaths) == round(len(corpus.scanpaths) / 10)


def test_versions_of_an_item_are_held_out_together():
    sentences = {f"s{n}": Sentence(f"s{n}", "one two", f"item{n // 2}") for n in range(12)}
    corpus = Corpus(Card(name="toy"), sentences, tuple(Scanpath("r", key, (0, 1)) for key in sentences))
    training, validation = held_out(corpus, LearningConfig())
    items = [{sentence.item for sentence in part.sentences.values()} for part in (training, validation)]
    assert len(validation.sentences) == 2
    assert not items[0] & items[1]


def test_something_is_left_to_learn_from():
    learning = LearningConfig(validation_share=0.99)
    kept, held = held_out(read_corpus(FOLDER), learning)
    assert len({path.sentence_id for path in kept.scanpaths}) == 1
    assert len(held.scanpaths) > len(kept.scanpaths)


def test_one_sentence_is_split_by_scanpath_and_one_scanpath_is_refused():
    sentences = {"s": Sentence("s", "one two")}
    paths = tuple(Scanpath(f"r{n}", "s", (0, 1)) for n in range(5))
    training, validation = held_out(Corpus(Card(name="toy"), sentences, paths), LearningConfig())
    assert (len(training.scanpaths), len(validation.scanpaths)) == (4, 1)
    with pytest.raises(ScandlError, match="needs two scanpaths to learn; corpus 'toy' has 1"):
        held_out(Corpus(Card(name="toy"), sentences, paths[:1]), LearningConfig())
