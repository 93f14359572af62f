"""SWIFT as a generator: readers differ on request."""

from __future__ import annotations

import pytest

from scandl.models.ezreader.ezreader_generator import EZReader
from scandl.models.model import HasReaders, Request
from scandl.models.swift.swift_generator import Swift
from scandl.records import Sentence

SENTENCES = {
    "a": Sentence("a", "The old captain saw an island."),
    "b": Sentence("b", "Nobody believed him at first."),
}


def mean_durations(generator, n_readers):
    means = []
    for reader in range(n_readers):
        requests = [Request(SENTENCES["b"], f"r{reader}", sample) for sample in range(60)]
        durations = [ms for path in generator.generate(requests, seed=1) for ms in path.durations]
        means.append(sum(durations) / len(durations))
    return means


@pytest.mark.parametrize(
    ("average", "varied"),
    [(EZReader(), EZReader(reader_sd=0.3)), (Swift(), Swift(readers="spread"))],
)
def test_readers_differ_on_request(average, varied):
    def spread(generator):
        means = mean_durations(generator, 12)
        return max(means) - min(means)

    assert spread(varied) > 2 * spread(average)


def test_readers_are_asked_for_by_one_name():
    """``with_readers`` is what other packages know; a population that was chosen stays."""
    assert isinstance(Swift(), HasReaders)
    assert Swift().with_readers().readers == "spread"
    assert Swift(readers="rabe2023-readers").with_readers().readers == "rabe2023-readers"
