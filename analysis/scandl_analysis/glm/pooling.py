"""Fits of several completed versions of the same words become one, by Rubin's rules.

A table of words may hold several completed versions of what was read, told apart by its column ``version``.
Each version is fitted by itself. The draws of all are then put together, the versions as far apart as the
total variance of Rubin's rules asks for, so that whatever is computed of the draws is pooled too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl.statistics.pooling import Pooled, pool
from scandl_analysis.glm.spec import SHAPE_NAMES, Fit


def pooled(fits: Sequence[Fit]) -> Fit:
    """Return fits of several versions as one, whose draws have the total variance of Rubin's rules.

    A level that a version lacks has there the posterior that data without it give: its group's spread.
    """
    first = fits[0]
    if len(fits) == 1:
        return first
    levels = {
        name: tuple(dict.fromkeys(level for each in fits for level in each.levels[name]))
        for name in first.levels
    }
    draws = {}
    for name in first.draws:
        parts = [
            _at_levels(each, name, levels[name]) if name in levels else each.draws[name] for each in fits
        ]
        if name.endswith("_sigma") or name in SHAPE_NAMES.values():
            draws[name] = np.exp(_put_together([np.log(np.maximum(part, 1e-12)) for part in parts]))
        else:
            draws[name] = np.concatenate(parts) if name.startswith("cor(") else _put_together(parts)
    shared = {name: min(each.stats[name].shape[1] for each in fits) for name in first.stats}
    sampled = {name: np.concatenate([each.stats[name][:, :n] for each in fits]) for name, n in shared.items()}
    note = "; ".join(dict.fromkeys(each.note for each in fits if each.note))
    n_rows = round(float(np.mean([each.n_rows for each in fits])))
    return replace(
        first, n_rows=n_rows, draws=draws, levels=levels, stats=sampled, note=note, versions=len(fits)
    )


def rubin(draws: Floats, versions: int) -> Pooled:
    """Pool the draws (chain, draw) of a number, of which each version has as many chains."""
    parts = np.split(draws, versions)
    means = np.array([part.mean() for part in parts])
    apart = (means - means.mean()) / _apart(versions)
    return pool(means.mean() + apart, [float(part.std(ddof=1)) for part in parts])


def _apart(versions: int) -> float:
    """Return by how much deviations of versions grow: their variance is (1 + 1/m) times that of a sample."""
    return float(np.sqrt((versions + 1) / (versions - 1)))


def _put_together(parts: Sequence[Floats]) -> Floats:
    means = [part.mean(axis=(0, 1)) for part in parts]
    centre = np.mean(means, axis=0)
    further = _apart(len(parts)) - 1.0
    return np.concatenate([part + further * (own - centre) for part, own in zip(parts, means, strict=True)])


def _at_levels(fit: Fit, name: str, levels: Sequence[str]) -> Floats:
    own = {level: k for k, level in enumerate(fit.levels[name])}
    if list(own) == list(levels):
        return fit.draws[name]
    sigma = fit.draws[f"{name}_sigma"]
    found = sigma[..., None] * stream(1, "levels", name).standard_normal((*sigma.shape, len(levels)))
    for k, level in enumerate(levels):
        if level in own:
            found[..., k] = fit.draws[name][..., own[level]]
    return found
