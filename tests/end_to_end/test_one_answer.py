"""The same predictions have the same numbers and warnings, whichever command or function scores them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scandl import to_frame
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl_analysis.behaviour.correlations import correlations, paired_scanpaths
from scandl_analysis.cli import main as analyse
from scandl_analysis.words.analysed_run import TOGETHER, open_predictions, open_run
from scandl_eval.cli import main
from scandl_eval.leaderboard.leaderboard import read_leaderboard
from scandl_eval.scoring.comparison import compare
from scandl_eval.scoring.evaluation import evaluate

SETTING = "nrns"
MODELS = ("markov", "uniform-n")
METRICS = ("nld", "energy", "diversity")
Interval = tuple[float, float] | None
Numbers = dict[tuple[str, str], tuple[float, Interval]]
"""Value and interval by model and metric."""


@dataclass(frozen=True)
class Folder:
    """A run on the demo corpus, and what its two models predicted."""

    path: Path

    @property
    def files(self) -> list[str]:
        return [str(self.path / "predictions" / model / f"{SETTING}.csv") for model in MODELS]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    folder = tmp_path_factory.mktemp("runs") / "two"
    few = ["--settings", SETTING, "--folds", "0,1", "--resamples", "20", "--quiet"]
    assert main(["run", "--models", ",".join(MODELS), "--out", str(folder), *few]) == 0
    return Folder(folder)


@pytest.fixture(scope="module")
def reversed_files(run: Folder, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The same predictions beside human paths that run backwards."""
    folder = tmp_path_factory.mktemp("reversed")
    written = []
    for file in run.files:
        with Path(file).open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        for row in rows:
            row["human"] = " ".join(reversed(row["human"].split()))
        target = folder / f"{Path(file).parent.name}.csv"
        with target.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        written.append(str(target))
    return written


def exactly(numbers: Numbers) -> dict[tuple[str, str], object]:
    """Numbers as they are compared: six digits, which is what a leaderboard has."""
    return {
        key: pytest.approx((value, *ci95), abs=1.1e-6) if ci95 else pytest.approx((value,), abs=1.1e-6)
        for key, (value, ci95) in numbers.items()
    }


def flat(numbers: Numbers) -> dict[tuple[str, str], tuple[float, ...]]:
    return {key: (value, *(ci95 or ())) for key, (value, ci95) in numbers.items()}


def called(model: str, kind: str) -> str:
    """The row of the readers has one name here; only a corpus knows whether they are people."""
    return "Human" if kind == "human" else model


def in_python(files: list[str], corpus: str | None) -> Numbers:
    return {
        (called(row.model, row.kind), row.metric): (row.mean, row.ci95)
        for row in evaluate(files, corpus=corpus).rows
        if row.kind != "baseline" and row.mean is not None
    }


def scored(tmp_path: Path, command: list[str], files: list[str], corpus: str | None) -> Numbers:
    """What ``nld`` and ``score`` write: energy and diversity stand beside the only other metric."""
    target = tmp_path / f"{command[0]}.json"
    more = ["--corpus", corpus] if corpus else []
    assert main([*command, "--pred", *files, *more, "--json", str(target), "--quiet"]) == 0
    found: Numbers = {}
    for row in json.loads(target.read_text())["rows"]:
        if row["kind"] == "baseline":
            continue
        model = called(row["model"], row["kind"])
        found[model, row["metric"]] = row["mean"], row["ci95"]
        for name, key in (("energy", "energy_distance"), ("diversity", "diversity_ratio")):
            if key in row:
                found[model, name] = row[key], row[f"{name}_ci95"]
    return found


def differences(rows: list[dict[str, object]]) -> dict[str, tuple[object, ...]]:
    return {
        str(row["metric"]): (row["mean_a"], row["mean_b"], row["difference"], row["ci95"]) for row in rows
    }


@pytest.mark.parametrize("corpus", [None, "demo"])
@pytest.mark.parametrize("agreeing", [True, False])
def test_scoring_commands_and_python_agree(
    run: Folder, reversed_files: list[str], tmp_path: Path, corpus: str | None, agreeing: bool
) -> None:
    files = run.files if agreeing else reversed_files
    expected = in_python(files, corpus)
    assert set(expected) >= {(model, metric) for model in (*MODELS, "Human") for metric in METRICS}
    for command in (["nld"], ["score", "--metrics", ",".join(METRICS)]):
        found = scored(tmp_path, command, files, corpus)
        assert flat(found) == exactly(expected), command
    records = [p for file in files for p in read_predictions(file)]
    for given in (records, to_frame(records)):
        found_rows = evaluate(given, corpus=corpus).rows
        rows = {(called(r.model, r.kind), r.metric): (r.mean, r.ci95) for r in found_rows}
        assert {key: rows[key] for key in expected} == expected


@pytest.mark.parametrize("agreeing", [True, False])
def test_a_corpus_changes_no_number_of_files_that_bring_their_humans(
    run: Folder, reversed_files: list[str], agreeing: bool
) -> None:
    files = run.files if agreeing else reversed_files
    assert flat(in_python(files, "demo")) == exactly(in_python(files, None))


def test_a_run_has_the_numbers_of_its_prediction_files(run: Folder) -> None:
    board = read_leaderboard(run.path)
    found = {
        (called(row.model, row.kind), row.metric): (row.mean, row.ci95)
        for row in board.rows
        if row.metric in METRICS and row.kind != "published" and row.mean is not None
    }
    assert flat(found) == exactly(in_python(run.files, "demo"))


def test_predictions_that_join_a_run_have_the_numbers_they_have_alone(run: Folder, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    text = Path(run.files[0]).read_text().replace(f"{MODELS[0]},", "mine,")
    mine.write_text(text)
    few = ["--settings", SETTING, "--folds", "0,1", "--resamples", "20", "--quiet"]
    target = tmp_path / "joined"
    assert main(["run", "--models", MODELS[1], "--pred", str(mine), "--out", str(target), *few]) == 0
    joined, before = read_leaderboard(target), read_leaderboard(run.path)
    for metric in (*METRICS, "nld-scandl", "energy-yujian-bo"):
        for name, known in (("mine", MODELS[0]), (MODELS[1], MODELS[1]), ("Human", "Human")):
            one, two = joined.find(SETTING, name, metric), before.find(SETTING, known, metric)
            assert (one is None) == (two is None)
            if one is not None and two is not None:
                assert (one.mean, one.ci95, one.rank) == (two.mean, two.ci95, two.rank)


@pytest.mark.parametrize("corpus", [None, "demo"])
@pytest.mark.parametrize("agreeing", [True, False])
def test_differences_are_those_of_the_values(
    run: Folder, reversed_files: list[str], tmp_path: Path, corpus: str | None, agreeing: bool
) -> None:
    files = run.files if agreeing else reversed_files
    target = tmp_path / "compare.json"
    more = ["--corpus", corpus] if corpus else []
    named = ["--metrics", ",".join(METRICS), "--quiet", "--json", str(target)]
    assert main(["compare", *files, *more, *named]) == 0
    from_files = differences(json.loads(target.read_text())["rows"])
    in_memory = differences(json.loads(json.dumps(compare(files, corpus=corpus, metrics=METRICS).records())))
    assert from_files == in_memory
    alone = in_python(files, corpus)
    for metric, (a, b, difference, _) in from_files.items():
        values = [alone[model, metric][0] for model in MODELS]
        assert (a, b) == pytest.approx(values, abs=1e-9)
        assert difference == pytest.approx(values[0] - values[1], abs=1e-9)


def test_a_board_and_a_comparison_have_the_same_differences(run: Folder) -> None:
    board = read_leaderboard(run.path)
    pairs = {pair.metric: pair for pair in compare(run.files, corpus="demo", metrics=METRICS).pairs}
    for metric in ("nld", "energy"):
        worse = next(
            row
            for model in MODELS
            if (row := board.find(SETTING, model, metric)) is not None and row.rank == 2
        )
        pair = pairs[metric]
        assert abs(pair.difference or 0.0) == pytest.approx(worse.difference, abs=1.1e-6)
        ends = sorted(map(abs, pair.ci95 or ()))
        assert sorted(map(abs, worse.difference_ci95 or ())) == pytest.approx(ends, abs=1.1e-6)
        assert worse.p_holm == pytest.approx(pair.p, abs=1.1e-6)


@pytest.mark.parametrize("agreeing", [True, False])
def test_correlations_rest_on_the_same_distances(
    run: Folder, reversed_files: list[str], agreeing: bool
) -> None:
    files = run.files if agreeing else reversed_files
    expected = in_python(files, "demo")
    sources = [open_predictions(files, "demo")] + [open_run(run.path, SETTING)] * agreeing
    for opened in sources:
        assert (not opened.disagreements) == agreeing
        frame, notes = paired_scanpaths(opened)
        assert notes == ()
        words = frame[frame["convention"] == "words"]
        for model in MODELS:
            own = words[words["model"] == model]
            assert own["nld"].mean() == pytest.approx(expected[model, "nld"][0], abs=1e-9)


@pytest.mark.parametrize("agreeing", [True, False])
def test_the_command_correlations_writes_the_same_distances_and_says_the_same(
    run: Folder, reversed_files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], agreeing: bool
) -> None:
    files = run.files if agreeing else reversed_files
    assert analyse(["correlations", "--pred", *files, "--corpus", "demo", "--out", str(tmp_path / "c")]) == 0
    said = [line.removeprefix("warning: ") for line in capsys.readouterr().out.splitlines() if TOLD in line]
    evaluation = evaluate(files, corpus="demo")
    assert said == [line for line in evaluation.warnings if TOLD in line]
    assert len(said) == (0 if agreeing else 1)
    in_memory = correlations(files, corpus="demo")
    assert [line for line in in_memory.notes if TOLD in line] == [f"warning: {line}" for line in said]
    with (tmp_path / "c" / "pairs.csv").open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["convention"] == "words"]
    expected = in_python(files, "demo")
    for model in MODELS:
        own = [float(row["nld"]) for row in rows if row["model"] == model]
        assert sum(own) / len(own) == pytest.approx(expected[model, "nld"][0], abs=1e-9)


def test_correlations_need_a_corpus_and_say_so(run: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse(["correlations", "--pred", *run.files]) == 2
    assert capsys.readouterr().err == f"scandl-analysis: {TOGETHER}\n"


TOLD = (
    "human scanpaths are not those of corpus 'demo' for the same reader and sentence; the file's are used: "
)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def commands(files: list[str]) -> Iterator[list[str]]:
    yield ["nld", "--pred", *files]
    yield ["score", "--metrics", "nld,energy", "--pred", *files]
    yield ["compare", *files]


def test_disagreement_is_the_same_warning_everywhere(
    reversed_files: list[str], printed: Callable[..., tuple[int, str, str]]
) -> None:
    (warning,) = (line for line in evaluate(reversed_files, corpus="demo").warnings if TOLD in line)
    assert warning in compare(reversed_files, corpus="demo").warnings
    for command in commands(reversed_files):
        code, out, _ = printed(*command, "--corpus", "demo", "--quiet")
        assert code == 0
        assert f"warning: {warning}\n" in out, command
        assert TOLD not in printed(*command, "--quiet")[1]
    assert open_predictions(reversed_files, "demo").disagreements == [warning]


def test_strict_makes_an_error_of_it_everywhere(
    reversed_files: list[str], printed: Callable[..., tuple[int, str, str]]
) -> None:
    (warning,) = (line for line in evaluate(reversed_files, corpus="demo").warnings if TOLD in line)
    for command in commands(reversed_files):
        code, out, err = printed(*command, "--corpus", "demo", "--strict")
        assert (code, out, err) == (2, "", f"scandl-eval: {reversed_files[0]}: {warning}\n"), command
    for function in (evaluate, compare):
        with pytest.raises(ScandlError) as error:
            function(reversed_files, corpus="demo", strict=True)
        assert str(error.value) == f"{reversed_files[0]}: {warning}"


def test_strict_makes_an_error_of_it_in_correlations(
    run: Folder, reversed_files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyse(["correlations", "--pred", *reversed_files, "--corpus", "demo", "--strict"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert TOLD in said.err


def test_strict_has_nothing_against_paths_that_agree(
    run: Folder, printed: Callable[..., tuple[int, str, str]]
) -> None:
    for command in commands(run.files):
        code, out, err = printed(*command, "--corpus", "demo", "--strict", "--quiet")
        assert (code, err) == (0, ""), command
        assert TOLD not in out


def test_a_run_refuses_paths_that_are_not_those_of_its_corpus(
    reversed_files: list[str], tmp_path: Path, printed: Callable[..., tuple[int, str, str]]
) -> None:
    """Other human paths mean other data or other folds; a leaderboard has no place for both."""
    few = ["--settings", SETTING, "--folds", "0,1", "--resamples", "20", "--quiet"]
    predictions = read_predictions(reversed_files[0])
    demo = open_corpus("demo").by_pair
    row = next(
        i for i, p in enumerate(predictions) if p.human != demo[str(p.reader_id), p.sentence_id].positions
    )
    first = predictions[row]
    target = tmp_path / "run"
    code, _, err = printed(
        "run", "--models", MODELS[1], "--pred", reversed_files[0], "--out", str(target), *few
    )
    assert code == 2
    assert err.startswith(f"scandl-eval: {reversed_files[0]}:{row + 2}: column 'human': found ")
    assert f"the path of reader {first.reader_id!r} in corpus 'demo', or no such column\n" in err
    assert not target.exists()


def test_written_predictions_are_scored_as_they_were_in_memory(run: Folder, tmp_path: Path) -> None:
    records = [p for file in run.files for p in read_predictions(file)]
    for suffix in ("csv", "parquet"):
        target = tmp_path / f"all.{suffix}"
        write_predictions(target, records)
        assert in_python([str(target)], "demo") == in_python(run.files, "demo")
