"""Models as readers: found by name or file, with readers who stay themselves."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.models.model import AVERAGE
from scandl.records import Sentence
from scandl_analysis.piloting.simulated_readers import open_readers

SENTENCES = tuple(
    Sentence(f"s{k}", "The old farmer investigated the horse near the barn.") for k in range(12)
)


@pytest.mark.parametrize(("name", "said"), [("ezreader", "α1 × exp(Normal(0, 0.3))"), ("swift", "61 fitted")])
def test_readers_differ_and_stay_themselves(name, said):
    """The spread of readers' means is larger than chance makes it among readings of one reader."""
    readers = open_readers(name, SENTENCES, ())
    assert said in readers.about
    paths = readers.read(SENTENCES, 0, 40, seed=1)
    means = np.array([np.mean(path.durations) for path in paths]).reshape(40, 12)
    between = means.mean(axis=1).var(ddof=1)
    by_chance = means.var(axis=1, ddof=1).mean() / 12
    assert between > 3 * by_chance


def test_predictability_reaches_e_z_reader():
    """A word that is certain is skipped more often than one that nothing is known of."""
    text = SENTENCES[0].text
    n = len(text.split())
    certain = ((text, (0.0,) * n),)
    unknown = ((text, (float("nan"),) * n),)
    counts = [
        np.mean(
            [
                len(path.positions)
                for path in open_readers("ezreader", SENTENCES, known).read(SENTENCES, 0, 20, seed=1)
            ]
        )
        for known in (certain, unknown)
    ]
    assert counts[0] < counts[1]


def test_the_model_of_the_package_has_readers_who_stay_themselves():
    readers = open_readers("people", SENTENCES, ())
    assert "each reader keeps the style of one of" in readers.about
    paths = readers.read(SENTENCES, 0, 30, seed=1)
    means = np.array([np.mean(path.durations) for path in paths]).reshape(30, 12)
    assert means.mean(axis=1).var(ddof=1) > 3 * means.var(axis=1, ddof=1).mean() / 12


@pytest.mark.parametrize("name", ["people", "demo", "ezreader"])
def test_who_reads_together_does_not_matter(name):
    readers = open_readers(name, SENTENCES, ())
    whole = readers.read(SENTENCES[:2], 0, 4, seed=1)
    parts = [*readers.read(SENTENCES[:2], 0, 1, seed=1), *readers.read(SENTENCES[:2], 1, 3, seed=1)]
    assert [(p.positions, p.durations) for p in whole] == [(p.positions, p.durations) for p in parts]


def test_what_cannot_read_says_why():
    with pytest.raises(ScandlError, match=r"no model 'ezraeder'; did you mean 'ezreader'"):
        open_readers("ezraeder", SENTENCES, ())
    with pytest.raises(ScandlError, match="markov needs training: name a corpus that people have read"):
        open_readers("markov", SENTENCES, ())


def test_a_model_without_readers_says_so():
    assert open_readers("uniform", SENTENCES, ()).about == AVERAGE
    assert open_readers("demo", SENTENCES, ()).about.endswith(AVERAGE)
