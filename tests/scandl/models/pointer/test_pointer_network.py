"""Laws of the network: padding and the future do not matter, and far is less likely than near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from scandl.models.pointer.path_batch import TextBatch
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import (
    FAR,
    N_BINS,
    PointerNetwork,
    ReadText,
    causal,
    seen_around,
    tokens,
)
from scandl.models.pointer.walk import walked
from scandl.models.pointer.words import word_features

MakeModel = Callable[..., PointerModel]
SHORT, LONG = (
    word_features(("Two", "words.")),
    word_features(("A", "longer", "text", "of", "seven", "words,", "here.")),
)


def logits(model: PointerModel, texts: list[np.ndarray], paths: list[tuple[int, ...]]) -> np.ndarray:
    batch = TextBatch.of(texts, np.zeros((len(texts), model.conditions.width), np.float32))
    text, states = model.network.read_batch(batch), walked(paths, batch.n_words, batch.n_columns)
    x, _ = model.network.places(tokens(text, states), batch.conditions, causal(states.anchor.shape[1]))
    return model.network.point(text, x, states.references, states.counts)


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


def test_beyond_the_table_the_bias_falls(make_model: MakeModel) -> None:
    network = make_model("autoregressive").network
    for sign in (-1, 1):
        found = network._relative("path_blocks.0.relative", sign * np.array([[FAR + 1, FAR + 2, 20, 60]]))
        assert found.shape == (2, 1, 4)
        assert (np.diff(found) < 0).all()


def test_near_places_without_biases_are_mixed_as_by_torch_s_own_transformer() -> None:
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(
        16, 4, 32, activation="gelu", norm_first=True, batch_first=True, dropout=0.0
    )
    names = {
        "self_attn.in_proj_": "query_key_value.",
        "self_attn.out_proj.": "attended.",
        "linear1.": "wide.",
        "linear2.": "narrow.",
        "norm1.": "attention_norm.",
        "norm2.": "forward_norm.",
    }
    weights = {"b.relative.table": np.zeros((N_BINS, 4)), "b.relative.slope": np.ones((2, 4))}
    for theirs, ours in names.items():
        for part in ("weight", "bias"):
            weights[f"b.{ours}{part}"] = layer.state_dict()[theirs + part].numpy()
    x = torch.randn(3, FAR, 16)
    found, _ = PointerNetwork.of(4, weights)._block("b", x.numpy(), causal(FAR))
    theirs = layer(x, src_mask=~torch.from_numpy(causal(FAR)[0]))
    np.testing.assert_allclose(found, theirs.detach().numpy(), atol=1e-5)


def test_padding_does_not_change_what_is_read(make_model: MakeModel) -> None:
    """A short text beside a long one is read as by itself."""
    network = make_model("autoregressive").network
    short, long = (
        word_features(tuple(text.split())) for text in ("The cat sat.", "Well, it fell down 3 times.")
    )
    conditions = np.zeros((2, 1), np.float32)
    both = network.read_batch(TextBatch.of([short, long], conditions))
    alone = network.read_batch(TextBatch.of([short], conditions[:1]))
    np.testing.assert_allclose(both.keys[0, :3], alone.keys[0], atol=1e-5)
    np.testing.assert_allclose(both.gist[0], alone.gist[0], atol=1e-5)
    assert both.inside[0].tolist() == [True] * 3 + [False] * 3


def test_later_places_with_the_past_are_those_of_all_at_once(make_model: MakeModel) -> None:
    network = make_model("autoregressive").network
    rng = np.random.default_rng(3)
    tokens, condition = (
        rng.random((2, *sizes, network.weights[f"{name}.weight"].shape[1]))
        for name, sizes in (("tokens", (4,)), ("condition", ()))
    )
    whole, _ = network.places(tokens, condition, causal(4))
    first, past = network.places(tokens[:, :3], condition, causal(3))
    last, _ = network.places(tokens[:, 3:], condition, past=past)
    np.testing.assert_allclose(first, whole[:, :3], atol=1e-5)
    np.testing.assert_allclose(last, whole[:, 3:], atol=1e-5)


def test_texts_are_taken_by_number() -> None:
    rng = np.random.default_rng(1)
    parts = [rng.random((3, *shape)) for shape in ((5, 2), (4, 8), (4, 6), (4,), (8,))]
    taken = ReadText(*parts).of(np.array([2, 0, 2]))
    for name, part in zip(("near", "keys", "by_distance", "inside", "gist"), parts, strict=True):
        np.testing.assert_array_equal(getattr(taken, name), part[[2, 0, 2]])


def test_what_is_seen_around_a_place_is_that_of_its_words_in_order() -> None:
    rng = np.random.default_rng(2)
    near, window = rng.random((2, 6, 3)), rng.integers(0, 6, (2, 4, 5))
    found = seen_around(near, window)
    assert found.shape == (2, 4, 15)
    for b in range(2):
        for t in range(4):
            np.testing.assert_array_equal(found[b, t], np.concatenate([near[b, w] for w in window[b, t]]))
