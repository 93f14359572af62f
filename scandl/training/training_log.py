"""What is said of a training: a CSV file always, TensorBoard where asked for, progress on the terminal."""

from __future__ import annotations

import csv
import sys
import time
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


class Meter:
    """The progress of a loop that counts its own steps, with its loss and speed."""

    def __init__(self, what: str, *, total: int, done: int = 0, quiet: bool = False) -> None:
        self._what = what
        self._total = total
        self._first = done
        self._started = self._told = time.monotonic()
        self._bar = None
        self._quiet = quiet
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(desc=what, total=total, initial=done)

    @property
    def seconds(self) -> float:
        """Time since the meter started."""
        return time.monotonic() - self._started

    def update(self, done: int, *, loss: float, rate: int) -> None:
        """Say that ``done`` steps of ``rate`` examples are finished."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            self._bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
            return
        now = time.monotonic()
        if not self._quiet and (now - self._told >= 10 or done == self._total):
            self._told = now
            steps, seconds = done - self._first, max(now - self._started, 1e-9)
            left = (
                f", about {seconds / steps * (self._total - done):.0f} s left" if done < self._total else ""
            )
            said = f"{done}/{self._total} loss {loss:.4f}, {rate * steps / seconds:.0f} examples/s{left}"
            print(f"{self._what}: {said}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Finish the bar."""
        if self._bar is not None:
            self._bar.close()
