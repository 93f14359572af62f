"""Examples as ids on the device: the inputs they stand for, and memory that does not know the vectors' width."""

from __future__ import annotations

from dataclasses import replace

import torch

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.batch import Batch, collate
from scandl.models.diffusion.example_table import ExampleTable, TextTable
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import is_cut, training_tokens
from scandl.records import Scanpath, Sentence
from scandl.text.lexical import Lexical

MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=64, buckets=(24, 64), reserve=1.0, encoder="lexical"
)
SENTENCES = {
    "s1": Sentence("s1", "The cat sat on the mat."),
    "s2": Sentence("s2", "Dogs bark at the cat " * 4),
}
CORPUS = Corpus(
    Card(name="toy"),
    SENTENCES,
    tuple(Scanpath(f"r{r}", s, tuple(k % 6 for k in range(r * 9))) for s in SENTENCES for r in range(1, 5)),
)


def test_a_batch_is_what_the_tokens_say() -> None:
    table = ExampleTable(CORPUS, Lexical(), MODEL)
    encoded = {key: Lexical().encode(sentence.words) for key, sentence in SENTENCES.items()}
    tokens = [
        training_tokens(encoded[p.sentence_id], p.words, Lexical().padding, MODEL) for p in CORPUS.scanpaths
    ]
    assert table.lengths == [len(each.ids) for each in tokens]
    assert table.n_cut == sum(is_cut(encoded[p.sentence_id], p.words, MODEL) for p in CORPUS.scanpaths) > 0
    for length in (24, 64):
        members = [i for i, own in enumerate(table.lengths) if own == length]
        assert members
        found, expected = table.batch(torch.tensor(members), length), collate([tokens[i] for i in members])
        for name in Batch.__slots__:
            torch.testing.assert_close(getattr(found, name), getattr(expected, name), rtol=0, atol=0)


def test_equal_vectors_are_kept_once_and_more_readers_cost_ids_alone() -> None:
    table = ExampleTable(CORPUS, Lexical(), MODEL)
    words = {word for sentence in SENTENCES.values() for word in sentence.words}
    assert len(table.vectors) == len(words) + 3  # padding, CLS, SEP
    paths = tuple(replace(p, reader_id=f"{p.reader_id}.{k}") for p in CORPUS.scanpaths for k in range(50))
    larger = ExampleTable(replace(CORPUS, scanpaths=paths), Lexical(), MODEL)
    assert torch.equal(larger.vectors, table.vectors)
    per_example = sum(getattr(larger, name)[0].nbytes for name in ("ids", "text", "ends"))
    assert per_example == 64 * (4 + 4) + 16


def test_row_0_is_padding() -> None:
    texts = TextTable(Lexical().padding)
    rows = texts.rows(Lexical().encode(["a", "b", "a"]).vectors)
    assert rows.ravel().tolist() == [1, 2, 3, 2, 4]
    assert not texts.table()[0].any()
