"""Scanpaths for texts: Python and the command give the same, in any company."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.cli import main
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.files.prediction_inputs import scanpath_predictions
from scandl.models.catalogue import open_model
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.text_generation import RangeCheck, generate, misread, outside
from scandl.records import Sentence

FEW = Denoising(steps=5)
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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Hund bellt laut im Garten.", "German"),
        ("Le chat est sur la table.", "French"),
        ("El perro corre por la calle.", "Spanish"),
        ("Een man loopt door de straat.", "Dutch"),
    ],
)
def test_other_languages_are_named(text: str, language: str) -> None:
    assert outside(text.split()).startswith(f"looks {language} and is read as English: give --language ")


@pytest.mark.parametrize(
    "text",
    [
        "Colorless green ideas sleep furiously.",
        "Electroencephalography quantifies thalamocortical oscillations.",
        "“Well,” she said, “it’s 5 o’clock!” 🎉",
        "Kim Jong Un met Xi Jinping.",
    ],
)
def test_odd_english_is_english(text: str) -> None:
    assert outside(text.split()) == ""


def test_no_sentence_of_the_demo_is_foreign() -> None:
    assert not [s for s in open_corpus("demo").sentences.values() if outside(s.words)]


def test_no_sentence_of_a_human_corpus_is_foreign(shared) -> None:
    for name in ("provo", "schilling", "mertzen", "onestop-sample"):
        found = [s.text for s in open_corpus(shared(name)).sentences.values() if outside(s.words)]
        assert found == [], name


def test_scripts_signs_and_lengths() -> None:
    assert outside(["你好", "世界"]) == "is in another script and is read as English: give its --language"
    assert outside(["👍", "12", "+"]) == "has no letters, the model was trained on words"
    assert outside(["word"] * 61, longest=60).startswith("is longer than the 60 words")
    assert outside(["word"] * 61) == outside(["word"] * 60, longest=60) == ""


def test_each_reason_is_one_line_with_a_count() -> None:
    check = RangeCheck()
    texts = [Sentence("a", "12 3"), Sentence("b", "A cat."), Sentence("c", "4 5")]
    check.add(check.reasons(texts), 3)
    check.add(check.reasons([Sentence("d", "Der Hund bellt laut.")]), 1)
    assert check.lines() == [
        "2 of 4 texts (a the first): has no letters, the model was trained on words",
        "1 of 4 texts (d): looks German and is read as English: give --language de",
    ]
    assert RangeCheck().lines() == []


def test_a_language_that_was_named_is_taken_at_its_word() -> None:
    german, hindi = ["Der", "Hund", "bellt", "sehr", "laut."], ["यह", "एक", "है"]
    assert outside(german, "de") == "is in language 'de', the model was trained on English"
    assert misread(german, "de") == misread(hindi, "hi") == ""
    assert misread(hindi) == "is in another script and is read as English: give its --language"
    told = Sentence("h", "यह एक है", language="hi")
    assert RangeCheck(trained=False).reasons([told]) == []
    assert RangeCheck().reasons([told]) == [("is in language 'hi', the model was trained on English", "h")]
