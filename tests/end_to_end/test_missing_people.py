"""A prediction without a human path is no reader who fixated nothing, by whatever door it comes in."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import LeftOutWarning, ScandlError
from scandl_analysis.__main__ import main as analysis
from scandl_eval.__main__ import main as scoring
from scandl_eval.scoring.comparison import compare
from scandl_eval.scoring.evaluation import evaluate

DEMO = open_corpus("demo")
LOST = 4
SAID = rf"{LOST} of \d+ predictions have no human scanpath"


def table(*, model: str = "mine", known: bool) -> pd.DataFrame:
    """Return predictions for two sentences; the last rows have no human path, or are not there."""
    paths = [*DEMO.by_sentence["s01"], *DEMO.by_sentence["s02"]]
    rows = [
        {
            "model": model,
            "reader_id": path.reader_id,
            "sentence_id": path.sentence_id,
            "predicted": list(path.positions[:-1]),
            "human": list(path.positions) if n < len(paths) - LOST else None,
            "text": DEMO.sentences[path.sentence_id].text,
        }
        for n, path in enumerate(paths)
    ]
    return pd.DataFrame(rows[:-LOST] if known else rows)


def written(frame: pd.DataFrame, path: Path) -> str:
    """Write a frame as pandas does; in CSV paths are text, and None is an empty cell."""
    if path.suffix == ".csv":
        cells = frame.assign(
            **{
                name: [None if cell is None else " ".join(map(str, cell)) for cell in frame[name]]
                for name in ("predicted", "human")
                if name in frame
            }
        )
        cells.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=path.suffix == ".jsonl")
    return str(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".json", ".jsonl"])
def test_nld_of_a_file_is_that_of_the_rows_with_people(
    tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    means = []
    for known in (True, False):
        file = written(table(known=known), tmp_path / f"mine{suffix}")
        assert scoring(["nld", "--pred", file, "--json", str(out), "--quiet"]) == 0
        result = json.loads(out.read_text())
        means.append([row["mean"] for row in result["rows"] if row["model"] == "mine"])
    assert means[0] == means[1]
    printed = capsys.readouterr()
    assert printed.out.count(f"warning: {LOST} of ") == 1
    assert printed.err == ""
    (told,) = [line for line in result["metric_spec"]["warnings"] if "no human scanpath" in line]
    assert told.startswith(f"{LOST} of {len(table(known=False))} predictions")
    for command in (["nld"], ["score", "--metrics", "nld"]):
        assert scoring([*command, "--pred", file, "--strict"]) == 2
        assert "predictions have no human scanpath" in capsys.readouterr().err
    assert scoring(["validate", "--pred", file]) == 0
    assert "1 warning;" in capsys.readouterr().out
    assert scoring(["validate", "--pred", file, "--strict"]) == 1


def test_a_frame_warns_and_strict_refuses() -> None:
    complete = evaluate(table(known=True))
    for missing in (None, float("nan")):
        lacking = table(known=False)
        lacking["human"] = [missing if cell is None else cell for cell in lacking["human"]]
        with pytest.warns(LeftOutWarning, match=SAID):
            found = evaluate(lacking)
        assert [row.mean for row in found.rows] == [row.mean for row in complete.rows]
        with pytest.raises(ScandlError, match=SAID):
            evaluate(lacking, strict=True)


def test_compare_says_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = table(known=False), table(model="other", known=False)
    other["predicted"] = [path[:2] for path in other["predicted"]]
    both = [one, other]
    with pytest.warns(LeftOutWarning, match=rf"{2 * LOST} of \d+ predictions"):
        found = compare(both)
    paired = compare([frame.dropna(subset="human") for frame in both])
    assert [pair.difference for pair in found.pairs] == [pair.difference for pair in paired.pairs]
    files = [written(frame, tmp_path / f"{n}.csv") for n, frame in enumerate(both)]
    assert scoring(["compare", *files, "--json", str(tmp_path / "out.json")]) == 0
    assert f"warning: {2 * LOST} of " in capsys.readouterr().out
    assert "no human scanpath" in (tmp_path / "out.json").read_text()
    assert scoring(["compare", *files, "--strict"]) == 2


def test_a_corpus_has_the_path_that_the_file_lacks(tmp_path: Path) -> None:
    file = written(table(known=False), tmp_path / "mine.csv")
    bare = written(table(known=False).drop(columns="human"), tmp_path / "bare.csv")
    found, expected = (evaluate({"mine": name}, corpus="demo") for name in (file, bare))
    assert [row.mean for row in found.rows] == [row.mean for row in expected.rows]


def test_measures_do_not_count_them_as_readers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = written(table(known=False), tmp_path / "mine.csv"), tmp_path / "words.csv"
    with pytest.warns(LeftOutWarning, match=rf"{LOST} of \d+ predictions have no human scanpath beside them"):
        assert analysis(["measures", "--pred", file, "--out", str(out)]) == 0
    words = pd.read_csv(out)
    n = words[words["source"] == "human"].groupby(["reader_id", "sentence_id"]).ngroups
    assert n == len(table(known=True))


def test_empty_predictions_are_counted_even_when_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = table(known=True)
    frame["predicted"] = [[] if n < 3 else path for n, path in enumerate(frame["predicted"])]
    assert scoring(["nld", "--pred", written(frame, tmp_path / "mine.csv"), "--quiet"]) == 0
    assert "warning: 3 empty predictions of mine count as NLD 1: " in capsys.readouterr().out
