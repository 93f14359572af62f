"""How the decoding of a path is drawn: states in two dimensions by t-SNE, and an animation of the path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scandl.extras import need
from scandl.files.results import atomic_file
from scandl.files.tables import write_table

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scandl.models.diffusion.decoding_progress import Decoding

# Okabe & Ito: told apart by the colour-blind.
COLOURS = {
    "sentence": "#0072B2",
    "scanpath": "#D55E00",
    "PAD": "#999999",
    "settled": "#D55E00",
    "open": "#999999",
}
ANIMATION = ".gif"
MOST_PICTURES = 40  # of an animation
PERPLEXITY = 5
EXAGGERATION = 30
ITERATIONS = 1000


@dataclass(frozen=True)
class Places:
    """States in two dimensions at each step: what each position is, and where it lies."""

    kinds: dict[int, list[str]]  # step -> (L,)
    points: dict[int, NDArray[np.float64]]  # step -> (L, 2)


def find_places(decodings: Sequence[Decoding], *, seed: int) -> Places:
    """Bring the chosen states into two dimensions by t-SNE, each step by itself, all decodings together."""
    steps = list(decodings[0].states)
    points = {
        step: _in_two_dimensions(np.concatenate([each.states[step] for each in decodings]), seed)
        for step in steps
    }
    return Places({step: [kind for d in decodings for kind in d.kinds(step)] for step in steps}, points)


def write_places(path: Path | str, places: Places) -> None:
    """Write the points of each step as a table, from which a report draws them."""
    rows = [
        (step, position, kind, x, y)
        for step, points in places.points.items()
        for position, (kind, (x, y)) in enumerate(zip(places.kinds[step], points.tolist(), strict=True))
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
    shown = {kind for kinds in places.kinds.values() for kind in kinds}
    for axes, (step, points) in zip(panels, places.points.items(), strict=True):
        _scatter(axes, points, places.kinds[step], [kind for kind in COLOURS if kind in shown])
        axes.set_title(f"t = {step}", fontsize=9)
    panels[0].legend(fontsize=7, frameon=False)
    return figure


def save_animation(path: Path | str, decoding: Decoding, words: Sequence[str]) -> None:
    """Write an animation: which word each fixation is on, step by step, and how probable each word is."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    course = decoding.words()
    shares = decoding.shares
    figure = Figure(figsize=(1.5 + 0.3 * course.shape[1], 1.0 + 0.22 * len(words)), layout="constrained")
    axes = figure.subplots()

    def show(k: int) -> list[Artist]:
        axes.clear()
        if shares is not None:
            axes.imshow(shares[k].T, cmap="Greys", vmin=0.0, vmax=1.0, aspect="auto")
        place = np.flatnonzero(course[k] >= 0)
        axes.plot(place, course[k, place], "o-", color=COLOURS["scanpath"], linewidth=0.5, markersize=4)
        axes.set_xlim(-0.5, course.shape[1] - 0.5)
        axes.set_ylim(len(words) - 0.5, -0.5)
        axes.set_yticks(range(len(words)), words)
        axes.set_xlabel("fixation")
        axes.set_title(f"t = {decoding.steps[k]}", fontsize=9)
        return []

    shown = np.unique(np.linspace(0, len(course) - 1, MOST_PICTURES).round().astype(int))
    with atomic_file(path) as temporary:
        FuncAnimation(figure, show, frames=shown.tolist()).save(temporary, writer=PillowWriter(fps=4))


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


def _scatter(axes: Axes, places: NDArray[np.float64], kinds: Sequence[str], shown: Sequence[str]) -> None:
    for kind in shown:
        chosen = places[[own == kind for own in kinds]]
        axes.plot(chosen[:, 0], chosen[:, 1], "o", color=COLOURS[kind], markersize=3, alpha=0.7, label=kind)
    axes.set_xticks([])
    axes.set_yticks([])
