"""What ScanDL learns from: human scanpaths as inputs of the diffusion loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from scandl.config import to_table
from scandl.corpora.corpus import Corpus
from scandl.diffusion.batch import collate
from scandl.diffusion.denoiser import Denoiser
from scandl.diffusion.forward_process import Diffusion
from scandl.diffusion.loss import Objective
from scandl.diffusion.noise import Noise
from scandl.diffusion.settings import ScandlConfig
from scandl.diffusion.timesteps import TimestepSampler
from scandl.diffusion.tokens import is_cut, training_tokens
from scandl.inference.scandl_checkpoint import PREFIX, TEXT
from scandl.seeds import stream, torch_seed
from scandl.text.encoder import TextEncoder
from scandl.text.folded import fold
from scandl.training.trainer import StepLoss

Weights = Mapping[str, Tensor]


class ScandlTask:
    """The diffusion loss over the scanpaths of a corpus; implements ``scandl.training.trainer.Task``."""

    def __init__(
        self, config: ScandlConfig, encoder: TextEncoder, corpus: Corpus, fold: dict[str, Any] | None = None
    ) -> None:
        self.config = config
        self.encoder = encoder
        self.fold = fold or {}
        sentences = {key: encoder.encode(s.words) for key, s in corpus.sentences.items()}
        self.names = [(p.reader_id, p.sentence_id) for p in corpus.scanpaths]
        self.examples = [
            training_tokens(sentences[p.sentence_id], p.words, encoder.padding, config.model, p.sentence_id)
            for p in corpus.scanpaths
        ]
        self.n_cut = sum(is_cut(sentences[p.sentence_id], p.words, config.model) for p in corpus.scanpaths)
        self.diffusion = Diffusion.named(config.diffusion.schedule, config.diffusion.steps)
        self.timesteps = TimestepSampler(config.diffusion)
        torch.manual_seed(torch_seed(config.training.seed, "weights"))
        denoiser = Denoiser(config.model, encoder.dim, config.diffusion.steps)
        self.module = Objective(denoiser, self.diffusion, config.diffusion)

    @property
    def buckets(self) -> list[int]:
        """The length of each example."""
        return [len(example.ids) for example in self.examples]

    def loss(self, module: nn.Module, examples: Sequence[int], slots: range, step: int) -> StepLoss:
        """Return the weighted and plain loss of this process's examples."""
        device = next(module.parameters()).device
        batch = collate([self.examples[i] for i in examples], device)
        t, weight = self._timesteps(step)
        streams = [stream(self.config.training.seed, "noise", step, slot) for slot in slots]
        drawn = Noise(streams, (2, batch.ids.shape[1], self.config.model.dim)).draw()
        start_noise, noise = torch.from_numpy(drawn).to(device).unbind(1)
        own_t = torch.as_tensor(t[slots.start : slots.stop], device=device)
        loss = module(batch, own_t, start_noise, noise)
        weights = torch.as_tensor(weight[slots.start : slots.stop], device=device, dtype=loss.dtype)
        return StepLoss(loss * weights, loss)

    def learned(self, examples: Sequence[int], losses: Tensor, step: int) -> None:
        """Hand the losses to the importance sampler."""
        self.timesteps.update(self._timesteps(step)[0], losses.numpy().astype(np.float64))

    def describe(self, examples: Sequence[int], step: int) -> str:
        """Name readers, sentences and steps t of a batch."""
        t = self._timesteps(step)[0]
        named = [f"{'/'.join(self.names[i])} at t={k}" for i, k in zip(examples, t, strict=True)]
        return f"batch {', '.join(named[:8])}{' …' if len(named) > 8 else ''}"

    def state_dict(self) -> dict[str, Any]:
        """Return the history of the importance sampler."""
        return {name: torch.as_tensor(value) for name, value in self.timesteps.state_dict().items()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up a saved history."""
        self.timesteps.load_state_dict({name: value.numpy() for name, value in state.items()})

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

    def _timesteps(self, step: int) -> tuple[Any, Any]:
        """Draw t for the whole batch of a step; every process draws the same."""
        rng = stream(self.config.training.seed, "timesteps", step)
        return self.timesteps.sample(self.config.training.batch, rng)
