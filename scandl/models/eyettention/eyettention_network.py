"""The network of Eyettention: what was read, where the eyes were, which class of saccade follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.baselines.step_walks import LAPSE
from scandl.models.eyettention.eyettention_inputs import (
    UNKNOWN_READER,
    FixationArrays,
    FixationBatch,
    Sentences,
)
from scandl.models.eyettention.eyettention_settings import RecurrentConfig
from scandl.models.eyettention.recurrent import State, run_lstm

GAZE = 2  # landing position and duration


@dataclass(frozen=True, slots=True)
class SaccadeClasses:
    """The alphabet of one model; positions count from CLS = 0, words from 1."""

    max_words: int = 24

    @property
    def longest_back(self) -> int:
        """The step from the last word to the first.

        >>> SaccadeClasses(24).longest_back, SaccadeClasses(24).longest_forward
        (-21, 22)
        """
        return 3 - self.max_words

    @property
    def longest_forward(self) -> int:
        """The step from CLS to the last word."""
        return self.max_words - 2

    @property
    def end(self) -> int:
        """The class of the end."""
        return self.longest_forward - self.longest_back + 1

    def __len__(self) -> int:
        """Return the number of classes.

        >>> len(SaccadeClasses(24))
        45
        """
        return self.end + 1

    def of_steps(self, steps: Tensor) -> Tensor:
        """Return the class of each step; longer ones count as the longest.

        >>> SaccadeClasses(24).of_steps(torch.tensor([-40, 0, 22, 40])).tolist()
        [0, 21, 43, 43]
        """
        return steps.clamp(self.longest_back, self.longest_forward) - self.longest_back

    def landings(self, at: Tensor, n_words: Tensor) -> Tensor:
        """Return where each class leads from each position, (N,) → (N, classes).

        A step before the first word lands on it; one beyond the last word ends the path, as END
        does, and leads to SEP = n_words + 1.

        >>> SaccadeClasses(4).landings(torch.tensor([1]), torch.tensor([2])).tolist()  # −1, 0, 1, 2, END
        [[1, 1, 2, 3, 3]]
        """
        steps = torch.arange(len(self), device=at.device) + self.longest_back
        steps[self.end] = n_words.max() + 1 if len(n_words) else 0
        sep = n_words[:, None] + 1
        return torch.minimum((at[:, None] + steps).clamp(min=1), sep)

    def outcome_log_probs(self, log_probs: Tensor, at: Tensor, to: Tensor, n_words: Tensor) -> Tensor:
        """Return the log-probability of going from ``at`` to ``to``, (N,).

        All classes that lead there count, and so does the lapse to any word or the end that the
        baselines' walks have too: without it a longer saccade than the longest were impossible.
        """
        leads_there = self.landings(at, n_words) == to[:, None]
        share = log_probs.exp().where(leads_there, 0.0).sum(dim=1)
        lapse = LAPSE / (n_words + 1).to(share.dtype)
        return (lapse + (1 - LAPSE) * share).log()

    def thresholds(self, probs: Tensor) -> Tensor:
        """Return the number up to which a random number means each class, (N, classes)."""
        return LAPSE + (1 - LAPSE) * probs.double().cumsum(dim=1)

    def draw(self, thresholds: Tensor, at: Tensor, n_words: Tensor, u: Tensor) -> Tensor:
        """Return where each walk goes, SEP for the end, by one uniform number each, (N,)."""
        drawn = torch.searchsorted(thresholds, u[:, None].contiguous(), right=True).clamp(max=self.end)
        reached = self.landings(at, n_words).gather(1, drawn).squeeze(1)
        lapsed = (u / LAPSE * (n_words + 1)).long() + 1
        return torch.where(u < LAPSE, lapsed, reached)


class WindowAttention(nn.Module):
    """Attend to the fixated word and its neighbours, the nearer the more."""

    def __init__(self, config: RecurrentConfig, word_dim: int) -> None:
        super().__init__()
        self.project = nn.Linear(config.fixation_units, word_dim)
        self.renormalise = config.renormalise_window
        self.sigma = config.sigma
        self.register_buffer("offsets", torch.arange(-config.window, config.window + 1), persistent=False)

    def forward(self, fixation: Tensor, words: Tensor, row: Tensor, at: Tensor, last: Tensor) -> Tensor:
        """Return the context of each fixation, (N, word_dim).

        Parameters
        ----------
        fixation
            (N, fixation_units), what the fixation encoder knows.
        words
            (sentences, positions, word_dim), what the word encoder knows.
        row, at
            (N,) the sentence and the position in it, CLS = 0.
        last
            (N,) the position of SEP.
        """
        offsets = self.get_buffer("offsets")
        gaussian = torch.exp(-(offsets.to(words.dtype) ** 2) / (2.0 * self.sigma**2))
        position = at[:, None] + offsets  # (N, 2·window + 1)
        inside = (position >= 0) & (position <= last[:, None])
        near = functional.embedding(
            row[:, None] * words.shape[1] + position.clamp(min=0).minimum(last[:, None]), words.flatten(0, 1)
        )  # (N, window, word_dim)
        # Products of whole blocks: a matrix product for each fixation would be too small to be fast.
        score = (self.project(fixation)[:, None] * near).sum(dim=2)
        weight = score.masked_fill(~inside, float("-inf")).softmax(dim=1) * gaussian
        if self.renormalise:
            weight = weight / weight.sum(dim=1, keepdim=True)
        return (weight[..., None] * near).sum(dim=1)


class WordEncoder(nn.Module):
    """A bidirectional LSTM over the words of a sentence, and the inverse length of each."""

    def __init__(self, config: RecurrentConfig, dim: int) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.input_dropout)
        self.lstm = nn.LSTM(
            dim,
            config.word_units,
            config.word_layers,
            bidirectional=True,
            dropout=config.dropout if config.word_layers > 1 else 0.0,
        )

    def forward(self, sentences: Sentences) -> Tensor:
        """Return (sentences, positions, 2·units + 1); what is behind SEP is zero."""
        packing = sentences.packing
        packed, _ = run_lstm(self.lstm, self.dropout(sentences.context), packing)
        read = packed.new_zeros(*sentences.inverse_length.shape, packed.shape[1])
        read[packing.member, packing.time] = packed
        return torch.cat([read, sentences.inverse_length[..., None]], dim=2)


class FixationEncoder(nn.Module):
    """An LSTM over the fixated words."""

    def __init__(self, config: RecurrentConfig, dim: int, n_readers: int) -> None:
        super().__init__()
        self.position = nn.Embedding(config.positions, dim)
        self.reader = nn.Embedding(n_readers + 1, dim) if config.reader_embedding else None
        self.reader_dropout = config.reader_dropout
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(config.input_dropout)
        self.lstm = nn.LSTM(
            dim + GAZE,
            config.fixation_units,
            config.fixation_layers,
            dropout=config.dropout if config.fixation_layers > 1 else 0.0,
        )

    def forward(
        self, fixations: FixationArrays, sentences: Sentences, before: Sequence[State] | None
    ) -> tuple[Tensor, list[State]]:
        """Return what is known at each fixation, (N, units), and the states there."""
        at = fixations.at
        index = at.clamp(max=self.position.num_embeddings - 1)
        word = sentences.static[fixations.row, at] + self.position(index)  # (N, dim)
        if self.reader is not None:
            word = word + self.reader(self._shown(fixations))
        seen = torch.cat([self.dropout(self.norm(word)), fixations.gaze], dim=1)  # (N, dim + 2)
        return run_lstm(self.lstm, seen, fixations.packing, before)

    def _shown(self, fixations: FixationArrays) -> Tensor:
        """Return the reader of each fixation; in training some paths hide theirs."""
        if not self.training:
            return fixations.reader
        packing = fixations.packing
        hidden = torch.rand(packing.n_sequences, device=fixations.reader.device) < self.reader_dropout
        return fixations.reader.masked_fill(hidden[packing.member], UNKNOWN_READER)


class EyettentionNetwork(nn.Module):
    """Word encoder, fixation encoder, window attention and decoder."""

    def __init__(self, config: RecurrentConfig, word_dim: int, fixation_dim: int, n_readers: int = 0) -> None:
        super().__init__()
        read_dim = 2 * config.word_units + 1
        self.words = WordEncoder(config, word_dim)
        self.fixations = FixationEncoder(config, fixation_dim, n_readers)
        self.attention = WindowAttention(config, read_dim)
        sizes = [read_dim + config.fixation_units, *config.decoder]
        hidden = [
            layer
            for size, following in pairwise(sizes)
            for layer in (nn.Linear(size, following), nn.ReLU(), nn.Dropout(config.dropout))
        ]
        self.decoder = nn.Sequential(*hidden, nn.Linear(sizes[-1], len(SaccadeClasses(config.max_words))))

    def forward(self, batch: FixationBatch) -> Tensor:
        """Return the logits of what follows each fixation, (N, classes)."""
        return self.step(self.words(batch.sentences), batch.sentences, batch.fixations, None)[0]

    def step(
        self, read: Tensor, sentences: Sentences, fixations: FixationArrays, before: Sequence[State] | None
    ) -> tuple[Tensor, list[State]]:
        """Return logits and the new states, given what the word encoder made of the sentences."""
        known, states = self.fixations(fixations, sentences, before)
        last = sentences.last[fixations.row]
        context = self.attention(known, read, fixations.row, fixations.at, last)
        return self.decoder(torch.cat([context, known], dim=1)), states
