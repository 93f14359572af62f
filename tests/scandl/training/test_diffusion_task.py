"""What ScanDL learns from: named batches, a history that resumes, an encoder that folds."""

from __future__ import annotations

import numpy as np
import torch

from scandl.corpora import Card, Corpus
from scandl.diffusion.settings import preset
from scandl.inference.scandl_checkpoint import PREFIX, folded_from
from scandl.records import Scanpath, Sentence
from scandl.text.lexical import Lexical
from scandl.training.diffusion_task import ScandlTask

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
CORPUS = Corpus(
    Card(name="toy"), {"s1": Sentence("s1", "The cat sat.")},
    tuple(Scanpath(f"r{n}", "s1", (0, n % 3)) for n in range(4)),
)  # fmt: skip


def task() -> ScandlTask:
    return ScandlTask(CONFIG, Lexical(), CORPUS)


def test_the_loss_of_a_slot_does_not_depend_on_who_computes_it() -> None:
    """Two processes with half a batch each have the losses of one with the whole."""
    own = task()
    whole = own.loss(own.module, [0, 1, 2, 3], range(4), step=7)
    halves = [own.loss(own.module, [2 * k, 2 * k + 1], range(2 * k, 2 * k + 2), step=7) for k in range(2)]
    for name in ("weighted", "plain"):
        parts = torch.cat([getattr(half, name) for half in halves])
        torch.testing.assert_close(parts, getattr(whole, name))


def test_a_batch_is_named_by_readers_sentences_and_steps() -> None:
    told = task().describe([0, 1, 2, 3], step=7)
    assert told.startswith("batch r0/s1 at t=")
    assert told.count(" at t=") == 4


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
