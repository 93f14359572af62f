"""What the two cognitive models share: stimuli by sentence, a random stream per request."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from scandl.models.cognitive.word_inputs import USED, Inputs
from scandl.models.cognitive.word_probabilities import WordColumns
from scandl.models.model import Model, Request
from scandl.records import Scanpath

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.models.cognitive.simulator import Simulation, TrialBatch


@dataclass(frozen=True, kw_only=True)
class CognitiveModel(Model, ABC):
    """A simulator of readers that learns nothing from human scanpaths.

    What it needs are properties of the words: see :class:`scandl.models.cognitive.word_inputs.Inputs`.
    """

    inputs: Inputs = field(default_factory=Inputs)

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Take the word properties of the training corpus; its scanpaths are not used."""
        by_text = {
            name: {training.sentences[key].text: values for key, values in training.words[name].items()}
            for name in USED
            if name in training.words
        }
        return replace(self, inputs=replace(self.inputs, by_text=by_text))

    def with_stimuli(self, words: WordColumns) -> Self:
        """Return the model with the word columns of a corpus, by sentence."""
        return replace(self, inputs=replace(self.inputs, words=words))

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Simulate one reading per request, with durations."""
        import numpy as np

        from scandl.models.cognitive.random_numbers import trial_key
        from scandl.models.cognitive.simulator import TrialBatch

        sentences = {r.sentence.sentence_id: r.sentence for r in requests}
        place = {key: i for i, key in enumerate(sentences)}
        keys = [trial_key(seed, "generate", r.sentence.sentence_id, r.reader_id, r.sample) for r in requests]
        batch = TrialBatch(
            self.inputs.stimuli(sentences.values()),
            np.array([place[r.sentence.sentence_id] for r in requests], dtype=np.int64),
            np.array(keys, dtype=np.uint64),
        )
        simulated = self.simulate(batch, [r.reader_id for r in requests], seed)
        return [
            Scanpath(r.reader_id, r.sentence.sentence_id, words, durations)
            for r, (words, durations) in zip(requests, simulated.paths(), strict=True)
        ]

    @abstractmethod
    def simulate(self, batch: TrialBatch, reader_ids: Sequence[str], seed: int) -> Simulation:
        """Simulate the trials of ``batch``, each by the reader named."""
