"""What ScanDL learns from: human scanpaths as inputs of the diffusion loss.

The examples are ids on the device; the vectors of their texts stand in one table, each once. So memory grows
with the ids alone: some hundred bytes an example, whatever the width of the vectors. And a batch is made
where it is used: nothing is sent in the loop but, once an epoch, its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.config import to_table
from scandl.corpora.corpus import Corpus
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch
from scandl.models.diffusion.loss import Diffusion, DiffusionObjective, TimestepSampler
from scandl.models.diffusion.settings import ModelConfig, ScandlConfig
from scandl.models.diffusion.tokens import Lengths, is_cut, training_tokens
from scandl.models.diffusion.torch_model import PREFIX, TEXT, keys_of, named_key, normals, uniforms
from scandl.seeds import torch_seed
from scandl.text.encoder import EncodedSentence, TextEncoder, Vectors
from scandl.text.folded import fold
from scandl.training.planned_batches import Examples, examples_of, sent
from scandl.training.trainer import StepLoss

Weights = Mapping[str, Tensor]


class ExampleTable:
    """The scanpaths of a corpus as inputs of the loss."""

    def __init__(self, corpus: Corpus, encoder: TextEncoder, config: ModelConfig) -> None:
        texts = EncodedTexts(encoder.padding)
        rows = {
            key: EncodedSentence(encoded.word_ids, texts.rows(encoded.vectors))
            for key, sentence in corpus.sentences.items()
            if (encoded := encoder.encode(sentence.words, sentence.language_or_english))
        }
        self.names = [(path.reader_id, path.sentence_id) for path in corpus.scanpaths]
        self.n_cut = sum(is_cut(rows[path.sentence_id], path.positions, config) for path in corpus.scanpaths)
        ids = np.zeros((len(self.names), config.buckets[-1]), np.int32)
        text = np.zeros((len(self.names), config.buckets[-1]), np.int32)
        ends = np.zeros((len(self.names), 2), np.int64)
        self.lengths: list[int] = []
        for i, path in enumerate(corpus.scanpaths):
            tokens = training_tokens(
                rows[path.sentence_id], path.positions, np.zeros(1, np.int32), config, path.sentence_id
            )
            length = len(tokens.ids)
            ids[i, :length], text[i, :length] = tokens.ids, tokens.text[:, 0]
            ends[i] = tokens.n_sentence, length - int(tokens.padding.sum())
            self.lengths.append(length)
        self.ids, self.text, self.ends = (torch.from_numpy(array) for array in (ids, text, ends))
        self.vectors = torch.from_numpy(texts.table())

    def __len__(self) -> int:
        return len(self.names)

    def to(self, device: torch.device) -> Self:
        """Move to a device."""
        if self.ids.device != device:
            for name in ("ids", "text", "ends", "vectors"):
                setattr(self, name, sent(getattr(self, name), device))
        return self

    def batch(self, examples: Tensor, length: int) -> TokenBatch:
        """Return the inputs of examples of one length, whose numbers (B,) are on the device."""
        places = torch.arange(length, device=examples.device)
        n_sentence, n_known = self.ends[examples].unsqueeze(-1).unbind(1)  # (B, 1)
        return TokenBatch(
            ids=self.ids[examples, :length].long(),
            positions=torch.where(places < n_sentence, places, places - n_sentence),
            noised=places >= n_sentence,
            padding=places >= n_known,
            text=functional.embedding(self.text[examples, :length].long(), self.vectors),
        )


class EncodedTexts:
    """Vectors by what they are: equal ones have one row; row 0 is that of padding."""

    def __init__(self, padding: Vectors) -> None:
        self._row_of = {padding.tobytes(): 0}
        self._vectors = [padding]

    def rows(self, vectors: Vectors) -> Any:
        """Return the row of each vector, (pieces, 1)."""
        found = np.zeros((len(vectors), 1), np.int32)
        for i, vector in enumerate(vectors):
            row = self._row_of.setdefault(vector.tobytes(), len(self._vectors))
            if row == len(self._vectors):
                self._vectors.append(vector)
            found[i] = row
        return found

    def table(self) -> Vectors:
        """Return all vectors, (rows, dim)."""
        return np.stack(self._vectors).astype(np.float32)


class ScandlTask:
    """The diffusion loss over the scanpaths of a corpus; implements ``scandl.training.trainer.TrainingTask``.

    Noise and t of an example are functions of the seed, the example and the step, made on the device.
    """

    def __init__(
        self, config: ScandlConfig, encoder: TextEncoder, corpus: Corpus, fold: dict[str, Any] | None = None
    ) -> None:
        self.config = config
        self.encoder = encoder
        self.fold = fold or {}
        self.lengths = Lengths.of(corpus)
        self.examples = ExampleTable(corpus, encoder, config.model)
        self.timesteps = TimestepSampler(config.diffusion)
        torch.manual_seed(torch_seed(config.training.seed, "weights"))
        denoiser = Denoiser(config.model, encoder.dim, config.diffusion.steps)
        diffusion = Diffusion.named(config.diffusion.schedule, config.diffusion.steps)
        self.module = DiffusionObjective(denoiser, diffusion, config.diffusion)
        self._keys = {name: named_key(config.training.seed, name) for name in ("noise", "timesteps", "held")}
        self._spoilt: Tensor | None = None  # t of the first batch whose loss was no number, -1 before

    @property
    def buckets(self) -> list[int]:
        """The length of each example."""
        return self.examples.lengths

    def loss(self, module: nn.Module, examples: Sequence[int], slots: range, step: int) -> StepLoss:
        """Return the weighted and plain loss of this process's examples."""
        chosen = self._on_device(examples)
        t, weight = self._timesteps(chosen, step)
        keys = keys_of(self._keys["noise"], chosen.on_device, step, chosen.copies)
        loss = self._loss(module, self.examples, chosen, t, keys)
        return StepLoss(loss * weight.to(loss.dtype), loss)

    def held_loss(self, held: ExampleTable) -> float:
        """Return the mean loss of examples that are not learned from, at t and noise that stay the same."""
        device = next(self.module.parameters()).device
        total = torch.zeros((), device=device)
        size = self.config.training.batch
        held.to(device)
        with torch.inference_mode():
            for length in sorted(set(held.lengths)):
                members = [i for i, own in enumerate(held.lengths) if own == length]
                for k in range(0, len(members), size):
                    chosen = examples_of(members[k : k + size], device)
                    keys = keys_of(self._keys["held"], chosen.on_device, 0)
                    t = (uniforms(keys) * self.config.diffusion.steps).long()
                    total += self._loss(self.module, held, chosen, t, keys_of(0, keys, 1)).sum()
        return float(total) / len(held)

    def learned(self, examples: Sequence[int], losses: Tensor, step: int) -> None:
        """Hand the losses to the importance sampler."""
        t = self._timesteps(self._on_device(examples), step)[0]
        self.timesteps.update(t, losses)
        if self._spoilt is None or len(self._spoilt) != len(t):
            self._spoilt = torch.full_like(t, -1)
        first = ~torch.isfinite(losses).all() & (self._spoilt < 0).all()
        self._spoilt = torch.where(first, t, self._spoilt)

    def describe(self, examples: Sequence[int], step: int) -> str:
        """Name readers and sentences of a batch whose loss was no number, and the steps t it was drawn at."""
        t = [-1] * len(examples) if self._spoilt is None else self._spoilt.tolist()
        named = [
            f"{'/'.join(self.examples.names[i])}{f' at t={k}' if k >= 0 else ''}"
            for i, k in zip(examples, t, strict=True)
        ]
        return f"batch {', '.join(named[:8])}{' …' if len(named) > 8 else ''}"

    def state_dict(self) -> dict[str, Any]:
        """Return the history of the importance sampler."""
        return self.timesteps.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up a saved history."""
        self.timesteps.load_state_dict(state)

    def contents(self) -> dict[str, Any]:
        """Return configuration, encoder, fold and lengths."""
        return {
            "config": to_table(self.config),
            "encoder": self.encoder.identity,
            "fold": self.fold,
            "lengths": asdict(self.lengths),
        }

    def derived(self, *, ema: Weights, weights: Weights) -> dict[str, Any]:
        """Return the encoder with its projection folded in, so that generation needs no other."""
        return {"folded": {"ema": self._folded(ema), "weights": self._folded(weights)}}

    def _folded(self, weights: Weights) -> dict[str, Any]:
        projection = self.module.denoiser.text
        if isinstance(projection, nn.Linear):
            weight, bias = (weights[f"{PREFIX}{TEXT}{part}"].cpu().numpy() for part in ("weight", "bias"))
        else:
            # No projection: the vectors as they are, or none where the model does not read the text.
            width = self.encoder.dim if projection is not None else 0
            weight, bias = np.eye(width, self.encoder.dim, dtype=np.float32), np.zeros(width, np.float32)
        folded = fold(self.encoder, weight.T, bias)
        return {
            **{name: getattr(folded, name) for name in ("name", "identity", "tokenizer")},
            **{name: torch.from_numpy(getattr(folded, name)) for name in ("table", "bias")},
        }

    def _loss(
        self, module: nn.Module, table: ExampleTable, chosen: Examples, t: Tensor, keys: Tensor
    ) -> Tensor:
        length = table.lengths[chosen[0]]
        start_noise, noise = normals(keys, (2, length, self.config.model.dim)).unbind(1)
        return module(table.batch(chosen.on_device, length), t, start_noise, noise)

    def _on_device(self, examples: Sequence[int]) -> Examples:
        """Return the examples where the weights are; the first time all the data follow them there."""
        device = self.module.denoiser.head_bias.device
        if self.examples.ids.device != device:
            self.examples.to(device)
            self.timesteps.to(device)
        return examples_of(examples, device)

    def _timesteps(self, chosen: Examples, step: int) -> tuple[Tensor, Tensor]:
        """Draw t of each example at a step, and the weights."""
        keys = keys_of(self._keys["timesteps"], chosen.on_device, step, chosen.copies)
        return self.timesteps.sample(uniforms(keys))
