"""Simulated readers of the shipped model differ from each other as people do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.models.pointer.condition import STYLE, by_reader, style_of
from scandl.models.pointer.people import TASKS
from scandl.records import Scanpath, Sentence

MEASURES = ("log_fixations_per_word", "never_fixated", "regressions", "log_duration")


def deviations(paths: Iterable[Scanpath], sentences: Mapping[str, Sentence]) -> dict[str, float]:
    """Return the standard deviation between readers of each measure."""
    styles = np.array([style_of(own, sentences).values for own in by_reader(paths).values()])
    return {name: float(styles[:, STYLE.index(name)].std(ddof=1)) for name in MEASURES}


@pytest.mark.parametrize("name", TASKS)
def test_48_readers_of_40_texts_differ_within_a_fifth_of_what_people_do(
    shared: Callable[[str], Path], name: str
) -> None:
    corpus = read_corpus(shared(name))
    chosen = sorted(corpus.sentences)[:40]
    people = deviations((p for p in corpus.scanpaths if p.sentence_id in chosen), corpus.sentences)
    group = "L2" if name.endswith("l2") else "L1"
    requests = [
        Request(corpus.sentences[key], f"sim{k}", group=group, task=TASKS[name])
        for k in range(1, 49)
        for key in chosen
    ]
    simulated = deviations(open_model("people").read(requests, seed=1), corpus.sentences)
    ratios = {measure: simulated[measure] / people[measure] for measure in MEASURES}
    assert all(0.8 <= ratio <= 1.2 for ratio in ratios.values()), ratios
