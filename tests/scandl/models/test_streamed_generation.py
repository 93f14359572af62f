"""A long generation: stopped anywhere, in parts or by several workers, it ends in the same bytes."""

from __future__ import annotations

import errno
import pickle
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import scandl
from scandl.errors import ScandlError, StoppedError
from scandl.files.prediction_files import prediction_columns, read_predictions, write_predictions
from scandl.files.prediction_inputs import scanpath_predictions
from scandl.models import streamed_generation
from scandl.models.readings import ReaderChoice
from scandl.models.streamed_generation import (
    BlockFiles,
    GenerationJob,
    PackedModel,
    TextBlock,
    blocks_of,
    draw_block,
    encoded,
    generate_to_file,
)
from scandl.models.text_generation import RangeCheck
from scandl.models.trained_model import ModelOptions
from scandl.records import Prediction, Sentence

TEXTS = [Sentence(f"t{n}", f"The cat number {n} sat on the old mat."[: 12 + n]) for n in range(20)]


@pytest.fixture
def job(pointer_file: Path) -> GenerationJob:
    return GenerationJob(PackedModel.of(str(pointer_file)), readers=ReaderChoice(2), seed=3)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_stopped_anywhere_it_goes_on_to_the_same_bytes(
    suffix: str, job: GenerationJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / f"whole{suffix}", tmp_path / f"stopped{suffix}"
    generate_to_file(TEXTS, whole, job, paths=8)
    drawn, real = [], streamed_generation.draw_block

    def dying(*given: object) -> object:
        drawn.append(given)
        if len(drawn) % 3 == 0:
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(streamed_generation, "draw_block", dying)
    for _ in range(2):
        with pytest.raises(StoppedError, match="what is finished is kept in .*, run again to go on"):
            generate_to_file(TEXTS, stopped, job, paths=8)
        assert not stopped.exists()
    done = generate_to_file(TEXTS, stopped, job, paths=8)
    assert len(drawn) == 5 + 2  # five blocks, two of them begun twice
    assert (done.n_texts, done.n_paths, done.kept) == (20, 40, 32)
    assert stopped.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([whole.name, stopped.name])


def test_blocks_of_another_job_are_not_taken(
    job: GenerationJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, other = tmp_path / "p.csv", GenerationJob(job.model, readers=job.readers, seed=4)

    def endless() -> Iterator[Sentence]:
        yield from TEXTS
        raise KeyboardInterrupt

    with pytest.raises(StoppedError):
        generate_to_file(endless(), out, other, paths=8)
    done = generate_to_file(TEXTS, out, job, paths=8)
    assert done.kept == 0
    generate_to_file(TEXTS, tmp_path / "q.csv", job, paths=8)
    assert out.read_bytes() == (tmp_path / "q.csv").read_bytes()


def test_workers_and_block_sizes_change_nothing(job: GenerationJob, tmp_path: Path) -> None:
    for name, options in {"a": {}, "b": {"jobs": 2, "paths": 8}, "c": {"paths": 2}}.items():
        generate_to_file(TEXTS, tmp_path / f"{name}.csv", job, **options)  # type: ignore[arg-type]
    a, b, c = ((tmp_path / f"{name}.csv").read_bytes() for name in "abc")
    assert a == b == c


def test_texts_without_end_are_read_as_they_are_needed(job: GenerationJob, tmp_path: Path) -> None:
    """A fault in a late text ends the run; what came before is kept for the next."""

    def faulty() -> Iterator[Sentence]:
        yield from TEXTS
        raise ScandlError("t21: not a text")

    with pytest.raises(ScandlError, match="t21: not a text"):
        generate_to_file(faulty(), tmp_path / "p.csv", job, paths=8)
    assert generate_to_file(TEXTS, tmp_path / "p.csv", job, paths=8).kept == 40


def test_it_counts_what_lies_outside_and_refuses_nothing_to_read(job: GenerationJob, tmp_path: Path) -> None:
    check = RangeCheck()
    generate_to_file([*TEXTS, Sentence("t99", "1 2 3")], tmp_path / "p.csv", job, check=check)
    assert check.lines() == ["1 of 21 texts (t99): has no letters, the model was trained on words"]
    with pytest.raises(ScandlError, match="the text is empty"):
        generate_to_file([], tmp_path / "none.csv", job)
    assert not list(tmp_path.glob("*none*"))


@pytest.mark.slow
def test_killed_ten_times_at_random_the_file_is_the_same(pointer_file: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join(f"The cat number {n} sat on the old mat." for n in range(60_000)))
    command = [
        sys.executable,
        "-m",
        "scandl",
        "generate",
        "--model",
        str(pointer_file),
        "--quiet",
        "--text-file",
        str(texts),
        "--out",
    ]
    subprocess.run([*command, str(tmp_path / "whole.csv")], check=True)
    chance, kept, blocks = random.Random(1), [0], tmp_path / ".killed.csv.blocks"
    for _ in range(10):
        work = subprocess.Popen([*command, str(tmp_path / "killed.csv")])
        more = kept[-1] + chance.choice([0, 1, 1])  # by what is done, not by the clock: machines differ
        while len(list(blocks.glob("0*.csv"))) < more and work.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.uniform(0.0, 0.5))
        work.kill()
        work.wait()
        kept.append(len(list(blocks.glob("0*.csv"))))
    subprocess.run([*command, str(tmp_path / "killed.csv")], check=True)
    assert kept == sorted(kept)
    assert len(set(kept)) > 3  # it did go on each time
    assert (tmp_path / "killed.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert len(read_predictions(tmp_path / "killed.csv")) == 60_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_writes_the_same(job: GenerationJob, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    generate_to_file(TEXTS, tmp_path / "here.csv", job, paths=8)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        generate_to_file(TEXTS, tmp_path / "there.csv", job, paths=8, scheduler=cluster.scheduler_address)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


PREDICTIONS = [
    Prediction(
        f"t{n}",
        tuple(range(n % 3 + 1)),
        text='A "quoted", text.',
        durations=(200.0, 180.5, 99.0)[: n % 3 + 1],
    )
    for n in range(10)
]


def kept(out: Path) -> tuple[BlockFiles, list[str]]:
    """Return the blocks of a table, three predictions each, written in another order."""
    files = BlockFiles(out)
    names = [f"{n:08d}" for n in range(4)]
    for n in (2, 0, 3, 1):
        columns = prediction_columns(PREDICTIONS[3 * n : 3 * n + 3])
        files.write(names[n], encoded(columns, out.suffix))
    return files, names


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_joined_blocks_are_the_table(suffix: str, tmp_path: Path) -> None:
    files, names = kept(tmp_path / f"joined{suffix}")
    assert all(map(files.has, names))
    assert not files.has("00000004")
    assert not files.out.exists()
    files.join(names)
    whole = tmp_path / f"joined-{suffix}"
    write_predictions(whole, PREDICTIONS)
    if suffix != ".parquet":  # whose row groups are the blocks
        assert files.out.read_bytes() == whole.read_bytes()
    assert read_predictions(files.out) == [*read_predictions(whole)]
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, names = kept(tmp_path / "p.csv")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(ScandlError) as caught:
            files.write("00000004", b"x")
        patched.setattr("shutil.copyfileobj", full)
        with pytest.raises(ScandlError):
            files.join(names)
    assert str(caught.value) == (
        f"{tmp_path}/p.csv: No space left on device; what is finished is kept in {tmp_path}/.p.csv.blocks,"
        " make room and run the same command again"
    )
    assert sorted(path.name for path in files.folder.iterdir()) == [f"{name}.csv" for name in names]
    assert not files.out.exists()
    files.join(names)
    assert len(read_predictions(files.out)) == 10


def test_an_empty_folder_is_not_left(tmp_path: Path) -> None:
    files = BlockFiles(tmp_path / "p.csv")
    files.drop_if_empty()
    files.folder.mkdir()
    files.drop_if_empty()
    assert list(tmp_path.iterdir()) == []


CUT_TEXTS = [Sentence(f"t{n}", "The cat sat on the mat."[: 8 + n]) for n in range(7)]


@pytest.fixture
def small_job(pointer_file: Path) -> GenerationJob:
    return GenerationJob(PackedModel.of(str(pointer_file)), readers=ReaderChoice(3), samples=2, seed=5)


def test_it_draws_what_python_draws_wherever_it_is(small_job: GenerationJob, pointer_file: Path) -> None:
    expected = scandl.generate(CUT_TEXTS, samples=2, seed=5, readers=3, model=pointer_file)
    there = pickle.loads(pickle.dumps(small_job))
    assert there.predictions(CUT_TEXTS) == scanpath_predictions(expected, model="few")
    assert small_job.per_text == 6


def test_a_block_is_the_bytes_of_its_table(small_job: GenerationJob) -> None:
    drawn = draw_block((small_job, ".csv"), TextBlock(0, tuple(CUT_TEXTS[:2])))
    assert drawn.n_paths == 12
    header, *rows = drawn.content.decode().splitlines()
    assert header == "model,setting,fold,reader_id,sentence_id,sample,predicted,text,durations"
    assert [row.split(",")[3:6] for row in rows[:3]] == [
        ["sim1", "t0", "0"],
        ["sim1", "t0", "1"],
        ["sim2", "t0", "0"],
    ]


def test_names_tell_jobs_and_texts_apart(small_job: GenerationJob) -> None:
    jobs = [
        small_job,
        replace(small_job, seed=6),
        replace(small_job, samples=3),
        replace(small_job, readers=ReaderChoice(4)),
        replace(small_job, options=ModelOptions(raw=True)),
        replace(small_job, model=PackedModel("demo")),
        replace(small_job, language="de"),
        replace(small_job, training="demo"),
    ]
    assert len({one.digest for one in jobs}) == len(jobs)
    assert replace(small_job, options=ModelOptions(batch=3)).digest == small_job.digest
    digest = small_job.digest
    blocks = [
        TextBlock(0, tuple(CUT_TEXTS[:2])),
        TextBlock(0, tuple(CUT_TEXTS[:3])),
        TextBlock(1, tuple(CUT_TEXTS[:2])),
    ]
    assert len({block.name(digest) for block in blocks}) == 3


def test_blocks_are_all_texts_in_order() -> None:
    found = list(blocks_of(iter(CUT_TEXTS), per_text=3, paths=6))
    assert [s for block in found for s in block.sentences] == CUT_TEXTS
    assert [(b.number, len(b.sentences)) for b in found] == [(0, 2), (1, 2), (2, 2), (3, 1)]
    assert [len(b.sentences) for b in blocks_of(CUT_TEXTS, per_text=100, paths=6)] == [1] * 7


def test_what_cannot_be_packed(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="none.pt: no such model"):
        PackedModel.of(str(tmp_path / "none.pt"))
    with pytest.raises(ScandlError, match="found a folder without last.pt"):
        PackedModel.of(str(tmp_path))
