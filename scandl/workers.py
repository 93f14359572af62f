"""Who does the work, and how far it is: this process, local processes with a GPU each, or a Dask cluster.

The same functions run in all three, results come back to the caller, and only the caller writes files, so
that a cluster needs no shared disk.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from itertools import cycle, islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from statistics import fmean, median
from threading import Thread
from typing import Any, Protocol, TypeVar

from scandl.errors import ScandlError
from scandl.extras import need

T = TypeVar("T")
_WITHIN: ContextVar[bool] = ContextVar("progress within a task is shown", default=False)


def track(
    items: Iterable[T],
    what: str,
    *,
    total: int | None = None,
    quiet: bool = False,
    left: Callable[[float], float] | None = None,
) -> Iterator[T]:
    """Yield the items and show on stderr how far the work is.

    ``left`` says how many seconds the rest will take, given those that have passed; without it each item is
    taken to cost as much as any other.
    """
    if quiet:
        yield from items
        return
    if sys.stderr.isatty():
        from tqdm import tqdm

        yield from tqdm(items, desc=what, total=total, leave=False)
        return
    started = told = time.monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - told >= 10 or (done == total and now - started >= 10):
            told = now
            seconds = now - started
            rest = left(seconds) if left else None
            print(f"{what}: {_so_far(done, total, seconds, rest)}", file=sys.stderr, flush=True)


class TimeLeft:
    """How long tasks of several kinds will take: a kind that was seen as it took, others as the median kind.

    >>> left = TimeLeft(["swift", "uniform", "swift", "uniform"])
    >>> left.took("swift", 10.0), left.took("uniform", 2.0)
    (None, None)
    >>> left(6.0)  # twice as much work as time has passed: two workers
    6.0
    """

    def __init__(self, kinds: Sequence[str]) -> None:
        self._left = list(kinds)
        self._seen: defaultdict[str, list[float]] = defaultdict(list)

    def took(self, kind: str, seconds: float) -> None:
        """Note that a task is done."""
        self._left.remove(kind)
        self._seen[kind].append(seconds)

    def __call__(self, passed: float) -> float:
        """Return the seconds that the rest will take."""
        means = {kind: fmean(each) for kind, each in self._seen.items()}
        usual = median(means.values()) if means else 0.0
        done = sum(sum(each) for each in self._seen.values())
        at_once = max(done / passed, 1.0) if passed > 0 else 1.0
        return sum(means.get(kind, usual) for kind in self._left) / at_once


def _so_far(done: int, total: int | None, seconds: float, rest: float | None = None) -> str:
    """Say how much is done, and how long the rest will take: as said, or if it goes on like this.

    >>> _so_far(3, 12, 30.0), _so_far(12, 12, 120.0), _so_far(3, None, 30.0)
    ('3/12 after 30 s, about 90 s left', '12/12 after 120 s', '3 after 30 s')
    """
    of = f"/{total}" if total else ""
    rest = seconds / done * ((total or done) - done) if rest is None else rest
    left = f", about {rest:.0f} s left" if total and done < total else ""
    return f"{done}{of} after {seconds:.0f} s{left}"


@contextmanager
def showing_trainings(shown: bool = True) -> Iterator[None]:
    """Let models that are trained within this work show how far they are; worker processes stay silent."""
    token = _WITHIN.set(shown)
    try:
        yield
    finally:
        _WITHIN.reset(token)


def trainings_are_shown() -> bool:
    """Return whether a training may show how far it is: nobody is waiting elsewhere.

    >>> with showing_trainings():
    ...     trainings_are_shown()
    True
    >>> trainings_are_shown()
    False
    """
    return _WITHIN.get()


@contextmanager
def without_bars(logging: Any) -> Iterator[None]:
    """Keep the progress bars of ``transformers`` out of our output, and leave its setting as it was."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The variable that says which GPUs a process may see; it sees them as 0, 1 and so on."""
DRIVER = Path("/proc/driver/nvidia/gpus")
Item = TypeVar("Item")
Result = TypeVar("Result")
RETRIES = 3
CONNECT_SECONDS = 10
CUDA = "cuda"
"""In place of the address of a scheduler: a worker on each GPU of this machine."""
_KEPT = "finished pieces are kept, run again to go on"
_received: list[Any] = []


def visible_gpus(environment: Mapping[str, str] = os.environ, driver: Path = DRIVER) -> list[str]:
    """Return the names of the GPUs that this process may use, without loading what drives them.

    >>> visible_gpus({"CUDA_VISIBLE_DEVICES": "2,3"})
    ['2', '3']
    """
    told = environment.get(VISIBLE)
    if told is not None:
        names = [name.strip() for name in told.split(",")]
        # As the driver reads it: what follows an impossible name does not count.
        end = next((i for i, name in enumerate(names) if name in ("", "-1")), len(names))
        return names[:end]
    return [str(n) for n, _ in enumerate(driver.iterdir())] if driver.is_dir() else []


def one_each(n: int) -> Iterator[str | None]:
    """Yield a GPU for each of ``n`` workers, in turn; None where there is none."""
    found: list[str | None] = [*visible_gpus()] or [None]
    for _, name in zip(range(n), cycle(found), strict=False):
        yield name


def use_only(name: str | None) -> None:
    """Let this process see one GPU alone; it must not have used any before."""
    if name is not None:
        os.environ[VISIBLE] = name


class Workers(Protocol):
    """Applies a function of (shared data, item) to items, in any order."""

    def each(
        self, function: Callable[[Any, Item], Result], items: Iterable[Item], *, ahead: int | None = None
    ) -> Iterator[tuple[int, Result]]:
        """Yield the index of each item with its result, as they are finished.

        ``ahead`` is how many items may be waiting or in work for each worker; without it all are
        handed out at once. Items without end, or too many to hold, need it.
        """
        ...


@contextmanager
def workers(shared: Any, *, jobs: int = 1, scheduler: str | None = None) -> Iterator[Workers]:
    """Open the workers; ``shared`` is sent to each of them once.

    Parameters
    ----------
    jobs
        Local processes; 1 works in this one.
    scheduler
        The address of a Dask scheduler, which then takes the place of local processes; or ``cuda``,
        for one worker on each GPU of this machine.

    Where this machine has GPUs, local processes have one each, in turn.
    """
    if scheduler == CUDA:
        jobs = len(visible_gpus())
        if jobs == 0:
            raise ScandlError(f"--scheduler {CUDA}: no GPU is available here")
        if find_spec("dask_cuda") is not None:
            with _silence(), _cuda_cluster() as cluster, _client(cluster) as client:
                yield _Cluster(client, shared, CUDA)
            return
    if scheduler not in (None, CUDA):
        with _silence(), _client(scheduler) as client:
            yield _Cluster(client, shared, scheduler)
    elif jobs > 1:
        # Spawned, not forked: a fork of a process with threads (BLAS, torch) can hang.
        context = get_context("spawn")
        gpus = context.Queue()
        for name in one_each(jobs):
            gpus.put(name)
        with ProcessPoolExecutor(jobs, context, _receive, (shared, gpus)) as pool:
            yield _Pool(pool, jobs)
    else:
        yield _Here(shared)


class _Here:
    def __init__(self, shared: Any) -> None:
        self._shared = shared

    def each(
        self, function: Callable[[Any, Item], Result], items: Iterable[Item], *, ahead: int | None = None
    ) -> Iterator[tuple[int, Result]]:
        for i, item in enumerate(items):
            yield i, function(self._shared, item)


class _Pool:
    def __init__(self, pool: Executor, jobs: int) -> None:
        self._pool = pool
        self._jobs = jobs

    def each(
        self, function: Callable[[Any, Item], Result], items: Iterable[Item], *, ahead: int | None = None
    ) -> Iterator[tuple[int, Result]]:
        left = enumerate(items)
        futures: dict[Future[Result], int] = {}

        def hand_out(n: int | None) -> None:
            for i, item in islice(left, n):
                futures[self._pool.submit(_with_received, function, item)] = i

        try:
            hand_out(None if ahead is None else ahead * self._jobs)
            while futures:
                for future in wait(futures, return_when=FIRST_COMPLETED).done:
                    yield futures.pop(future), future.result()
                    hand_out(1)
        except BrokenProcessPool:
            raise ScandlError(f"a worker process died (out of memory?); {_KEPT}") from None
        finally:
            for future in futures:
                future.cancel()


class _Cluster:
    def __init__(self, client: Any, shared: Any, address: str) -> None:
        self._client = client
        self._address = address
        # A task, not scattered data: when the worker that holds it dies, the scheduler makes it again.
        self._shared = client.submit(_same, shared, pure=False)

    def each(
        self, function: Callable[[Any, Item], Result], items: Iterable[Item], *, ahead: int | None = None
    ) -> Iterator[tuple[int, Result]]:
        distributed = need("distributed", "cluster")
        left = enumerate(items)
        futures: dict[Any, int] = {}
        try:
            n = None if ahead is None else ahead * max(1, sum(self._client.nthreads().values()))
            first = [self._submitted(futures, function, *one) for one in islice(left, n)]
            finished = distributed.as_completed(first)
            for future in finished:
                found = future.result()
                yield futures.pop(future), found
                for one in islice(left, 1):
                    finished.add(self._submitted(futures, function, *one))
        except distributed.KilledWorker as error:
            raise ScandlError(f"workers of the cluster died over and over: {error}; {_KEPT}") from None
        except (CancelledError, OSError, RuntimeError) as error:
            if self._client.status == "running":
                raise
            raise ScandlError(f"the Dask scheduler at {self._address!r} was lost; {_KEPT}") from error

    def _submitted(
        self, futures: dict[Any, int], function: Callable[[Any, Item], Result], i: int, item: Item
    ) -> Any:
        future = self._client.submit(function, self._shared, item, pure=False, retries=RETRIES)
        futures[future] = i
        return future


def _cuda_cluster() -> Any:
    return need("dask_cuda", "cluster").LocalCUDACluster()


def _client(address: Any) -> Any:
    distributed = need("distributed", "cluster")
    try:
        return distributed.Client(address, timeout=CONNECT_SECONDS)
    # Without certificates tls:// is a TypeError, an unknown protocol a ValueError.
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ScandlError(f"no Dask scheduler at {address!r}: {reason}") from None


@contextmanager
def _silence() -> Iterator[None]:
    """Keep Dask from logging tracebacks about a cluster that goes away: what matters is said by us."""
    need("distributed", "cluster")
    targets: list[logging.Logger | logging.Handler] = [
        logging.getLogger(name) for name in ("tornado", "asyncio")
    ]
    targets += logging.getLogger("distributed").handlers
    before = [target.level for target in targets]
    for target in targets:
        target.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for target, level in zip(targets, before, strict=True):
            target.setLevel(level)


def _receive(shared: Any, gpus: Any) -> None:
    """Keep the shared data of this worker process, take a GPU, and do not outlive the run."""
    use_only(gpus.get())
    _received[:] = [shared]
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this worker when the run is killed; the pool alone would let it wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _with_received(function: Callable[[Any, Item], Result], item: Item) -> Result:
    return function(_received[0], item)


def _same(value: Any) -> Any:
    return value
