"""A job travels: what is drawn from it is what the model draws, and its name says what it is."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import scandl
from scandl.errors import ScandlError
from scandl.files.prediction_inputs import scanpath_predictions
from scandl.models.generation_job import GenerationJob, PackedModel
from scandl.models.readings import ReaderChoice
from scandl.models.streamed_generation import TextBlock, blocks_of, draw_block
from scandl.models.trained_model import ModelOptions
from scandl.records import Sentence

TEXTS = [Sentence(f"t{n}", "The cat sat on the mat."[: 8 + n]) for n in range(7)]


@pytest.fixture
def job(pointer_file: Path) -> GenerationJob:
    return GenerationJob(PackedModel.of(str(pointer_file)), readers=ReaderChoice(3), samples=2, seed=5)


def test_it_draws_what_python_draws_wherever_it_is(job: GenerationJob, pointer_file: Path) -> None:
    expected = scandl.generate(TEXTS, samples=2, seed=5, readers=3, model=pointer_file)
    there = pickle.loads(pickle.dumps(job))
    assert there.predictions(TEXTS) == scanpath_predictions(expected, model="few")
    assert job.per_text == 6


def test_a_block_is_the_bytes_of_its_table(job: GenerationJob) -> None:
    drawn = draw_block((job, ".csv"), TextBlock(0, tuple(TEXTS[:2])))
    assert drawn.n_paths == 12
    header, *rows = drawn.content.decode().splitlines()
    assert header == "model,setting,fold,reader_id,sentence_id,sample,predicted,text,durations"
    assert [row.split(",")[3:6] for row in rows[:3]] == [
        ["sim1", "t0", "0"],
        ["sim1", "t0", "1"],
        ["sim2", "t0", "0"],
    ]


def test_names_tell_jobs_and_texts_apart(job: GenerationJob) -> None:
    jobs = [
        job,
        replace(job, seed=6),
        replace(job, samples=3),
        replace(job, readers=ReaderChoice(4)),
        replace(job, options=ModelOptions(raw=True)),
        replace(job, model=PackedModel("demo")),
        replace(job, language="de"),
        replace(job, training="demo"),
    ]
    assert len({one.digest for one in jobs}) == len(jobs)
    assert replace(job, options=ModelOptions(batch=3)).digest == job.digest
    digest = job.digest
    blocks = [TextBlock(0, tuple(TEXTS[:2])), TextBlock(0, tuple(TEXTS[:3])), TextBlock(1, tuple(TEXTS[:2]))]
    assert len({block.name(digest) for block in blocks}) == 3


def test_blocks_are_all_texts_in_order() -> None:
    found = list(blocks_of(iter(TEXTS), per_text=3, paths=6))
    assert [s for block in found for s in block.sentences] == TEXTS
    assert [(b.number, len(b.sentences)) for b in found] == [(0, 2), (1, 2), (2, 2), (3, 1)]
    assert [len(b.sentences) for b in blocks_of(TEXTS, per_text=100, paths=6)] == [1] * 7


def test_what_cannot_be_packed(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="none.pt: no such model"):
        PackedModel.of(str(tmp_path / "none.pt"))
    with pytest.raises(ScandlError, match="found a folder without last.pt"):
        PackedModel.of(str(tmp_path))
