"""A trained word-pointing network: let it read, ask it how probable a path and its durations are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from scandl.config import from_table, to_table
from scandl.errors import ScandlError
from scandl.models.model import Request, rng_of
from scandl.models.pointer import masked, walk
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.durations import draw_durations, duration_features, duration_log_density
from scandl.models.pointer.path_batch import Floats, TextBatch
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.style import Style
from scandl.models.pointer.words import IDENTITY, word_features
from scandl.records import Positions, Scanpath, Sentence
from scandl.seeds import stream
from scandl.training.weight_files import check_format, read_weights, write_weights

_PATHS = 512  # drawn at once, at most
_CELLS = 400_000  # places times words times paths at once, at most: larger arrays leave the cache
_KEPT_TEXTS = 4096  # whose word features are kept for the next time

FORMAT = "2"

Labels = Mapping[str, str]


class PointerModel:
    """A network with the readers it was trained on."""

    def __init__(
        self, config: PointerConfig, conditions: Conditions, network: PointerNetwork, *, timed: bool
    ) -> None:
        self.config = config
        self.conditions = conditions
        self.network = network
        self.timed = timed  # whether the training paths had durations
        self._texts: dict[tuple[str, str], Floats] = {}

    def told(self, conditions: Conditions) -> PointerModel:
        """Return the same network, told of other readers, or of the same ones otherwise."""
        return PointerModel(self.config, conditions, self.network, timed=self.timed)

    def read(self, requests: Sequence[Request], *, seed: int, batch: int | None = None) -> list[Scanpath]:
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
            parameters = self.network.durations(duration_features(paths, texts))
            ms = np.array([ms for i in chosen for ms in scanpaths[i].durations or ()])
            ends = np.cumsum([len(path) for path in paths])[:-1]
            parts = np.split(duration_log_density(parameters, ms), ends)
            found |= {i: part.tolist() for i, part in zip(chosen, parts, strict=True)}
        return [found[i] for i in range(len(scanpaths))]

    def _log_probs(
        self, texts: TextBatch, paths: Sequence[Positions], sentences: Sequence[Sentence]
    ) -> list[float]:
        if self.config.network.process == "autoregressive":
            return walk.log_probs(self.network, texts, paths)
        # The same path has the same estimate of the bound, whenever it is asked for.
        streams = [stream(0, "bound", s.text, *path) for s, path in zip(sentences, paths, strict=True)]
        draws = self.config.sampling.bound_draws
        return masked.log_prob_bounds(self.network, texts, paths, streams, draws=draws)

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
        streams = [rng_of(seed, request) for request in requests]
        if self.config.network.process == "autoregressive":
            return walk.sample(self.network, texts, streams)
        return masked.sample(self.network, texts, streams, steps=self.config.sampling.steps)

    def _durations(
        self,
        requests: Sequence[Request],
        told: Sequence[tuple[Style | None, Labels]],
        paths: Sequence[Positions],
        seed: int,
    ) -> list[tuple[float, ...] | None]:
        texts = self._text_batch([request.sentence for request in requests], told)
        parameters = self.network.durations(duration_features(paths, texts))
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
        given = {"group": request.group, "task": request.task}
        labels = {label: value for label, value in given.items() if value}
        if request.style is not None:
            return request.style, {**(own or {}), **labels}
        group = request.group or ""
        if own is not None and group in ("", own["group"]):
            return self.conditions.style(request.reader_id), {**own, **labels}
        if request.reader_id:
            like = self.conditions.simulated(request.reader_id, seed, group, request.task)
        else:
            text = request.sentence.sentence_id
            like = self.conditions.someone(text, request.sample, seed, group, request.task)
        return self.conditions.style(like), {**self.conditions.readers[like], **labels}

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
        vectors = np.stack([self.conditions.vector(*one) for one in told])
        return TextBatch.of([self._text(sentence) for sentence in sentences], vectors)

    def _text(self, sentence: Sentence) -> Floats:
        key = (sentence.language_or_english, sentence.text)
        if key not in self._texts:
            if not sentence.n_words:
                raise ScandlError(f"sentence {sentence.sentence_id!r} has no words")
            if len(self._texts) >= _KEPT_TEXTS:
                self._texts.clear()
            self._texts[key] = word_features(sentence.words, key[0], **self.config.network.of_words)
        return self._texts[key]

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


def save(model: PointerModel, path: Path | str, *, about: str = "") -> Path:
    """Write a model as one file that generates without torch; ``about`` is said to whoever uses it."""
    facts = {
        "format": FORMAT,
        "config": to_table(model.config),
        "conditions": model.conditions.to_table(),
        "words": IDENTITY,
        "timed": model.timed,
        "about": about,
    }
    return write_weights(path, facts, model.network.weights)


def load_file(path: Path | str) -> PointerModel:
    """Open a file written by ``save``."""
    facts, weights = read_weights(path)
    check_format(path, facts, FORMAT)
    if facts["words"] != IDENTITY:
        raise ScandlError(f"{path}: trained with word features {facts['words']}, found {IDENTITY}")
    config = from_table(PointerConfig, facts["config"])
    network = PointerNetwork.of(config.network.heads, weights)
    return PointerModel(config, Conditions.from_table(facts["conditions"]), network, timed=facts["timed"])


def _checked(path: Scanpath, sentence: Sentence) -> Positions:
    """Return the words of a path that a text can have, or say what is wrong with it."""
    if not path.positions:
        raise ScandlError(f"the path of reader {path.reader_id!r}, sentence {path.sentence_id!r} is empty")
    if max(path.positions) >= sentence.n_words or min(path.positions) < 0:
        raise ScandlError(
            f"the path of reader {path.reader_id!r}, sentence {path.sentence_id!r}: found word"
            f" {max(path.positions)}, expected 0 to {sentence.n_words - 1}"
        )
    return path.positions
