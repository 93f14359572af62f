"""Decoding progress: what a model's state looks like from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, softmax

from scandl.drawings.picture import check_figure_ending
from scandl.errors import ScandlError
from scandl.files.tables import check_ending, write_table
from scandl.models.diffusion.decoding_figures import (
    ANIMATION,
    find_places,
    save_animation,
    save_frames,
    write_places,
)
from scandl.models.diffusion.diffusion_model import PUBLISHED, Denoising, ScanpathModel
from scandl.models.model import Request, rng_of
from scandl.models.pointer.continuous import denoised
from scandl.models.pointer.drawing import unmasked
from scandl.models.pointer.mixtures import draw_lengths
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Sentence


@dataclass(frozen=True)
class Decoding:
    """The course of one generation; steps count down, in the order they were taken."""

    steps: tuple[int, ...]
    ids: NDArray[np.int64]  # (steps, L) of the prediction at each step, -1 where there is none yet
    noised: NDArray[np.bool_]  # (L,) False on the sentence
    states: dict[int, NDArray[np.float32]]  # z, (L, d), at the chosen steps only
    pad: int | None = None  # the id of PAD; None in word-pointing networks, whose ids are words from 0
    shares: NDArray[np.float64] | None = None  # (steps, L, M) the probability of each word

    def settled(self) -> NDArray[np.float64]:
        """Return, per step, the share of generated positions that already have their final id."""
        generated = self.ids[:, self.noised]
        return np.asarray((generated == generated[-1]).mean(axis=1))

    def entropy(self) -> NDArray[np.float64] | None:
        """Return, per step, how open the words are, mean nats of a place; None where that is not known."""
        if self.shares is None:
            return None
        return np.asarray(entr(self.shares).sum(axis=2).mean(axis=1))

    def kinds(self, step: int) -> list[str]:
        """Return what each position is: sentence, scanpath or PAD in the end; else settled or open."""
        if self.pad is None:
            final = self.ids[self.steps.index(step)] == self.ids[-1]
            return ["settled" if own else "open" for own in final]
        return [
            "sentence" if not noised else "PAD" if symbol == self.pad else "scanpath"
            for noised, symbol in zip(self.noised, self.ids[-1], strict=True)
        ]

    def words(self) -> NDArray[np.int64]:
        """Return the word at each place of the path and step, (steps, N), -1 where there is none."""
        if self.pad is None:
            return self.ids
        n_words = int(self.ids[-1, ~self.noised].max(initial=1)) - 1  # the last of the sentence is SEP
        path = self.ids[:, self.noised]
        return np.asarray(np.where((path >= 1) & (path <= n_words), path - 1, -1))


def inspect_decoding(
    model: ScanpathModel | PointerModel,
    text: str,
    out: Path | str,
    *,
    samples: int = 8,
    steps: int | None = None,
    plot: Path | str | None = None,
    places: Path | str | None = None,
    frames: Sequence[int] = (),
    seed: int = 1,
) -> list[tuple[int, float]]:
    """Write the progress of a model on a text, draw it if asked, and return (step, settled share)."""
    if samples < 1:
        raise ScandlError(f"--samples {samples}: expected at least 1")
    check_names(out, places, plot)
    sentence = Sentence("t1", " ".join(text.split()))
    animated = plot is not None and Path(plot).suffix == ANIMATION
    wanted = places is not None or (plot is not None and not animated)
    if isinstance(model, PointerModel):
        decodings = watch_pointing(model, sentence, samples, seed=seed, steps=steps, frames=frames)
    else:
        sampling = replace(PUBLISHED, steps=model.process.steps if steps is None else steps)
        shown = (frames or _five(model.chosen(sampling).trained_steps)) if wanted else ()
        decodings = watch_decodings(model, sentence, samples, seed=seed, sampling=sampling, frames=shown)
    if wanted:
        found = find_places(decodings if isinstance(model, PointerModel) else decodings[:1], seed=seed)
        if places is not None:
            write_places(places, found)
        if plot is not None and not animated:
            save_frames(plot, found)
    if plot is not None and animated:
        save_animation(plot, decodings[0], sentence.words)
    return write_progress(out, decodings)


def check_names(out: Path | str, places: Path | str | None, plot: Path | str | None) -> None:
    """Refuse names of files that nothing can be written to."""
    for table in (out, places):
        if table is not None:
            check_ending(table)
    if plot is not None and Path(plot).suffix != ANIMATION:
        check_figure_ending(plot)


def watch_decodings(
    model: ScanpathModel,
    sentence: Sentence,
    samples: int,
    *,
    seed: int,
    sampling: Denoising,
    frames: Sequence[int] = (),
) -> list[Decoding]:
    """Generate scanpaths of one sentence; keep the ids of every step, and the states of ``frames``."""
    taken: list[int] = []
    ids: list[NDArray[np.int64]] = []
    states: dict[int, NDArray[np.float32]] = {}

    def watch(step: int, z: Any, rounded: Any) -> None:
        # Lists are what arrays and tensors of any device have in common.
        taken.append(step)
        ids.append(np.array(rounded.tolist()))
        if step in frames:
            states[step] = np.array(z.tolist(), dtype=np.float32)

    requests = [Request(sentence, "", sample) for sample in range(samples)]
    model.read(requests, seed=seed, sampling=replace(sampling, batch=samples), watch=watch)
    missing = sorted(set(frames) - set(taken))
    if missing:
        raise ScandlError(f"--frames: step {missing[0]} is not among the {len(taken)} steps that were taken")
    noised = model.tokens(requests[0], seed).noised
    course = np.stack(ids, axis=1)  # (samples, steps, L)
    return [
        Decoding(tuple(taken), course[k], noised, {step: z[k] for step, z in states.items()}, model.pad)
        for k in range(samples)
    ]


def watch_pointing(
    model: PointerModel,
    sentence: Sentence,
    samples: int,
    *,
    seed: int,
    steps: int | None = None,
    frames: Sequence[int] = (),
) -> list[Decoding]:
    """Draw scanpaths of one sentence by diffusion; the last step is 0. By default five states are kept."""
    sampling = model.config.sampling
    if sampling.order == "time":
        raise ScandlError("this model draws from left to right: there is no diffusion to watch")
    requests = [Request(sentence, "", sample) for sample in range(samples)]
    batch = model.text_batch(requests, seed)
    streams = [rng_of(seed, request) for request in requests]
    n_fixations = draw_lengths(model.network, batch, streams)
    seen: list[tuple[NDArray[Any], ...]] = []

    def watch(words: Any, stays: Any, logits: Any, x: Any) -> None:
        predicted = np.where(stays | gaussian, words, -1)
        shares = np.where(stays[..., None], np.eye(logits.shape[2])[words], softmax(logits, axis=2))
        seen.append((predicted, shares, x.astype(np.float32)))

    gaussian = model.config.network.process == "gaussian"
    fill = denoised if gaussian else unmasked
    text = model.network.read_texts(batch).of(batch.row)
    fill(model.network, text, batch, n_fixations, streams, steps or sampling.steps, watch)
    ids, shares, x = (np.stack(parts, axis=1) for parts in zip(*seen, strict=True))
    taken = tuple(range(len(seen)))[::-1]
    shown = frames or _five(taken[::-1])
    if missing := sorted(set(shown) - set(taken)):
        raise ScandlError(f"--frames: step {missing[0]} is not among the {len(taken)} steps that were taken")
    return [
        Decoding(
            taken,
            ids[k, :, :n],
            np.ones(n, dtype=bool),
            {step: x[k, len(taken) - 1 - step, :n] for step in shown},
            shares=shares[k, :, :n],
        )
        for k, n in enumerate(n_fixations.tolist())
    ]


def write_progress(path: Path | str, decodings: Sequence[Decoding]) -> list[tuple[int, float]]:
    """Write step, mean share of settled positions and entropy, and return the first two."""
    steps = decodings[0].steps
    shares = np.mean([decoding.settled() for decoding in decodings], axis=0).tolist()
    columns = {
        "step": [str(step) for step in steps],
        "settled_share": [f"{share:.6f}" for share in shares],
    }
    entropies = [entropy for decoding in decodings if (entropy := decoding.entropy()) is not None]
    if entropies:
        columns["entropy"] = [f"{nats:.6f}" for nats in np.mean(entropies, axis=0)]
    write_table(path, columns)
    return list(zip(steps, shares, strict=True))


def _five(taken: Sequence[int]) -> list[int]:
    """Return five of the steps that will be taken, given from the lowest, the last ones close together."""
    places = [len(taken) - 1, len(taken) // 2, len(taken) // 5, len(taken) // 20, 0]
    return [taken[place] for place in dict.fromkeys(places)]
