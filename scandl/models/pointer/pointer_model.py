"""A trained word-pointing network: let it read, ask it how probable a path and its durations are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.config import from_table, to_table
from scandl.errors import ScandlError
from scandl.models.model import Given, Request, rng_of
from scandl.models.pointer import drawing, path_probability
from scandl.models.pointer.condition import Conditions, Style
from scandl.models.pointer.mixtures import (
    draw_durations,
    duration_features,
    duration_log_density,
    mean_durations,
)
from scandl.models.pointer.path_batch import IDENTITY, Floats, TextBatch, padded, word_features
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.records import Positions, Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.context import context, open_context
from scandl.training.weight_files import check_format, read_weights, write_weights

if TYPE_CHECKING:
    from scandl.text.context import WordContext

_PATHS = 512  # drawn at once, at most
_CELLS = 400_000  # places times words times paths at once, at most: larger arrays leave the cache
_POINTED = 24_000  # the same where one place of each path is drawn at a time
_FEW = 100  # words, above which a place in order of time is pointed at among some
_KEPT_TEXTS = 4096  # whose word features are kept for the next time

FORMAT = "3"
LINE = "line"
"""The column of a corpus' words that says on which line each is."""

Labels = Mapping[str, str]
ENGLISH = ("small", "smollm2")
"""Sources of context that know English alone."""


class PointerModel:
    """A network with the readers it was trained on."""

    def __init__(
        self, config: PointerConfig, conditions: Conditions, network: PointerNetwork, *, timed: bool
    ) -> None:
        self.config = config
        self.conditions = conditions
        self.network = network
        self.timed = timed  # whether the training paths had durations
        self.lines: Mapping[str, Sequence[str]] = {}  # by sentence, where texts have several
        self.expects = False  # whether durations are the expected ones
        self._texts: dict[tuple[str, ...], Floats] = {}

    def told(self, conditions: Conditions) -> PointerModel:
        """Return the same network, told of other readers, or of the same ones otherwise."""
        return self._like(conditions=conditions)

    def drawn_by(self, **sampling: Any) -> PointerModel:
        """Return the same network with other settings of ``SamplingConfig``: order, steps, context."""
        changed = replace(self.config.sampling, **sampling)
        return self._like(config=replace(self.config, sampling=changed))

    def with_lines(self, lines: Mapping[str, Sequence[str]]) -> PointerModel:
        """Return the same network, told the line of each word of some sentences."""
        return self._like(lines=lines)

    def expecting(self) -> PointerModel:
        """Return the same network, each of whose fixations lasts as long as is expected, without a draw."""
        return self._like(expects=True)

    def _like(self, **changes: Any) -> PointerModel:
        other = copy(self)
        other._texts = {}
        for name, value in changes.items():
            setattr(other, name, value)
        return other

    def read(self, requests: Sequence[Request], *, seed: int, batch: int | None = None) -> list[Scanpath]:
        """Return one scanpath with durations per request, the same in any company and order.

        A reader who was trained on keeps their style and labels. Any other reader id stands for a
        simulated reader, who is like one of the training readers in all texts. At most ``batch``
        paths are drawn at once, which changes memory and time, not the paths.
        """
        in_time = self.config.sampling.order == "time"
        sizes = [request.sentence.n_words for request in requests]
        costs = [min(size, _FEW) if in_time else size**2 for size in sizes]
        found: dict[int, Positions] = {}
        for chosen in batches(costs, _POINTED if in_time else _CELLS, batch or _PATHS):
            found |= zip(chosen, self._paths([requests[i] for i in chosen], seed), strict=True)
        return self._timed(requests, [found[i] for i in range(len(requests))], seed)

    def fill(
        self, requests: Sequence[Request], given: Sequence[Sequence[int | None]], *, seed: int
    ) -> list[Scanpath]:
        """Return one scanpath with durations per request, some of whose fixations are given.

        Where ``given`` has None, a fixation is drawn given all before it and the given ones after it, from
        left to right.
        """
        for request, path in zip(requests, given, strict=True):
            self.check_given(request, path)
        found: dict[int, Positions] = {}
        for chosen in batches([min(r.sentence.n_words, _FEW) for r in requests], _POINTED, _PATHS):
            part = [requests[i] for i in chosen]
            paths = [given[i] for i in chosen]
            words, n_fixations = padded([[word or 0 for word in path] for path in paths])
            fixed, _ = padded([[word is not None for word in path] for path in paths])
            streams = [stream(seed, "fill", *request.key) for request in part]
            texts = self.text_batch(part, seed)
            drawn = drawing.in_order(self.network, texts, n_fixations, streams, words, fixed > 0)
            found |= zip(chosen, drawn, strict=True)
        return self._timed(requests, [found[i] for i in range(len(requests))], seed)

    def check_given(self, request: Request, path: Given) -> None:
        """Refuse what is given of a path if it cannot be completed."""
        self._check_masked()
        words = tuple(word for word in path if isinstance(word, int))
        _checked(Scanpath(request.reader_id, request.sentence.sentence_id, words or (0,)), request.sentence)
        if not path:
            raise ScandlError(f"sentence {request.sentence.sentence_id!r}: found an empty path to be filled")

    def log_probs(
        self,
        sentences: Sequence[Sentence],
        scanpaths: Sequence[Scanpath],
        styles: Sequence[Style | None] | None = None,
    ) -> list[float]:
        """Return the log-probability of each path: exact in order of time, a lower bound in random order.

        ``styles`` are those of the readers. Without them a training reader has their own, and for
        any other the network is not told who reads.
        """
        self._check_masked()
        told = self._readers(scanpaths, styles)
        found: dict[int, float] = {}
        for chosen in batches(_cells(sentences, scanpaths), _CELLS, _PATHS):
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
        for chosen in batches(_cells(sentences, scanpaths), _CELLS, _PATHS):
            texts = self._text_batch([sentences[i] for i in chosen], [told[i] for i in chosen])
            paths = [_checked(scanpaths[i], sentences[i]) for i in chosen]
            parameters = self.network.durations(duration_features(paths, texts))
            ms = np.array([ms for i in chosen for ms in scanpaths[i].durations or ()])
            ends = np.cumsum([len(path) for path in paths])[:-1]
            parts = np.split(duration_log_density(parameters, ms), ends)
            found |= {i: part.tolist() for i, part in zip(chosen, parts, strict=True)}
        return [found[i] for i in range(len(scanpaths))]

    def _check_masked(self) -> None:
        if self.config.network.process == "gaussian":
            raise ScandlError(
                "a model of noise on positions does not say how probable a path is, and completes none;"
                " scandl-masked does both"
            )

    def _log_probs(
        self, texts: TextBatch, paths: Sequence[Positions], sentences: Sequence[Sentence]
    ) -> list[float]:
        if self.config.sampling.order == "time":
            return path_probability.log_probs(self.network, texts, paths)
        # The same path has the same estimate of the bound, whenever it is asked for.
        streams = [stream(0, "bound", s.text, *path) for s, path in zip(sentences, paths, strict=True)]
        draws = self.config.sampling.bound_draws
        return path_probability.log_prob_bounds(self.network, texts, paths, streams, draws=draws)

    def _paths(self, requests: Sequence[Request], seed: int) -> list[Positions]:
        texts = self.text_batch(requests, seed)
        streams = [rng_of(seed, request) for request in requests]
        sampling = self.config.sampling
        steps = sampling.steps if sampling.order == "random" else None
        process = self.config.network.process
        return drawing.sample(self.network, texts, streams, steps=steps, process=process)

    def _timed(self, requests: Sequence[Request], paths: Sequence[Positions], seed: int) -> list[Scanpath]:
        """Return paths as records, with durations where the network knows them."""
        made = [
            Scanpath(request.reader_id, request.sentence.sentence_id, path)
            for request, path in zip(requests, paths, strict=True)
        ]
        if not self.timed:
            return made
        for chosen in batches(_cells([r.sentence for r in requests], made), _CELLS, _PATHS):
            part, own = [requests[i] for i in chosen], [paths[i] for i in chosen]
            for i, ms in zip(chosen, self._durations(part, own, seed), strict=True):
                made[i] = replace(made[i], durations=ms)
        return made

    def _durations(
        self, requests: Sequence[Request], paths: Sequence[Positions], seed: int
    ) -> list[tuple[float, ...]]:
        texts = self.text_batch(requests, seed)
        parameters = self.network.durations(duration_features(paths, texts))
        if self.expects:
            found = mean_durations(parameters)
        else:
            draws = [
                stream(seed, "durations", *request.key).random((len(path), 2))
                for request, path in zip(requests, paths, strict=True)
            ]
            found = draw_durations(parameters, np.concatenate(draws))
        # Whole milliseconds: the digits behind differ with the batch.
        ms = np.maximum(np.rint(found), 1.0)
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

    def text_batch(self, requests: Sequence[Request], seed: int) -> TextBatch:
        """Return what is given of the paths that are wanted: their texts, and who reads."""
        told = [self.reader_of(request, seed) for request in requests]
        return self._text_batch([request.sentence for request in requests], told)

    def _text_batch(
        self, sentences: Sequence[Sentence], told: Sequence[tuple[Style | None, Labels]]
    ) -> TextBatch:
        vectors = np.stack([self.conditions.vector(*one) for one in told])
        return TextBatch.of([self._text(sentence) for sentence in sentences], vectors)

    def _text(self, sentence: Sentence) -> Floats:
        lines = tuple(self.lines.get(sentence.sentence_id, ()))
        key = (sentence.language_or_english, sentence.text, *lines)
        if key not in self._texts:
            if not sentence.n_words:
                raise ScandlError(f"sentence {sentence.sentence_id!r} has no words")
            if len(self._texts) >= _KEPT_TEXTS:
                self._texts.clear()
            self._texts[key] = word_features(
                sentence.words,
                key[0],
                context=self._context(sentence.words, key[0]),
                lines=lines or None,
                gain=self.config.sampling.gain,
            )
        return self._texts[key]

    def _context(self, words: Sequence[str], language: str) -> WordContext | None:
        """Return how expected words are, where the source knows the language."""
        name = self.config.sampling.context
        if name == "none" or (language != "en" and name in ENGLISH):
            return None
        return context(words, language, name)

    def context_about(self, language: str = "en") -> str:
        """Return who says how expected words of a language are, in a line."""
        name = self.config.sampling.context
        if language != "en" and name in ENGLISH:
            return f"context: none, {name} is English and the texts are {language!r}"
        return open_context(name, language).about


def batches(costs: Sequence[int], limit: int, most: int) -> list[list[int]]:
    """Return what to do at once: things of about the same cost, the number times the largest below a limit.

    >>> batches([1, 9, 2, 9], limit=10, most=3)
    [[0, 2], [1], [3]]
    """
    found: list[list[int]] = []
    for i in sorted(range(len(costs)), key=lambda i: (costs[i], i)):
        if not found or len(found[-1]) >= min(most, max(1, limit // costs[i])):
            found.append([])
        found[-1].append(i)
    return found


def _cells(sentences: Sequence[Sentence], paths: Sequence[Scanpath]) -> list[int]:
    """Return places times words of each path."""
    return [s.n_words * max(p.n_fixations, s.n_words) for s, p in zip(sentences, paths, strict=True)]


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
