"""What a search for hyper-parameters is asked to do, as a file; the published one ships."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from scandl.config import read_config
from scandl.models.diffusion.settings import ScandlConfig, preset

SHIPPED = "paper-tuning"


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneConfig:
    """The number of cells, their folds and seeds, and what all cells have in common."""

    trials: int = 60
    scheme: str = "shuffled"
    seed: int = 1
    steps: int = 50  # denoising steps
    preset: str = "paper"
    changes: tuple[str, ...] = ()  # settings on top of the preset, such as training.steps=100

    def scandl(self) -> ScandlConfig:
        """Return the settings that all cells have in common."""
        return preset(self.preset, self.changes)


def read_tune_config(source: str | None) -> TuneConfig:
    """Read a file, or ``paper-tuning.toml``, which ships; a file of one's own comes first."""
    if source is None or Path(source).exists() or source.removesuffix(".toml") != SHIPPED:
        return read_config(TuneConfig, source)
    with as_file(files("scandl.models.diffusion").joinpath(f"{SHIPPED}.toml")) as path:
        return read_config(TuneConfig, path)
