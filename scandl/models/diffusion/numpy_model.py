"""A trained ScanDL that runs on NumPy, without torch, and the file it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scandl.config import from_table
from scandl.models.arithmetic import NumpyArithmetic
from scandl.models.diffusion.denoising_network import (
    OMEGA,
    BatchNetwork,
    DenoisingNetwork,
    Watch,
    denoise,
    frequencies,
)
from scandl.models.diffusion.diffusion_model import Denoising, ScanpathModel
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import Lengths, Tokens
from scandl.text.folded import Folded
from scandl.training.weight_files import check_format, read_weights, write_weights

FORMAT = "scandl-2"
POSITIONS = "positions.weight"
_ENCODER = "name", "identity", "tokenizer"
_TEXT_TABLE, _TEXT_BIAS = "text_table", "text_bias"  # of the encoder, with the projection folded in

Array = NDArray[np.float32]


class NumpyScandl(ScanpathModel):
    """The weights of a network as arrays."""

    def __init__(self, facts: Mapping[str, Any], weights: Mapping[str, Array]) -> None:
        config = from_table(ScandlConfig, facts["config"])
        folded = Folded(**facts["encoder"], table=weights[_TEXT_TABLE], bias=weights[_TEXT_BIAS])
        super().__init__(config, folded.open(), facts["fold"], from_table(Lengths, facts["lengths"]))
        self.about = facts["about"]
        known = {**weights, OMEGA: frequencies(np)}
        self.network = DenoisingNetwork(config.model, config.diffusion.steps, known, NumpyArithmetic())

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Open a file written by ``scandl export``."""
        facts, weights = read_weights(path)
        check_format(path, facts, FORMAT)
        return cls(facts, weights)

    def sample(
        self,
        inputs: Sequence[Tokens],
        streams: Sequence[np.random.Generator],
        process: Process,
        sampling: Denoising,
        watch: Watch | None,
    ) -> list[list[int]]:
        """Return the generated ids of inputs of one length."""
        network = self.reading(inputs, streams)
        ids = denoise(network, process, watch=watch)
        return ids.tolist()

    def reading(self, inputs: Sequence[Tokens], streams: Sequence[np.random.Generator]) -> BatchNetwork:
        """Return the network with the sentences it is to read."""
        ids, noised = (np.stack([getattr(tokens, name) for tokens in inputs]) for name in ("ids", "noised"))
        return BatchNetwork(self.network, ids, noised, self._condition(inputs), streams)

    def _condition(self, inputs: Sequence[Tokens]) -> Array:
        """Return position and text embeddings, (B, L, d)."""
        weights = self.network.weights
        total = np.zeros((len(inputs), len(inputs[0].ids), self.config.model.dim), dtype=np.float32)
        if POSITIONS in weights:
            total += weights[POSITIONS][np.stack([tokens.positions for tokens in inputs])]
        if weights[_TEXT_BIAS].size:  # a model that does not read the text has a table without columns
            total += np.stack([tokens.text for tokens in inputs])
        return total


def write_scandl(
    path: Path | str, facts: Mapping[str, Any], weights: Mapping[str, Any], text: Folded
) -> Path:
    """Write a network and its encoder as one file, and return the path.

    Parameters
    ----------
    path
        The file, whose name ends in ``.npz``.
    facts
        Configuration and fold, and ``about``, which is said to whoever generates with the file.
    weights
        Arrays by the names of ``Denoiser``, without the projection of the text.
    text
        The encoder with that projection folded in.

    Returns
    -------
    Path
        The file that was written.
    """
    encoder = {name: getattr(text, name) for name in _ENCODER}
    arrays = {**weights, _TEXT_TABLE: text.table, _TEXT_BIAS: text.bias}
    return write_weights(path, {"format": FORMAT, **facts, "encoder": encoder}, arrays)
