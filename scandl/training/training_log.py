"""The logs of a training run: a CSV file always, TensorBoard where it is asked for."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Protocol

from scandl.extras import need


class TrainingLog(Protocol):
    """Takes the numbers of a step."""

    def write(self, *, step: int, **numbers: float) -> None:
        """Add the numbers of a step."""
        ...


class Log:
    """A CSV log that a resumed run continues: lines after the resumed step are cut off."""

    COLUMNS = ("step", "loss", "lr", "seconds", "name", "value")

    def __init__(self, path: Path, step: int) -> None:
        self._path = path
        kept: list[dict[str, str]] = []
        if step and path.exists():
            with path.open(newline="") as stream:
                kept = [row for row in csv.DictReader(stream) if int(row["step"]) <= step]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, self.COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(kept)

    def write(self, *, step: int, **numbers: float) -> None:
        """Add the numbers of a step: known columns on one line, others one line each."""
        known = {name: value for name, value in numbers.items() if name in self.COLUMNS}
        rows: list[dict[str, Any]] = [{"step": step, **known}] if known else []
        rows += [{"step": step, "name": n, "value": v} for n, v in numbers.items() if n not in self.COLUMNS]
        with self._path.open("a", newline="") as stream:
            csv.DictWriter(stream, self.COLUMNS, lineterminator="\n").writerows(rows)


class TensorBoardLog:
    """The same numbers for TensorBoard; what a resumed run repeats is purged."""

    def __init__(self, folder: Path, step: int) -> None:
        need("tensorboard", "tensorboard")
        writer = need("torch.utils.tensorboard", "model").SummaryWriter
        self._writer: Any = writer(str(folder), purge_step=step + 1 if step else None)

    def write(self, *, step: int, **numbers: float) -> None:
        """Add one scalar a number."""
        for name, value in numbers.items():
            self._writer.add_scalar(name, value, step)
        self._writer.flush()
