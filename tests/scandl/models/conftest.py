"""What the tests of models share: a word-pointing model of a few readers, sentences for cognitive models."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scandl.corpora import Card, Corpus, read_corpus
from scandl.models.cognitive.simulator import Simulation
from scandl.models.cognitive.word_inputs import Inputs, WordProperties
from scandl.records import Scanpath, Sentence

sys.path.insert(0, str(Path(__file__).parent))  # for word_classes

TEXTS = ("The cat sat.", "Well, the (old) horse fell down 3 times.", "A dog barked at the moon again.")


def few_readers() -> Corpus:
    """Return a corpus of eight readers of two groups and tasks; each fixates more than the one before."""
    sentences = {f"s{n}": Sentence(f"s{n}", text) for n, text in enumerate(TEXTS)}
    readers = {
        f"r{n}": {"group": "L1" if n < 4 else "L2", "task": "sentence" if n % 2 else "paragraph"}
        for n in range(8)
    }
    paths = tuple(
        Scanpath(f"r{n}", key, (words := tuple(k % 3 for k in range(2 + n))), (150.0 + 20 * n,) * len(words))
        for n in range(8)
        for key in sentences
    )
    return Corpus(Card(name="few"), sentences, paths, readers=readers)


@pytest.fixture(scope="session")
def pointer_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
    from scandl.models.pointer.pointer_training import train

    config = PointerConfig(network=NetworkConfig(width=8, heads=2, word_layers=1, path_layers=1))
    config = replace(config, training=replace(config.training, steps=2, batch=8, warmup=1))
    return train(config, few_readers(), tmp_path_factory.mktemp("pointer"))


@pytest.fixture(scope="session")
def pointer_file(pointer_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the model as a file that runs without torch."""
    from scandl.models.pointer.pointer_model import save
    from scandl.models.pointer.pointer_training import load

    return save(load(pointer_checkpoint), tmp_path_factory.mktemp("file") / "few.npz")


MEDIUM = WordProperties(
    "m", (3, 7, 5, 2, 8, 6), (60_000.0, 12.0, 300.0, 20_000.0, 2.0, 90.0), (0, 0, 0.4, 0.8, 0, 0.1)
)


@pytest.fixture
def medium() -> WordProperties:
    return MEDIUM


@pytest.fixture
def schilling(shared: Callable[[str], Path]) -> list[WordProperties]:
    corpus = read_corpus(shared("schilling"))
    return Inputs(corpus.words).stimuli(corpus.sentences.values())


@pytest.fixture
def reference(shared: Callable[[str], Path]) -> dict[str, Any]:
    return json.loads(shared("cognitive_reference_values.json").read_text())


@pytest.fixture
def scalar() -> Callable[[str], Callable[..., list[list[tuple[int, float, float]]]]]:
    """Return the slow simulator of a model."""
    return lambda model: runpy.run_path(str(Path(__file__).with_name(f"scalar_{model}.py")))["simulate"]


@pytest.fixture
def same_distribution() -> Callable[[Simulation, list[list[tuple[int, float, float]]]], None]:
    """Return the check that two simulations of one sentence have equal distributions."""
    from scipy.stats import ks_2samp

    def check(fast: Simulation, slow: list[list[tuple[int, float, float]]]) -> None:
        rows = [fixation for trial in slow for fixation in trial]
        pairs = {
            "fixation counts": (np.diff(fast.starts), [len(trial) for trial in slow]),
            "landing words": (fast.word, [word for word, _, _ in rows]),
            "landing positions": (fast.char_pos, [at for _, at, _ in rows]),
            "durations": (fast.duration_ms, [ms for _, _, ms in rows]),
            "first durations": (fast.duration_ms[fast.starts[:-1]], [trial[0][2] for trial in slow]),
        }
        for name, (a, b) in pairs.items():
            # Rounded, because landings clipped just below the end are ties.
            assert ks_2samp(np.round(a, 6), np.round(b, 6)).pvalue > 0.005, name

    return check


@pytest.fixture
def trials() -> Callable[[list[WordProperties], Simulation], list[tuple[WordProperties, Any, Any]]]:
    """Return what ``class_table`` scores: sentence, words and durations of each trial."""
    return lambda stimuli, simulation: [
        (stimuli[i % len(stimuli)], *path) for i, path in enumerate(simulation.paths())
    ]


@pytest.fixture
def step_shares() -> Callable[[Simulation], dict[str, float]]:
    """Return the shares of steps to the next word, within the word, over words, and back."""

    def shares(simulation: Simulation) -> dict[str, float]:
        step = np.diff(simulation.word)[~simulation.is_final[:-1]]
        kinds = {"next": step == 1, "refixation": step == 0, "skip": step > 1, "regression": step < 0}
        return {name: float(kind.mean()) for name, kind in kinds.items()}

    return shares
