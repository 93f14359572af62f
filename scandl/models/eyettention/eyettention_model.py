"""A trained Eyettention: load it, let it read, ask it how probable a scanpath is."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Self

import numpy as np
import torch

from scandl.config import from_table
from scandl.errors import ScandlError
from scandl.models.baselines.step_walks import MAX_FIXATIONS
from scandl.models.eyettention.eyettention_inputs import InputMaker
from scandl.models.eyettention.eyettention_likelihood import path_log_probs
from scandl.models.eyettention.eyettention_network import EyettentionNetwork
from scandl.models.eyettention.eyettention_sampling import Sampler
from scandl.models.eyettention.eyettention_settings import EyettentionConfig
from scandl.models.eyettention.saccade_classes import SaccadeClasses
from scandl.models.eyettention.scales import Scales
from scandl.models.model import Request, request_stream
from scandl.records import Scanpath, Sentence
from scandl.text.contextual import find_contextual
from scandl.text.encoder import find_encoder
from scandl.training.checkpoint import check_numbers, complete, read_checkpoint

BATCH = 1024


class TrainedEyettention:
    """A network with everything that its input needs; likelihoods are computed in double precision."""

    def __init__(self, config: EyettentionConfig, maker: InputMaker, network: EyettentionNetwork) -> None:
        self.config = config
        self.maker = maker
        self.classes = SaccadeClasses(config.network.max_words)
        self.exact = deepcopy(network).double().eval()
        self.sampler = Sampler(network.eval(), self.exact, self.classes)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a checkpoint; the text encoders must be those it was trained with."""
        saved = read_checkpoint(path)
        with complete(path):
            config = from_table(EyettentionConfig, saved["config"])
            words, fixated = find_contextual(config.network.encoder), find_encoder(config.network.encoder)
            for encoder, identity in zip((words, fixated), saved["encoders"], strict=True):
                if encoder.identity != identity:
                    raise ScandlError(f"{path}: trained with encoder {identity}, found {encoder.identity}")
            maker = InputMaker(words, fixated, from_table(Scales, saved["scales"]), saved["readers"])
            network = EyettentionNetwork(config.network, words.dim, fixated.dim, len(maker.readers))
            check_numbers(path, saved["weights"])
            network.load_state_dict(saved["weights"])
            return cls(config, maker, network)

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request, the same in any company and order."""
        return [
            scanpath
            for first in range(0, len(requests), BATCH)
            for scanpath in self._generate(requests[first : first + BATCH], seed)
        ]

    def log_probs(
        self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath], *, outcome: bool = True
    ) -> list[float]:
        """Return the natural log-probability of each path, its end included.

        ``outcome`` is the probability of the words, whatever class led to them, and comparable
        with other generators; without it, that of the classes, as the paper has it.
        """
        gaze = self.config.network.gaze_inputs
        pairs = zip(sentences, scanpaths, strict=True)
        paths = [self.maker.path(sentence, scanpath, gaze=gaze) for sentence, scanpath in pairs]
        return path_log_probs(self.exact, paths, self.classes, outcome=outcome)

    def _generate(self, requests: Sequence[Request], seed: int) -> list[Scanpath]:
        draws = np.stack([request_stream(seed, request).random(MAX_FIXATIONS) for request in requests])
        paths = self.sampler.sample(
            [self.maker.sentence(request.sentence) for request in requests],
            [self.maker.reader(request.reader_id) for request in requests],
            torch.from_numpy(draws),
        )
        return [
            Scanpath(request.reader_id, request.sentence.sentence_id, words)
            for request, words in zip(requests, paths, strict=True)
        ]
