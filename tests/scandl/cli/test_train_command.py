"""``scandl train``: bad input is one line and exit 2, and the last good checkpoint stays."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from scandl.cli import main
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import write_corpus
from scandl.files.results import locked
from scandl.records import Sentence
from scandl.splits import make_folds
from scandl.training.checkpoint import read_checkpoint
from scandl.training.trainer import Trainer

TrainCommand = Callable[..., list[str]]
Refused = Callable[[list[str]], str]


def test_it_trains_and_says_where(
    train_command: TrainCommand, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(train_command(tmp_path)) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'last.pt'}\n"
    saved = read_checkpoint(tmp_path / "last.pt")
    assert (saved["step"], saved["encoder"], saved["fold"]["fold_id"]) == (4, "lexical/3", "ns-0")
    rows = (tmp_path / "log.csv").read_text().splitlines()
    assert rows[0] == "step,loss,lr,seconds,name,value"
    assert len(rows) == 5


def test_tensorboard_gets_the_numbers_of_the_log(train_command: TrainCommand, tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    assert main(train_command(tmp_path, "--tensorboard")) == 0
    events = accumulator.EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    logged = [float(line.split(",")[1]) for line in (tmp_path / "log.csv").read_text().splitlines()[1:]]
    assert [event.step for event in events.Scalars("loss")] == [1, 2, 3, 4]
    assert [event.value for event in events.Scalars("loss")] == pytest.approx(logged, rel=1e-5)


def test_new_readers_need_readers(
    tiny_corpus: Callable[[int], Corpus], train_command: TrainCommand, tmp_path: Path, refused: Refused
) -> None:
    write_corpus(tiny_corpus(1), tmp_path / "one")
    line = refused(train_command(tmp_path / "out", "--corpus", str(tmp_path / "one"), "--setting", "nr"))
    assert line == "scandl: corpus 'tiny' has 1 readers; 5 folds of 'nr' need more"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--fold", "9"], "scandl: no fold 9; known: 0, 1, 2, 3, 4"),
        (["--set", "model.heads=3"], "scandl: model.heads: 3 heads do not divide dim 16"),
        (["--set", "model.layer=3"], "scandl: unknown setting 'model.layer'; did you mean 'layers'?"),
        (["--preset", "smal"], "scandl: no preset 'smal'; did you mean 'small'? known: paper, small"),
        (["--set", "model.encoder=lexica"], "scandl: no text encoder 'lexica'; did you mean 'lexical'?"),
        (
            ["--set", "model.seq_len=8", "--set", "model.buckets=[8]"],
            "scandl: the fold could not be tested: sentence 's2' has 7 words; seq_len 8 has ids for at most 5",
        ),
        (["--set", "training.batch=0"], "scandl: setting 'training.batch': found 0, expected at least 1"),
        (
            ["--set", "model.buckets=[2]"],
            "scandl: model.buckets: found [2], expected rising lengths up to 128, none below 3",
        ),
        (["--device", "foo"], "scandl: --device foo: expected cpu or cuda"),
        (
            ["--set", "training.validation=energy", "--set", "training.validation_share=0.05"],
            "scandl: validation by energy distance needs sentences with two held-out readers; there is none",
        ),
    ],
)
def test_settings_that_cannot_be(
    more: list[str], expected: str, train_command: TrainCommand, tmp_path: Path, refused: Refused
) -> None:
    assert refused(train_command(tmp_path / "out", *more)).startswith(expected)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="CUDA is there")
def test_a_gpu_that_is_not_there(train_command: TrainCommand, tmp_path: Path, refused: Refused) -> None:
    line = refused([*train_command(tmp_path), "--device", "cuda"])
    assert line == "scandl: --device cuda: no CUDA device is available here"


def test_a_full_disk_leaves_the_last_checkpoint(
    train_command: TrainCommand, tmp_path: Path, refused: Refused
) -> None:
    """A limit on the size of files stops the writing in the middle, as a full disk does."""
    assert main(train_command(tmp_path, "--set", "training.steps=4")) == 0
    before = (tmp_path / "last.pt").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        line = refused(train_command(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert line.startswith(f"scandl: {tmp_path / 'last.pt'}: cannot be written")
    assert line.endswith("the previous checkpoint stays")
    assert (tmp_path / "last.pt").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["last.pt", "log.csv"]


def test_the_second_training_into_a_folder_is_refused(
    train_command: TrainCommand, tmp_path: Path, refused: Refused
) -> None:
    assert main(train_command(tmp_path)) == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with locked(tmp_path):  # as another process that trains does
        line = refused(train_command(tmp_path, "--set", "training.steps=40"))
    assert line.startswith(f"scandl: {tmp_path}: another command is writing into this folder")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_loss_that_is_not_finite(train_command: TrainCommand, tmp_path: Path, refused: Refused) -> None:
    more = ["--set", "training.lr=1e38", "--set", "training.warmup=0", "--set", "training.clip_norm=1e38"]
    line = refused(train_command(tmp_path, "--set", "training.steps=40", *more))
    assert line.startswith("scandl: the loss at step ")
    assert " is nan: batch r" in line or " is inf: batch r" in line
    assert line.endswith("the last checkpoint stays")


def test_a_folder_of_another_training_is_not_continued(
    train_command: TrainCommand, tmp_path: Path, refused: Refused
) -> None:
    assert main(train_command(tmp_path)) == 0
    line = refused(train_command(tmp_path, "--set", "training.lr=0.5"))
    assert "its config differs from this run's; train into another folder or with --restart" in line


def test_a_test_sentence_that_is_too_long_is_named_before_training(
    tiny_corpus: Callable[[int], Corpus], train_command: TrainCommand, tmp_path: Path, refused: Refused
) -> None:
    """In training it would lose its end, and then the whole fold could not be generated for."""
    corpus = tiny_corpus(6)
    _, name = make_folds(corpus, "ns", seed=1)[0].test[0]
    long = Sentence(name, "word " * 100)
    write_corpus(replace(corpus, sentences={**corpus.sentences, name: long}), tmp_path / "long")
    command = train_command(tmp_path / "out", "--corpus", str(tmp_path / "long"))
    assert refused(command) == (
        f"scandl: the fold could not be tested: sentence {name!r} has 102 word pieces with CLS and SEP; this"
        " model takes at most 88 (the longest bucket is 128); leave the sentence out of the corpus, or raise"
        " model.seq_len and model.buckets"
    )
    assert not (tmp_path / "out").exists()
    assert main([*command, "--fold", "1"]) == 0  # there it is only learned from


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_saves_and_the_same_command_resumes(
    train_command: TrainCommand,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = Trainer._one_step

    def one_step(trainer: Trainer, examples: list[int]) -> None:
        inner(trainer, examples)
        if trainer.step == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "_one_step", one_step)
        assert main(train_command(tmp_path)) == 130
    last = tmp_path / "last.pt"
    line = capsys.readouterr().err.splitlines()[-1]
    assert line == f"scandl: training was told to stop at step 3; {last} is saved, the same command resumes"
    assert read_checkpoint(last)["step"] == 3
    assert main(train_command(tmp_path)) == 0
    assert read_checkpoint(last)["step"] == 4
