from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus, write_corpus
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl_eval.running.tasks import RunConfig

TEXTS = (
    "The river was high after the rain.",
    "Nobody had told her about it.",
    "We left the old bicycle in the yard.",
    "Is there any bread left for us?",
    "A small bird sat on the window sill.",
    "They will arrive on the evening train.",
)


@pytest.fixture
def corpus_folder(tmp_path: Path) -> Path:
    """A corpus of six sentences and six readers who skip and look back now and then."""
    sentences = {f"s{n}": Sentence(f"s{n}", text) for n, text in enumerate(TEXTS)}
    paths = []
    for reader in (f"r{n}" for n in range(6)):
        for sentence in sentences.values():
            rng, at, words = stream(1, reader, sentence.sentence_id), -1, []
            while (at := at + int(rng.choice([-1, 0, 1, 2], p=[0.1, 0.1, 0.5, 0.3]))) < sentence.n_words:
                at = max(at, 0)
                words.append(at)
            paths.append(Scanpath(reader, sentence.sentence_id, tuple(words)))
    write_corpus(Corpus(Card(name="tiny"), sentences, tuple(paths)), tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def config(corpus_folder: Path) -> RunConfig:
    return RunConfig(
        corpus=str(corpus_folder),
        settings=("ns", "nr"),
        models=("left-to-right", "markov", "uniform-n"),
        folds=(0, 1, 2),
        n_folds=3,
        resamples=60,
    )


@pytest.fixture
def tables() -> Callable[[Path], dict[str, bytes]]:
    """Read every table of a run; the provenance, which has the date, is left out."""

    def read(folder: Path) -> dict[str, bytes]:
        found = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and ".pieces" not in path.parts and path.suffix in (".csv", ".toml", ".json")
        }
        del found["manifest.json"]  # which has the checksum of that
        board = json.loads(found.pop("leaderboard.json"))
        del board["provenance"]
        return found | {"leaderboard.json": json.dumps(board).encode()}

    return read
