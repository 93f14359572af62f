"""How much more likely a model makes the human scanpaths than another, in bits per fixation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scandl.errors import ScandlError
from scandl.measures.distribution.likelihood import Likelihood, bits_per_event, likelihood
from scandl.pairing import Instance, is_named, named_items
from scandl.records import Positions
from scandl_eval.score_table import Item, Key, instance_keys

AGGREGATION = (
    "each human scanpath once; the sum of log2 likelihoods over the number of fixations and ends, not a mean"
)
ROUNDING = 1e-9  # likelihoods that were summed in another order differ in their last digits


@dataclass(frozen=True, slots=True)
class Known:
    """How probable a model holds one human scanpath."""

    log_prob: float
    human: Positions


Likelihoods = dict[str, dict[str, dict[Item, Known]]]
"""By setting, model and item."""


def known_items(instances: Sequence[Instance], wanted: Sequence[str]) -> Likelihoods:
    """Return the likelihoods that the wanted models give; a model that gives none in a setting is left out.

    Several samples of an item stand for one human scanpath, which counts once; where they disagree about
    it, nobody can say which is meant, and they are refused.
    """
    found: Likelihoods = {}
    for instance, key in zip(instances, instance_keys(instances), strict=True):
        log_prob = instance.prediction.log_prob
        if log_prob is None or key.model not in wanted:
            continue
        if instance.reader_id != instance.prediction.reader_id:  # that of one path says nothing of another
            raise _refusal(key, f"log_prob {log_prob} of no one's scanpath", "a reader_id or a human path")
        known = Known(log_prob, instance.human)
        items = found.setdefault(key.setting, {}).setdefault(key.model, {})
        _check(key, known, items.setdefault((key.fold, key.reader_id, key.sentence_id), known))
    return found


def lacking_models(instances: Sequence[Instance], known: Likelihoods, wanted: Sequence[str]) -> list[str]:
    """Return the models that give no likelihood, with the settings where they give some in others."""
    settings: dict[str, dict[str, bool]] = {model: {} for model in wanted}
    for key in instance_keys(instances):
        if key.model in settings:
            settings[key.model][key.setting] = key.model in known.get(key.setting, {})
    lacking = []
    for model, has in settings.items():
        without = [setting for setting, there in has.items() if not there]
        if without:
            lacking.append(f"{model} ({', '.join(without)})" if any(has.values()) else model)
    return lacking


def paired_gain(
    models: dict[str, dict[Item, Known]], a: str, b: str
) -> tuple[float, float, Likelihood] | None:
    """Return the bits per fixation of each model and the gain of A over B on the items both have."""
    shared = [item for item in models[a] if item in models[b]]
    if not shared:
        return None
    other = [item[1:] for item in shared if models[a][item].human != models[b][item].human]
    if other:
        raise ScandlError(
            f"likelihoods of {a} and {b} are of different human scanpaths for {named_items(other)}"
        )
    ours, theirs = ([models[name][item].log_prob for item in shared] for name in (a, b))
    n_fixations = [len(models[a][item].human) for item in shared]
    readers = [reader for _, reader, _ in shared]
    gain = likelihood(
        ours,
        n_fixations,
        readers if all(map(is_named, readers)) else None,
        [item[2] for item in shared],
        baseline=theirs,
    )
    return bits_per_event(ours, n_fixations), bits_per_event(theirs, n_fixations), gain


def impossible_note(models: dict[str, dict[Item, Known]], a: str, b: str) -> str | None:
    """Say which model has bits of minus infinity on the items both have, and how many paths make them so."""
    shared = models[a].keys() & models[b].keys()
    counts = {name: sum(math.isinf(models[name][item].log_prob) for item in shared) for name in (a, b)}
    told = [
        f"{name} gives {n} of {len(shared)} human scanpaths the probability 0"
        for name, n in counts.items()
        if n
    ]
    return f"minus infinity: {', '.join(told)}" if told else None


def _check(key: Key, known: Known, first: Known) -> None:
    """Refuse samples that disagree about one human scanpath."""
    if not math.isclose(known.log_prob, first.log_prob, rel_tol=ROUNDING, abs_tol=ROUNDING):
        raise _refusal(key, f"log_prob {first.log_prob} and {known.log_prob}", "one value for all samples")
    if known.human != first.human:
        raise _refusal(key, f"human paths {first.human} and {known.human}", "one for all samples")


def _refusal(key: Key, found: str, expected: str) -> ScandlError:
    item = named_items([(key.reader_id, key.sentence_id)])
    return ScandlError(f"model {key.model!r}, {item}: found {found}, expected {expected}")
