"""A trained ScanDL that runs on torch: its checkpoint, its random numbers, the denoiser at work on a batch.

On a CPU noise and rounding are those of numpy, with which exported models run too. On another device nothing
is sent between two denoising steps. Scanpaths drawn on a GPU are therefore others than those drawn on a CPU
with the same seed, from the same distribution; on each of them they are the same in any batch and order.

Random numbers on the device are made by counting: the n-th number of a key is a hash of both. There is no
state to keep or to send: a number depends on the key and its place alone, so that it is the same in any
batch, in any order and in any number of processes. The hash is that of SplitMix64 (Steele, Lea & Flood 2014).
Its bits are the same everywhere; logarithm and cosine may round differently on a CPU and a GPU, so normal
numbers agree to about 1e-6.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from scandl.config import from_table
from scandl.errors import ScandlError
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch, collate
from scandl.models.diffusion.denoising_network import BatchNetwork, Noise, Watch, denoise
from scandl.models.diffusion.diffusion_model import Denoising, ScanpathModel
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.numpy_model import write_scandl
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import Lengths, Tokens
from scandl.text.encoder import TextEncoder
from scandl.text.folded import Folded
from scandl.training.checkpoint import check_numbers, complete, read_checkpoint
from scandl.training.processes import chosen_device

PREFIX = "denoiser."
"""What the names of the network's weights begin with, within those of the objective."""
TEXT = "text."
"""What the names of the projection's weights begin with, within those of the network."""
_BITS = 24  # of a uniform number: what float32 can hold


def read_scandl(path: Path | str) -> dict[str, Any]:
    """Read a checkpoint of this task; other models have checkpoints too."""
    saved = read_checkpoint(path)
    if "folded" not in saved:
        raise ScandlError(f"{path}: a checkpoint, but not of ScanDL")
    return saved


def folded_from(saved: Mapping[str, Any]) -> Folded:
    """Return the folded encoder of a checkpoint."""
    arrays = {name: saved[name].numpy() for name in ("table", "bias")}
    return Folded(saved["name"], saved["identity"], saved["tokenizer"], **arrays)


def without_text(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the network's weights without the projection, which is folded into the encoder."""
    return {name: weight for name, weight in weights.items() if not name.startswith(TEXT)}


def _signed(value: int) -> int:
    """Return the 64 lowest bits as torch's signed integers have them."""
    return (value + 2**63) % 2**64 - 2**63


_GOLDEN, _FIRST, _SECOND = map(_signed, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def mixed(bits: Tensor) -> Tensor:
    """Return the hash of 64-bit integers; each bit of it depends on all bits.

    >>> mixed(torch.tensor([1, 2])) == mixed(torch.tensor([1, 3]))
    tensor([ True, False])
    """
    bits = (bits ^ _shifted(bits, 30)) * _FIRST
    bits = (bits ^ _shifted(bits, 27)) * _SECOND
    return bits ^ _shifted(bits, 31)


def _shifted(bits: Tensor, by: int) -> Tensor:
    """Shift to the right and fill with zeros; torch's own shift of a signed number fills with its sign."""
    return (bits >> by) & (2 ** (64 - by) - 1)


def named_key(seed: int, name: str) -> int:
    """Return the key of a purpose.

    >>> named_key(1, "noise") == named_key(1, "noise") != named_key(1, "timesteps")
    True
    """
    return int.from_bytes(hashlib.sha256(f"{seed}\x1f{name}".encode()).digest()[:8], "little", signed=True)


def keys_of(key: int, instances: Tensor, *numbers: Tensor | int) -> Tensor:
    """Return a key for each instance, at the step (and whatever else) that the numbers say."""
    found = mixed(instances * _GOLDEN + key)
    for number in numbers:
        found = mixed(found + (_signed(number * _GOLDEN) if isinstance(number, int) else number * _GOLDEN))
    return found


def uniforms(keys: Tensor) -> Tensor:
    """Return one number above 0 and below 1 for each key."""
    return _unit(mixed(keys + _GOLDEN), 40)


def normals(keys: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return standard normal numbers for each key, (B, *shape).

    >>> normals(torch.tensor([7]), (2, 3)).shape
    torch.Size([1, 2, 3])
    """
    n = math.prod(shape)
    bits = mixed(keys.unsqueeze(-1) + torch.arange(1, n // 2 + 2, device=keys.device) * _GOLDEN)
    # Box and Muller: two uniform numbers, from the two halves of the bits, are two normal ones.
    radius = torch.sqrt(-2.0 * torch.log(_unit(bits, 40)))
    angle = 2.0 * math.pi * _unit(bits, 8)
    found = torch.cat([radius * angle.cos(), radius * angle.sin()], dim=-1)
    return found[:, :n].reshape(len(keys), *shape)


def _unit(bits: Tensor, place: int) -> Tensor:
    """Return 24 bits, from ``place`` on, as a number above 0 and below 1."""
    return (((bits >> place) & (2**_BITS - 1)).to(torch.float32) + 0.5) * 2.0**-_BITS


class DeviceNoise:
    """Standard normal noise of a batch, one key per instance and a count of the draws."""

    def __init__(
        self, streams: Sequence[np.random.Generator], shape: tuple[int, ...], device: torch.device
    ) -> None:
        keys = [int(stream.integers(-(2**63), 2**63 - 1)) for stream in streams]
        self._keys = torch.tensor(keys).to(device)
        self._shape = shape
        self._draws = 0

    def draw(self) -> Tensor:
        """Return the next (B, *shape)."""
        self._draws += 1
        return normals(keys_of(0, self._keys, self._draws), self._shape)


class TorchNetwork(BatchNetwork):
    """A denoiser with the sentences it reads, on any device."""

    def __init__(
        self,
        model: Denoiser,
        batch: TokenBatch,
        streams: Sequence[np.random.Generator],
    ) -> None:
        self._device = batch.ids.device
        condition = model.condition(batch.positions, batch.text)
        super().__init__(model.network(), batch.ids, batch.noised, condition, streams)

    @property
    def _on_cpu(self) -> bool:
        return self._device.type == "cpu"

    def noise(self) -> Tensor:
        """Return the next noise of every instance."""
        drawn = self._noise.draw()
        return drawn if isinstance(drawn, Tensor) else torch.from_numpy(drawn)

    def _noise_of(self, streams: Sequence[np.random.Generator], shape: tuple[int, ...]) -> Any:
        return Noise(streams, shape) if self._on_cpu else DeviceNoise(streams, shape, self._device)

    def _steps(self, t: int) -> Tensor:
        return torch.full((len(self._clean),), float(t), device=self._device)


@torch.inference_mode()
def sample_ids(
    model: Denoiser,
    process: Process,
    batch: TokenBatch,
    streams: Sequence[np.random.Generator],
    *,
    watch: Watch | None = None,
) -> Tensor:
    """Generate ids for a batch of sentences, (B, L); one stream of random numbers per instance."""
    return denoise(TorchNetwork(model, batch, streams), process, watch=watch)


class TrainedScandl(ScanpathModel):
    """A denoiser with its encoder and process."""

    def __init__(
        self,
        config: ScandlConfig,
        encoder: TextEncoder,
        denoiser: Denoiser,
        fold: dict[str, Any],
        lengths: Lengths | None = None,
    ) -> None:
        super().__init__(config, encoder, fold, lengths)
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
            lengths = from_table(Lengths, saved["lengths"])
            return cls(config, encoder, denoiser.to(own_device), saved["fold"], lengths)

    def sample(
        self,
        inputs: Sequence[Tokens],
        streams: Sequence[np.random.Generator],
        process: Process,
        sampling: Denoising,
        watch: Watch | None,
    ) -> list[list[int]]:
        """Return the generated ids of inputs of one length."""
        batch = collate(inputs, next(self.denoiser.parameters()).device)
        return sample_ids(self.denoiser, process, batch, streams, watch=watch).tolist()


def export(checkpoint: Path | str, out: Path | str, *, weights: str = "ema", about: str = "") -> Path:
    """Write the model of a checkpoint as one file that generates without torch, and return its path.

    Parameters
    ----------
    checkpoint
        A file of ``scandl train``.
    out
        The file to write, whose name ends in ``.npz``.
    weights
        ``ema`` or ``weights`` (the raw ones).
    about
        What is said to whoever generates with the file: what it was trained on, what it is good for.

    Returns
    -------
    Path
        The file that was written.
    """
    saved = read_scandl(checkpoint)
    with complete(checkpoint):
        check_numbers(checkpoint, saved[weights])
        own = {name.removeprefix(PREFIX): weight for name, weight in saved[weights].items()}
        folded = folded_from(saved["folded"][weights])
        kept = {name: saved[name] for name in ("config", "fold", "lengths", "step")}
        facts = {**kept, "about": about}
    return write_scandl(out, facts, without_text(own), folded)
