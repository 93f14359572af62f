"""The report of ``nld`` and ``score``: what is drawn, and what is said of the data."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scandl.corpora.corpus_folder import find_corpus, open_corpus
from scandl.records import Prediction
from scandl_eval.reporting.scoring_report import (
    build_comparison_report,
    build_scoring_report,
    simple_reader_findings,
)
from scandl_eval.reporting.verdict import data_findings
from scandl_eval.scoring.comparison import compare
from scandl_eval.scoring.evaluation import evaluate
from scandl_reports.document import Figure, Table

METRICS = (
    "levenshtein",
    "multimatch-direction-above-chance",
    "nld",
    "scanmatch",
    "weighted-nld",
    "energy",
    "diversity",
)


@pytest.fixture(scope="module")
def predictions(tmp_path_factory) -> Path:
    """Each reader of two sentences of the demo predicted by the next one."""
    paths = open_corpus("demo").by_sentence
    rows = ["reader_id,sentence_id,predicted"]
    for sentence in ("s01", "s02"):
        readers = paths[sentence][:6]
        rows += [
            f"{one.reader_id},{sentence},{' '.join(map(str, other.positions))}"
            for one, other in zip(readers, (*readers[1:], readers[0]), strict=True)
        ]
    table = tmp_path_factory.mktemp("next") / "next.csv"
    table.write_text("\n".join(rows) + "\n")
    return table


def report(predictions: Path, folder: Path | str, metrics=()):
    result = evaluate([predictions], corpus=open_corpus(str(folder)), metrics=metrics)
    return build_scoring_report(result, {"inputs": {str(predictions): "12", str(folder): "34"}})


def test_many_metrics_draw_those_that_say_most_and_count_the_rest(predictions):
    table, figure = report(predictions, find_corpus("demo"), METRICS).sections[0].blocks
    assert isinstance(table, Table)
    assert isinstance(figure, Figure)
    drawn = list(dict.fromkeys(row[1] for row in figure.data.rows))
    assert drawn == ["nld", "energy", "diversity", "levenshtein"]
    assert len({row[1] for row in table.rows}) - len(drawn) == 3
    assert figure.caption.endswith("The table has 3 more metrics.")
    assert figure.terms == (*drawn, "simulated readers")  # of the demo, which are simulated


def test_nld_draws_its_companions_and_has_nothing_left(predictions):
    table, figure = report(predictions, find_corpus("demo")).sections[0].blocks
    assert list(dict.fromkeys(row[1] for row in figure.data.rows)) == ["nld", "energy", "diversity"]
    assert "more metrics" not in figure.caption
    assert [column.name for column in table.columns][6:] == ["energy", "95 %", "diversity", "95 %"]


def test_simulated_readers_are_said_to_be_with_the_model_that_made_them(predictions, tmp_path):
    (data, *_) = report(predictions, find_corpus("demo")).verdict
    assert data.about == "Data"
    assert data.text.startswith("The readers of demo are simulated: the numbers show the method")
    assert "Each follows simplified SWIFT" in data.text
    human = tmp_path / "human"
    shutil.copytree(find_corpus("demo"), human)
    card = (human / "corpus.toml").read_text().replace('kind = "simulated"', 'kind = "human"')
    (human / "corpus.toml").write_text(card)
    assert "Data" not in [finding.about for finding in report(predictions, human).verdict]


def test_a_card_that_names_no_model_is_told_so():
    card = open_corpus("demo").card
    bare = type(card)(name="x", kind="simulated")
    first, second = data_findings([card, bare, card])
    assert card.notes in first.text
    assert second.text.endswith("The card of the corpus does not say which model that is.")


def test_a_comparison_has_its_pairs_drawn_beside_no_difference():
    readings = [(r, s) for r in range(4) for s in range(5)]
    shifted = [
        Prediction(f"s{s}", (0, 1 + (r + s + k) % 3), human=(0, 1 + s % 3), reader_id=f"r{r}", model=model)
        for k, model in enumerate("abc")
        for r, s in readings
    ]
    found = compare(shifted, metrics=["nld"])
    report = build_comparison_report(found, {"seed": 1})
    (section, _) = report.sections
    table, figure = section.blocks
    assert [row[:2] for row in table.rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row, pair in zip(table.rows, found.pairs, strict=True):
        assert row[5:7] == (pair.difference, pair.ci95)
    assert [row[0] for row in figure.data.rows][:3] == ["a − b", "a − c", "b − c"]
    assert "no difference" in {row[0] for row in figure.data.rows}


UNKNOWN = (
    "Whether every model is nearer to the readers than one who fixates each word once, in order, is not known: "
    "there are too few readers, sentences or texts."
)


@pytest.fixture
def said(tmp_path: Path):
    """Return what is said of some lines (model, reader, sentence, predicted, text) with human 0 0 1 1."""

    def told(*lines: tuple[str, ...]) -> list[str]:
        rows = [f"{m},ns,{r},{s},{p},0 0 1 1,{t}" for m, r, s, p, t in lines]
        header = "model,setting,reader_id,sentence_id,predicted,human,text"
        table = tmp_path / "preds.csv"
        table.write_text("\n".join([header, *rows]) + "\n")
        return [finding.text for finding in simple_reader_findings(evaluate([table]))]

    return told


def lines(model: str, predicted: str, *, of: str = "s", text: str = "a b", n: int = 3):
    return [(model, f"r{r}", f"{of}{s}", predicted, text) for r in range(n) for s in range(n)]


def test_the_simple_reader_is_not_compared_with_itself(said):
    assert said(*lines("left-to-right", "0 1")) == [
        "The only model is that reader itself: there is nothing to compare it with."
    ]


def test_a_model_that_was_compared_and_is_separable_is_praised(said):
    text = "is clearly nearer to the readers than one who fixates each word once, in order (nld)."
    assert said(*lines("perfect", "0 0 1 1")) == [f"Every model {text}"]
    both = [*lines("perfect", "0 0 1 1"), *lines("left-to-right", "0 1")]
    assert said(*both) == [f"Every other model {text}"]


def test_without_texts_nothing_is_compared(said):
    assert said(*lines("perfect", "0 0 1 1", text="")) == [
        "Not compared: without texts there is no reader who fixates each word once."
    ]


@pytest.mark.parametrize(
    "given",
    [
        lines("perfect", "0 0 1 1", n=1),  # a better value, which nothing can be resampled for
        [*lines("known", "0 0 1 1"), *lines("other", "0 0 1 1", of="t", text="")],  # some have no texts
        [*lines("perfect", "0 0 1 1"), *lines("left-to-right", "0 1", of="t")],  # no item in common
    ],
)
def test_no_warning_alone_is_no_praise(said, given):
    assert said(*given) == [UNKNOWN]


def test_warnings_are_passed_on(said):
    (text,) = said(*lines("bad", "1 1 0 0"))
    assert text.startswith("left-to-right, which reads every word once, is better than bad (ns): nld -0.5000")
