"""Arrays that independent tasks make: done by workers, kept in a folder, not made a second time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from scandl.corpora.corpus import digest
from scandl.piece_cache import Pieces, code_digest
from scandl.progress import track
from scandl.workers import workers
from scandl_analysis.mixed.crossed_rows import Floats
from scandl_analysis.piloting.reading_pool import load_values, save_values
from scandl_analysis.piloting.region_measures import Cell

Task = TypeVar("Task")


class Keeper:
    """Does tasks, here or by workers, and keeps what they made below a folder, where there is one."""

    def __init__(self, folder: Path | None, *, jobs: int, scheduler: str | None, quiet: bool) -> None:
        self._pieces = Pieces(folder) if folder is not None else None
        self._jobs, self._scheduler, self._quiet = jobs, scheduler, quiet
        self._used: set[Path] = set()

    def each(
        self,
        what: str,
        function: Callable[[Any, Task], Mapping[Cell, Floats]],
        shared: Any,
        tasks: Sequence[Task],
        made_from: Any,
    ) -> list[Mapping[Cell, Floats]]:
        """Return what each task makes; ``made_from`` is what it depends on beside itself and our code."""
        done: dict[int, Mapping[Cell, Floats]] = {}
        paths: dict[int, Path] = {}
        if self._pieces is not None:
            for n, task in enumerate(tasks):
                key = digest(code_digest(), made_from, repr(task))
                paths[n] = self._pieces.path(f"{what}/{n:05d}", key, ".npz")
                if paths[n].exists():
                    done[n] = load_values(paths[n])
            self._used |= set(paths.values())
        waiting = [n for n in range(len(tasks)) if n not in done]
        jobs = min(self._jobs, max(len(waiting), 1))
        with workers(shared, jobs=jobs, scheduler=self._scheduler if waiting else None) as crew:
            work = crew.each(function, [tasks[n] for n in waiting])
            for i, found in track(work, what, total=len(waiting), quiet=self._quiet):
                n = waiting[i]
                done[n] = found
                if self._pieces is not None:
                    save_values(paths[n], found)
                    self._pieces.seal(paths[n])
        return [done[n] for n in range(len(tasks))]

    def tidy(self) -> None:
        """Remove pieces of other versions."""
        if self._pieces is not None:
            self._pieces.drop_outdated(self._used)
