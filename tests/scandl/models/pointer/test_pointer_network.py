"""Laws of the network: padding and the future do not matter, and far is less likely than near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from scandl.models.pointer.path_batch import TextBatch, padded, word_features
from scandl.models.pointer.path_probability import in_order_logits
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import (
    FAR,
    HORIZON,
    N_BINS,
    PointerNetwork,
    ReadText,
    distances,
    lines_away,
    seen_around,
    visible,
)

MakeModel = Callable[..., PointerModel]
SHORT, LONG = (
    word_features(("Two", "words.")),
    word_features(("A", "longer", "text", "of", "seven", "words,", "here.")),
)


def logits(model: PointerModel, texts: list[np.ndarray], paths: list[tuple[int, ...]]) -> np.ndarray:
    batch = TextBatch.of(texts, np.zeros((len(texts), model.conditions.width), np.float32))
    return in_order_logits(model.network, batch, *padded(paths))


def test_a_longer_text_in_the_batch_changes_nothing(make_model: MakeModel) -> None:
    model = make_model()
    alone = logits(model, [SHORT], [(0, 1, 1)])[0]  # (3, 2)
    among = logits(model, [SHORT, LONG], [(0, 1, 1), (0, 2, 6)])[0]
    assert among[:, :2] == pytest.approx(alone[:, :2], abs=1e-5)
    assert np.isneginf(among[:, 2:]).all()


def test_what_comes_later_is_not_known(make_model: MakeModel) -> None:
    model = make_model()
    one, two = (logits(model, [LONG], [path])[0] for path in ((0, 2, 3, 1), (0, 2, 6, 6)))
    assert one[:3] == pytest.approx(two[:3], abs=1e-5)
    assert not np.allclose(one[3], two[3], atol=1e-3)


def test_beyond_the_table_the_bias_falls(make_model: MakeModel) -> None:
    network = make_model().network
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
    seen = visible(np.array([FAR]), FAR, in_order=True)
    found = PointerNetwork.of(4, weights)._block("b", x.numpy(), distances(FAR), seen)
    theirs = layer(x, src_mask=~torch.from_numpy(seen[0]))
    np.testing.assert_allclose(found, theirs.detach().numpy(), atol=1e-5)


def test_padding_does_not_change_what_is_read(make_model: MakeModel) -> None:
    """A short text beside a long one is read as by itself."""
    network = make_model().network
    short, long = (
        word_features(tuple(text.split())) for text in ("The cat sat.", "Well, it fell down 3 times.")
    )
    conditions = np.zeros((2, 1), np.float32)
    both = network.read_texts(TextBatch.of([short, long], conditions))
    alone = network.read_texts(TextBatch.of([short], conditions[:1]))
    np.testing.assert_allclose(both.keys[0, :3], alone.keys[0], atol=1e-5)
    np.testing.assert_allclose(both.near[0, :3], alone.near[0, :3], atol=1e-5)
    assert both.inside[0].tolist() == [True] * 3 + [False] * 3


def test_place_by_place_it_is_as_at_all_places_at_once(make_model: MakeModel) -> None:
    """Also where the memory is full, and the place before the horizon forgotten."""
    network, n_places = make_model().network, HORIZON + 6
    rng = np.random.default_rng(3)
    tokens = rng.random((2, n_places, network.weights["tokens.weight"].shape[1]))
    condition = rng.random((2, network.weights["condition.weight"].shape[1]))
    whole = network.places(tokens, condition, visible(np.full(2, n_places), n_places, in_order=True))
    memory = network.memory(2)
    for place in range(n_places):
        one = network.next_place(tokens[:, place : place + 1], condition, memory, place)
        np.testing.assert_allclose(one[:, 0], whole[:, place], atol=1e-9)


def test_places_see_those_within_the_horizon_and_the_path() -> None:
    n_places = HORIZON + 9
    both = visible(np.array([n_places, 3]), n_places, in_order=False)
    before = visible(np.array([n_places]), n_places, in_order=True)
    for i in range(n_places):
        for j in range(n_places):
            assert both[0, i, j] == (abs(i - j) < HORIZON)
            assert both[1, i, j] == ((abs(i - j) < HORIZON and j < 3) or i == j)
            assert before[0, i, j] == (0 <= i - j < HORIZON)


def some_texts(rng: np.random.Generator) -> ReadText:
    parts = [rng.random((3, *shape)) for shape in ((5, 2), (4, 8), (4, 6), (4,))]
    return ReadText(*parts, np.array([[1, 1, 2, 3]] * 3), np.array([1, 1, 0]))


def test_texts_are_taken_by_number() -> None:
    text = some_texts(np.random.default_rng(1))
    for name in ReadText.__slots__:
        np.testing.assert_array_equal(getattr(text.of([2, 0, 2]), name), getattr(text, name)[[2, 0, 2]])


def test_a_window_has_the_words_from_its_first_on() -> None:
    text = some_texts(np.random.default_rng(1))
    part = text.window(np.array([2, 0]), np.array([1, 2]), 2)
    for name in ("keys", "by_distance", "inside", "lines"):
        whole = getattr(text, name)
        np.testing.assert_array_equal(getattr(part, name), np.stack([whole[2, 1:3], whole[0, 2:4]]))


def test_lines_are_counted_from_that_of_the_last_fixation() -> None:
    text = some_texts(np.random.default_rng(1)).of([0])
    references = np.full((1, 3, 6), 9)
    references[0, :, 0] = -1, 1, 3
    assert (lines_away(text, references)[0] - 2).tolist() == [[0, 0, 1, 2], [0, 0, 1, 2], [-2, -2, -1, 0]]


def test_what_is_seen_around_a_place_is_that_of_its_words_in_order() -> None:
    rng = np.random.default_rng(2)
    near, window = rng.random((2, 6, 3)), rng.integers(0, 6, (2, 4, 5))
    found = seen_around(near, window)
    assert found.shape == (2, 4, 15)
    for b in range(2):
        for t in range(4):
            np.testing.assert_array_equal(found[b, t], np.concatenate([near[b, w] for w in window[b, t]]))
