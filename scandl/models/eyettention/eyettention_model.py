"""A trained Eyettention: load it, let it read, ask it how probable a scanpath is.

Probabilities are by class, as the network learns, and by outcome, as it generates. Many scanpaths are drawn
at once, each from its own random numbers, the same in any company.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from scandl.config import from_table
from scandl.errors import ScandlError
from scandl.models.baselines.step_walks import MAX_FIXATIONS
from scandl.models.eyettention.eyettention_inputs import (
    FixationArrays,
    FixationBatch,
    InputMaker,
    Packing,
    PathInput,
    Scales,
    SentenceInput,
    collate,
    collate_sentences,
)
from scandl.models.eyettention.eyettention_network import GAZE, EyettentionNetwork, SaccadeClasses
from scandl.models.eyettention.eyettention_settings import EyettentionConfig
from scandl.models.eyettention.recurrent import State
from scandl.models.model import Request, rng_of
from scandl.records import Positions, Scanpath, Sentence
from scandl.text.encoder import find_encoder
from scandl.text.pretrained import find_contextual
from scandl.training.checkpoint import check_numbers, complete, read_checkpoint

JUDGED_AT_ONCE = 256
MARGIN = 3e-5  # rounding errors of single precision were 2e-6 at most
DRAWN_AT_ONCE = 1024


def class_losses(logits: Tensor, batch: FixationBatch, classes: SaccadeClasses) -> Tensor:
    """Return the cross-entropy of the saccade class, or END, that followed each fixation, (N,)."""
    at, following = batch.fixations.at, batch.following
    steps = classes.of_steps(following - at)
    target = torch.where(following > batch.n_words, classes.end, steps)
    return functional.cross_entropy(logits, target, reduction="none")


def outcome_losses(logits: Tensor, batch: FixationBatch, classes: SaccadeClasses) -> Tensor:
    """Return −log P of the word, or end, that followed each fixation, however it was reached, (N,)."""
    log_probs = logits.log_softmax(dim=1)
    return -classes.outcome_log_probs(log_probs, batch.fixations.at, batch.following, batch.n_words)


def per_path(losses: Tensor, batch: FixationBatch) -> Tensor:
    """Sum what belongs to each path, (B,)."""
    packing = batch.fixations.packing
    return losses.new_zeros(packing.n_sequences).index_add(0, packing.member, losses)


@torch.no_grad()
def path_log_probs(
    network: EyettentionNetwork, paths: Sequence[PathInput], classes: SaccadeClasses, *, outcome: bool = True
) -> list[float]:
    """Return the natural log-probability of each path, its end included.

    ``outcome`` sums over the classes that lead to the same word, which is the probability of the
    process that generates. Without it, each event has the probability of its own class, which is
    how the likelihood of the paper is defined.
    """
    losses = outcome_losses if outcome else class_losses
    found: list[float] = []
    for members in _batches(paths):
        batch = collate(members, next(network.parameters()).dtype)
        found += per_path(-losses(network(batch), batch, classes), batch).tolist()
    return found


def _batches(paths: Sequence[PathInput]) -> Iterator[Sequence[PathInput]]:
    for first in range(0, len(paths), JUDGED_AT_ONCE):
        yield paths[first : first + JUDGED_AT_ONCE]


@dataclass(frozen=True, slots=True)
class PathSampler:
    """A network in single and in double precision.

    The last bits of a result depend on the batch it is computed in. A path that single precision
    leaves in doubt, because a random number falls within ``margin`` of the border between two
    saccades, is drawn again in double precision. So every path is the one that double precision
    gives, at hardly more than the price of single.
    """

    network: EyettentionNetwork
    exact: EyettentionNetwork
    classes: SaccadeClasses
    margin: float = MARGIN

    def sample(
        self, inputs: Sequence[SentenceInput], readers: Sequence[int], uniforms: Tensor
    ) -> list[Positions]:
        """Return one scanpath per sentence input, 0-based words, of at most 59 fixations.

        Parameters
        ----------
        readers
            The number of the reader each path stands for.
        uniforms
            (paths, 59) random numbers, which decide everything.
        """
        drawn = sample_paths(self.network, inputs, readers, uniforms, self.classes, margin=self.margin)
        doubtful = [n for n, path in enumerate(drawn) if path is None]
        if doubtful:
            again = sample_paths(
                self.exact,
                [inputs[n] for n in doubtful],
                [readers[n] for n in doubtful],
                uniforms[doubtful],
                self.classes,
            )
            for n, path in zip(doubtful, again, strict=True):
                drawn[n] = path
        return [path for path in drawn if path is not None]


@torch.no_grad()
def sample_paths(
    network: EyettentionNetwork,
    inputs: Sequence[SentenceInput],
    readers: Sequence[int],
    uniforms: Tensor,
    classes: SaccadeClasses,
    *,
    margin: float = 0.0,
) -> list[Positions | None]:
    """Draw the paths of a batch; None where a random number came within ``margin`` of a border.

    A sentence is encoded once for all its paths, paths that have come the same way so far are
    followed as one, and a path that has ended costs nothing more.
    """
    distinct = {id(sentence): sentence for sentence in inputs}
    number = {key: n for n, key in enumerate(distinct)}
    sentences = collate_sentences(list(distinct.values()), next(network.parameters()).dtype)
    read = network.words(sentences)
    row, reader = torch.tensor([number[id(sentence)] for sentence in inputs]), torch.tensor(readers)
    way, walking = row * (reader.max() + 1) + reader, torch.arange(len(inputs))
    at = torch.zeros_like(row)
    states: list[State] | None = None
    words: list[list[int] | None] = [[] for _ in inputs]
    for t in range(MAX_FIXATIONS):
        one, place = _one_of_each(way * read.shape[1] + at)
        if states is not None:
            states = [(hidden[way[one]], cell[way[one]]) for hidden, cell in states]
        fixations = _fixations(at[one], row[one], reader[one], read.dtype)
        logits, states = network.step(read, sentences, fixations, states)
        n_words, u = sentences.last[row] - 1, uniforms[walking, t]
        thresholds = classes.thresholds(logits.softmax(dim=1))[place]
        at = classes.draw(thresholds, at, n_words, u)
        sure = (thresholds - u[:, None]).abs().amin(dim=1) >= margin
        _note(words, walking, at, n_words, sure)
        goes_on = (at <= n_words) & sure
        at, row, reader, way, walking = (part[goes_on] for part in (at, row, reader, place, walking))
        if not len(walking):
            break
    return [None if path is None else tuple(path) for path in words]


def _one_of_each(keys: Tensor) -> tuple[Tensor, Tensor]:
    """Return the index of one element of each distinct key, and which of these each element is like.

    >>> one, place = _one_of_each(torch.tensor([7, 3, 7]))
    >>> torch.tensor([7, 3, 7])[one].tolist(), place.tolist()
    ([3, 7], [1, 0, 1])
    """
    distinct, place = torch.unique(keys, return_inverse=True)
    one = torch.empty_like(distinct)
    one[place] = torch.arange(len(keys))
    return one, place


def _fixations(at: Tensor, row: Tensor, reader: Tensor, dtype: torch.dtype) -> FixationArrays:
    """Return one fixation each; where on the word it lands and how long it takes is not known."""
    packing = Packing(torch.arange(len(at)), torch.zeros_like(at), (len(at),))
    return FixationArrays(packing, at, row, torch.zeros(len(at), GAZE, dtype=dtype), reader)


def _note(words: list[list[int] | None], walking: Tensor, at: Tensor, n_words: Tensor, sure: Tensor) -> None:
    """Add the words reached to the paths; a path in doubt is dropped."""
    ended = (at > n_words).tolist()
    for path, position, over, certain in zip(
        walking.tolist(), at.tolist(), ended, sure.tolist(), strict=True
    ):
        known = words[path]
        if not certain:
            words[path] = None
        elif not over and known is not None:
            known.append(position - 1)


class TrainedEyettention:
    """A network with everything that its input needs; likelihoods are computed in double precision."""

    def __init__(self, config: EyettentionConfig, maker: InputMaker, network: EyettentionNetwork) -> None:
        self.config = config
        self.maker = maker
        self.classes = SaccadeClasses(config.network.max_words)
        self.exact = deepcopy(network).double().eval()
        self.sampler = PathSampler(network.eval(), self.exact, self.classes)

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

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request, the same in any company and order."""
        return [
            scanpath
            for first in range(0, len(requests), DRAWN_AT_ONCE)
            for scanpath in self._generate(requests[first : first + DRAWN_AT_ONCE], seed)
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
        draws = np.stack([rng_of(seed, request).random(MAX_FIXATIONS) for request in requests])
        paths = self.sampler.sample(
            [self.maker.sentence(request.sentence) for request in requests],
            [self.maker.reader(request.reader_id) for request in requests],
            torch.from_numpy(draws),
        )
        return [
            Scanpath(request.reader_id, request.sentence.sentence_id, words)
            for request, words in zip(requests, paths, strict=True)
        ]
