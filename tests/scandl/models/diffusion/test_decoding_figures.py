"""How decoding is drawn: a panel for each step that was asked for, and the same points as a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scandl.models.diffusion.decoding_figures import find_places, frames_figure, write_places
from scandl.models.diffusion.decoding_progress import Decoding


def test_the_figure_has_a_panel_a_frame_and_the_table_its_points(tmp_path: Path) -> None:
    states = {step: np.random.default_rng(step).normal(size=(32, 4)).astype(np.float32) for step in (29, 0)}
    ids = np.full((2, 32), 7)
    ids[:, :20] = np.arange(20) % 5
    decoding = Decoding((29, 0), ids, np.arange(32) >= 10, states, 7)
    places = find_places([decoding], seed=1)
    figure = frames_figure(places)
    assert [axes.get_title() for axes in figure.axes] == ["t = 29", "t = 0"]
    assert sum(len(line.get_xdata()) for line in figure.axes[0].lines) == 32  # type: ignore[arg-type]
    write_places(tmp_path / "places.csv", places)
    rows = [line.split(",") for line in (tmp_path / "places.csv").read_text().splitlines()]
    assert rows[0] == ["step", "position", "kind", "x", "y"]
    assert len(rows) == 1 + 2 * 32
    assert [row[2] for row in rows[1:33]] == decoding.kinds(29)
    assert float(rows[33][3]) == pytest.approx(places.points[0][0, 0], abs=1e-4)
