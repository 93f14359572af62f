"""``scandl-analysis fit`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl_analysis import fit, word_table
from scandl_analysis.cli import main

QUICK = ["--corpus", "demo", "--surprisal", "unigram", "--engine", "laplace", "--draws", "50"]


def test_prints_the_effects_and_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arviz = pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    formula = "tfc ~ scale(word_length) + scale(frequency) + (1 | reader)"
    assert main(["fit", formula, *QUICK, "--out", str(tmp_path / "fit")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tfc ~ 1 + scale(word_length) + scale(frequency) + (1 | reader)"
    assert "first and last words of sentences are left out" in lines
    assert any(line.startswith("poisson, ") for line in lines)
    assert lines[-1] == f"written to {tmp_path / 'fit'}"
    table = pd.read_csv(tmp_path / "fit" / "summary.csv").set_index("parameter")
    assert table.loc["scale(frequency)", "ci_high"] < 0  # simulated readers fixate frequent words less
    assert "1|reader" in arviz.from_netcdf(str(tmp_path / "fit" / "draws.nc")).posterior
    assert (tmp_path / "fit" / "forest.png").stat().st_size > 0
    assert "scale(frequency) below" in (tmp_path / "fit" / "report.html").read_text(encoding="utf-8")


def test_for_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table for LaTeX alone, with the numbers of summary.csv, and the figures in a folder."""
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    figures, out = tmp_path / "figures", tmp_path / "fit"
    call = ["fit", "tfc ~ scale(frequency) + (1 | reader)", *QUICK, "--latex"]
    assert main([*call, "--figures", str(figures), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("% Tables of ")
    mean = pd.read_csv(out / "summary.csv").set_index("parameter").loc["scale(frequency)", "mean"]
    assert f"scale(frequency) & $-${abs(mean):.3f} & " in printed
    assert list(figures.glob("*.svg"))


@pytest.mark.parametrize("outcome", ["FFD", "skipped"])
def test_the_command_and_python_fit_the_same_rows(
    outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By default both leave out the first and last words of sentences, and both say so."""
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    formula, corpus = f"{outcome} ~ scale(word_length) + (1 | reader)", open_corpus("demo")
    assert main(["fit", formula, *QUICK, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    words = word_table(corpus, surprisal="unigram")
    found = fit(formula, words, engine="laplace", draws=50)
    assert printed == f"{found}\nwritten to {tmp_path}\n"
    assert "first and last words of sentences are left out\n" in str(found)
    written = pd.read_csv(tmp_path / "summary.csv", index_col="parameter")
    pd.testing.assert_frame_equal(written, found.summary())
    inside = [
        0 < word < corpus.sentences[path.sentence_id].n_words - 1
        for path in corpus.scanpaths
        for word in range(corpus.sentences[path.sentence_id].n_words)
    ]
    every = word_table(corpus, surprisal="unigram", drop=())
    assert found.fit.n_rows == every[inside][outcome].notna().sum() < every[outcome].notna().sum()


def test_edges_are_kept_by_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    formula = "tfc ~ scale(word_length)"
    assert main(["fit", formula, *QUICK, "--keep", "edges", "--out", str(tmp_path)]) == 0
    words = word_table("demo", surprisal="unigram", drop=())
    found = fit(formula, words, engine="laplace", draws=50)
    assert capsys.readouterr().out == f"{found}\nwritten to {tmp_path}\n"
    assert "are left out" not in str(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tfc ~ word_lenght", *QUICK], "the table has no column 'word_lenght'; did you mean 'word_length'?"),
        (["tfc = word_length", *QUICK], "expected 'outcome ~ predictors'"),
        (["tfc ~ word_length + (1 | source)", *QUICK], "source has 'human' only"),
        (["tfc ~ word_length", "--corpus", "nowhere"], "nowhere"),
    ],
)
def test_faults_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", *arguments, "--quiet"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.fixture
def three_readers(tmp_path: Path) -> Path:
    """Return a corpus whose conditions cannot be estimated: constant, of one word, telling the outcome."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "corpus.toml").write_text("name = 'mine'\nlanguage = 'en'\nkind = 'human'\n")
    sentences = [f"s{k},The old man left early.,x,{('a', 'b')[k % 2]},{k % 2}" for k in range(6)]
    (folder / "sentences.csv").write_text(
        "\n".join(["sentence_id,text,same,rare,told", *sentences, "s6,A small boat.,x,c,0", ""])
    )
    paths = {f"s{k}": (0, 4) if k % 2 else (0, 1, 2, 2, 3, 4) for k in range(6)}
    read = [(f"r{r}", sentence, path) for r in range(3) for sentence, path in paths.items()]
    rows = [
        f"{reader},{sentence},{k},{word}"
        for reader, sentence, path in [*read, ("r0", "s6", (0, 1, 2))]
        for k, word in enumerate(path)
    ]
    (folder / "fixations.csv").write_text(
        "\n".join(["reader_id,sentence_id,fixation_index,word_index", *rows, ""])
    )
    return folder


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("tfc ~ same", "not estimable: same is 'x' in all 55 rows"),
        ("tfc ~ rare", "not estimable: rare is 'c' in one row only"),
        ("sr ~ told + (1 | reader)", "not estimable: the predictors separate the outcomes"),
        (
            "tfc ~ word_length * frequency * surprisal * told * C(reader) * word_index",
            "96 columns and 55 rows",
        ),
    ],
)
def test_what_cannot_be_estimated_is_one_line(
    formula: str, message: str, three_readers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", formula, "--corpus", str(three_readers), "--surprisal", "unigram", "--quiet"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.filterwarnings("ignore")  # of ArviZ, about rows of a quick look that weigh much
def test_means_contrasts_priors_and_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    out = tmp_path / "fit"
    call = ["fit", "ffd ~ LONG + scale(frequency) + (1 | subj)", *QUICK, "--words", str(long_words(tmp_path))]
    asked = [
        "--contrast",
        "sum",
        "--contrast",
        "yes-no",
        "--rope",
        "500",
        "--prior",
        "sd(reader) ~ normal(0, 1)",
    ]
    assert main([*call, *asked, "--compare", "FFD ~ long + (1 | reader)", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "long: yes − no" in printed
    assert "elpd_diff" in printed
    contrasts = pd.read_csv(out / "contrasts.csv")
    assert contrasts["unit"].tolist() == ["ms"]
    assert contrasts["p_in_rope"].tolist() == [1]
    means = pd.read_csv(out / "means.csv").set_index("long")["mean"]
    assert contrasts["mean"][0] == pytest.approx(means["yes"] - means["no"])
    priors = pd.read_csv(out / "priors.csv").set_index("parameter")["prior"]
    assert priors["sd(reader)"] == "HalfNormal(sigma=1)"
    assert (out / "curve-frequency.csv").is_file()
    assert "Means of FFD" in (out / "report.html").read_text(encoding="utf-8")


def long_words(folder: Path) -> Path:
    """Write a condition of words: whether they have more than five letters."""
    rows = ["sentence_id,word_index,long"]
    for sentence in open_corpus("demo").sentences.values():
        rows += [
            f"{sentence.sentence_id},{n},{'yes' if len(w) > 5 else 'no'}"
            for n, w in enumerate(sentence.words)
        ]
    (folder / "long.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder / "long.csv"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--contrast", "a-b"],
            "--contrast and --rope are of means: tfc ~ 1 + scale(word_length) has no factor",
        ),
        (
            ["--contrast", "sum", "--contrast", "sdif"],
            "--contrast sum and sdif: expected one coding of factors",
        ),
        (["--prior", "x ~ beta(1, 2)"], "--prior 'x ~ beta(1, 2)': expected 'PARAMETER ~ DISTRIBUTION'"),
    ],
)
def test_what_cannot_be_asked(flags: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "tfc ~ scale(word_length)", *QUICK, *flags]) == 2
    assert message in capsys.readouterr().err
