"""Scanpaths for texts: Python and the command give the same, in any company."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.cli import main
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.files.prediction_inputs import scanpath_predictions
from scandl.models.catalogue import open_model
from scandl.models.diffusion.diffusion_model import Sampling
from scandl.models.text_generation import generate
from scandl.records import Sentence

FEW = Sampling(steps=5)
TEXTS = ["The cat sat.", "A dog  barked at the moon."]


def test_the_command_writes_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS))
    out = tmp_path / "preds.csv"
    command = ["generate", "--model", "demo", "--text-file", str(tmp_path / "texts.txt"), "--samples", "3"]
    assert main([*command, "--seed", "4", "--steps", "5", "--out", str(out), "--quiet"]) == 0
    paths = generate(TEXTS, samples=3, seed=4, sampling=FEW, model="demo")
    assert read_predictions(out) == scanpath_predictions(paths, model="demo")


def test_a_path_depends_on_its_own_sentence_alone() -> None:
    model = open_model("demo")
    together = generate(TEXTS, samples=2, seed=1, model=model, sampling=FEW)
    assert [(p.sentence_id, p.text) for p in together[1:3]] == [
        ("t1", "The cat sat."),
        ("t2", "A dog barked at the moon."),
    ]
    alone = generate(Sentence("t2", TEXTS[1]), samples=1, seed=1, model=model, sampling=FEW)
    assert alone[0].positions == together[2].positions
    assert generate(TEXTS[0], samples=2, seed=2, model=model, sampling=FEW) != together[:2]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"texts": "  "}, "the text is empty: there is nothing to read"),
        ({"texts": []}, "the text is empty: there is nothing to read"),
        ({"texts": "a b", "samples": 0}, "--samples 0: expected at least 1"),
        ({"texts": "a b", "model": "none.npz"}, "none.npz: no such model"),
        ({"texts": "a b", "device": "cuda"}, "--device cuda: exported models and that of the package run on"),
    ],
)
def test_it_raises_the_sentence_of_the_command(arguments: dict[str, object], expected: str) -> None:
    with pytest.raises(ScandlError) as caught:
        generate(**arguments)  # type: ignore[arg-type]
    assert str(caught.value).startswith(expected)
