"""Decoding progress: what a model's state looks like from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scandl.drawings.picture import check_figure_ending
from scandl.errors import ScandlError
from scandl.extras import need
from scandl.files.results import atomic_file
from scandl.files.tables import check_ending, write_table
from scandl.models.diffusion.diffusion_model import PUBLISHED, Sampling, ScanpathModel
from scandl.models.model import Request
from scandl.records import Sentence

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito: told apart by the colour-blind.
COLOURS = {"sentence": "#0072B2", "scanpath": "#D55E00", "PAD": "#999999"}
PERPLEXITY = 5
EXAGGERATION = 30
ITERATIONS = 1000


@dataclass(frozen=True)
class Decoding:
    """The course of one generation; steps are the trained ones, in the order they were taken."""

    steps: tuple[int, ...]
    ids: NDArray[np.int64]  # (steps, L) of the prediction at each step
    noised: NDArray[np.bool_]  # (L,) False on the sentence
    pad: int
    states: dict[int, NDArray[np.float32]]  # z, (L, d), at the chosen steps only

    def settled(self) -> NDArray[np.float64]:
        """Return, per step, the share of generated positions that already have their final id."""
        generated = self.ids[:, self.noised]
        return (generated == generated[-1]).mean(axis=1)

    def kinds(self) -> list[str]:
        """Return what each position is in the end: sentence, scanpath or PAD."""
        return [
            "sentence" if not noised else "PAD" if symbol == self.pad else "scanpath"
            for noised, symbol in zip(self.noised, self.ids[-1], strict=True)
        ]


@dataclass(frozen=True)
class Places:
    """States in two dimensions: what each position is in the end, and where it lies at each step."""

    kinds: tuple[str, ...]  # (L,)
    points: dict[int, NDArray[np.float64]]  # step -> (L, 2)


def inspect_decoding(
    model: ScanpathModel,
    text: str,
    out: Path | str,
    *,
    samples: int = 8,
    steps: int | None = None,
    sampler: str = "ddpm",
    plot: Path | str | None = None,
    places: Path | str | None = None,
    frames: Sequence[int] = (),
    seed: int = 1,
) -> list[tuple[int, float]]:
    """Write the progress of a model on a text, draw it if asked, and return (step, settled share)."""
    if samples < 1:
        raise ScandlError(f"--samples {samples}: expected at least 1")
    check_names(out, places, plot)
    sampling = replace(PUBLISHED, steps=model.process.steps if steps is None else steps, sampler=sampler)
    shown = (frames or _five(model, sampling)) if plot is not None or places is not None else ()
    sentence = Sentence("t1", " ".join(text.split()))
    decodings = watch_decodings(model, sentence, samples, seed=seed, sampling=sampling, frames=shown)
    if shown:
        found = find_places(decodings[0], seed=seed)
        if plot is not None:
            save_frames(plot, found)
        if places is not None:
            write_places(places, found)
    return write_progress(out, decodings)


def check_names(out: Path | str, places: Path | str | None, plot: Path | str | None) -> None:
    """Refuse names of files that nothing can be written to."""
    for table in (out, places):
        if table is not None:
            check_ending(table)
    if plot is not None:
        check_figure_ending(plot)


def watch_decodings(
    model: ScanpathModel,
    sentence: Sentence,
    samples: int,
    *,
    seed: int,
    sampling: Sampling,
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
    noised = model.tokens(requests[0]).noised
    course = np.stack(ids, axis=1)  # (samples, steps, L)
    return [
        Decoding(tuple(taken), course[k], noised, model.pad, {step: z[k] for step, z in states.items()})
        for k in range(samples)
    ]


def write_progress(path: Path | str, decodings: Sequence[Decoding]) -> list[tuple[int, float]]:
    """Write step and mean share of settled positions as a table, and return its rows."""
    shares = np.mean([decoding.settled() for decoding in decodings], axis=0)
    rows = [(step, float(share)) for step, share in zip(decodings[0].steps, shares, strict=True)]
    columns = {
        "step": [str(step) for step, _ in rows],
        "settled_share": [f"{share:.6f}" for _, share in rows],
    }
    write_table(path, columns)
    return rows


def find_places(decoding: Decoding, *, seed: int) -> Places:
    """Bring the chosen states into two dimensions by t-SNE, each by itself."""
    found = {step: _in_two_dimensions(state, seed) for step, state in decoding.states.items()}
    return Places(tuple(decoding.kinds()), found)


def write_places(path: Path | str, places: Places) -> None:
    """Write the points of each step as a table, from which a report draws them."""
    rows = [
        (step, position, kind, x, y)
        for step, points in places.points.items()
        for position, (kind, (x, y)) in enumerate(zip(places.kinds, points.tolist(), strict=True))
    ]
    steps, positions, kinds, xs, ys = zip(*rows, strict=True)
    columns = {
        "step": [str(step) for step in steps],
        "position": [str(position) for position in positions],
        "kind": list(kinds),
        "x": [f"{x:.4f}" for x in xs],
        "y": [f"{y:.4f}" for y in ys],
    }
    write_table(path, columns)


def save_frames(path: Path | str, places: Places) -> None:
    """Draw the places and write the figure by its suffix."""
    figure = frames_figure(places)
    with atomic_file(path) as temporary:
        figure.savefig(temporary, bbox_inches="tight", dpi=200)


def frames_figure(places: Places) -> Figure:
    """Return a figure with one panel a step: sentence, scanpath and PAD in their colours."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.4 * len(places.points), 2.6), layout="constrained")
    panels = figure.subplots(1, len(places.points), squeeze=False)[0]
    for axes, (step, points) in zip(panels, places.points.items(), strict=True):
        _scatter(axes, points, places.kinds)
        axes.set_title(f"t = {step}", fontsize=9)
    panels[0].legend(fontsize=7, frameon=False)
    return figure


def _five(model: ScanpathModel, sampling: Sampling) -> list[int]:
    """Return five of the steps that will be taken, the last ones close together."""
    taken = model.chosen(sampling).trained_steps
    places = [len(taken) - 1, len(taken) // 2, len(taken) // 5, len(taken) // 20, 0]
    return [taken[place] for place in dict.fromkeys(places)]


def _in_two_dimensions(state: NDArray[np.float32], seed: int) -> NDArray[np.float64]:
    manifold = need("sklearn.manifold", "model")
    tsne = manifold.TSNE(
        n_components=2,
        perplexity=PERPLEXITY,
        early_exaggeration=EXAGGERATION,
        init="pca",
        max_iter=ITERATIONS,
        random_state=seed,
    )
    return tsne.fit_transform(state)


def _scatter(axes: Axes, places: NDArray[np.float64], kinds: Sequence[str]) -> None:
    for kind, colour in COLOURS.items():
        chosen = places[[own == kind for own in kinds]]
        axes.plot(chosen[:, 0], chosen[:, 1], "o", color=colour, markersize=3, alpha=0.7, label=kind)
    axes.set_xticks([])
    axes.set_yticks([])
