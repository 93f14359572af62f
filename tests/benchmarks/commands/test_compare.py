from __future__ import annotations

import json

import pytest
from scipy import stats

from scandl_eval.cli import main

HEAD = "reader_id,sentence_id,fold,predicted,human\n"


def lines(predicted, readers=range(6), sentences=range(10)):
    """Predictions whose path may depend on reader and sentence; five folds by sentence."""
    return "".join(f"r{r},s{s},{s % 5},{predicted(r, s)},0 1 2 3\n" for r in readers for s in sentences)


@pytest.fixture
def files(tmp_path):
    def write(**models):
        for name, text in models.items():
            (tmp_path / f"{name}.csv").write_text(HEAD + text)
        return [str(tmp_path / f"{name}.csv") for name in models]

    return write


@pytest.fixture
def compared(tmp_path, capsys):
    def run(*arguments):
        target = tmp_path / "out.json"
        code = main(["compare", *arguments, "--json", str(target)])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return json.loads(target.read_text())["rows"], printed.out

    return run


def good(r, s):
    return "0 1 2" if (r * s) % 3 else "0 1 2 3"


def bad(r, s):
    return "3 2" if s % 2 else "0"


def test_the_difference_is_paired_on_shared_items(files, compared):
    rows, printed = compared(*files(a=lines(good), b=lines(bad, sentences=range(2, 12))))
    (row,) = rows
    assert (row["a"], row["b"], row["n"], row["n_only_a"], row["n_only_b"]) == ("a", "b", 48, 12, 12)
    assert row["difference"] == pytest.approx(row["mean_a"] - row["mean_b"])
    assert row["ci95"][1] < 0
    assert "a lower" in printed
    assert "all: items only a has 12, only b 12" in printed


def test_t_over_folds_is_that_of_scipy(files, compared):
    (row,), printed = compared(*files(a=lines(good), b=lines(bad)))

    def fold_means(path):
        def distance(r, s):
            words = path(r, s).split()
            return {"0 1 2": 0.25, "0 1 2 3": 0.0, "3 2": 0.75, "0": 0.75}[" ".join(words)]

        return [sum(distance(r, s) for r in range(6) for s in (k, k + 5)) / 12 for k in range(5)]

    assert {tuple(fold_means(bad))} == {(0.75,) * 5}  # '3 2' keeps one word in place of four, '0' too
    expected = stats.ttest_rel(fold_means(good), fold_means(bad))
    assert row["p_folds"] == pytest.approx(expected.pvalue)
    assert row["t_folds"] == pytest.approx(expected.statistic)
    assert "folds share training data" in printed


def test_a_model_against_itself_is_not_separable(files, compared):
    (row,), printed = compared(*files(a=lines(good), b=lines(good)))
    assert (row["difference"], row["ci95"], row["p"], row["p_folds"]) == (0.0, [0.0, 0.0], 1.0, 1.0)
    assert "not separable" in printed


def test_three_models_are_ranked_and_corrected(files, compared):
    rows, printed = compared(*files(a=lines(good), b=lines(bad), c=lines(lambda r, s: good(r + s, s + 1))))
    assert [(row["a"], row["b"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(row["p_holm"] >= row["p"] for row in rows)
    assert "ranks in all by nld" in printed
    assert "not separable from the best" in printed


def test_models_of_one_file(tmp_path, compared, capsys):
    path = tmp_path / "both.csv"
    rows = "".join(
        f"{m},{line}\n" for m, text in (("x", lines(good)), ("y", lines(bad))) for line in text.splitlines()
    )
    path.write_text("model," + HEAD + rows)
    (row,), _ = compared("x", "y", "--pred", str(path), "--metrics", "levenshtein")
    assert (row["a"], row["b"], row["metric"]) == ("x", "y", "levenshtein")
    assert main(["compare", "x", "z", "--pred", str(path)]) == 2
    assert f"no model 'z' in {path}" in capsys.readouterr().err


def test_files_of_one_name_are_two_models(tmp_path, compared):
    paths = []
    for folder, path in (("one", good), ("two", bad)):
        (tmp_path / folder).mkdir()
        paths.append(str(tmp_path / folder / "preds.csv"))
        (tmp_path / folder / "preds.csv").write_text(HEAD + lines(path))
    (row,), _ = compared(*paths)
    assert [row["a"], row["b"]] == paths


def test_nothing_to_compare_is_one_line(files, capsys):
    a, b = files(a=lines(good, readers=[1]), b=lines(bad, readers=[2]))
    assert main(["compare", a, b]) == 2
    assert "no setting has two of the models a, b on shared items" in capsys.readouterr().err
    assert main(["compare", a, a]) == 2
    assert f"sentence 's0' of reader 'r1', sample 0, that {a} has too" in capsys.readouterr().err
