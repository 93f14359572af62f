"""Paths of which parts are known: the others are drawn, given all that is.

A hidden fixation is drawn given all before it and the given ones after it, in one pass from left to right.
The network's conditionals with parts given are not quite those of its paths as a whole. So candidates are
drawn, of different lengths where the number of hidden fixations is not known, and one of them is taken by its
exact probability as a whole (sampling, importance resampling).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import EllipsisType
from typing import Any

import numpy as np
from scipy.special import log_softmax, softmax

from scandl.errors import ScandlError
from scandl.models.model import Given, Model, Request
from scandl.models.pointer import drawing, path_probability
from scandl.models.pointer.mixtures import length_parameters, length_probabilities
from scandl.models.pointer.path_batch import Ints, TextBatch, longest, padded
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.trained_model import TrainedModel
from scandl.records import Positions, Scanpath, Sentence
from scandl.seeds import stream

CANDIDATES = 16
"""Paths from which one is taken."""
_AT_ONCE = 256  # candidates


def pointer_model(model: Model | PointerModel) -> PointerModel:
    """Return the word-pointing network of a model; another model cannot fill gaps."""
    found: Any = model
    for name in ("network", "model"):
        if not isinstance(found, PointerModel):
            found = getattr(found, name, found)
    if not isinstance(found, PointerModel):
        raise ScandlError(
            f"model {getattr(model, 'name', model)!r} cannot complete a path:"
            " expected a model that points at words"
        )
    return found


def fill(
    model: Model | PointerModel,
    sentence: Sentence,
    path: Given,
    n: int = 1,
    seed: int = 1,
    *,
    request: Request | None = None,
    candidates: int | None = None,
) -> list[Scanpath]:
    """Return ``n`` completions of a path of which parts are known.

    Parameters
    ----------
    model
        A word-pointing model: trained, shipped or fitted.
    sentence
        What is read.
    path
        Word positions, None for a fixation that is not known, ``...`` for a stretch of unknown length.
    n
        How many completions; they are samples 0, 1, 2 and so on of the request.
    seed
        The same arguments and seed give the same paths.
    request
        Who reads: its reader, style, group and task count.
    candidates
        Paths that are drawn for each completion, one of which is taken by its exact probability in order of
        time. By default ``CANDIDATES``; 1 is one pass, which is quicker and less exact.

    Returns
    -------
    list of Scanpath
        With durations where the model has them: those of known fixations are drawn too.
    """
    if not path:
        raise ScandlError(f"sentence {sentence.sentence_id!r}: found an empty path to be filled")
    who = replace(request or Request(sentence), sentence=sentence, given=tuple(path))
    return completed(model, [replace(who, sample=k) for k in range(n)], seed=seed, candidates=candidates)


def completed(
    model: Model | PointerModel, requests: Sequence[Request], *, seed: int, candidates: int | None = None
) -> list[Scanpath]:
    """Return one scanpath per request, completed from what it says is given, if anything."""
    network, n = pointer_model(model), candidates or CANDIDATES
    known = [model.known(each) if isinstance(model, TrainedModel) else each for each in requests]
    if n == 1 and all(request.given and ... not in request.given for request in known):
        return network.fill(known, [_holes(request.given) for request in known], seed=seed)
    for request in known:
        network.check_given(request, tuple(request.given) or (...,))
    forms = []
    for k in range(0, len(known), max(_AT_ONCE // n, 1)):
        forms += _chosen(network, known[k : k + max(_AT_ONCE // n, 1)], n, seed)
    return network.fill(known, forms, seed=seed)


def given_path(cell: str, n_words: int) -> Given:
    """Read what is known of a path: positions, ``?`` for a fixation, ``…`` or ``...`` for any number of them.

    >>> given_path("0 1 ? ... 5", 6)
    (0, 1, None, Ellipsis, 5)
    >>> given_path("0 7", 6)
    Traceback (most recent call last):
    scandl.errors.ScandlError: given '0 7': found '7', expected positions 0..5, ? (one) or ... (any number)
    """
    return tuple(_given_place(cell, part, n_words) for part in cell.split())


def _given_place(cell: str, part: str, n_words: int) -> int | EllipsisType | None:
    if part == "?":
        return None
    if part in ("...", "…"):
        return ...
    if part.isascii() and part.isdigit() and int(part) < n_words:
        return int(part)
    expected = f"positions 0..{n_words - 1}, ? (one) or ... (any number)"
    raise ScandlError(f"given {cell!r}: found {part!r}, expected {expected}")


def _holes(path: Given) -> list[int | None]:
    return [word for word in path if not isinstance(word, EllipsisType)]


def _chosen(network: PointerModel, requests: Sequence[Request], n: int, seed: int) -> list[Positions]:
    """Return for each request one of ``n`` candidates, as often as its probability over its proposal's."""
    # All candidates of a request are of the same reader.
    batch = network.text_batch([request for request in requests for _ in range(n)], seed)
    forms: list[list[int | None]] = []
    log_proposed, streams = [], []
    for k, request in enumerate(requests):
        rng = stream(seed, "candidates", *request.key)
        own, ways = _forms(network, batch.only(np.array([k * n])), tuple(request.given) or (...,), n, rng)
        forms += own
        log_proposed.append(ways)
        streams += rng.spawn(n)
    words, n_fixations = padded([[word or 0 for word in form] for form in forms])
    known = padded([[word is not None for word in form] for form in forms])[0] > 0
    drawn = drawing.in_order(network.network, batch, n_fixations, streams, words, known)
    exact = np.array(path_probability.log_probs(network.network, batch, drawn))
    proposed = np.concatenate(log_proposed) + _filled_log_probs(network, batch, forms, drawn)
    share = softmax((exact - proposed).reshape(-1, n), axis=1)
    picked = [
        int((row.cumsum() < stream(seed, "chosen", *request.key).random()).sum())
        for row, request in zip(share, requests, strict=True)
    ]
    return [drawn[k * n + min(place, n - 1)] for k, place in enumerate(picked)]


def _filled_log_probs(
    network: PointerModel, batch: TextBatch, forms: Sequence[Sequence[int | None]], paths: Sequence[Positions]
) -> np.ndarray:
    """Return the log-probability with which hidden fixations were drawn, given the known ones."""
    words, n_fixations = padded(paths)
    hidden = padded([[word is None for word in form] for form in forms])[0] > 0
    known = padded([[word is not None for word in form] for form in forms])[0] > 0
    logits = path_probability.in_order_logits(network.network, batch, words, n_fixations, known)
    chosen = np.take_along_axis(log_softmax(logits, axis=2), words[..., None], axis=2)[..., 0]
    return np.asarray(np.where(hidden, chosen, 0.0).sum(axis=1))


def _forms(
    network: PointerModel, batch: TextBatch, path: Given, n: int, rng: np.random.Generator
) -> tuple[list[list[int | None]], np.ndarray]:
    """Return ``n`` versions of a path with drawn numbers of holes, and their log-probabilities."""
    n_stretches, n_words = sum(word is ... for word in path), int(batch.n_words[0])
    least = max(len(path) - n_stretches, 1)
    most = max(longest(n_words), least)
    lengths = length_probabilities(length_parameters(network.network, batch)[0], n_words, most)[least - 1 :]
    if n_stretches == 0:
        return [_holes(path)] * n, np.zeros(n)
    lengths = np.maximum(lengths, 1e-12) / np.maximum(lengths, 1e-12).sum()
    forms, log_probs = [], []
    for extra in rng.choice(len(lengths), n, p=lengths).tolist():
        missing = extra + least - (len(path) - n_stretches)
        sizes = _parts(missing, n_stretches, rng)
        forms.append(_with_holes(path, sizes.tolist()))
        log_probs.append(np.log(lengths[extra]) - _log_ways(missing, n_stretches))
    return forms, np.array(log_probs)


def _parts(total: int, n_parts: int, rng: np.random.Generator) -> Ints:
    """Return a number as a sum of parts from 0, every such sum as often."""
    bars = np.sort(rng.choice(total + n_parts - 1, n_parts - 1, replace=False))
    return np.diff(np.concatenate([[-1], bars, [total + n_parts - 1]])) - 1


def _log_ways(total: int, n_parts: int) -> float:
    """Return the logarithm of the number of such sums.

    >>> round(float(np.exp(_log_ways(3, 2))))
    4
    """
    return float(np.log(np.arange(total + 1, total + n_parts)).sum() - np.log(np.arange(1, n_parts)).sum())


def _with_holes(path: Given, sizes: Sequence[int]) -> list[int | None]:
    """Return a path with so many holes in place of each stretch.

    >>> _with_holes([0, ..., 4, ...], [2, 1])
    [0, None, None, 4, None]
    """
    left = iter(sizes)
    found: list[int | None] = []
    for word in path:
        found += [None] * next(left) if isinstance(word, EllipsisType) else [word]
    return found
