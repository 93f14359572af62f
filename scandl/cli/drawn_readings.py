"""Readings drawn by commands: a picture, a moving one, and how wide."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.records import Prediction, Scanpath


def check_drawings(args: argparse.Namespace) -> None:
    """Refuse files that cannot be drawn, before any work."""
    if args.plot is not None:
        from scandl.drawings.picture import check_figure_ending

        check_figure_ending(args.plot)
    if args.animate is not None:
        from scandl.drawings.moving import check_animation_ending

        check_animation_ending(args.animate)


def draw_readings(
    args: argparse.Namespace,
    words: Sequence[str],
    readings: Sequence[tuple[str, Scanpath | Prediction]],
    title: str,
    lines: Sequence[int] | None = None,
) -> None:
    """Write the files that were asked for; say what their reader should know."""
    if args.plot is None and args.animate is None:
        return
    from scandl.drawings.moving import Scene, save_animation
    from scandl.drawings.page import WIDTH
    from scandl.drawings.picture import MOST, Trace, readings_figure, save_figure

    traces = [Trace.of(name, path) for name, path in readings]
    width, remarks = args.width or WIDTH, []
    if args.plot is not None:
        titled = f"{title}: {len(traces)} readings" if len(traces) > MOST else title
        remarks += save_figure(
            args.plot, lambda: readings_figure(words, traces, titled, width=width, lines=lines), words
        )
    if args.animate is not None:
        shown = tuple(traces[:MOST])
        if len(shown) < len(traces):
            remarks.append(f"{args.animate}: the first {MOST} of {len(traces)} readings")
        displayed = tuple(lines) if lines is not None else None
        remarks += save_animation(args.animate, Scene(tuple(words), shown, title, displayed, width))
    for line in dict.fromkeys(remarks):
        print(f"note: {line}", file=sys.stderr)
