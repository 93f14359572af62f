"""The network: parameter counts of the paper, equality with the encoder it is modelled on, and its inputs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEncoder

from scandl.errors import ConfigError
from scandl.models.diffusion.denoiser import Denoiser, collate
from scandl.models.diffusion.settings import ModelConfig, preset
from scandl.models.diffusion.tokens import training_tokens
from scandl.text.encoder import Lexical

SMALL = ModelConfig(layers=3, heads=4, dim=32, feed_forward=80, seq_len=24, buckets=(24,))
MODEL = preset("small").model
ENCODER = Lexical()


@pytest.mark.parametrize(
    ("config", "n_parameters"),
    [
        (ModelConfig(), 22_545_024),
        (ModelConfig(text_and_position=False), 22_315_392),
        (ModelConfig(sentence_condition=False), 22_348_160),
    ],
)
def test_parameter_counts_of_the_paper(config: ModelConfig, n_parameters: int) -> None:
    with torch.device("meta"):
        model = Denoiser(config, text_dim=768, trained_steps=2000)
    assert sum(p.numel() for p in model.parameters()) == n_parameters


def test_parts_have_the_sizes_of_the_table() -> None:
    with torch.device("meta"):
        model = Denoiser(ModelConfig(), 768, 2000)

    def size(module: nn.Module | None) -> int:
        return sum(p.numel() for p in module.parameters()) if module is not None else 0

    assert [size(layer) for layer in model.layers] == [1_840_384] * 12
    assert (size(model.ids), size(model.positions), size(model.text)) == (32_768, 32_768, 196_864)
    assert (size(model.time), size(model.norm), model.head_bias.numel()) == (197_376, 512, 128)


def test_the_layers_are_berts() -> None:
    """Copy the weights of Hugging Face's encoder and compare the hidden states."""
    torch.manual_seed(0)
    bert = BertEncoder(
        BertConfig(
            hidden_size=32,
            num_hidden_layers=3,
            num_attention_heads=4,
            intermediate_size=80,
            hidden_act="gelu",
            attn_implementation="eager",
        )
    ).eval()
    ours = Denoiser(SMALL, 8, 100).eval()
    for layer, theirs in zip(ours.layers, bert.layer, strict=True):
        attention, output = theirs.attention.self, theirs.attention.output
        pairs = {
            layer.attended: output.dense,
            layer.attention_norm: output.LayerNorm,
            layer.wide: theirs.intermediate.dense,
            layer.narrow: theirs.output.dense,
            layer.output_norm: theirs.output.LayerNorm,
        }
        for mine, other in pairs.items():
            mine.load_state_dict(other.state_dict())
        projections = (attention.query, attention.key, attention.value)
        with torch.no_grad():
            layer.query_key_value.weight.copy_(torch.cat([p.weight for p in projections]))
            layer.query_key_value.bias.copy_(torch.cat([p.bias for p in projections]))
    x = torch.randn(2, 24, 32)
    torch.testing.assert_close(ours.network().encoded(x), bert(x)[0], rtol=0, atol=1e-5)


def test_the_input_is_a_sum_of_four() -> None:
    model = Denoiser(SMALL, 8, 100).eval()
    positions, text, z = torch.arange(24).unsqueeze(0), torch.randn(1, 24, 8), torch.randn(1, 24, 32)
    condition = model.condition(positions, text)
    torch.testing.assert_close(condition, model.positions(positions) + model.text(text))
    network = model.network()
    total = z + condition + network.time(torch.tensor([7.0])).unsqueeze(1)
    normed = torch.nn.functional.layer_norm(total, (32,), model.norm.weight, model.norm.bias, 1e-12)
    torch.testing.assert_close(model(z, torch.tensor([7]), condition), network.encoded(normed))


def test_the_head_is_the_table() -> None:
    model = Denoiser(SMALL, 8, 100)
    z = torch.randn(1, 2, 32)
    torch.testing.assert_close(model.logits(z), z @ model.ids.weight.T + model.head_bias)


def test_impossible_configurations_are_refused() -> None:
    with pytest.raises(ConfigError, match="12 heads do not divide dim 256"):
        ModelConfig(heads=12)
    with pytest.raises(ConfigError, match="expected rising lengths up to 100,000"):
        ModelConfig(buckets=(64, 200_000))


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
