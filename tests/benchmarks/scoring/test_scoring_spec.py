from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.files.symbol_repair import frame
from scandl.pairing import pair
from scandl.records import Prediction
from scandl_eval.metrics.nld import nld
from scandl_eval.scoring.scoring_spec import Spec, repair_counts

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
