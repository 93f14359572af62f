from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import LeftOutWarning, ScandlError
from scandl.files.symbol_repair import frame
from scandl.measures.pair.nld import nld
from scandl.pairing import pair
from scandl.records import Prediction
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.scoring_spec import (
    Spec,
    load,
    named_source,
    open_if_named,
    repair_counts,
    with_common_folds,
)

TEXT = "a b c d"


def scored(spec, raw, human):
    prediction = Prediction("s", (), human=human, text=TEXT, raw=raw)
    (value,) = spec.metric.score(pair([spec.repaired(prediction)]).instances)
    return value


@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6))
def test_clean_symbols_mean_the_same_under_every_repair(predicted, human):
    raw = (*frame(predicted, 4), 127, 127)
    for repair in ("remove-pad", "cut-sep"):
        assert scored(Spec(repair=repair), raw, tuple(human)) == nld(human, predicted)
        framed = scored(Spec(convention="scandl", repair=repair), raw, tuple(human))
        assert framed == pytest.approx(nld(frame(human, 4), frame(predicted, 4)))


def test_the_published_numbers_count_every_symbol_but_trailing_pad():
    raw = (0, 1, 5, 2, 127, 3, 127)
    published = Spec(convention="scandl", repair="remove-pad")
    assert scored(published, raw, (0, 1)) == pytest.approx(nld((0, 1, 2, 5), (0, 1, 5, 2, 127, 3)))
    assert scored(Spec(convention="scandl", repair="cut-sep"), raw, (0,)) == 0
    assert scored(Spec(repair="cut-sep"), raw, (0,)) == 0


def test_a_missing_end_costs_only_where_symbols_count():
    raw = (0, 1, 2)
    assert scored(Spec(repair="remove-pad"), raw, (0, 1)) == 0
    assert scored(Spec(convention="scandl", repair="remove-pad"), raw, (0, 1)) == pytest.approx(1 / 4)


def test_predictions_without_raw_symbols_stay_as_they_are():
    prediction = Prediction("s", (0, 1), human=(0,), reader_id="r", text=TEXT)
    assert Spec(repair="cut-sep").repaired(prediction) is prediction
    assert Spec().addressed(prediction) is prediction


def test_all_readers_means_no_reader():
    prediction = Prediction("s", (0, 1), human=(0,), reader_id="r")
    assert Spec(against="all-readers").addressed(prediction) == Prediction("s", (0, 1))


def test_repairs_are_counted():
    raws = [(0, 1, 5, 127), (1, 2, 5), (0, 1, 2)]
    counts = repair_counts(Prediction("s", (), text=TEXT, raw=raw) for raw in raws)
    assert counts == {"no CLS": 1, "no SEP": 1}
    assert not repair_counts([Prediction("s", ())])
    told = [Prediction("s", (), extra={"repairs": cell}) for cell in ("no SEP", "", "inner CLS; no SEP")]
    assert repair_counts(told) == {"inner CLS": 1, "no SEP": 2}


@pytest.mark.parametrize("choice", [{"convention": "word"}, {"repair": "cleen"}, {"against": "same-readers"}])
def test_an_unknown_choice_is_named(choice):
    ((kind, value),) = choice.items()
    with pytest.raises(ScandlError, match=f"no {kind} '{value}'; did you mean"):
        Spec(**choice)


def test_the_spec_of_a_result_names_every_choice():
    found = Spec(convention="scandl", repair="remove-pad").as_dict(pairing="same reader", items="all")
    assert found["spec"] == "scandl"
    assert found["version"] >= 1
    assert (found["repair"], found["pairing"], found["items"]) == ("remove-pad", "same reader", "all")


HEAD = "reader_id,sentence_id,predicted,human\n"


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def refused(text, call):
    with pytest.raises(ScandlError, match=f"^{re.escape(text)}$"):
        call()


def test_without_any_human_path_it_says_where_one_may_come_from(file):
    path = file("m.csv", "sentence_id,predicted\ns,0\n")
    refused(
        f"{path}: column 'human': found no human scanpath in 1 predictions, expected a column 'human', or a "
        "corpus (--corpus)",
        lambda: load(path, None, Spec()),
    )
    records = [Prediction("s", (0,), human=(0,))]
    refused(
        "to compare with all readers of a sentence, give a corpus (--corpus)",
        lambda: load(records, None, Spec(against="all-readers")),
    )


def test_strict_refuses_what_is_otherwise_only_said():
    demo = open_corpus("demo")
    path = demo.scanpaths[0]
    known = Prediction(path.sentence_id, (0,), reader_id=path.reader_id)
    lost = Prediction(path.sentence_id, (0,), reader_id="nobody")
    where = f"sentence {path.sentence_id!r} of reader 'nobody'"
    text = f"the predictions: 1 of 2 predictions have no human scanpath, left out: {where}"
    with pytest.warns(LeftOutWarning, match=f"^{text}$"):
        corpus, as_read, pairing = load([known, lost], demo, Spec())
    assert (corpus, as_read, len(pairing.instances)) == (demo, [known, lost], 1)
    refused(text, lambda: load([known, lost], demo, Spec(), strict=True))
    refused(
        f"the predictions: 1 of 1 predictions have no human scanpath, left out: {where}",
        lambda: load([lost], demo, Spec()),  # nothing is left to score
    )


def test_sources_and_corpora_are_named():
    assert named_source(Path("a.csv")) == named_source("a.csv") == named_source(["a.csv", "b.csv"]) == "a.csv"
    assert named_source([Prediction("s", (0,))]) == named_source([]) == "the predictions"
    assert open_if_named(None) is None
    demo = open_if_named("demo")
    assert open_if_named(demo) is demo


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
