"""The numbers of a run do not depend on the kernels that linear algebra picks for a CPU.

``OPENBLAS_CORETYPE`` and ``NPY_DISABLE_CPU_FEATURES`` make one machine compute as others do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PLAIN = {"OPENBLAS_CORETYPE": "Nehalem"}
WIDE = {"OPENBLAS_CORETYPE": "Haswell"}
RUN = (
    "run",
    "--corpus",
    "demo",
    "--settings",
    "nrns",
    "--folds",
    "0,1",
    "--resamples",
    "200",
    "--quiet",
    "--models",
    "simplified-swift,markov-text,swift,left-to-right",
)


def leaderboard(folder: Path, environment: dict[str, str]) -> bytes:
    """Run the benchmark in a process of its own and return the bytes of its leaderboard."""
    command = [
        sys.executable,
        "-c",
        "import sys; from scandl_eval.cli import main; sys.exit(main(sys.argv[1:]))",
    ]
    subprocess.run(
        [*command, *RUN, "--out", str(folder)], check=True, env=os.environ | environment, cwd=folder.parent
    )
    return (folder / "leaderboard.csv").read_bytes()


def without_vectors() -> dict[str, str]:
    """Return what keeps numpy from the widest vector instructions it would choose here."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])  # type: ignore[call-overload]
    wide = [name for name in found if name.startswith(("AVX512", "X86_V4"))]
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(wide)} if wide else {}


@pytest.mark.skipif(
    "openblas" not in str(np.show_config(mode="dicts")).lower(), reason="numpy without OpenBLAS"
)
def test_a_leaderboard_is_the_same_with_the_kernels_of_other_cpus(tmp_path):
    plain = leaderboard(tmp_path / "plain", PLAIN | without_vectors())
    assert plain == leaderboard(tmp_path / "wide", WIDE)
