"""Validation by generation: how far a model's paths are from held-out readers' while it trains.

The mean distance to single human paths (NLD) is smallest for a central path that nobody reads. The
energy distance also asks whether the paths vary as readers' do, so it decides by default.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scandl.corpora.corpus import Corpus, Pair
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import Sampling, ScanpathModel
from scandl.models.model import Request
from scandl.models.readings import readings
from scandl.models.trained_model import ModelOptions, TrainedModel
from scandl.records import Positions
from scandl.seeds import stream
from scandl.statistics.distances import paired
from scandl.statistics.energy import energy_distance
from scandl.training.trainer import Validate

if TYPE_CHECKING:
    from scandl.config import TrainingConfig


def hold_out(corpus: Corpus, config: TrainingConfig) -> tuple[Corpus, Corpus]:
    """Return the corpus to train on and a random share of its scanpaths to validate with."""
    pairs: list[Pair] = [(path.reader_id, path.sentence_id) for path in corpus.scanpaths]
    n_held = round(config.validation_share * len(pairs))
    if not 0 < n_held < len(pairs):
        raise ScandlError(
            f"training.validation_share: {config.validation_share} of {len(pairs)} scanpaths leaves nothing"
            " to validate with, or to train on"
        )
    order = stream(config.validation_seed, "validation").permutation(len(pairs))
    held = {pairs[i] for i in order[:n_held]}
    return corpus.restricted_to(set(pairs) - held), corpus.restricted_to(held)


def validation(network: ScanpathModel, held: Corpus, config: TrainingConfig) -> Validate:
    """Return what generates one path per held-out scanpath and measures both distances.

    What would stop a validation is refused here, before the training begins.
    """
    tested = replace(held, scanpaths=held.scanpaths[: config.validation_paths])
    n_readers = Counter(path.sentence_id for path in tested.scanpaths)
    for sentence in n_readers:
        network.tokens(Request(held.sentences[sentence]), config.seed)
    if config.validation == "energy" and max(n_readers.values()) < 2:
        raise ScandlError(
            "validation by energy distance needs sentences with two held-out readers; there is none:"
            " raise training.validation_share, or training.validation=nld"
        )
    sampling = Sampling(steps=min(config.validation_steps, network.process.steps))
    model = TrainedModel(network, "scandl", ModelOptions(sampling=sampling))

    def validate(step: int) -> dict[str, float]:
        made = [
            (p.sentence_id, p.human or (), p.predicted) for p in readings(model, tested, seed=config.seed)
        ]
        _, humans, generated = zip(*made, strict=True)
        found = {"validation_nld": float(paired(humans, generated).mean())}
        by_sentence: dict[str, tuple[list[Positions], list[Positions]]] = {}
        for sentence, human, own in made:
            sides = by_sentence.setdefault(sentence, ([], []))
            sides[0].append(human)
            sides[1].append(own)
        distances = [energy_distance(*sides) for sides in by_sentence.values() if len(sides[0]) > 1]
        if distances:
            found["validation_energy"] = float(np.mean(distances))
        decisive = f"validation_{config.validation}"
        return {decisive: found.pop(decisive), **found}

    return validate
