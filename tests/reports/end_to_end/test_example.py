"""The committed example report is the one that today's code makes, apart from its provenance.

The benchmark and the two analyses of behaviour are run again. The posterior of the regressions takes minutes
and its draws depend on the machine, so their tables are read from ``reports/examples/effects``.
"""

from __future__ import annotations

import contextlib
import csv
import html
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from scandl.corpora.corpus_folder import open_corpus
from scandl.files.prediction_files import read_predictions
from scandl_analysis import cli as analysis
from scandl_analysis.chapters.result_tables import with_file_names
from scandl_analysis.words.analysed_run import human_readings, model_readings
from scandl_analysis.words.word_table import EDGES, without_edges, word_rows
from scandl_eval import cli as evaluation

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "reports" / "examples"
RUN = Path("runs/example")
EFFECTS = RUN / "psycholing" / "nrns"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def recipe() -> list[list[str]]:
    """Return the commands of ``make example``."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lines = re.search(r"^example:.*\n((?:\t.*\n)+)", makefile, flags=re.MULTILINE)
    assert lines is not None
    return [
        shlex.split(line.strip().removeprefix("$(BIN)/"))
        for line in lines[1].splitlines()
        if "$(BIN)/" in line
    ]


def taken_apart(page: str) -> tuple[list[str], list[str]]:
    """Return the words of a page without its provenance, and its numbers."""
    page = re.sub(r"<footer>.*?</footer>", "", page, flags=re.DOTALL)
    page = re.sub(r'(id="|href="#|url\(#)[\w-]+', r"\1", page)  # names of shapes are hashes of their numbers
    return NUMBER.split(page), NUMBER.findall(page)


def near(a: str, b: str) -> bool:
    """Compare two numbers to the last digit that is printed, or to one in a million."""
    digits = min(len(text.partition(".")[2].partition("e")[0]) for text in (a, b))
    return a == b or abs(float(a) - float(b)) <= max(
        1.5 * 10.0**-digits if digits else 0.0, 1e-6 * abs(float(a))
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The folder in which the recipe was followed."""
    pytest.importorskip("pocketsphinx")
    folder = tmp_path_factory.mktemp("example")
    with contextlib.chdir(folder):
        for name, command, *arguments in recipe():
            if command == "psycholing":
                shutil.copytree(EXAMPLES / "effects", EFFECTS)
                write_words()
                continue
            if command == "report":
                arguments[arguments.index("--out") + 1] = "page.html"
            if "--jobs" in arguments:  # the tests themselves run in several processes
                arguments[arguments.index("--jobs") + 1] = "1"
            main = evaluation.main if name == "scandl-eval" else analysis.main
            assert main([command, *arguments]) == 0
    return folder


def write_words() -> None:
    corpus = open_corpus("demo")
    readings = human_readings(corpus)
    for path in sorted(RUN.glob("predictions/*/nrns.csv")):
        readings += model_readings(read_predictions(path, corpus=corpus), corpus)
    inside = without_edges(word_rows(readings, variant="firstpass"), EDGES)
    with_file_names(inside, simulated=True).to_csv(EFFECTS / "words.csv", index=False)


def test_the_example_is_what_make_example_makes(made):
    page = (made / "page.html").read_text(encoding="utf-8")
    words, numbers = taken_apart((EXAMPLES / "demo.html").read_text(encoding="utf-8"))
    words_now, numbers_now = taken_apart(page)
    again = "the example is out of date: run `make example` and look at it"
    assert words_now == words, again
    assert [(a, b) for a, b in zip(numbers, numbers_now, strict=True) if not near(a, b)] == [], again


@pytest.mark.slow
def test_tables_for_latex_compile_and_have_the_numbers_of_the_leaderboard(made):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex (texlive-latex-recommended) is not installed")
    assert analysis.main(["report", str(made / RUN), "--out", str(made / "tables.tex"), "--quiet"]) == 0
    tables = (made / "tables.tex").read_text(encoding="utf-8")
    head = "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
    page = (
        head
        + "\\usepackage{textcomp}\n\\usepackage{booktabs}\n\\begin{document}\n"
        + tables
        + "\n\\end{document}\n"
    )
    (made / "paper.tex").write_text(page, encoding="utf-8")
    flags = ["-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(["pdflatex", *flags], cwd=made, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-1500:]
    with (made / RUN / "leaderboard.csv").open(encoding="utf-8") as file:
        means = {
            (row["model"], row["metric"]): float(row["mean"]) for row in csv.DictReader(file) if row["mean"]
        }
    board = tables.split(r"\midrule")[1].split(r"\bottomrule")[0]
    rows = [
        [cell.strip(" \\").replace("$-$", "-") for cell in line.split("&")]
        for line in board.splitlines()
        if "&" in line
    ]
    assert len(rows) == 6
    for model, nld, _, energy, *_ in rows:
        name = "Human" if model == "Readers" else model
        assert (float(nld), float(energy)) == pytest.approx(
            (means[name, "nld"], means[name, "energy"]), abs=5e-4
        )


def test_simulated_readers_are_neither_human_nor_people(made):
    page = (made / "page.html").read_text(encoding="utf-8")
    page = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    for said in (
        "nothing here is about people",
        "say nothing about people",
        "simulated, not human",
        "human-like",
    ):
        words = words.replace(said, "")  # which is not about these readers
    for published in (r"Published, not comparable .*? Human 0\.538", "the published effects of people"):
        words = re.sub(published, "", words)
    found = [
        words[max(m.start() - 60, 0) : m.end() + 40]
        for m in re.finditer(r"\b([Hh]umans?|[Pp]eople)\b", words)
    ]
    assert found == []


@pytest.fixture(scope="module")
def paper(made) -> Path:
    """The PDF edition, where there are tools to look at it."""
    pytest.importorskip("typst")
    if shutil.which("pdftotext") is None or shutil.which("pdftocairo") is None:
        pytest.skip("pdftotext and pdftocairo (poppler-utils) are not installed")
    flags = ["--out", str(made / "page.pdf"), "--figures", str(made / "figures"), "--quiet"]
    assert analysis.main(["report", str(made / RUN), *flags]) == 0
    return made / "page.pdf"


def inks(pdf: Path) -> list[np.ndarray]:
    """Return where each page is not white, at two pixels a millimetre, by another program."""
    subprocess.run(
        ["pdftocairo", "-png", "-gray", "-r", "50.8", pdf, pdf.with_suffix("")],
        check=True,
        capture_output=True,
    )
    return [imread(page) < 0.98 for page in sorted(pdf.parent.glob(f"{pdf.stem}-*.png"))]


def lines(pdf: Path) -> list[list[tuple[float, float]]]:
    """Return top and height, in points, of each line of text between head and foot, page by page."""
    text = subprocess.run(["pdftotext", "-bbox-layout", pdf, "-"], check=True, capture_output=True, text=True)
    pages = [
        [
            (float(top), float(bottom) - float(top))
            for top, bottom in re.findall(r'<line [^>]*yMin="([\d.]+)"[^>]*yMax="([\d.]+)"', page)
        ]
        for page in text.stdout.split("<page ")[1:]
    ]
    return [sorted(line for line in page if 55 < line[0] < 780) for page in pages]


def test_the_paper_edition_is_short_and_nothing_leaves_its_margins(paper):
    pages = inks(paper)
    assert 4 <= len(pages) <= 12
    for page in pages:
        height, width = page.shape
        assert (width / 2, height / 2) == pytest.approx((210, 297), abs=1)
        assert not page[:, : 2 * 20].any()  # margins are 22 mm at the sides,
        assert not page[:, -2 * 20 :].any()
        assert not page[: 2 * 10].any()  # and hold head and foot above and below
        assert not page[-2 * 10 :].any()


def test_no_figure_is_cut(paper):
    """A drawing that reaches its own edge has lost something beyond it."""
    figures = sorted((paper.parent / "figures").glob("*.pdf"))
    assert len(figures) > 8
    for figure in figures:
        (ink,) = inks(figure)
        assert ink.any()
        edges = (ink[0], ink[-1], ink[:, 0], ink[:, -1])
        assert not any(edge.any() for edge in edges), figure.name


def test_no_page_has_a_lone_heading_or_line(paper):
    heading = 15.0  # points; nothing else is as high
    for number, page in enumerate(lines(paper), start=1):
        heights = [height for _, height in page]
        assert len(heights) > 2, number
        assert heights[-1] < heading, number  # its section begins overleaf
        assert not (heights[0] < heading <= heights[1]), number  # the end of a section before


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("0.474", "0.475", True),
        ("0.474", "0.476", False),
        ("12", "13", False),
        ("0.1234567891", "0.1234567892", True),
    ],
)
def test_numbers_may_differ_in_the_last_digit_only(a, b, same):
    assert near(a, b) is same


def test_the_files_of_the_example_are_small():
    assert sum(path.stat().st_size for path in (EXAMPLES / "effects").iterdir()) < 200_000
