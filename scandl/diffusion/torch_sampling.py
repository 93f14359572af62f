"""Sampling with torch: a denoiser at work on one batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from scandl.diffusion.batch import Batch
from scandl.diffusion.denoiser import Denoiser
from scandl.diffusion.noise import Noise
from scandl.diffusion.noise_levels import Process
from scandl.diffusion.rounding import nearest
from scandl.diffusion.samplers import SamplerOptions, Watch, denoise


class TorchNetwork:
    """A denoiser with the sentences it reads; implements ``scandl.diffusion.samplers.Network``."""

    def __init__(self, model: Denoiser, batch: Batch, streams: Sequence[np.random.Generator]) -> None:
        self._model = model
        self._clean = model.ids(batch.ids)  # (B, L, d)
        self._noised = batch.noised.unsqueeze(-1)
        self._condition = model.condition(batch.positions, batch.text)
        self._noise = Noise(streams, tuple(self._clean.shape[1:]))

    def predict(self, z: Tensor, t: int) -> Tensor:
        """Return the predicted z_0."""
        steps = torch.full((len(z),), t, device=z.device)
        return self._model(z, steps, self._condition)

    def nearest(self, z: Tensor) -> Tensor:
        """Return the nearest ids, found on the device."""
        return nearest(z, self._model.ids.weight)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the rows of the id table."""
        return self._model.ids(ids)

    def anchored(self, z: Tensor) -> Tensor:
        """Put the clean sentence back."""
        return torch.where(self._noised, z, self._clean)

    def noise(self, largest: float) -> Tensor:
        """Return the next noise of every instance."""
        return torch.from_numpy(self._noise.draw(largest)).to(self._clean.device)

    def final(self, z: Tensor) -> Tensor:
        """Return the ids of the tied head."""
        return self._model.logits(z).argmax(-1)


@torch.inference_mode()
def sample_ids(
    model: Denoiser, process: Process, batch: Batch, streams: Sequence[np.random.Generator], *,
    sampler: str = "ddpm", options: SamplerOptions | None = None, watch: Watch | None = None,
) -> Tensor:  # fmt: skip
    """Generate ids for a batch of sentences, (B, L); one stream of random numbers per instance."""
    network = TorchNetwork(model, batch, streams)
    return denoise(network, process, sampler=sampler, options=options, watch=watch)
