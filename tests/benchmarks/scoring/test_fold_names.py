"""Items of differently named folds meet; resampled folds stay apart."""

from __future__ import annotations

from pathlib import Path

from scandl.records import Prediction
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.fold_names import with_common_folds


def predictions(model: str, folds: list[str]) -> list[Prediction]:
    return [Prediction(f"s{i}", (0, 1), (0, 1, 2), f"r{i}", model, fold=fold) for i, fold in enumerate(folds)]


def test_the_model_with_most_folds_names_them() -> None:
    found = with_common_folds([*predictions("a", ["0", "0", "0"]), *predictions("b", ["ns-0", "ns-1"])])
    assert [p.fold for p in found] == ["ns-0", "ns-1", "0", "ns-0", "ns-1"]


def test_resampled_folds_are_left_alone() -> None:
    twice = [*predictions("a", ["f1", "f1"]), *predictions("a", ["f2", "f2"]), *predictions("b", ["0", "0"])]
    assert with_common_folds(twice) == twice


def test_predictions_without_readers_are_left_alone() -> None:
    unnamed = [Prediction("s1", (0,), (0,), fold="0"), Prediction("s1", (0,), (1,), fold="1")]
    assert with_common_folds(unnamed) == unnamed


def test_models_with_other_fold_names_are_scored_on_shared_items(tmp_path: Path) -> None:
    for name, fold in (("mine", "ns-0"), ("theirs", "0")):
        rows = "".join(f"r{r},s{s},{fold},0 1 {r % 2},0 1 1\n" for r in range(3) for s in range(4))
        (tmp_path / f"{name}.csv").write_text(f"reader_id,sentence_id,fold,predicted,human\n{rows}")
    found = evaluate([tmp_path / "mine.csv", tmp_path / "theirs.csv"])
    rows = [row for row in found.rows if row.metric == "nld"]
    assert [row.n for row in rows] == [12] * len(rows)
    assert {row.n for row in found.rows if row.metric == "energy"} == {4}  # sentences
    assert not any("different items" in note for note in found.notes)
