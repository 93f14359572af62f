"""The network as functions of its weights: the constants of the sheet, and nearest rows by distance."""

from __future__ import annotations

import numpy as np

from scandl.models.arithmetic import NumpyArithmetic
from scandl.models.diffusion.denoising_network import frequencies, nearness, sinusoid


def test_time_embedding_has_the_constants_of_the_sheet() -> None:
    row = sinusoid(np.array([500.0], dtype=np.float32), 2000, frequencies(np), NumpyArithmetic())[0]
    expected = [0.24098831, -0.96138300, 0.52165482, -0.97052802, 0.27521397, -0.85315664]
    np.testing.assert_allclose(row[[0, 1, 2, 64, 65, 66]], expected, rtol=0, atol=1e-5)


def test_the_nearest_row_has_the_smallest_distance() -> None:
    rng = np.random.default_rng(1)
    z, table = rng.standard_normal((4, 7, 5)), rng.standard_normal((11, 5))
    distances = np.sqrt(((z[:, :, None] - table) ** 2).sum(-1))
    assert np.array_equal(nearness(z, table).argmax(-1), distances.argmin(-1))
