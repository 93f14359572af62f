"""Results as tables: the same cells in every form, and nothing that a form would act on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scandl.errors import ScandlError
from scandl.files.tabular import Tabular, latex_table

HOSTILE = r"a|b & 50% <i>_x_$\\"


class Two(Tabular):
    """Two rows."""

    def records(self) -> list[dict[str, Any]]:
        return [{"model": "m", "ci95": (0.1, 0.2), "n": 1}, {"model": HOSTILE, "ci95": None, "n": 2}]

    def shown(self) -> tuple[list[str], list[list[str]]]:
        return ["model", "95 %"], [["m", "[0.1, 0.2]"], [HOSTILE, "–"]]


def test_an_interval_is_two_columns_also_where_there_is_none() -> None:
    frame = Two().to_frame()
    assert list(frame.columns) == ["model", "ci95_low", "ci95_high", "n"]
    assert frame["ci95_low"].tolist()[0] == 0.1
    assert frame["ci95_high"].isna().tolist() == [False, True]


def test_markdown_has_as_many_cells_in_every_line() -> None:
    lines = Two().to_markdown().splitlines()
    assert len(lines) == 4
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {3}


def test_no_name_is_taken_for_an_argument_of_the_line_above() -> None:
    """``\\\\``, ``\\toprule`` and ``\\midrule`` look for a bracket, the first for an asterisk too, past line ends."""
    table = latex_table(["[model]", "n"], [["*best", "1"], ["[0.1, 0.2]", "2"], ["plain", "[3]"]])
    for line in table.splitlines():
        assert not line.startswith(("[", "*"))
    assert r"{}*best & 1 \\" in table
    assert r"plain & [3] \\" in table


def test_html_shows_what_latex_would_act_on_and_latex_what_html_would() -> None:
    page = Two()._repr_html_()
    assert page.count("<tr>") == 3
    assert "<i>" not in page
    text = Two().to_latex()
    assert r"a\textbar{}b \& 50\% \textless{}i\textgreater{}\_x\_\$\textbackslash{}" in text
    assert text.count(r" \\") == 3


class Best(Two):
    """With a caption, and a best cell."""

    def shown(self) -> tuple[list[str], list[list[str]]]:
        header = ["model", "mean", "± SE folds", "95 % interval", "n"]
        return header, [["a", "0.5", "–", "[0.4, 0.6]", "9"], ["b_1", "-0.2", "0.1", "[-0.3, -0.1]", "12"]]

    def captioned(self) -> tuple[str, str]:
        return "Means & counts", "tab:means"

    def best(self) -> set[tuple[int, int]]:
        return {(1, 1)}


def test_a_paper_gets_numbers_to_the_right_the_best_in_bold_caption_and_label() -> None:
    lines = Best().to_latex(["mean", "95 % interval"]).splitlines()
    assert lines == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Means \& counts}",
        r"\label{tab:means}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"model & mean & 95 \% interval \\",
        r"\midrule",
        r"a & 0.5 & [0.4, 0.6] \\",
        r"b\_1 & \textbf{-0.2} & [-0.3, -0.1] \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    with pytest.raises(ScandlError, match="no column 'men'; did you mean 'mean'"):
        Best().to_latex(["men"])
