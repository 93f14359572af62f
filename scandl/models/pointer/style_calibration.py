"""What the network is told of its readers, so that the paths it draws for them show their own style.

In training a style may rest on eight paths, and what they show is in part chance; so the network follows
every style too weakly, and simulated readers would differ less than people do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scandl.corpora.corpus import Corpus
from scandl.models.model import Request
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.style import styles_of

Array = NDArray[np.float64]

ROUNDS = 3  # the network follows a style by more than half, so little is missing then


def calibrated(
    model: PointerModel,
    corpus: Corpus,
    wanted: Mapping[str, Array] | None = None,
    *,
    seed: int = 1,
    rounds: int = ROUNDS,
) -> Conditions:
    """Return the conditions of a model with styles by which its readers read ``corpus`` as they did.

    In each round every reader reads their own texts, and by how much the style of the drawn paths misses
    that of the human ones, or the ``wanted`` one, is added to what the network is told.
    """
    known = [path for path in corpus.scanpaths if model.conditions.style(path.reader_id) is not None]
    requests = [Request(corpus.sentences[path.sentence_id], path.reader_id) for path in known]
    own = styles_of(replace(corpus, scanpaths=tuple(known)))
    goal = {reader: np.array(style.values) for reader, style in own.items()} if wanted is None else wanted
    told = model.conditions.with_styles({reader: goal[reader] for reader in own})
    for number in range(rounds):
        drawn = model.told(told).generate(requests, seed=seed + number)
        shown = styles_of(replace(corpus, scanpaths=tuple(drawn)))
        told = told.with_styles(
            {reader: told.styles[reader].values + goal[reader] - shown[reader].values for reader in own}
        )
    return told
