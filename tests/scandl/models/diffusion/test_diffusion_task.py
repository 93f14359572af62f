"""What ScanDL learns from: examples as ids on the device, named batches, a history that resumes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.denoiser import TokenBatch, collate
from scandl.models.diffusion.diffusion_task import EncodedTexts, ExampleTable, ScandlTask
from scandl.models.diffusion.settings import ModelConfig, preset
from scandl.models.diffusion.tokens import is_cut, training_tokens
from scandl.models.diffusion.torch_model import PREFIX, folded_from
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import Lexical

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
    tuple(Scanpath(f"r{r}", s, tuple(k % 6 for k in range(r * 10))) for s in SENTENCES for r in range(1, 5)),
)
CONFIG = preset(
    "small",
    [
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "diffusion.steps=20",
        "training.batch=4",
    ],
)
ONE_SENTENCE = Corpus(
    Card(name="toy"),
    {"s1": Sentence("s1", "The cat sat.")},
    tuple(Scanpath(f"r{n}", "s1", (0, n % 3)) for n in range(4)),
)


def test_a_batch_is_what_the_tokens_say() -> None:
    table = ExampleTable(CORPUS, Lexical(), MODEL)
    encoded = {key: Lexical().encode(sentence.words) for key, sentence in SENTENCES.items()}
    tokens = [
        training_tokens(encoded[p.sentence_id], p.positions, Lexical().padding, MODEL)
        for p in CORPUS.scanpaths
    ]
    assert table.lengths == [len(each.ids) for each in tokens]
    assert (
        table.n_cut == sum(is_cut(encoded[p.sentence_id], p.positions, MODEL) for p in CORPUS.scanpaths) > 0
    )
    for length in (24, 64):
        members = [i for i, own in enumerate(table.lengths) if own == length]
        assert members
        found, expected = table.batch(torch.tensor(members), length), collate([tokens[i] for i in members])
        for name in TokenBatch.__slots__:
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
    texts = EncodedTexts(Lexical().padding)
    rows = texts.rows(Lexical().encode(["a", "b", "a"]).vectors)
    assert rows.ravel().tolist() == [1, 2, 3, 2, 4]
    assert not texts.table()[0].any()


def task() -> ScandlTask:
    return ScandlTask(CONFIG, Lexical(), ONE_SENTENCE)


def test_the_loss_of_a_slot_does_not_depend_on_who_computes_it() -> None:
    """Two processes with half a batch each have the losses of one with the whole."""
    own = task()
    whole = own.loss(own.module, [0, 1, 2, 3], range(4), step=7)
    halves = [own.loss(own.module, [2 * k, 2 * k + 1], range(2 * k, 2 * k + 2), step=7) for k in range(2)]
    for name in ("weighted", "plain"):
        parts = torch.cat([getattr(half, name) for half in halves])
        torch.testing.assert_close(parts, getattr(whole, name))


def test_the_loss_of_an_example_does_not_depend_on_its_place_in_the_batch() -> None:
    own = task()
    forwards, backwards = (
        own.loss(own.module, numbers, range(4), step=7) for numbers in ([0, 1, 2, 3], [3, 2, 1, 0])
    )
    torch.testing.assert_close(forwards.plain, backwards.plain.flip(0))
    assert not torch.allclose(forwards.plain, own.loss(own.module, [0, 1, 2, 3], range(4), step=8).plain)


def test_an_example_that_occurs_twice_in_a_batch_is_noised_anew() -> None:
    own = task()
    twice = own.loss(own.module, [1, 1], range(2), step=7).plain
    assert twice[0] != twice[1]


def test_the_loss_of_what_is_held_out_stays_the_same() -> None:
    own = task()
    held = ExampleTable(ONE_SENTENCE, Lexical(), CONFIG.model)
    own.module.eval()
    first = own.held_loss(held)
    assert own.held_loss(held) == first
    with torch.no_grad():
        own.module.denoiser.head_bias.add_(torch.arange(128.0))
    assert own.held_loss(held) != first


def test_a_batch_that_goes_wrong_is_named_by_readers_sentences_and_steps() -> None:
    own = task()
    own.learned([0, 1, 2, 3], torch.tensor([1.0, 2.0, 3.0, 4.0]), step=6)
    assert own.describe([0, 1, 2, 3], step=6) == "batch r0/s1, r1/s1, r2/s1, r3/s1"
    drawn = own._timesteps(own._on_device([0, 1, 2, 3]), step=7)[0].tolist()
    own.learned([0, 1, 2, 3], torch.tensor([1.0, float("nan"), 3.0, 4.0]), step=7)
    own.learned([3, 2, 1, 0], torch.full((4,), float("nan")), step=8)  # the first is what matters
    told = own.describe([0, 1, 2, 3], step=7)
    assert told == "batch " + ", ".join(f"r{n}/s1 at t={t}" for n, t in enumerate(drawn))


def test_the_history_resumes() -> None:
    one, other = task(), task()
    one.learned([0, 1, 2, 3], torch.tensor([1.0, 2.0, 3.0, 4.0]), step=1)
    other.load_state_dict(one.state_dict())
    for name, value in one.state_dict().items():
        torch.testing.assert_close(other.state_dict()[name], value)


def test_the_folded_encoder_is_the_encoder_and_the_projection() -> None:
    own = task()
    weights = {f"{PREFIX}{name}": weight for name, weight in own.module.denoiser.state_dict().items()}
    folded = folded_from(own.derived(ema=weights, weights=weights)["folded"]["ema"]).open()
    words = ("The", "cat")
    projection = own.module.denoiser.text
    assert projection is not None
    with torch.no_grad():
        expected = projection(torch.from_numpy(Lexical().encode(words).vectors)).numpy()
    np.testing.assert_allclose(folded.encode(words).vectors, expected, atol=1e-5)
