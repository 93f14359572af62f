from __future__ import annotations

import json
import math

import pytest
from scipy import stats

from scandl.corpora.corpus_folder import open_corpus
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
    assert "a nearer to people" in printed
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
    assert "not distinguished" in printed


def test_three_models_are_ranked_and_corrected(files, compared):
    rows, printed = compared(*files(a=lines(good), b=lines(bad), c=lines(lambda r, s: good(r + s, s + 1))))
    assert [(row["a"], row["b"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(row["p_holm"] >= row["p"] for row in rows)
    assert "ranks in all by nld" in printed
    assert "not distinguished from the best" in printed


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


LIKELY = HEAD.replace("human\n", "human,log_prob\n")


def with_likelihood(bits_of, readers=range(6), sentences=range(10), human="0 1 2 3"):
    """Predictions of 4-fixation paths with a likelihood of ``bits_of`` per fixation and end."""
    rows = [(r, s, bits_of(r, s) * 5 * math.log(2)) for r in readers for s in sentences]
    return "".join(f"r{r},s{s},{s % 2},0 1,{human},{log_prob}\n" for r, s, log_prob in rows)


def of_bits(bits, **more):
    return with_likelihood(lambda r, s: bits, **more)


@pytest.fixture
def likely(tmp_path):
    def write(**models):
        for name, text in models.items():
            (tmp_path / f"{name}.csv").write_text(LIKELY + text)
        return [str(tmp_path / f"{name}.csv") for name in models]

    return write


@pytest.fixture
def refused(capsys):
    def run(*arguments, metrics="log-likelihood"):
        assert main(["compare", *arguments, "--metrics", metrics]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        return line.removeprefix("scandl-eval: ")

    return run


def test_likelihoods_are_compared_in_bits(likely, compared):
    paths = likely(
        a=with_likelihood(lambda r, s: -1.5 - 0.1 * s),
        b=with_likelihood(lambda r, s: -2.0 - 0.1 * s, sentences=range(2, 12)),
    )
    rows, printed = compared(*paths, "--metrics", "nld,log-likelihood")
    assert [row["metric"] for row in rows] == ["nld", "bits-per-fixation"]
    found = rows[1]
    assert (found["n"], found["n_only_a"], found["n_only_b"], found["n_folds"]) == (48, 12, 12, 2)
    assert (found["mean_a"], found["mean_b"]) == pytest.approx((-2.05, -2.55))
    assert found["difference"] == pytest.approx(0.5)
    assert found["ci95"] == pytest.approx([0.5, 0.5])  # the same in every pair, whatever is resampled
    assert "a nearer to people" in printed  # it gives people's paths the higher probability
    assert "no log_prob" not in printed


def test_likelihoods_that_are_not_there_are_said(files, refused):
    line = refused(*files(a=lines(good), b=lines(bad)))
    assert line == "no likelihoods to compare: fewer than two of a, b have log_prob"


def test_a_model_without_likelihoods_is_named(files, likely, compared):
    a, c = likely(a=of_bits(-1), c=of_bits(-2))
    (b,) = files(b=lines(good))
    rows, printed = compared(a, b, c, "--metrics", "log-likelihood")
    assert [(row["a"], row["b"]) for row in rows] == [("a", "c")]
    assert "\nno log_prob: b\n" in printed
    assert "no log_prob" not in compared(a, b, c, "--metrics", "log-likelihood", "--quiet")[1]


def test_a_model_may_lack_likelihoods_in_one_setting(tmp_path, compared):
    rows = [
        f"{m},{k},r{r},s{s},0 1,0 1 2,{'' if (m, k) == ('b', 'nr') else -3.5}\n"
        for m in "abc"
        for k in ("ns", "nr")
        for r in range(3)
        for s in range(3)
    ]
    path = tmp_path / "all.csv"
    path.write_text("model,setting,reader_id,sentence_id,predicted,human,log_prob\n" + "".join(rows))
    found, printed = compared("a", "b", "c", "--pred", str(path), "--metrics", "log-likelihood")
    assert [row["setting"] for row in found] == ["ns"] * 3 + ["nr"]
    assert "\nno log_prob: b (nr)\n" in printed


def sampled(*log_probs, humans=("0 1", "0 1")):
    """A file of one item with two samples, and the same item of another model."""
    a = "".join(f"a,r1,s1,{k},0,{humans[k]},{value}\n" for k, value in enumerate(log_probs))
    return "model,reader_id,sentence_id,sample,predicted,human,log_prob\n" + a + "b,r1,s1,0,0,0 1,-4\n"


def test_samples_that_disagree_about_a_likelihood_are_refused(tmp_path, compared, refused):
    path = tmp_path / "all.csv"
    given = ("a", "b", "--pred", str(path))
    path.write_text(sampled(-2.5, -5))
    place = "model 'a', sentence 's1' of reader 'r1': found"
    assert refused(*given) == f"{place} log_prob -2.5 and -5.0, expected one value for all samples"
    path.write_text(sampled(-2.5, -2.5, humans=("0 1", "0 2")))
    two = "reader 'r1', sentence 's1' has two human scanpaths: found '0 1' and '0 2', expected one"
    assert refused(*given) == two
    for same in (-2.5, -2.5 - 1e-14):  # the sum in another order
        path.write_text(sampled(-2.5, same))
        (row,), _ = compared(*given, "--metrics", "log-likelihood")
        assert (row["n"], row["mean_a"]) == (1, pytest.approx(-2.5 / math.log(2) / 3))


def test_likelihoods_of_different_human_paths_are_refused(likely, refused):
    paths = likely(a=of_bits(-1), b=of_bits(-2, sentences=range(7)) + of_bits(-2, sentences=[7], human="0 1"))
    two = "reader 'r0', sentence 's7' has two human scanpaths: found '0 1 2 3' and '0 1', expected one"
    assert refused(*paths) == two


def test_a_path_is_not_more_than_certain(likely, compared, refused):
    a, b = likely(a=of_bits(-1), b=of_bits(-1, readers=[1]) + "r0,s0,0,0,0 1,5\n")
    for metrics in ("log-likelihood", "nld"):  # whatever is asked for: the cell is refused where it is read
        line = refused(a, b, metrics=metrics)
        assert line.startswith(f"{b}:12: column 'log_prob': found '5', expected a natural log-")
    compared(*likely(a=of_bits(-1), b=of_bits(0)), "--metrics", "log-likelihood")


def test_an_impossible_path_leaves_no_number_but_a_note(likely, compared):
    def impossible(r, s):
        return -math.inf if (r, s) in ((0, 0), (3, 4)) else -1.5

    a, b, c = likely(a=with_likelihood(impossible), b=of_bits(-2), c=with_likelihood(impossible))
    (_, row), printed = compared(a, b, "--metrics", "nld,log-likelihood")
    note = "minus infinity: a gives 2 of 60 human scanpaths the probability 0"
    assert (row["mean_a"], row["mean_b"], row["difference"]) == (None, pytest.approx(-2), None)
    assert (row["ci95"], row["n"], row["note"]) == (None, 60, note)
    assert f"\nall: bits-per-fixation of a and b: {note}\n" in printed
    assert "| –      | -2.0000 | –       | –" in printed
    (row,), _ = compared(a, c, "--metrics", "log-likelihood")
    assert (row["mean_a"], row["mean_b"], row["difference"]) == (None, None, None)
    assert row["note"] == f"{note}, c gives 2 of 60 human scanpaths the probability 0"


def test_likelihoods_belong_to_one_reader(tmp_path, likely, refused):
    path = open_corpus("demo").scanpaths[0]
    row = f"{path.reader_id},{path.sentence_id},0,0 1,{' '.join(map(str, path.positions))},-5\n"
    paths = likely(a=row, b=row)
    belongs = "log-likelihood: a likelihood belongs to the reader a prediction stands for"
    line = refused(*paths, "--against", "all-readers", "--corpus", "demo")
    assert line == f"{belongs}; use --against same-reader"
    for name in "ab":
        text = f"sentence_id,predicted,log_prob\n{path.sentence_id},0 1,-5\n"
        (tmp_path / f"{name}.csv").write_text(text)
    line = refused(*paths, "--corpus", "demo")
    assert "found log_prob -5.0 of no one's scanpath, expected a reader_id or a human path" in line


def test_a_misspelt_likelihood_is_recognised(likely, refused):
    line = refused(*likely(a=of_bits(-1), b=of_bits(-2)), metrics="nld,loglikelihood")
    assert line.startswith("no metric 'loglikelihood'; did you mean 'log-likelihood'? known: ")
    assert ", nld, " in line


def test_the_metric_spec_says_how_bits_are_made(tmp_path, likely, compared):
    paths = likely(a=of_bits(-1), b=of_bits(-2))

    def spec_of(metrics):
        compared(*paths, "--metrics", metrics)
        return json.loads((tmp_path / "out.json").read_text())["metric_spec"]

    mean, both, bits = map(spec_of, ("nld", "nld,log-likelihood", "log-likelihood"))
    assert "aggregation_of_bits" not in mean
    assert "number of fixations and ends" in both["aggregation_of_bits"]
    assert "mean over instances" in both["aggregation"]
    assert bits["aggregation"] == bits["aggregation_of_bits"] == both["aggregation_of_bits"]


def test_only_what_is_required_is_missed(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "a.csv"])
    assert "required: B (see" in capsys.readouterr().err
