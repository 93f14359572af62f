"""A trained ScanDL that runs on torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from scandl.config import from_table
from scandl.models.diffusion.batch import collate
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.diffusion_model import Sampling, ScanpathModel
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.samplers import Watch
from scandl.models.diffusion.scandl_checkpoint import PREFIX, folded_from, read_scandl, without_text
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import Tokens
from scandl.models.diffusion.torch_sampling import sample_ids
from scandl.text.encoder import TextEncoder
from scandl.training.checkpoint import check_numbers, complete
from scandl.training.device import chosen_device


class TrainedScandl(ScanpathModel):
    """A denoiser with its encoder and process."""

    def __init__(
        self, config: ScandlConfig, encoder: TextEncoder, denoiser: Denoiser, fold: dict[str, Any]
    ) -> None:
        super().__init__(config, encoder, fold)
        self.denoiser = denoiser.eval()

    @classmethod
    def load(cls, path: Path | str, *, weights: str = "ema", device: str | None = None) -> Self:
        """Read a checkpoint; ``weights`` is ``ema`` or ``weights`` (the raw ones).

        The encoder comes out of the checkpoint too, with the projection folded in.
        """
        own_device = chosen_device(device)
        saved = read_scandl(path)
        with complete(path):
            config = from_table(ScandlConfig, saved["config"])
            encoder = folded_from(saved["folded"][weights]).open()
            denoiser = Denoiser(config.model, encoder.dim, config.diffusion.steps)
            own = {name.removeprefix(PREFIX): weight for name, weight in saved[weights].items()}
            check_numbers(path, own)
            denoiser.load_state_dict(without_text(own))
            return cls(config, encoder, denoiser.to(own_device), saved["fold"])

    def sample(
        self,
        inputs: Sequence[Tokens],
        streams: Sequence[np.random.Generator],
        process: Process,
        sampling: Sampling,
        watch: Watch | None,
    ) -> list[list[int]]:
        """Return the generated ids of inputs of one length."""
        batch = collate(inputs, next(self.denoiser.parameters()).device)
        ids = sample_ids(
            self.denoiser,
            process,
            batch,
            streams,
            sampler=sampling.sampler,
            options=sampling.options,
            watch=watch,
            n_words=[tokens.n_words for tokens in inputs],
        )
        return ids.tolist()
