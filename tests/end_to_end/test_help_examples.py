"""The line that closes the help of every command can be typed as it stands."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path

import pytest

COMMANDS = {
    (package, name): command.example
    for package in ("scandl", "scandl_eval", "scandl_analysis")
    for name, command in import_module(f"{package}.cli").COMMANDS.items()
}
FAST = ("corpus", "split", "generate", "models", "nld", "score", "compare", "baseline", "validate")
FAST += ("measures", "ease")
SHORTER = {  # what a test adds so that a line takes seconds: fewer steps, draws, folds
    "train": "--set training.steps=3",
    "tune": "--trials 1 --preset small --set training.steps=2 --steps 2",
    "steps": "--steps 2",
    "run": "--folds 0 --resamples 20",
    "psycholing": "--draws 20 --chains 2 --surprisal unigram --no-ceiling",
    "predictive-power": "--measures tfc --folds 2",
    "pilot": "--readers 8 --pool 8 --experiments 5 --measures tfc --surprisal unigram",
}
ROWS = "".join(f"r{r},s{s},0 {s % 3 + 1} 3,0 1 {r % 3 + 1}\n" for r in range(4) for s in range(4))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the lines name."""
    found = tmp_path_factory.mktemp("examples")
    for name in ("preds", "mine", "theirs"):
        (found / f"{name}.csv").write_text(f"reader_id,sentence_id,human,predicted\n{ROWS}")
    texts = [
        f"{item},{condition},The {noun} *{verb}* the children."
        for item, noun in enumerate(("cook", "nurse", "boy", "man"))
        for condition, verb in (("short", "saw"), ("long", "investigated"))
    ]
    written = [
        f"{item},{system},The {word} sat." for item in "12" for system, word in (("A", "cat"), ("B", "boy"))
    ]
    (found / "texts.csv").write_text("\n".join(["item_id,system,text", *written]) + "\n")
    (found / "stimuli.csv").write_text("\n".join(["item_id,condition,text", *texts]) + "\n")
    return found


def run_example(package: str, name: str) -> None:
    line = f"{COMMANDS[package, name]} {SHORTER.get(name, '')}"
    program, *arguments = shlex.split(line)
    assert program == package.replace("_", "-")
    assert import_module(f"{package}.cli").main([*arguments, "--quiet"]) == 0, line


@pytest.fixture(scope="module")
def worked(folder: Path) -> Path:
    """Return the folder with a run and a trained model, made as the lines say."""
    for extra in ("torch", "nutpie", "pocketsphinx"):
        pytest.importorskip(extra, reason="needs scandl[model,analysis]")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run_example("scandl", "train")
        run_example("scandl_eval", "run")
    return folder


@pytest.mark.parametrize(("package", "name"), [key for key in COMMANDS if key[1] in FAST])
def test_what_takes_seconds(package: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    run_example(package, name)


@pytest.mark.slow
@pytest.mark.parametrize(("package", "name"), [key for key in COMMANDS if key[1] not in FAST])
def test_what_takes_longer(package: str, name: str, worked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ("train", "run"):
        return  # done already, by the fixture
    monkeypatch.chdir(worked)
    run_example(package, name)
