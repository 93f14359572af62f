"""Scanpaths for as many texts as there are: a block at a time, in constant memory, resumable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from scandl.errors import ScandlError, StoppedError
from scandl.files.results import locked
from scandl.models.block_files import BlockFiles
from scandl.models.generation_job import PATHS, GenerationJob, TextBlock, blocks_of, draw_block
from scandl.models.text_range import RangeCheck
from scandl.progress import track
from scandl.records import Sentence
from scandl.workers import workers

_AHEAD = 2  # blocks that wait or are in work for each worker


@dataclass
class Outcome:
    """What was generated."""

    n_texts: int = 0
    n_paths: int = 0
    kept: int = 0  # scanpaths of blocks that an earlier run had finished
    repairs: Counter[str] = field(default_factory=Counter)  # of those drawn now


def generate_to_file(
    texts: Iterable[Sentence],
    out: Path | str,
    job: GenerationJob,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    check: RangeCheck | None = None,
    quiet: bool = True,
    paths: int = PATHS,
) -> Outcome:
    """Generate for texts and write the table (.csv, .parquet, .jsonl); go on where an earlier run stopped.

    Parameters
    ----------
    jobs
        Local worker processes.
    scheduler
        Address of a Dask scheduler that does the work instead.
    check
        Counts texts that lie outside of what the model knows.
    paths
        Scanpaths of a block, about. A run that goes on must have the same.
    """
    target = Path(out)
    files, outcome, names = BlockFiles(target), Outcome(), []
    digest, waiting = job.digest(), []

    def unfinished() -> Iterator[TextBlock]:
        for block in blocks_of(texts, job.per_text, paths):
            names.append(block.name(digest))
            outcome.n_texts += len(block.sentences)
            if check is not None:
                check.add(check.reasons(block.sentences), len(block.sentences))
            if files.has(names[-1]):
                outcome.kept += len(block.sentences) * job.per_text
            else:
                waiting.append(names[-1])
                yield block

    shared = (job, target.suffix)
    try:
        with locked(files.folder), workers(shared, jobs=jobs, scheduler=scheduler) as team:
            drawn = team.each(draw_block, unfinished(), ahead=_AHEAD)
            for i, block in track(drawn, "generate: blocks", quiet=quiet):
                files.write(waiting[i], block.content)
                outcome.n_paths += block.n_paths
                outcome.repairs += block.repairs
            if not names:
                raise ScandlError("the text is empty: there is nothing to read")
            files.join(names)
    except KeyboardInterrupt:
        raise StoppedError(
            f"interrupted; what is finished is kept in {files.folder}, run again to go on"
        ) from None
    finally:
        files.drop_if_empty()
    outcome.n_paths += outcome.kept
    return outcome
