"""Every model has one name and gives the same paths by every door: commands and Python, to the byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import scandl
from scandl.cli import main as scandl_command
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus, write_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.models.catalogue import model_names, open_model
from scandl.models.readings import fold_readings
from scandl.models.trained_model import ModelOptions
from scandl.records import Prediction
from scandl.splits import make_folds
from scandl_analysis.piloting.reading_pool import open_readers
from scandl_eval.cli import main as eval_command

TRAINED = ("eyettention", "scandl", "scanpath-transformer")  # a fold takes them minutes
QUICK = [name for name in model_names() if not name.startswith(TRAINED)]
NAMES = [*QUICK, "markov+times-by-word", "my_reader.py:MyReader"]
SLOW = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in model_names()
    if name.startswith(TRAINED) and "paper" not in name  # the paper's size takes days
]
OWN = """
class MyReader:
    \"\"\"Read every word, some twice.\"\"\"
    def fit(self, training, *, seed):
        return self
    def read(self, requests, *, seed):
        return [[w for w in range(r.sentence.n_words) for _ in range(1 + (w + r.sample + seed) % 2)] for r in requests]
"""
TEXTS = ["The old man the boats.", "A dog barked at the bright moon again."]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of four readers and six sentences of the demo."""
    demo = open_corpus("demo")
    read_by = demo.by_sentence
    sentences = [key for key, paths in read_by.items() if len(paths) > 8][:6]
    readers = sorted(set.intersection(*({p.reader_id for p in read_by[s]} for s in sentences)))[:4]
    chosen = demo.restricted_to([(reader, sentence) for reader in readers for sentence in sentences])
    folder = tmp_path_factory.mktemp("few") / "few"
    write_corpus(replace(chosen, readers={reader: demo.readers[reader] for reader in readers}), folder)
    return folder


@pytest.fixture(autouse=True)
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where a model of the user's own lies."""
    (tmp_path / "my_reader.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)


def name_of(source: str) -> str:
    """Return what a model is called in files: its name, or that of its class."""
    return source.rpartition(":")[2]


def done(command: Callable[[list[str]], int], *arguments: object) -> None:
    assert command([*map(str, arguments), "--quiet"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_read_the_same_by_every_door(name: str, few: Path, tmp_path: Path) -> None:
    model = open_model(name)
    if model.needs.human_length:
        with pytest.raises(ScandlError, match=f"{name} needs the length of a human path"):
            scandl.generate(TEXTS, model=name)
        return
    learned = ["--corpus", few] if model.needs.training else []
    texts = [argument for text in TEXTS for argument in ("--text", text)]
    how = ["--samples", 2, "--seed", 5, *learned, *texts]
    done(scandl_command, "generate", "--model", name, *how, "--out", tmp_path / "generate.csv")
    done(eval_command, "baseline", "generate", name, *how, "--out", tmp_path / "baseline.csv")
    assert (tmp_path / "generate.csv").read_bytes() == (tmp_path / "baseline.csv").read_bytes()
    written = read_predictions(tmp_path / "generate.csv")
    assert {prediction.model for prediction in written} == {name_of(name)}
    training = str(few) if learned else None
    paths = scandl.generate(TEXTS, model=name, samples=2, seed=5, training=training)
    assert [(p.positions, as_written(p.durations)) for p in paths] == [
        (p.predicted, p.durations) for p in written
    ]


@pytest.mark.parametrize(
    "name", [name for name in NAMES if ".py:" not in name and not open_model(name).needs.training]
)
def test_simulated_readers_are_the_same_in_a_pilot(name: str, tmp_path: Path) -> None:
    if open_model(name).needs.human_length:
        return
    texts = [argument for text in TEXTS for argument in ("--text", text)]
    done(
        scandl_command,
        "generate",
        "--model",
        name,
        "--readers",
        3,
        "--seed",
        5,
        *texts,
        "--out",
        tmp_path / "readers.csv",
    )
    written = {
        (p.reader_id, p.sentence_id): (p.predicted, p.durations)
        for p in read_predictions(tmp_path / "readers.csv")
    }
    sentences = tuple(scandl.Sentence(f"t{n}", text) for n, text in enumerate(TEXTS, start=1))
    pool = open_readers(name, sentences, ()).read(sentences, 1, 2, seed=5)
    assert [p.reader_id for p in pool] == ["sim2", "sim2", "sim3", "sim3"]
    assert all(written[p.reader_id, p.sentence_id] == (p.positions, as_written(p.durations)) for p in pool)


def test_context_is_withheld_by_every_door(few: Path, tmp_path: Path) -> None:
    how = ["--readers", 2, "--context", "none", "--text", TEXTS[1], "--out", tmp_path / "texts.csv"]
    done(scandl_command, "generate", *how)
    written = {p.reader_id: p.predicted for p in read_predictions(tmp_path / "texts.csv")}
    sentence = (scandl.Sentence("t1", TEXTS[1]),)
    told, untold = (
        open_readers("people", sentence, (), context=context).read(sentence, 0, 2, seed=1)
        for context in (None, "none")
    )
    assert {p.reader_id: p.positions for p in untold} == written != {p.reader_id: p.positions for p in told}
    where = ["--corpus", few, "--settings", "ns", "--folds", 0, "--resamples", 20]
    made = {}
    for context in ("none", "small"):
        out = tmp_path / context
        done(eval_command, "run", "--models", "people", *where, "--context", context, "--out", out)
        made[context] = by_item(read_predictions(out / "predictions" / "people" / "ns.csv"))
    model, corpus = open_model("people", ModelOptions(context="none")), open_corpus(str(few))
    fold = make_folds(corpus, "ns", seed=1)[0]
    assert made["none"] == by_item(fold_readings(model, fold, corpus)) != made["small"]
    assert "people: context: none" in (tmp_path / "none" / "leaderboard.json").read_text()


def test_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A class that learns is not let read untaught, whichever door is taken."""
    says = "MyReader needs training: name a corpus that people have read, to learn from"
    for command, line in (
        (scandl_command, ["generate", "--model", "my_reader.py:MyReader", "--readers", "2"]),
        (eval_command, ["baseline", "generate", "my_reader.py:MyReader"]),
    ):
        assert command([*line, "--text", TEXTS[0], "--out", "out.csv"]) == 2
        assert says in capsys.readouterr().err
    with pytest.raises(ScandlError, match=says):
        scandl.generate(TEXTS, model="my_reader.py:MyReader")
    sentences = (scandl.Sentence("t1", TEXTS[0]),)
    with pytest.raises(ScandlError, match="MyReader needs training"):
        open_readers("my_reader.py:MyReader", sentences, ()).read(sentences, 1, 2, seed=5)


@pytest.mark.parametrize("name", [*NAMES, *SLOW])
def test_folds_are_read_the_same_by_every_door(name: str, few: Path, tmp_path: Path) -> None:
    if name == "demo":
        return  # it has learned from the demo corpus, and says so: tests/scandl/models/test_trained_model.py
    where = ["--corpus", few, "--seed", 3]
    one = ["--setting", "ns", "--fold", 0]
    done(
        scandl_command,
        "generate",
        "--model",
        name,
        *where,
        *one,
        "--split-seed",
        3,
        "--out",
        tmp_path / "generate.csv",
    )
    done(eval_command, "baseline", "generate", name, *where, *one, "--out", tmp_path / "baseline.csv")
    done(
        eval_command,
        "run",
        "--models",
        name,
        *where,
        "--settings",
        "ns",
        "--folds",
        0,
        "--resamples",
        20,
        "--out",
        tmp_path / "run",
    )
    expected = read_predictions(tmp_path / "generate.csv")
    assert (tmp_path / "generate.csv").read_bytes() == (tmp_path / "baseline.csv").read_bytes()
    ran = read_predictions(tmp_path / "run" / "predictions" / name_of(name) / "ns.csv")
    assert by_item(ran) == by_item(expected) == by_item(in_python(name, open_corpus(str(few))))


def by_item(predictions: list[Prediction]) -> dict[tuple[str | None, str, int], object]:
    return {
        (p.reader_id, p.sentence_id, p.sample): (p.model, p.predicted, as_written(p.durations))
        for p in predictions
    }


def in_python(name: str, corpus: Corpus) -> list[Prediction]:
    return fold_readings(open_model(name), make_folds(corpus, "ns", seed=3)[0], corpus, seed=3)


def as_written(durations: tuple[float, ...] | None) -> tuple[float, ...] | None:
    """Return durations as a table has them: ten digits."""
    return None if durations is None else tuple(float(f"{ms:.10g}") for ms in durations)
