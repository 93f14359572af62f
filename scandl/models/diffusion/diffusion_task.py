"""What ScanDL learns from: human scanpaths as inputs of the diffusion loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from scandl.config import to_table
from scandl.corpora.corpus import Corpus
from scandl.models.diffusion.counter_random import keys_of, named_key, normals, uniforms
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.example_table import ExampleTable
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.loss import Objective
from scandl.models.diffusion.scandl_checkpoint import PREFIX, TEXT
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.timesteps import TimestepSampler
from scandl.seeds import torch_seed
from scandl.text.encoder import TextEncoder
from scandl.text.folded import fold
from scandl.training.planned_batches import Examples, examples_of
from scandl.training.trainer import StepLoss

Weights = Mapping[str, Tensor]


class ScandlTask:
    """The diffusion loss over the scanpaths of a corpus; implements ``scandl.training.trainer.Task``.

    Noise and t of an example are functions of the seed, the example and the step, made on the device.
    """

    def __init__(
        self, config: ScandlConfig, encoder: TextEncoder, corpus: Corpus, fold: dict[str, Any] | None = None
    ) -> None:
        self.config = config
        self.encoder = encoder
        self.fold = fold or {}
        self.examples = ExampleTable(corpus, encoder, config.model)
        self.timesteps = TimestepSampler(config.diffusion)
        torch.manual_seed(torch_seed(config.training.seed, "weights"))
        denoiser = Denoiser(config.model, encoder.dim, config.diffusion.steps)
        diffusion = Diffusion.named(config.diffusion.schedule, config.diffusion.steps)
        self.module = Objective(denoiser, diffusion, config.diffusion)
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
        """Return configuration, encoder and fold."""
        return {"config": to_table(self.config), "encoder": self.encoder.identity, "fold": self.fold}

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
