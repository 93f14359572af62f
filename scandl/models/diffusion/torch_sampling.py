"""Sampling with torch: a denoiser at work on one batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from scandl.models.diffusion.batch import Batch
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.device_noise import DeviceNoise, best_on_device
from scandl.models.diffusion.noise import Noise
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.rounding import nearest, squared_distances
from scandl.models.diffusion.samplers import SamplerOptions, Watch, denoise
from scandl.models.diffusion.valid_sequences import best_sequences


class TorchNetwork:
    """A denoiser with the sentences it reads; implements ``scandl.models.diffusion.samplers.Network``."""

    def __init__(
        self,
        model: Denoiser,
        batch: Batch,
        streams: Sequence[np.random.Generator],
        n_words: Sequence[int] | None = None,
    ) -> None:
        self._model = model
        self._clean = model.ids(batch.ids)  # (B, L, d)
        self._noised = batch.noised.unsqueeze(-1)
        self._condition = model.condition(batch.positions, batch.text)
        self._device = self._clean.device
        # Of each sentence; only valid scanpaths need to know.
        self._n_words = None if n_words is None else torch.tensor(n_words).to(self._device)
        shape = tuple(self._clean.shape[1:])
        self._noise: Noise | DeviceNoise = (
            Noise(streams, shape) if self._on_cpu else DeviceNoise(streams, shape, self._device)
        )

    @property
    def _on_cpu(self) -> bool:
        return self._device.type == "cpu"

    def predict(self, z: Tensor, t: int) -> Tensor:
        """Return the predicted z_0."""
        steps = torch.full((len(z),), t, device=z.device)
        return self._model(z, steps, self._condition)

    def nearest(self, z: Tensor, valid: bool = False) -> Tensor:
        """Return the nearest ids: each by itself, found on the device, or as a valid scanpath."""
        table = self._model.ids.weight
        return self._valid(-squared_distances(z, table)) if valid else nearest(z, table)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the rows of the id table."""
        return self._model.ids(ids)

    def anchored(self, z: Tensor) -> Tensor:
        """Put the clean sentence back."""
        return torch.where(self._noised, z, self._clean)

    def noise(self, largest: float) -> Tensor:
        """Return the next noise of every instance."""
        drawn = self._noise.draw(largest)
        return drawn if isinstance(drawn, Tensor) else torch.from_numpy(drawn)

    def final(self, z: Tensor, valid: bool = False) -> Tensor:
        """Return the ids of the tied head."""
        logits = self._model.logits(z)
        return self._valid(logits) if valid else logits.argmax(-1)

    def _valid(self, scores: Tensor) -> Tensor:
        if self._n_words is None:
            raise ValueError("valid scanpaths need the number of words of each sentence")
        noised = self._noised.squeeze(-1)
        if not self._on_cpu:
            return best_on_device(scores, noised, self._n_words)
        found = best_sequences(scores.float().numpy(), noised.numpy(), self._n_words.numpy())
        return torch.from_numpy(found)


@torch.inference_mode()
def sample_ids(
    model: Denoiser,
    process: Process,
    batch: Batch,
    streams: Sequence[np.random.Generator],
    *,
    sampler: str = "ddpm",
    options: SamplerOptions | None = None,
    watch: Watch | None = None,
    n_words: Sequence[int] | None = None,
) -> Tensor:
    """Generate ids for a batch of sentences, (B, L); one stream of random numbers per instance."""
    network = TorchNetwork(model, batch, streams, n_words)
    return denoise(network, process, sampler=sampler, options=options, watch=watch)
