"""Surprisal of words in their context, from the best source that is here, and which one it was."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from scandl.errors import ScandlError, did_you_mean
from scandl_analysis.predictors.surprisal.provider import UNITS, Provider, Surprisal

__all__ = ["Provider", "Surprisal", "surprisal"]


def surprisal(
    texts: Iterable[str],
    provider: str | Provider = "auto",
    *,
    language: str = "en",
    unit: str = "nats",
    bow: bool = False,
    alignment: str = "offsets",
    cache: Path | None = None,
) -> Surprisal:
    """Return the surprisal of every word of the texts, each text its own context.

    ``provider`` is ``auto``, ``smollm2``, ``trigram``, ``unigram``, the folder or hub name of a
    causal language model, or an object that follows the protocol. ``cache`` is another folder
    than the user's own. The result says which provider it was, and why.
    """
    from scandl_analysis.predictors.surprisal.resolve import resolve
    from scandl_analysis.predictors.surprisal.surprisal_cache import through_cache

    if unit not in UNITS:
        raise ScandlError(f"no unit of surprisal {unit!r}{did_you_mean(unit, UNITS)}")
    reason = "given by the caller"
    if isinstance(provider, str):
        provider, reason = resolve(provider, language=language, bow=bow, alignment=alignment)
    found = through_cache(provider, list(texts), cache)
    values = found.values
    if unit != "nats":
        values = {text: tuple(x / UNITS[unit] for x in row) for text, row in values.items()}
    return Surprisal(values, {**found.record, "unit": unit}, unit, found.from_cache, reason)
