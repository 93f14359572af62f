"""A 2 × 2 design with readers, items and a true interaction, as data and as a corpus."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.records import Scanpath, Sentence

Design = Callable[..., pd.DataFrame]
TRUTH = {"far": (5.4, 5.5), "near": (5.45, 5.4)}
"""Mean of log ms by distance, of match and mismatch."""
READERS, SLOPES, ITEMS, ERROR = 0.12, 0.05, 0.06, 0.25


@pytest.fixture
def design() -> Design:
    """Return a maker of one word per reader and item, each in one of the four cells."""

    def made(seed: int = 4, n_readers: int = 20, n_items: int = 16, n_words: int = 1) -> pd.DataFrame:
        rng = np.random.default_rng(seed)
        u, s, w = (
            rng.normal(0, READERS, n_readers),
            rng.normal(0, SLOPES, n_readers),
            rng.normal(0, ITEMS, n_items),
        )
        reader, item = (np.repeat(each.reshape(-1), n_words) for each in np.indices((n_readers, n_items)))
        cell = (reader + item) % 4
        mismatch, near = cell // 2, cell % 2
        mean = np.array([TRUTH["far"], TRUTH["near"]])[near, mismatch]
        log_ms = mean + u[reader] + s[reader] * (mismatch - 0.5) + w[item] + rng.normal(0, ERROR, len(reader))
        return pd.DataFrame(
            {
                "FPRT": np.exp(log_ms).round(1),
                "a": np.where(mismatch == 1, "mismatch", "match"),
                "b": np.where(near == 1, "near", "far"),
                "reader": [f"r{k}" for k in reader],
                "item": item.astype(str),
            }
        )

    return made


@pytest.fixture
def design_corpus(design: Design) -> Corpus:
    """Return the design as a corpus of sentences of seven words."""
    rows = design(n_words=7)
    sentences, paths = {}, []
    for (reader, item, a, b), ms in rows.groupby(["reader", "item", "a", "b"], sort=False)["FPRT"]:
        key = f"{item}{a}{b}"
        sentences[key] = Sentence(key, "Well then the critic slept at home.", item, {"a": a, "b": b})
        paths.append(Scanpath(reader, key, tuple(range(7)), tuple(ms)))
    return Corpus(Card(name="design"), sentences, tuple(paths))
