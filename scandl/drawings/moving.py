"""Scanpaths that move: a page for any browser, a GIF, or a film where ffmpeg is installed."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.drawings.lettering import lettering
from scandl.drawings.page import WIDTH
from scandl.drawings.picture import USUAL, Trace, readings_axes
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.results import atomic_file, write_text

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".html", ".gif", ".mp4")
HOLD = 1500.0  # ms that the last picture of a GIF or film stays
FILM_RATE = 25  # pictures a second
TICK = 10.0  # ms: a GIF knows no finer time


@dataclass(frozen=True, slots=True)
class Scene:
    """Readings of one text that are shown beside each other."""

    words: tuple[str, ...]
    traces: tuple[Trace, ...]
    title: str = ""
    lines: tuple[int, ...] | None = None
    width: int = WIDTH

    @property
    def timed(self) -> bool:
        """Whether the durations of all readings are known."""
        return all(trace.durations for trace in self.traces if trace.positions)


def onsets(trace: Trace) -> list[float]:
    """Return when each fixation begins, and when the last one ends, in ms from the first.

    Saccades take no time of their own. A fixation whose duration is not known lasts 220 ms.

    >>> onsets(Trace("r", (0, 2), (200.0, 150.0)))
    [0.0, 200.0, 350.0]
    """
    durations = trace.durations or (USUAL,) * len(trace.positions)
    return [0.0, *itertools.accumulate(durations)]


def check_animation_ending(path: Path | str) -> None:
    """Refuse other endings, and films where nothing can make them; commands ask before the long work."""
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise DataError(path, None, None, Fact(f"the ending {suffix!r}"), f"one of {', '.join(ENDINGS)}")
    if suffix == ".mp4" and shutil.which("ffmpeg") is None:
        raise ScandlError(
            f"{path}: films are made by ffmpeg, which is not installed; .html and .gif need nothing"
        )


def save_animation(path: Path | str, scene: Scene) -> list[str]:
    """Write a scene by the ending of the file; return what a reader of it should know, a line each."""
    check_animation_ending(path)
    remarks = [] if scene.timed else ["durations are not known: each fixation lasts 220 ms"]
    suffix = Path(path).suffix.lower()
    if suffix == ".html":
        write_text(Path(path), animation_page(scene))
        return remarks
    with lettering(scene.words, in_browser=False) as letters, atomic_file(path) as temporary:
        if suffix == ".gif":
            _write_gif(temporary, scene)
        else:
            _write_film(temporary, scene)
        return [*remarks, *letters]


# ----- a page


def animation_page(scene: Scene) -> str:
    """Return one HTML page that needs nothing else and asks no network."""
    data = {
        "words": scene.words,
        "lines": scene.lines,
        "width": scene.width,
        "timed": scene.timed,
        "readings": [
            {"name": trace.name, "positions": trace.positions, "onsets": onsets(trace)}
            for trace in scene.traces
        ],
    }
    folder = resources.files("scandl.drawings")
    template = (folder / "moving.html").read_text(encoding="utf-8")
    script = (folder / "moving.js").read_text(encoding="utf-8")
    cells = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    title = escape(scene.title or "Scanpaths")
    return template.replace("{{title}}", title).replace("{{script}}", script).replace("{{data}}", cells)


# ----- pictures in a row


def pictures(scene: Scene, times: Sequence[float]) -> Iterator[Image]:
    """Yield the scene as it stands at each time, in ms."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure, drawn = readings_axes(
        scene.words, scene.traces, title=scene.title, width=scene.width, lines=scene.lines
    )
    figure.set_dpi(110)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    figure.set_layout_engine("none")  # nothing moves but what is meant to
    begun = [onsets(trace)[:-1] for trace in scene.traces]
    for time in times:
        for fixations, starts in zip(drawn, begun, strict=True):
            now = bisect_right(starts, time)
            for k, artists in enumerate(fixations):
                for artist in artists:
                    artist.set_visible(k < now)
                artists[-2].set(
                    edgecolor="#CC0000" if k == now - 1 else "white", linewidth=1.6 if k == now - 1 else 0.6
                )
        canvas.draw()
        yield Image.fromarray(_pixels(canvas))


def _pixels(canvas: Any) -> Any:
    import numpy as np

    shown = np.asarray(canvas.buffer_rgba())[:, :, :3]
    return shown[: shown.shape[0] // 2 * 2, : shown.shape[1] // 2 * 2]  # films want even sizes


def picture_times(scene: Scene) -> tuple[list[float], float]:
    """Return when the scene changes, and when it ends, in ms.

    >>> picture_times(Scene(("a", "b"), (Trace("x", (0, 1), (100.0, 300.0)), Trace("y", (0,), (250.0,)))))
    ([0.0, 100.0], 400.0)
    """
    changes = {time for trace in scene.traces for time in onsets(trace)[:-1]}
    return sorted(changes | {0.0}), max((onsets(trace)[-1] for trace in scene.traces), default=0.0)


def _write_gif(path: Path, scene: Scene) -> None:
    times, end = picture_times(scene)
    borders = [round(time / TICK) for time in [*times, end + HOLD]]
    # Two changes within a tick are one picture, the later one.
    kept = [k for k in range(len(times)) if borders[k + 1] > borders[k]]
    from PIL.Image import Dither

    images = list(pictures(scene, [times[k] for k in kept]))
    palette = images[-1].quantize(64)  # the last picture has every colour
    first, *rest = (image.quantize(palette=palette, dither=Dither.NONE) for image in images)
    lengths = [int(TICK) * (borders[k + 1] - borders[k]) for k in kept]
    first.save(path, format="GIF", save_all=True, append_images=rest, duration=lengths, loop=0, optimize=True)


def _write_film(path: Path, scene: Scene) -> None:
    times, end = picture_times(scene)
    images = list(pictures(scene, times))
    wide, high = images[0].size
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{wide}x{high}"]
    command += ["-r", str(FILM_RATE), "-i", "-", "-pix_fmt", "yuv420p", "-f", "mp4", str(path)]
    shown = (bisect_right(times, k * 1000 / FILM_RATE) - 1 for k in range(n_film_pictures(end)))
    done = subprocess.run(
        command, input=b"".join(images[k].tobytes() for k in shown), capture_output=True, check=False
    )
    if done.returncode:
        raise ScandlError(f"ffmpeg: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}")


def n_film_pictures(end: float) -> int:
    """Return how many pictures a film of a scene has that ends after so many ms.

    >>> n_film_pictures(1000.0)
    63
    """
    return -(-int((end + HOLD) * FILM_RATE) // 1000)
