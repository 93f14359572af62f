"""Laws of the network: padding and the future do not matter, and far is less likely than near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from scandl.models.pointer.path_batch import TextBatch
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import FAR, RelativeBias
from scandl.models.pointer.processes.autoregressive import causal
from scandl.models.pointer.runners.runner import tokens
from scandl.models.pointer.walk import walked
from scandl.models.pointer.words import word_features

MakeModel = Callable[..., PointerModel]
SHORT, LONG = (
    word_features(("Two", "words.")),
    word_features(("A", "longer", "text", "of", "seven", "words,", "here.")),
)


def logits(model: PointerModel, texts: list[np.ndarray], paths: list[tuple[int, ...]]) -> np.ndarray:
    batch = TextBatch.of(texts, np.zeros((len(texts), model.conditions.width), np.float32))
    text, states = batch.read(model.runner), walked(paths, batch.n_words, batch.n_columns)
    x, _ = model.runner.places(tokens(text, states), batch.conditions, causal(states.anchor.shape[1]))
    return model.runner.point(text, x, states.references, states.counts)


def test_a_longer_text_in_the_batch_changes_nothing(make_model: MakeModel) -> None:
    model = make_model("autoregressive")
    alone = logits(model, [SHORT], [(0, 1, 1)])[0]  # (4, 3)
    among = logits(model, [SHORT, LONG], [(0, 1, 1), (0, 2, 6, 5, 3)])[0, :4]
    assert among[:, :2] == pytest.approx(alone[:, :2], abs=1e-5)
    assert among[:, -1] == pytest.approx(alone[:, -1], abs=1e-5)
    assert np.isneginf(among[:, 2:7]).all()


def test_what_comes_later_is_not_known(make_model: MakeModel) -> None:
    model = make_model("autoregressive")
    one, two = (logits(model, [LONG], [path])[0] for path in ((0, 2, 3, 1), (0, 2, 6, 6)))
    assert one[:3] == pytest.approx(two[:3], abs=1e-5)
    assert not np.allclose(one[3], two[3], atol=1e-3)


def test_beyond_the_table_the_bias_falls() -> None:
    bias = RelativeBias(2)
    with torch.no_grad():
        bias.table.normal_()
    for sign in (-1, 1):
        found = bias(sign * torch.tensor([FAR + 1, FAR + 2, 20, 60]))  # (4, 2)
        assert (found.diff(dim=0) < 0).all()
