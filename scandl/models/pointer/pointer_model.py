"""A trained word-pointing network: let it read, ask it how probable a path and its durations are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.models.model import Request, request_stream
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.durations import draw_durations, duration_features, duration_log_density
from scandl.models.pointer.path_batch import TextBatch
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.processes import absorbing, autoregressive
from scandl.models.pointer.runners.runner import Floats, Runner
from scandl.models.pointer.style import Style
from scandl.models.pointer.words import word_features
from scandl.records import Positions, Scanpath, Sentence
from scandl.seeds import stream

_PATHS = 512  # drawn at once, at most
_CELLS = 4_000_000  # places times words times paths at once, at most
_KEPT_TEXTS = 4096  # whose word features are kept for the next time

Labels = Mapping[str, str]


class PointerModel:
    """A network, whatever runs it, with the readers it was trained on."""

    def __init__(self, config: PointerConfig, conditions: Conditions, runner: Runner, *, timed: bool) -> None:
        self.config = config
        self.conditions = conditions
        self.runner = runner
        self.timed = timed  # whether the training paths had durations
        self._texts: dict[str, Floats] = {}

    def told(self, conditions: Conditions) -> PointerModel:
        """Return the same network, told of other readers, or of the same ones otherwise."""
        return PointerModel(self.config, conditions, self.runner, timed=self.timed)

    def generate(self, requests: Sequence[Request], *, seed: int, batch: int | None = None) -> list[Scanpath]:
        """Return one scanpath with durations per request, the same in any company and order.

        A reader who was trained on keeps their style and labels. Any other reader id stands for a
        simulated reader, who is like one of the training readers in all texts. At most ``batch``
        paths are drawn at once, which changes memory and time, not the paths.
        """
        found: dict[int, Scanpath] = {}
        for chosen in self._batches([request.sentence for request in requests], most=batch or _PATHS):
            part = [requests[i] for i in chosen]
            found |= zip(chosen, self._drawn(part, seed), strict=True)
        return [found[i] for i in range(len(requests))]

    def log_probs(
        self,
        sentences: Sequence[Sentence],
        scanpaths: Sequence[Scanpath],
        styles: Sequence[Style | None] | None = None,
    ) -> list[float]:
        """Return the log-probability of each path: exact, or a lower bound in the absorbing process.

        ``styles`` are those of the readers. Without them a training reader has their own, and for
        any other the network is not told who reads.
        """
        told = self._readers(scanpaths, styles)
        found: dict[int, float] = {}
        for chosen in self._batches(sentences, [path.n_fixations for path in scanpaths]):
            texts = self._text_batch([sentences[i] for i in chosen], [told[i] for i in chosen])
            paths = [_checked(scanpaths[i], sentences[i]) for i in chosen]
            found |= zip(chosen, self._log_probs(texts, paths, [sentences[i] for i in chosen]), strict=True)
        return [found[i] for i in range(len(scanpaths))]

    def duration_log_probs(
        self,
        sentences: Sequence[Sentence],
        scanpaths: Sequence[Scanpath],
        styles: Sequence[Style | None] | None = None,
    ) -> list[list[float]]:
        """Return the log density per ms of each duration of each path, given the path and the reader."""
        for path in scanpaths:
            if path.durations is None:
                raise ScandlError(
                    f"the path of reader {path.reader_id!r}, sentence {path.sentence_id!r} has no durations"
                )
        told = self._readers(scanpaths, styles)
        found: dict[int, list[float]] = {}
        for chosen in self._batches(sentences, [path.n_fixations for path in scanpaths]):
            texts = self._text_batch([sentences[i] for i in chosen], [told[i] for i in chosen])
            paths = [_checked(scanpaths[i], sentences[i]) for i in chosen]
            parameters = self.runner.durations(duration_features(paths, texts))
            ms = np.array([ms for i in chosen for ms in scanpaths[i].durations or ()])
            ends = np.cumsum([len(path) for path in paths])[:-1]
            parts = np.split(duration_log_density(parameters, ms), ends)
            found |= {i: part.tolist() for i, part in zip(chosen, parts, strict=True)}
        return [found[i] for i in range(len(scanpaths))]

    def _log_probs(
        self, texts: TextBatch, paths: Sequence[Positions], sentences: Sequence[Sentence]
    ) -> list[float]:
        if self.config.network.process == "autoregressive":
            return autoregressive.log_probs(self.runner, texts, paths)
        # The same path has the same estimate of the bound, whenever it is asked for.
        streams = [stream(0, "bound", s.text, *path) for s, path in zip(sentences, paths, strict=True)]
        draws = self.config.sampling.bound_draws
        return absorbing.log_prob_bounds(self.runner, texts, paths, streams, draws=draws)

    def _drawn(self, requests: Sequence[Request], seed: int) -> list[Scanpath]:
        told = [self.reader_of(request, seed) for request in requests]
        paths = self._paths(requests, told, seed)
        durations = self._durations(requests, told, paths, seed) if self.timed else [None] * len(paths)
        return [
            Scanpath(request.reader_id, request.sentence.sentence_id, path, times)
            for request, path, times in zip(requests, paths, durations, strict=True)
        ]

    def _paths(
        self, requests: Sequence[Request], told: Sequence[tuple[Style | None, Labels]], seed: int
    ) -> list[Positions]:
        texts = self._text_batch([request.sentence for request in requests], told)
        drawn = self._sample(texts, [request_stream(seed, request) for request in requests])
        paths = []
        for k, path in enumerate(drawn):
            if path is None:
                # In doubt between two words: drawn again by itself, where its company cannot matter.
                (path,) = self._sample(
                    self._text_batch([requests[k].sentence], [told[k]]),
                    [request_stream(seed, requests[k])],
                    margin=0.0,
                )
            if not path:
                raise ScandlError(f"sentence {requests[k].sentence.sentence_id!r}: no path was drawn")
            paths.append(path)
        return paths

    def _sample(
        self, texts: TextBatch, streams: Sequence[np.random.Generator], **options: Any
    ) -> list[Positions | None]:
        if self.config.network.process == "autoregressive":
            return autoregressive.sample(self.runner, texts, streams, **options)
        return absorbing.sample(self.runner, texts, streams, steps=self.config.sampling.steps, **options)

    def _durations(
        self,
        requests: Sequence[Request],
        told: Sequence[tuple[Style | None, Labels]],
        paths: Sequence[Positions],
        seed: int,
    ) -> list[tuple[float, ...] | None]:
        texts = self._text_batch([request.sentence for request in requests], told)
        parameters = self.runner.durations(duration_features(paths, texts))
        uniforms = np.concatenate(
            [
                stream(seed, "durations", r.sentence.sentence_id, r.reader_id, r.sample).random(
                    (len(path), 2)
                )
                for r, path in zip(requests, paths, strict=True)
            ]
        )
        # Whole milliseconds: the digits behind differ with the batch.
        ms = np.maximum(np.rint(draw_durations(parameters, uniforms)), 1.0)
        ends = np.cumsum([len(path) for path in paths])[:-1]
        return [tuple(part.tolist()) for part in np.split(ms, ends)]

    def reader_of(self, request: Request, seed: int) -> tuple[Style | None, Labels]:
        """Return style and labels a request is generated with."""
        own = self.conditions.readers.get(request.reader_id)
        told = {"group": request.group, "task": request.task}
        told = {label: value for label, value in told.items() if value}
        if request.style is not None:
            return request.style, {**(own or {}), **told}
        if own is not None and request.group in ("", own["group"]):
            return self.conditions.style(request.reader_id), {**own, **told}
        name = request.reader_id or f"\x1f{request.sample}"  # nameless paths are of different readers
        like = self.conditions.simulated(name, seed, request.group, request.task)
        return self.conditions.style(like), {**self.conditions.readers[like], **told}

    def _readers(
        self, paths: Sequence[Scanpath], styles: Sequence[Style | None] | None
    ) -> list[tuple[Style | None, Labels]]:
        """Return what is told of the readers of human paths: the style given, or that of training."""
        given = styles or [None] * len(paths)
        return [
            (
                style or self.conditions.style(path.reader_id),
                self.conditions.readers.get(path.reader_id, {}),
            )
            for path, style in zip(paths, given, strict=True)
        ]

    def _text_batch(
        self, sentences: Sequence[Sentence], told: Sequence[tuple[Style | None, Labels]]
    ) -> TextBatch:
        vectors: NDArray[np.float32] = np.stack([self.conditions.vector(*one) for one in told])
        return TextBatch.of([self._text(sentence) for sentence in sentences], vectors)

    def _text(self, sentence: Sentence) -> Floats:
        if sentence.text not in self._texts:
            if not sentence.n_words:
                raise ScandlError(f"sentence {sentence.sentence_id!r} has no words")
            if len(self._texts) >= _KEPT_TEXTS:
                self._texts.clear()
            self._texts[sentence.text] = word_features(sentence.words, **self.config.network.of_words)
        return self._texts[sentence.text]

    @staticmethod
    def _batches(
        sentences: Sequence[Sentence], lengths: Sequence[int] | None = None, most: int = _PATHS
    ) -> list[list[int]]:
        """Return which texts to do at once: those of about the same length, not too many cells."""
        sizes = [sentence.n_words for sentence in sentences]
        places = lengths or sizes
        order = sorted(range(len(sizes)), key=lambda i: (places[i], sizes[i], i))
        batches: list[list[int]] = []
        largest = 0
        for i in order:
            cells = sizes[i] * max(places[i], sizes[i])
            largest = max(largest, cells)
            if not batches or len(batches[-1]) >= min(most, max(1, _CELLS // largest)):
                batches.append([])
                largest = cells
            batches[-1].append(i)
        return batches


def _checked(path: Scanpath, sentence: Sentence) -> Positions:
    """Return the words of a path that a text can have, or say what is wrong with it."""
    if not path.words:
        raise ScandlError(f"the path of reader {path.reader_id!r}, sentence {path.sentence_id!r} is empty")
    if max(path.words) >= sentence.n_words or min(path.words) < 0:
        raise ScandlError(
            f"the path of reader {path.reader_id!r}, sentence {path.sentence_id!r}: found word"
            f" {max(path.words)}, expected 0 to {sentence.n_words - 1}"
        )
    return path.words
