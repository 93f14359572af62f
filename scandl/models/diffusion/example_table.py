"""The training examples as ids, on the device; the vectors of their texts stand in one table, each once.

So memory grows with the ids alone: some hundred bytes an example, whatever the width of the vectors. And
a batch is made where it is used: nothing is sent in the loop but, once an epoch, its order.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from scandl.corpora.corpus import Corpus
from scandl.models.diffusion.batch import Batch
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import is_cut, training_tokens
from scandl.text.encoder import EncodedSentence, TextEncoder, Vectors
from scandl.training.planned_batches import sent


class ExampleTable:
    """The scanpaths of a corpus as inputs of the loss."""

    def __init__(self, corpus: Corpus, encoder: TextEncoder, config: ModelConfig) -> None:
        texts = TextTable(encoder.padding)
        rows = {
            key: EncodedSentence(encoded.word_ids, texts.rows(encoded.vectors))
            for key, sentence in corpus.sentences.items()
            if (encoded := encoder.encode(sentence.words))
        }
        self.names = [(path.reader_id, path.sentence_id) for path in corpus.scanpaths]
        self.n_cut = sum(is_cut(rows[path.sentence_id], path.words, config) for path in corpus.scanpaths)
        ids = np.zeros((len(self.names), config.buckets[-1]), np.int32)
        text = np.zeros((len(self.names), config.buckets[-1]), np.int32)
        ends = np.zeros((len(self.names), 2), np.int64)
        self.lengths: list[int] = []
        for i, path in enumerate(corpus.scanpaths):
            tokens = training_tokens(
                rows[path.sentence_id], path.words, np.zeros(1, np.int32), config, path.sentence_id
            )
            length = len(tokens.ids)
            ids[i, :length], text[i, :length] = tokens.ids, tokens.text[:, 0]
            ends[i] = tokens.n_sentence, length - int(tokens.padding.sum())
            self.lengths.append(length)
        self.ids, self.text, self.ends = (torch.from_numpy(array) for array in (ids, text, ends))
        self.vectors = torch.from_numpy(texts.table())

    def __len__(self) -> int:
        return len(self.names)

    def to(self, device: torch.device) -> Self:
        """Move to a device."""
        if self.ids.device != device:
            for name in ("ids", "text", "ends", "vectors"):
                setattr(self, name, sent(getattr(self, name), device))
        return self

    def batch(self, examples: Tensor, length: int) -> Batch:
        """Return the inputs of examples of one length, whose numbers (B,) are on the device."""
        places = torch.arange(length, device=examples.device)
        n_sentence, n_known = self.ends[examples].unsqueeze(-1).unbind(1)  # (B, 1)
        return Batch(
            ids=self.ids[examples, :length].long(),
            positions=torch.where(places < n_sentence, places, places - n_sentence),
            noised=places >= n_sentence,
            padding=places >= n_known,
            text=functional.embedding(self.text[examples, :length].long(), self.vectors),
        )


class TextTable:
    """Vectors by what they are: equal ones have one row; row 0 is that of padding."""

    def __init__(self, padding: Vectors) -> None:
        self._row_of = {padding.tobytes(): 0}
        self._vectors = [padding]

    def rows(self, vectors: Vectors) -> Any:
        """Return the row of each vector, (pieces, 1)."""
        found = np.zeros((len(vectors), 1), np.int32)
        for i, vector in enumerate(vectors):
            row = self._row_of.setdefault(vector.tobytes(), len(self._vectors))
            if row == len(self._vectors):
                self._vectors.append(vector)
            found[i] = row
        return found

    def table(self) -> Vectors:
        """Return all vectors, (rows, dim)."""
        return np.stack(self._vectors).astype(np.float32)
