"""One function that fits any model by any engine: Hamiltonian Monte Carlo, a quick look, or a library.

The engine ``hmc`` turns with the normal approximation. In whitened coordinates the posterior is nearly
standard normal, and in a standard normal density the motion is known: position and momentum turn into each
other. So each step turns exactly, and only the rest of the potential, the difference between the posterior
and its approximation, is met by kicks at both ends of the step (Beskos et al., 2011, Stochastic Processes and
their Applications 121; Shahbaba et al., 2014, Statistics and Computing 24). Steps are as long as that rest
allows, whatever the number of effects; a trajectory is a little more than a quarter turn, which makes draws
nearly independent. Chains move together and share the work of whitening.

The engine ``laplace`` draws from the approximation itself: a quick look, not the posterior.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from scandl.errors import ScandlError
from scandl.extras import Registry, check_installed
from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import build_design, check_separation
from scandl_analysis.glm.diagnostics import WORST_RHAT, largest_rhat
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.pooling import pooled
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import NO_PRIORS, Prior, resolve
from scandl_analysis.glm.reference import by_library
from scandl_analysis.glm.spec import QUICK_LOOK, Fit, Glm, Problem, Sampling, make_fit, named_draws
from scandl_analysis.words.word_table import VERSION, versions_of

if TYPE_CHECKING:
    import pandas as pd

TURN, JITTER = 1.8, 0.2
"""Angle of a trajectory, and the share by which it varies.

A quarter turn is 1.57; tails of deviations that may be 0 turn a little more slowly.
"""
TUNE = 120
ROUND = 20
"""Transitions after which the number of steps is looked at while tuning."""
FEWEST_STEPS, MOST_STEPS = 2, 64
ACCEPT = 0.8
DIVERGED = 1000.0
"""Error of the energy from which on a trajectory has left the posterior."""
_CHUNK = 100


def hmc(problem: Problem, sampling: Sampling) -> Fit:
    """Draw from the exact posterior by trajectories of equal length; where chains disagree, go on.

    Longer chains tell chance from chains that stay apart, which remain marked; as many draws are kept
    as were asked for. Where a trajectory left the posterior, all are drawn anew by steps of half the length.
    """
    laplace = approximate(Posterior(problem.glm, problem.design, problem.priors))
    chains = Chains(laplace, sampling.chains, stream(sampling.seed, "hmc"))
    chains.tune(TUNE if sampling.tune is None else sampling.tune)
    drawn: list[Floats] = []
    every = 1
    while True:
        drawn.append(chains.draw(sampling.draws * every - sum(len(each) for each in drawn)))
        if np.any(chains.diverging) and 2 * chains.n_steps <= MOST_STEPS:
            chains.halve_steps()
            drawn.clear()
            continue
        kept = np.concatenate(drawn)[every - 1 :: every]
        draws = named_draws(problem, *np.split(kept.swapaxes(0, 1), [len(laplace.hyper)], axis=2))
        if not (largest_rhat(draws) > WORST_RHAT and 2 * every <= sampling.patience):
            break
        every *= 2
    note = f"one draw in {every} kept of {sampling.draws * every:,} a chain" if every > 1 else ""
    stats = {
        "energy": np.array(chains.energies).T,
        "diverging": np.array(chains.diverging).T,
        "n_steps": np.full((sampling.chains, sampling.draws * every), chains.n_steps),
    }
    return make_fit(problem, "hmc", draws, stats=stats, note=note)


def laplace(problem: Problem, sampling: Sampling) -> Fit:
    """Draw independently from the Laplace approximation."""
    approximation = approximate(Posterior(problem.glm, problem.design, problem.priors))
    z = stream(sampling.seed, "laplace").normal(size=(sampling.chains, sampling.draws, approximation.n_dim))
    draws = named_draws(problem, *approximation.parameters(z))
    note = "quick look: Laplace approximation, not the posterior"
    return make_fit(problem, QUICK_LOOK, draws, note=note)


@dataclass
class Chains:
    """Chains side by side, started from the approximation."""

    laplace: Laplace
    n: int
    rng: np.random.Generator
    n_steps: int = 4
    energies: list[Floats] = field(default_factory=list)  # of each transition, (chain,)
    diverging: list[NDArray[np.bool_]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start at draws from the approximation."""
        self._z = self.rng.normal(size=(self.n, self.laplace.n_dim))
        self._rest, self._slope = self._potential(self._z)

    def tune(self, transitions: int) -> None:
        """Find how many steps keep the share of accepted trajectories near its aim.

        Energies are off by a normal amount with a deviation s that grows with the square of the step,
        and 2 Φ(−s/2) of trajectories are accepted (Neal, 2011, section 4.4).
        """
        aim = float(ndtri(1 - ACCEPT / 2))
        for _ in range(max(transitions // ROUND, 0)):
            accepted = float(np.mean([self._move() for _ in range(ROUND)]))
            off = float(ndtri(1 - np.clip(accepted, 0.02, 0.998) / 2))
            steps = math.ceil(self.n_steps * math.sqrt(off / aim) - 0.2)
            self.n_steps = min(max(steps, FEWEST_STEPS, self.n_steps // 2), MOST_STEPS)
        self._forget()

    def halve_steps(self) -> None:
        """Go on by steps of half the length, and twice as many of them."""
        self.n_steps *= 2
        self._forget()

    def _forget(self) -> None:
        """Count transitions from here on."""
        self.energies.clear()
        self.diverging.clear()

    def draw(self, transitions: int) -> Floats:
        """Return hyper-parameters and effects of so many transitions, (transition, chain, parameter)."""
        out = np.empty((transitions, self.n, self.laplace.n_dim))
        for start in range(0, transitions, _CHUNK):
            some = out[start : start + _CHUNK]
            for place in range(len(some)):
                self._move()
                some[place] = self._z
            some[:] = np.concatenate(self.laplace.parameters(some), axis=2)
        return out

    @np.errstate(all="ignore")  # what overflows is rejected as a divergence
    def _move(self) -> Floats:
        """Make one transition of every chain; return the probabilities with which they were accepted."""
        z, rest, slope = self._z, self._rest, self._slope
        momentum = self.rng.normal(size=z.shape)
        angle = TURN * self.rng.uniform(1 - JITTER, 1 + JITTER, (self.n, 1)) / self.n_steps
        threshold = self.rng.uniform(size=self.n)
        before = _energy(z, momentum, rest)
        cosine, sine = np.cos(angle), np.sin(angle)
        for _ in range(self.n_steps):
            momentum = momentum - 0.5 * angle * slope
            z, momentum = cosine * z + sine * momentum, cosine * momentum - sine * z
            rest, slope = self._potential(z)
            momentum = momentum - 0.5 * angle * slope
        error = _energy(z, momentum, rest) - before
        error = np.where(np.isfinite(error), error, np.inf)
        probability = np.exp(-np.maximum(error, 0.0))
        moved = threshold < probability
        self._z = np.where(moved[:, None], z, self._z)
        self._rest = np.where(moved, rest, self._rest)
        self._slope = np.where(moved[:, None], slope, self._slope)
        self.energies.append(before)
        self.diverging.append(error > DIVERGED)
        return probability

    def _potential(self, z: Floats) -> tuple[Floats, Floats]:
        """Return what the posterior's potential has beyond that of a standard normal, and its slope."""
        with np.errstate(all="ignore"):
            values, gradients = self.laplace.values_and_gradients(z)
        return -values - 0.5 * (z**2).sum(axis=1), -gradients - z


def _energy(z: Floats, momentum: Floats, rest: Floats) -> Floats:
    return np.asarray(rest + 0.5 * (z**2 + momentum**2).sum(axis=1))


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to the posterior, and the packages it imports."""

    run: Callable[[Problem, Sampling], Fit]
    needs: tuple[str, ...] = ()


ENGINES: Registry[Engine] = Registry("engine")
ENGINES.register("hmc")(Engine(hmc, ("arviz_stats",)))
ENGINES.register("laplace")(Engine(laplace))
for _library in ("pymc", "nutpie"):
    ENGINES.register(_library)(
        Engine(partial(by_library, library=_library), ("arviz_stats", "bambi", _library))
    )
CORRELATED = "nutpie"
"""The engine that has correlated group effects."""


def fit(
    frame: pd.DataFrame,
    glm: Glm,
    *,
    engine: str = "hmc",
    priors: str = "brms",
    sampling: Sampling | None = None,
    aggregate: bool = True,
    own_priors: Mapping[str, Prior] = NO_PRIORS,
) -> Fit:
    """Fit ``glm`` to the words in ``frame``, to each version of them where words were imputed, and pool.

    Raises NotEstimableError, with the reason, where the data cannot tell the effects. ``aggregate``
    merges identical rows, which changes the speed and nothing else. ``own_priors`` stand in the place of
    those of the set.
    """
    parts = versions_of(frame)
    if len(parts) > 1:
        kept: dict[str, Any] = {"engine": engine, "priors": priors, "sampling": sampling}
        kept |= {"aggregate": aggregate, "own_priors": own_priors}
        return pooled([fit(part.drop(columns=VERSION), glm, **kept) for part in parts])
    run = ENGINES[engine].run
    if glm.correlated and engine != CORRELATED:
        raise ScandlError(
            f"{glm.formula}: engine {engine} has no correlated group effects; take || or engine {CORRELATED}"
        )
    if glm.family == "conwaymaxwell" and engine not in ("hmc", "laplace"):
        raise ScandlError(f"engine {engine} has no family {glm.family}; take hmc or laplace")
    design = build_design(frame, glm, aggregate=aggregate and not glm.correlated)
    resolved = resolve(priors, glm, design, own_priors)
    if not resolved.bound_slopes:
        check_separation(glm.family, design)
    sampling = sampling or Sampling()
    fitted = run(Problem(glm, frame, design, resolved), sampling)
    if not _complete(fitted, sampling):
        raise KeyboardInterrupt  # samplers keep it to themselves and return what they had
    return fitted


def _complete(fitted: Fit, sampling: Sampling) -> bool:
    """Return whether every draw that was asked for is there."""
    return all(
        draws.shape[:2] == (sampling.chains, sampling.draws) and bool(np.isfinite(draws).all())
        for draws in fitted.draws.values()
    )


def check_engine(engine: str) -> None:
    """Raise if there is no such engine, or no package that it would import after minutes.

    >>> check_engine("laplace")
    """
    check_installed(*ENGINES[engine].needs, extra="analysis")


def check_netcdf() -> None:
    """Raise if a package is missing without which draws could not be written."""
    check_installed("xarray", "h5netcdf", "h5py", extra="analysis")
