"""The same data have the same numbers, whatever the order of rows, files and models and whatever names are.

What is drawn at random is drawn by name, so that it changes with names and with nothing else; which numbers
those are is said in docs/metrics.md.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.measures.catalogue import METRICS
from scandl.records import Prediction, Scanpath, Sentence
from scandl_analysis.cli import main as analyse
from scandl_eval.cli import main
from scandl_eval.scoring.comparison import compare
from scandl_eval.scoring.engine import is_compared
from scandl_eval.scoring.evaluation import evaluate

SAMPLES = {"alpha": 2, "beta": 1, "gamma": 3}  # most samples of an item
LACKING = {"alpha": 0.0, "beta": 0.15, "gamma": 0.05}  # share of items that a model lacks
EVERY = tuple(metric.name for metric in METRICS.values() if metric.name != "log-density")
KERNELS = tuple(metric.name for metric in METRICS.values() if metric.kernel)
FEW = ("nld", "nld-scandl", "nld-time", "scasim", *KERNELS, "duration-wasserstein", "classifier-auc")
COMPARED = tuple(name for name in EVERY if is_compared(METRICS[name]))
DRAWN_ROWS = ("train-label-dist", "Human", "simulated readers")
"""Rows that are drawn: a histogram's paths, halves of the readers, one other reader for a metric of pairs."""
DRAWN = ("classifier-auc", "wasserstein", "jensen-shannon", "above-chance", "information-gain")
"""How the names of metrics end that have draws: folds and resamples of readers, other sentences by chance."""
Numbers = dict[tuple[str, str], dict[str, Any]]
"""Everything a row says, by model and metric."""


def walked(rng: np.random.Generator, n_words: int) -> tuple[int, ...]:
    """A walk that skips, goes back and stays."""
    at, path = 0, []
    while at < n_words and len(path) < 30:
        path.append(at)
        at = max(0, at + int(rng.choice([-1, 0, 1, 1, 1, 2])))
    return tuple(path)


def timed(rng: np.random.Generator, path: Sequence[int]) -> tuple[float, ...]:
    return tuple(float(ms) for ms in rng.integers(80, 400, len(path)))


def ragged(readers: int = 8, sentences: int = 6, share: float = 0.75) -> Corpus:
    """Readers who read some of the sentences."""
    rng = np.random.default_rng(1)
    words = ["abc", "de", "fghi", "klmnop", "qr", "st"]
    texts = {f"s{s}": " ".join(words[: int(rng.integers(4, 7))]) for s in range(sentences)}
    paths = []
    for r in range(readers):
        for s, text in texts.items():
            if rng.random() < share:
                path = walked(rng, len(text.split()))
                paths.append(Scanpath(f"r{r}", s, path, timed(rng, path)))
    found = {s: Sentence(s, text) for s, text in texts.items()}
    return Corpus(Card(name="ragged"), found, tuple(paths))


def part_of(corpus: Corpus, readers: int, sentences: int) -> Corpus:
    """The first readers and sentences of a corpus."""
    who, what = corpus.reader_ids[:readers], list(corpus.sentences)[:sentences]
    paths = [p for p in corpus.scanpaths if p.reader_id in who and p.sentence_id in what]
    return Corpus(corpus.card, {s: corpus.sentences[s] for s in what}, tuple(paths))


def predictions(corpus: Corpus) -> list[Prediction]:
    """What three models predict, two of them not for every item, with several samples."""
    rng = np.random.default_rng(2)
    folds = {sentence: str(k % 2) for k, sentence in enumerate(corpus.sentences)}
    found = []
    for p in corpus.scanpaths:
        for model, samples in SAMPLES.items():
            for k in range(int(rng.integers(1, samples + 1)) if rng.random() >= LACKING[model] else 0):
                path = walked(rng, corpus.sentences[p.sentence_id].n_words)
                log_prob = -1.5 * (1 + len(p.positions))
                found.append(
                    Prediction(
                        p.sentence_id,
                        path,
                        None,
                        p.reader_id,
                        model,
                        "nr",
                        folds[p.sentence_id],
                        k,
                        durations=timed(rng, path),
                        log_prob=log_prob,
                    )
                )
    return found


def shuffled(things: Sequence[Any], seed: int = 5) -> list[Any]:
    return [things[i] for i in np.random.default_rng(seed).permutation(len(things))]


def renamed(
    given: Sequence[Prediction], corpus: Corpus, to: Callable[[str], str]
) -> tuple[list[Prediction], Corpus]:
    """Other names for readers and sentences."""
    paths = [replace(p, reader_id=to(p.reader_id), sentence_id=to(p.sentence_id)) for p in corpus.scanpaths]
    sentences = {to(key): Sentence(to(key), s.text) for key, s in corpus.sentences.items()}
    return [
        replace(p, reader_id=to(p.reader_id or ""), sentence_id=to(p.sentence_id)) for p in given
    ], Corpus(corpus.card, sentences, tuple(paths))


def numbers(
    source: Any, corpus: Corpus, metrics: Sequence[str], models: Mapping[str, str] | None = None
) -> Numbers:
    rows = evaluate(source, corpus=corpus, metrics=metrics).rows
    return {
        ((models or {}).get(row.model, row.model), row.metric): row.as_dict() | {"model": ""} for row in rows
    }


def of(found: Numbers, models: Sequence[str]) -> Numbers:
    return {key: row for key, row in found.items() if key[0] in models}


def near(first: Numbers, second: Numbers) -> None:
    """Compare what is not drawn; sums are put together in another order."""
    for (model, metric), row in first.items():
        if model in DRAWN_ROWS or metric.endswith(DRAWN):
            continue
        for name, value in row.items():
            if isinstance(value, float | tuple):
                assert second[model, metric][name] == pytest.approx(value, abs=1e-8), (model, metric, name)
            else:
                assert second[model, metric][name] == value, (model, metric, name)


def check(corpus: Corpus, metrics: Sequence[str]) -> None:
    given = predictions(corpus)
    mixed = shuffled(given)
    again = replace(
        corpus,
        sentences=dict(shuffled(list(corpus.sentences.items()))),
        scanpaths=tuple(shuffled(corpus.scanpaths)),
    )
    found = numbers(given, corpus, metrics)
    assert numbers(mixed, again, metrics) == found
    half = len(given) // 2
    assert numbers([mixed[half:], mixed[:half]], corpus, metrics) == found  # two sources
    other = {"alpha": "zeta", "beta": "eta", "gamma": "aleph"}
    names = {new: old for old, new in other.items()}
    assert numbers([replace(p, model=other[p.model]) for p in mixed], corpus, metrics, names) == found
    alone = [p for p in given if p.model != "beta"]
    assert of(numbers(alone, corpus, metrics), ("alpha", "gamma")) == of(found, ("alpha", "gamma"))
    for to in ("q{}".format, lambda name: f"z{1000 - int(''.join(filter(str.isdigit, name)) or 0):04d}"):
        near(found, numbers(*renamed(mixed, corpus, to), metrics))
    apart = [name for name in COMPARED if name in metrics]
    pairs = [compare(rows, corpus=corpus, models=list(SAMPLES), metrics=apart) for rows in (given, mixed)]
    assert pairs[0].pairs == pairs[1].pairs
    assert pairs[0].ranks == pairs[1].ranks


def test_a_ragged_design_with_several_samples() -> None:
    check(
        ragged(), tuple(name for name in EVERY if METRICS[name].asked_as != "distribution-panel")
    )  # it has thousands of draws


def test_the_demo() -> None:
    check(part_of(open_corpus("demo"), 7, 8), FEW)


def test_real_readers(shared: Callable[[str], Path]) -> None:
    check(part_of(open_corpus(str(shared("schilling"))), 6, 8), FEW)


@pytest.mark.slow
@pytest.mark.parametrize("corpus", ["demo", "schilling", "ragged"])
def test_many_readers_and_sentences(shared: Callable[[str], Path], corpus: str) -> None:
    """Every metric; a minute of CPU each."""
    whole = (
        ragged(24, 30)
        if corpus == "ragged"
        else open_corpus(corpus if corpus == "demo" else str(shared(corpus)))
    )
    check(part_of(whole, 20, 24), EVERY)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def part_on_disk(folder: Path, *, mixed: bool, readers: int, sentences: int) -> Path:
    """Write a part of the demo, its rows in order or not."""
    whole = open_corpus("demo")
    part, source = part_of(whole, readers, sentences), whole.folder
    assert source is not None
    folder.mkdir()
    (folder / "corpus.toml").write_bytes((source / "corpus.toml").read_bytes())
    for name in ("sentences.csv", "fixations.csv", "words.csv"):
        rows = [
            row
            for row in table(source / name)
            if row["sentence_id"] in part.sentences
            and row.get("reader_id", part.reader_ids[0]) in part.reader_ids
        ]
        if mixed:
            random.Random(9).shuffle(rows)
        with (folder / name).open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


def run(corpus: Path, out: Path, models: Sequence[str]) -> Path:
    few = ["--settings", "nrns", "--folds", "0,1", "--samples", "2", "--resamples", "20", "--quiet"]
    assert main(["run", "--corpus", str(corpus), "--models", ",".join(models), "--out", str(out), *few]) == 0
    return out


def sorted_rows(path: Path) -> list[tuple[tuple[str, str], ...]]:
    return sorted(tuple(row.items()) for row in table(path))


def check_commands(folder: Path, commands: Sequence[tuple[str, ...]], **size: int) -> None:
    """Run the benchmark with models in one order and the other, on rows in order and not; analyse it."""
    models = ("uniform", "markov-text", "left-to-right", "medoid")
    plain, mixed = (part_on_disk(folder / name, mixed=name == "mixed", **size) for name in ("plain", "mixed"))
    first, second = run(plain, folder / "first", models), run(mixed, folder / "second", models[::-1])
    tables = [path.relative_to(first) for path in (first / "leaderboard.csv", *first.glob("scores/*/*.csv"))]
    for path in tables:
        assert sorted_rows(first / path) == sorted_rows(second / path), path
    for corpus, name in ((plain, "plain.csv"), (mixed, "mixed.csv")):
        assert analyse(["measures", "--corpus", str(corpus), "--out", str(folder / name), "--quiet"]) == 0
    assert sorted_rows(folder / "plain.csv") == sorted_rows(folder / "mixed.csv")
    for command in commands:
        for of_run in (first, second):
            assert (
                analyse(
                    [*command, "--run", str(of_run), "--setting", "nrns", "--out", str(of_run / "effects")]
                )
                == 0
            )
        for name in ("effects.csv", "recovery.csv"):
            assert sorted_rows(first / "effects" / name) == sorted_rows(second / "effects" / name)


def test_a_run_and_its_measures(tmp_path: Path) -> None:
    check_commands(tmp_path, [], readers=7, sentences=8)


@pytest.mark.slow
def test_a_run_and_its_effects(tmp_path: Path) -> None:
    effects = ("psycholing", "--engine", "laplace", "--surprisal", "trigram", "--quiet")
    check_commands(tmp_path, [effects], readers=10, sentences=20)
