"""No command tests a checkpoint on what it was trained on, whoever made the checkpoint."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scandl.cli import main as scandl
from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import write_corpus
from scandl.records import Scanpath, Sentence
from scandl.training.checkpoint import read_checkpoint
from scandl_eval.cli import main as scandl_eval

TINY = (
    "model.layers=1",
    "model.dim=16",
    "model.heads=2",
    "model.feed_forward=16",
    "diffusion.steps=20",
    "training.steps=4",
    "training.batch=4",
    "training.save_every=2",
)
CHANGES = [part for setting in TINY for part in ("--set", setting)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sentences = {f"s{n}": Sentence(f"s{n}", f"The cat {n} sat on the mat.") for n in range(6)}
    paths = [Scanpath(f"r{r}", s, (0, 1, r % 7, 5)) for s in sentences for r in range(6)]
    folder = tmp_path_factory.mktemp("corpora") / "tiny"
    write_corpus(Corpus(Card(name="tiny", kind="simulated"), sentences, tuple(paths)), folder)
    return folder


def fold(corpus: Path, setting: str, number: int) -> list[str]:
    return ["--corpus", str(corpus), "--setting", setting, "--fold", str(number)]


def train(corpus: Path, out: Path, setting: str, number: int) -> list[str]:
    where = ["--preset", "small", "--device", "cpu", "--quiet", "--out", str(out)]
    return ["train", *fold(corpus, setting, number), *where, *CHANGES]


def benchmark(corpus: Path, out: Path) -> list[str]:
    return [
        "run",
        "--corpus",
        str(corpus),
        "--settings",
        "ns",
        "--folds",
        "0,1",
        "--models",
        "scandl",
        "--resamples",
        "10",
        "--keep-checkpoints",
        "--out",
        str(out),
        "--quiet",
        *CHANGES,
    ]


@pytest.fixture(scope="module", params=["train", "run"])
def checkpoint(
    request: pytest.FixtureRequest, corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The checkpoint of fold ns-0, made by one command or the other."""
    out = tmp_path_factory.mktemp("made")
    if request.param == "train":
        assert scandl(train(corpus, out, "ns", 0)) == 0
        return out / "last.pt"
    assert scandl_eval(benchmark(corpus, out / "run")) == 0
    found = {read_checkpoint(path)["fold"]["fold_id"]: path for path in out.glob("run/checkpoints/*/last.pt")}
    assert set(found) == {"ns-0", "ns-1"}
    return found["ns-0"]


@pytest.mark.parametrize("command", ["generate", "steps"])
@pytest.mark.parametrize(
    ("setting", "number", "reason"),
    [("ns", 1, "was trained on sentence"), ("nr", 0, "was trained on reader"), ("nrns", 0, "was trained on")],
)
def test_generate_and_steps_take_the_own_test_part_alone(
    command: str,
    setting: str,
    number: int,
    reason: str,
    checkpoint: Path,
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(setting: str, number: int) -> int:
        asked = ["--checkpoint", str(checkpoint), *fold(corpus, setting, number), "--steps"]
        if command == "generate":
            return scandl(["generate", *asked, "4", "--out", str(tmp_path / "preds.csv"), "--quiet"])
        return scandl_eval(["steps", *asked, "4,6", "--quiet"])

    assert run("ns", 0) == 0
    capsys.readouterr()
    assert run(setting, number) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"the checkpoint of fold ns-0 {reason}" in line


def test_train_does_not_go_on_with_another_fold(
    checkpoint: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert scandl([*train(corpus, checkpoint.parent, "ns", 1), "--set", "training.seed=1"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "differs from this run's; train into another folder" in line


def test_run_does_not_take_the_checkpoint_of_another_fold(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody puts the checkpoint of one fold where that of another belongs."""
    assert scandl_eval(benchmark(corpus, tmp_path / "run")) == 0
    folders = {
        read_checkpoint(path)["fold"]["fold_id"]: path.parent
        for path in (tmp_path / "run" / "checkpoints").glob("*/last.pt")
    }
    shutil.copy(folders["ns-1"] / "last.pt", folders["ns-0"] / "last.pt")
    shutil.rmtree(tmp_path / "run" / ".pieces")
    capsys.readouterr()
    assert scandl_eval(benchmark(corpus, tmp_path / "run")) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "its fold differs from this run's" in line
