"""What the report of ``nld`` says of the reader who fixates each word once, in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl_eval.reporting.simple_reader import simple_reader_findings
from scandl_eval.scoring.evaluation import evaluate

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
