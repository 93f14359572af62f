from __future__ import annotations

from collections import Counter
from statistics import fmean

import pytest

from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.records import Sentence

SENTENCE = Sentence("s1", "one two three four")


def drawn(name: str, n: int = 4000, n_fixations: int | None = 7, sentence: Sentence = SENTENCE):
    requests = [Request(sentence, "r", k, n_fixations) for k in range(n)]
    return [path.positions for path in open_model(name).read(requests, seed=2)]


@pytest.mark.parametrize(("name", "length"), [("uniform-n", 7), ("uniform-m", 4)])
def test_fixed_lengths(name, length):
    paths = drawn(name)
    assert {len(path) for path in paths} == {length}
    counts = Counter(word for path in paths for word in path)
    assert set(counts) == {0, 1, 2, 3}
    assert max(counts.values()) < 1.05 * min(counts.values())


@pytest.mark.parametrize("name", ["uniform", "uniform-saccade"])
def test_length_is_geometric_and_words_are_equally_likely(name):
    # With M words, words fixated before the end have mean M and P(none) = 1 / (M + 1).
    paths = drawn(name)
    assert fmean(map(len, paths)) == pytest.approx(4.0, abs=0.3)
    assert fmean(not path for path in paths) == pytest.approx(0.2, abs=0.025)
    counts = Counter(word for path in paths for word in path)
    assert max(counts.values()) < 1.1 * min(counts.values())


@pytest.mark.parametrize("name", ["uniform", "uniform-saccade"])
def test_at_most_126_fixations(name):
    paths = drawn(name, n=40, sentence=Sentence("s1", " ".join(["word"] * 500)))
    assert 100 < max(map(len, paths)) <= 126


def test_uniform_n_says_what_it_lacks():
    with pytest.raises(ScandlError, match="uniform-n needs the length of a human path, and sentence 's1'"):
        drawn("uniform-n", n_fixations=None)
