"""The network of Eyettention: what was read, where the eyes were, where they go next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from scandl.models.eyettention.attention import WindowAttention
from scandl.models.eyettention.eyettention_inputs import UNKNOWN_READER, Batch, Fixations, Sentences
from scandl.models.eyettention.eyettention_settings import NetworkConfig
from scandl.models.eyettention.recurrent import State, run_lstm
from scandl.models.eyettention.saccade_classes import SaccadeClasses

GAZE = 2  # landing position and duration


class WordEncoder(nn.Module):
    """A bidirectional LSTM over the words of a sentence, and the inverse length of each."""

    def __init__(self, config: NetworkConfig, dim: int) -> None:
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

    def __init__(self, config: NetworkConfig, dim: int, n_readers: int) -> None:
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
        self, fixations: Fixations, sentences: Sentences, before: Sequence[State] | None
    ) -> tuple[Tensor, list[State]]:
        """Return what is known at each fixation, (N, units), and the states there."""
        at = fixations.at
        index = at.clamp(max=self.position.num_embeddings - 1)
        word = sentences.static[fixations.row, at] + self.position(index)  # (N, dim)
        if self.reader is not None:
            word = word + self.reader(self._shown(fixations))
        seen = torch.cat([self.dropout(self.norm(word)), fixations.gaze], dim=1)  # (N, dim + 2)
        return run_lstm(self.lstm, seen, fixations.packing, before)

    def _shown(self, fixations: Fixations) -> Tensor:
        """Return the reader of each fixation; in training some paths hide theirs."""
        if not self.training:
            return fixations.reader
        packing = fixations.packing
        hidden = torch.rand(packing.n_sequences, device=fixations.reader.device) < self.reader_dropout
        return fixations.reader.masked_fill(hidden[packing.member], UNKNOWN_READER)


class EyettentionNetwork(nn.Module):
    """Word encoder, fixation encoder, window attention and decoder."""

    def __init__(self, config: NetworkConfig, word_dim: int, fixation_dim: int, n_readers: int = 0) -> None:
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

    def forward(self, batch: Batch) -> Tensor:
        """Return the logits of what follows each fixation, (N, classes)."""
        return self.step(self.words(batch.sentences), batch.sentences, batch.fixations, None)[0]

    def step(
        self, read: Tensor, sentences: Sentences, fixations: Fixations, before: Sequence[State] | None
    ) -> tuple[Tensor, list[State]]:
        """Return logits and the new states, given what the word encoder made of the sentences."""
        known, states = self.fixations(fixations, sentences, before)
        last = sentences.last[fixations.row]
        context = self.attention(known, read, fixations.row, fixations.at, last)
        return self.decoder(torch.cat([context, known], dim=1)), states
