"""What a trained model does with sentences, whatever runs its network; no torch here."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scandl.corpora.corpus import Pair
from scandl.errors import ScandlError
from scandl.files.cell_values import join_path
from scandl.files.symbol_repair import RELEASED_PAD, REPAIR_COLUMN, SYMBOL_COLUMN, clean, joined
from scandl.models.diffusion.denoising_network import Watch
from scandl.models.diffusion.noise_levels import Process, grid
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import Lengths, Tokens, generation_tokens, pad_id, scanpath_ids
from scandl.models.leak_guard import refuse_leak
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.encoder import TextEncoder
from scandl.workers import track

USUAL_STEPS = 50


@dataclass(frozen=True, slots=True)
class Denoising:
    """How scanpaths are drawn from a trained model: as published, on fewer steps."""

    steps: int | None = None  # None: 50, or every step of a training that has fewer
    batch: int = 64
    keep_symbols: bool = False  # what was drawn before any repair too, for rules that repair otherwise


PUBLISHED = Denoising(steps=2000)
"""As the paper sampled: every trained step."""


class ScanpathModel(ABC):
    """A trained ScanDL: configuration, folded encoder, process, what it was trained on."""

    def __init__(
        self,
        config: ScandlConfig,
        encoder: TextEncoder,
        fold: dict[str, Any],
        lengths: Lengths | None = None,
    ) -> None:
        self.config = config
        self.encoder = encoder
        self.fold = fold
        self.lengths = lengths or Lengths()
        self.about = ""  # what is to be said before its scanpaths are shown
        self.process = Process.named(config.diffusion.schedule, config.diffusion.steps)

    @abstractmethod
    def sample(
        self,
        inputs: Sequence[Tokens],
        streams: Sequence[np.random.Generator],
        process: Process,
        sampling: Denoising,
        watch: Watch | None,
    ) -> list[list[int]]:
        """Return the generated ids of inputs of one length."""

    def read(
        self,
        requests: Sequence[Request],
        *,
        seed: int,
        sampling: Denoising | None = None,
        quiet: bool = True,
        watch: Watch | None = None,
    ) -> list[Scanpath]:
        """Return one scanpath per request, the same for any batch size and order.

        Each tells the encoder it was made with, and how its symbols had to be repaired.
        """
        sampling = sampling or Denoising()
        process = self.chosen(sampling)
        inputs = [self.tokens(request, seed) for request in requests]
        found: dict[int, Scanpath] = {}
        for members in track(_same_length(inputs, sampling.batch), "generate", quiet=quiet):
            streams = [_stream(seed, requests[i]) for i in members]
            rows = self.sample([inputs[i] for i in members], streams, process, sampling, watch)
            for i, ids in zip(members, rows, strict=True):
                found[i] = self._repaired(ids, inputs[i], requests[i], sampling.keep_symbols)
        return [found[i] for i in range(len(requests))]

    def refuse_leak(self, pairs: Iterable[Pair], corpus: str, setting: str | None = None) -> None:
        """Raise if what must be new in these test items of a corpus was trained on."""
        refuse_leak(self.fold, pairs, corpus, setting)

    def chosen(self, sampling: Denoising) -> Process:
        """Return the process on the steps that ``sampling`` takes."""
        whole = self.process
        steps = min(USUAL_STEPS, whole.steps) if sampling.steps is None else sampling.steps
        return whole if steps == whole.steps else whole.respaced(grid(whole.steps, steps))

    def tokens(self, request: Request, seed: int) -> Tokens:
        """Return the input of the network for a request; how much room the path has is drawn."""
        sentence = request.sentence
        name = sentence.sentence_id
        if not sentence.words:
            raise ScandlError(f"sentence {name!r} is empty: there is nothing to read")
        room = self.lengths.drawn(sentence.n_words, stream(seed, "room", *request.key).random())
        encoded = self.encoder.encode(sentence.words, sentence.language_or_english)
        return generation_tokens(encoded, self.encoder.padding, self.config.model, name, room)

    def warn_of_longer(self, sentences: Iterable[Sentence]) -> None:
        """Say in one line how many sentences are longer than any in training."""
        n_words = [sentence.n_words for sentence in {s.sentence_id: s for s in sentences}.values()]
        longer = sum(n > self.lengths.longest for n in n_words)
        if longer and self.lengths.longest:
            warnings.warn(
                f"{longer} of {len(n_words)} sentences are longer than the {self.lengths.longest} words of"
                " the longest that the model was trained on: their paths may break off or jump",
                stacklevel=2,
            )

    @property
    def pad(self) -> int:
        """The id of PAD in this model."""
        return pad_id(self.config.model)

    def _repaired(self, ids: Sequence[int], tokens: Tokens, request: Request, keep_symbols: bool) -> Scanpath:
        symbols = scanpath_ids(ids, tokens)
        words, repairs = clean(symbols, tokens.n_words, self.pad)
        told = {"encoder": self.encoder.identity, REPAIR_COLUMN: joined(repairs)}
        if keep_symbols:
            told[SYMBOL_COLUMN] = join_path(RELEASED_PAD if s == self.pad else s for s in symbols)
        return Scanpath(request.reader_id, request.sentence.sentence_id, words, extra=told)


def _stream(seed: int, request: Request) -> np.random.Generator:
    return stream(seed, "scandl", request.sentence.sentence_id, request.reader_id, request.sample)


def _same_length(inputs: Sequence[Tokens], size: int) -> list[list[int]]:
    """Group inputs into batches of one length."""
    by_length: dict[int, list[int]] = {}
    for i, tokens in enumerate(inputs):
        by_length.setdefault(len(tokens.ids), []).append(i)
    return [members[k : k + size] for members in by_length.values() for k in range(0, len(members), size)]
