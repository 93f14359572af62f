"""Every metric has one definition, under the name it has in the table, that says what is better."""

from __future__ import annotations

import re

import pytest

from scandl.measures.catalogue import METRICS, Metric, pair_metrics, usual_metrics
from scandl.measures.distribution.panel import QUANTITIES
from scandl_eval.reporting.terms import board_terms, scoring_terms

PANEL = [f"{q.replace(' ', '-')}-{d}" for q in QUANTITIES for d in ("wasserstein", "jensen-shannon")]
ROWS = (
    *(metric.name for metric in pair_metrics()),
    "energy",
    "diversity",
    "classifier-auc",
    *PANEL,
    "bits-per-fixation",
    "information-gain",
)


def directions(text: str) -> list[str]:
    return re.findall(r"[Ll]ower is better|[Hh]igher is better|nearer to [\d.]+ the better", text)


def bare(metric: Metric) -> str:
    return metric.better.lower().removeprefix("the ")


def test_definitions_of_a_leaderboard_agree_with_how_it_is_ranked():
    terms = {term.name: term.definition for term in board_terms()}
    assert len(terms) == len(board_terms())
    for metric in usual_metrics():
        assert [said.lower() for said in directions(terms[metric.heading])] == [bare(metric)]


def test_each_metric_of_score_is_defined_once_under_its_own_name():
    terms = scoring_terms(ROWS, convention="words")
    names = [term.name for term in terms]
    assert names == [*ROWS, "Human", "95 %", "SE folds"]
    for term in terms[: len(ROWS)]:
        assert len(directions(term.definition)) == 1, term
    found = {term.name: term.definition for term in terms}
    for name in ROWS:
        assert directions(found[name])[0].lower() == bare(METRICS[name])
    assert found["run-length-jensen-shannon"].startswith("Jensen–Shannon divergence (in bits: 0 the same")
    assert "run lengths (fixations on a word before the eyes leave it)" in found["run-length-jensen-shannon"]


def test_nld_is_defined_as_it_was_computed():
    def nld(convention: str) -> str:
        return scoring_terms(["nld"], convention=convention)[0].definition

    assert "start and an end symbol" in nld("scandl")
    assert "start and an end symbol" not in nld("words")


@pytest.mark.parametrize(
    "said",
    ["both readers of a pair", "one half of the readers against the other", "for other sentences alone"],
)
def test_an_interval_says_what_was_drawn(said):
    for terms in (board_terms(), scoring_terms(["nld"], convention="words")):
        assert said in next(term.definition for term in terms if term.name == "95 %")


def test_the_permutation_test_is_said_to_be_liberal():
    text = next(term.definition for term in board_terms() if term.name == "Passing for a reader")
    assert "those of one reader belong together, so it rejects too often" in text
