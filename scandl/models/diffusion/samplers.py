"""Samplers: functions with one signature that take noise away, and the loop that runs them.

The loop rounds the prediction to the id table and puts the clean sentence back at each step. It
keeps the present state alone, so its memory does not grow with the number of steps. It does not
know what runs the network: states are arrays or tensors, (B, L, d).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from scandl.models.diffusion.noise_levels import Process
from scandl.registry import Registry

State: TypeAlias = Any
Watch: TypeAlias = Callable[[int, State, State], None]
"""Called with (trained step, z, ids of the prediction) after each step."""


@dataclass(frozen=True, slots=True)
class SamplerOptions:
    """What a sampler can be asked for."""

    round_below: float = 1.0  # round the prediction at steps t < round_below * T; 1 = always, as published
    eta: float = 0.0  # ddim: 0 is deterministic after the first noise
    top_p: float = 0.0  # redraw noise components beyond this size; 0 = off
    valid: bool = False  # round to the best whole scanpath; False: each position by itself, as published


class Network(Protocol):
    """A denoiser at work on one batch of sentences."""

    def predict(self, z: State, t: int) -> State:
        """Return the predicted z_0 at the trained step t."""
        ...

    def nearest(self, z: State, valid: bool = False) -> State:
        """Return the ids whose embeddings are nearest, (B, L): each by itself, or as a valid scanpath."""
        ...

    def embed(self, ids: State) -> State:
        """Return the embeddings of ids."""
        ...

    def anchored(self, z: State) -> State:
        """Return z with the clean sentence put back."""
        ...

    def noise(self, largest: float) -> State:
        """Return the next standard normal noise, without components beyond ``largest`` if that is above 0."""
        ...

    def final(self, z: State, valid: bool = False) -> State:
        """Return the ids the tied head scores highest, (B, L): each by itself, or as a valid scanpath."""
        ...


class Sampler(Protocol):
    """Returns the next state from the present one, for step i of the process."""

    def __call__(
        self,
        process: Process,
        i: int,
        z: State,
        z_0: State,
        noise: Callable[[], State],
        options: SamplerOptions,
    ) -> State:
        """Return z at step i - 1, for the predicted (rounded) z_0."""
        ...


SAMPLERS: Registry[Sampler] = Registry("sampler")


@SAMPLERS.register("ddpm")
def ddpm(
    process: Process, i: int, z: State, z_0: State, noise: Callable[[], State], options: SamplerOptions
) -> State:
    """Draw from the posterior with the large fixed variance beta_t.

    On few steps beta_t may exceed all the noise that the next step was trained with; no more than
    that is added.
    """
    c0, c1, _ = process.posterior
    mean = float(c0[i]) * z_0 + float(c1[i]) * z
    if i == 0:
        return mean
    variance = min(float(process.beta[i]), 1.0 - float(process.alpha_bar[i - 1]))
    return mean + variance**0.5 * noise()


@SAMPLERS.register("ddim")
def ddim(
    process: Process, i: int, z: State, z_0: State, noise: Callable[[], State], options: SamplerOptions
) -> State:
    """Follow the predicted noise (Song et al. 2021); ``eta`` brings randomness back."""
    now, before = float(process.alpha_bar[i]), float(process.alpha_bar_prev[i])
    if i == 0:
        return z_0
    direction = (z - now**0.5 * z_0) / (1.0 - now) ** 0.5
    sigma = options.eta * ((1.0 - before) / (1.0 - now)) ** 0.5 * (1.0 - now / before) ** 0.5
    moved = before**0.5 * z_0 + max(1.0 - before - sigma**2, 0.0) ** 0.5 * direction
    return moved + sigma * noise() if sigma > 0 else moved


def denoise(
    network: Network,
    process: Process,
    *,
    sampler: str = "ddpm",
    options: SamplerOptions | None = None,
    watch: Watch | None = None,
) -> State:
    """Turn noise into ids, (B, L); ``watch`` is for whoever wants to see the decoding."""
    options = options or SamplerOptions()
    step = SAMPLERS[sampler]
    rounded_below = options.round_below * (process.trained_steps[-1] + 1)

    def noise() -> State:
        return network.noise(options.top_p)

    z = network.anchored(noise())
    for i in range(process.steps - 1, -1, -1):
        t = process.trained_steps[i]
        z_0 = network.predict(z, t)
        rounding = t < rounded_below
        ids = network.nearest(z_0, options.valid) if rounding or watch is not None else None
        z = network.anchored(step(process, i, z, network.embed(ids) if rounding else z_0, noise, options))
        if watch is not None:
            watch(t, z, ids)
    return network.final(z, options.valid)
