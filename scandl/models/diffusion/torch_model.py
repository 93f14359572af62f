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
from scandl.files.symbol_repair import CLS
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch, collate
from scandl.models.diffusion.denoising_network import BatchNetwork
from scandl.models.diffusion.diffusion_model import Denoising, ScanpathModel
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.numpy_model import write_scandl
from scandl.models.diffusion.samplers import LEAST, Noise, SamplerOptions, Watch, best_sequences, denoise
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


def best_on_device(scores: Tensor, noised: Tensor, n_words: Tensor) -> Tensor:
    """Return what ``samplers.best_sequences`` returns, without leaving the device.

    scores (B, L, ids); noised (B, L) boolean, True to the end of a row; n_words (B,).
    """
    B, L, n_ids = scores.shape
    exact = scores.float() if scores.device.type == "mps" else scores.double()
    symbols, places = (torch.arange(n, device=scores.device) for n in (n_ids, L))
    is_word = (symbols >= 1) & (symbols <= n_words.unsqueeze(-1))  # (B, ids)
    of_words, word = exact.masked_fill(~is_word.unsqueeze(1), -torch.inf).max(-1)  # (B, L)
    sep = (n_words + 1).view(B, 1)
    of_sep = exact.gather(2, sep.unsqueeze(1).expand(B, L, 1)).squeeze(-1)
    start = (~noised).sum(-1, keepdim=True)  # (B, 1) where the scanpath begins, with CLS
    # With SEP at e: words between CLS and e, PAD after e.
    before = of_words.masked_fill(places <= start, 0.0).cumsum(-1) - of_words.masked_fill(
        places <= start, 0.0
    )
    after = exact[..., -1].flip(-1).cumsum(-1).flip(-1) - exact[..., -1]
    total = (before + of_sep + after).masked_fill(places < start + LEAST - 1, -torch.inf)
    end = total.argmax(-1, keepdim=True)
    best = torch.where(places < end, word, torch.where(places == end, sep, n_ids - 1))
    best = torch.where(places == start, CLS, best)
    chosen = noised & (noised.sum(-1, keepdim=True) >= LEAST)
    return torch.where(chosen, best, scores.argmax(-1))


class TorchNetwork(BatchNetwork):
    """A denoiser with the sentences it reads, on any device."""

    def __init__(
        self,
        model: Denoiser,
        batch: TokenBatch,
        streams: Sequence[np.random.Generator],
        n_words: Sequence[int] | None = None,
    ) -> None:
        self._device = batch.ids.device
        counts = None if n_words is None else torch.tensor(n_words).to(self._device)
        condition = model.condition(batch.positions, batch.text)
        super().__init__(model.network(), batch.ids, batch.noised, condition, counts, streams)

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
    batch: TokenBatch,
    streams: Sequence[np.random.Generator],
    *,
    options: SamplerOptions | None = None,
    watch: Watch | None = None,
    n_words: Sequence[int] | None = None,
) -> Tensor:
    """Generate ids for a batch of sentences, (B, L); one stream of random numbers per instance."""
    network = TorchNetwork(model, batch, streams, n_words)
    return denoise(network, process, options=options, watch=watch)


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
        ids = sample_ids(
            self.denoiser,
            process,
            batch,
            streams,
            options=sampling.options,
            watch=watch,
            n_words=[tokens.n_words for tokens in inputs],
        )
        return ids.tolist()


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
