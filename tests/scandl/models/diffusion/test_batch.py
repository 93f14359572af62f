"""Batches: inputs of one bucket stacked, in order."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from scandl.models.diffusion.batch import collate
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.tokens import training_tokens
from scandl.text.lexical import Lexical

MODEL = preset("small").model
ENCODER = Lexical()


def tokens(text: str, path: tuple[int, ...]):  # type: ignore[no-untyped-def]
    return training_tokens(ENCODER.encode(tuple(text.split())), path, ENCODER.padding, MODEL, "s")


def test_a_row_of_a_batch_is_its_example() -> None:
    examples = [tokens("The cat sat.", (0, 1)), tokens("A dog ran off.", (0, 2, 3))]
    batch = collate(examples)
    for name in ("ids", "positions", "noised", "padding", "text"):
        stacked = getattr(batch, name)
        assert isinstance(stacked, torch.Tensor)
        for row, example in zip(stacked.numpy(), examples, strict=True):
            np.testing.assert_array_equal(row, getattr(example, name))


def test_examples_of_two_buckets_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="same shape"):
        collate([tokens("A cat.", (0,)), tokens("word " * 40, tuple(range(40)))])
