"""Drawing scanpaths: many at once, each from its own random numbers, the same in any company."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from scandl.models.baselines.step_walks import MAX_FIXATIONS
from scandl.models.eyettention.eyettention_inputs import Fixations, SentenceInput, collate_sentences
from scandl.models.eyettention.eyettention_network import GAZE, EyettentionNetwork
from scandl.models.eyettention.packing import Packing
from scandl.models.eyettention.recurrent import State
from scandl.models.eyettention.saccade_classes import SaccadeClasses
from scandl.records import Positions

MARGIN = 3e-5  # rounding errors of single precision were 2e-6 at most


@dataclass(frozen=True, slots=True)
class Sampler:
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


def _fixations(at: Tensor, row: Tensor, reader: Tensor, dtype: torch.dtype) -> Fixations:
    """Return one fixation each; where on the word it lands and how long it takes is not known."""
    packing = Packing(torch.arange(len(at)), torch.zeros_like(at), (len(at),))
    return Fixations(packing, at, row, torch.zeros(len(at), GAZE, dtype=dtype), reader)


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
