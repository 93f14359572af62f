"""The tidy table, its scaling after R's scale(), and the rows it cannot use."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.measures.word_measures import word_measures
from scandl_analysis.predictors.word_predictors import Predictors, compute_predictors
from scandl_analysis.words.analysed_run import Reading, human_readings
from scandl_analysis.words.word_table import (
    KEYS,
    PREDICTORS,
    complete_rows,
    scale,
    truncated_note,
    word_rows,
)


def test_one_row_per_word_of_each_reading(small_corpus: Corpus) -> None:
    readings = human_readings(small_corpus)
    predictors = compute_predictors([readings[0].text], provider="unigram")
    frame = word_rows(readings, predictors)
    assert list(frame) == [*KEYS, "sr", "fpr", "ffc", "tfc", *PREDICTORS]
    assert len(frame) == 8
    second = frame[frame["reader_id"] == "r2"]
    assert second["word"].tolist() == ["The", "old", "dog", "slept."]
    assert second["sr"].tolist() == word_measures((0, 1, 3), 4)["sr"]
    assert second["surprisal"].tolist() == list(predictors.columns["surprisal"][readings[0].text])


def test_a_measure_that_is_not_defined_is_nan(small_corpus: Corpus) -> None:
    frame = word_rows(human_readings(small_corpus), variant="firstpass")
    assert np.isnan(frame["fpr"]).tolist() == [False, True, False, False, False, False, True, False]
    assert frame["sr"].dtype == np.int64


def test_a_compact_table_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Block by block, in fewer bits: durations that 32 bits cannot hold come in the second block only."""
    texts = ["The old dog slept.", "It is the old dog"]
    readings = [
        Reading(source, f"s{k}", texts[k % 2], (0, 2, 1, 3), (200.0, 100.5, ms, 80.0), f"r{k}")
        for source in ("human", "m")
        for k, ms in enumerate((90.0, 90.25, 90.1, 16_777_217.0))
    ]
    times = ("FFD", "TFT", "FPReg")
    plain = word_rows(readings, variant="firstpass", times=times)
    monkeypatch.setattr("scandl_analysis.words.word_table._BLOCK", 2)
    compact = word_rows(readings, variant="firstpass", times=times, compact=True)
    pd.testing.assert_frame_equal(compact.astype(plain.dtypes.to_dict()), plain)
    assert compact.memory_usage().sum() < 0.8 * plain.memory_usage().sum()


def test_nothing_to_measure_is_an_empty_table() -> None:
    assert list(word_rows([])) == [*KEYS, "sr", "fpr", "ffc", "tfc"]


def test_rows_without_a_predictor_are_counted() -> None:
    text = "A dog — —"
    predictors = Predictors({"surprisal": {text: (1.0, 2.0, math.nan, math.nan)}}, {})
    frame = word_rows([Reading("human", "s", text, (0,)), Reading("m", "s", text, (1,))], predictors)
    kept, missing = complete_rows(frame, ["surprisal"])
    assert kept["word"].tolist() == ["A", "dog", "A", "dog"]
    assert [str(lack) for lack in missing] == [
        "surprisal: no value for 1 word forms (—; 1 have no letter or digit), 4 rows dropped"
    ]
    assert complete_rows(kept, ["surprisal"])[1] == []


def table(**sources: tuple[str, list[float]]) -> pd.DataFrame:
    rows = [
        {"source": source, "sentence_id": sentence, "x": value}
        for source, (sentences, values) in sources.items()
        for sentence, value in zip(sentences, values, strict=True)
    ]
    return pd.DataFrame(rows)


def test_separate_scaling_is_r_scale() -> None:
    # R: scale(c(1, 2, 4)) is -0.8728716, -0.2182179, 1.0910895
    frame = table(human=("aab", [1, 2, 4]), model=("aab", [10, 20, 40]))
    scaled, constants = scale(frame, "separate", ["x"])
    np.testing.assert_allclose(scaled["x"], [-0.8728716, -0.2182179, 1.0910895] * 2, atol=5e-8)
    assert constants["mean"].tolist() == pytest.approx([7 / 3, 70 / 3])
    assert constants["sd"].tolist() == pytest.approx([1.527525, 15.27525])


def test_human_scaling_takes_the_constants_of_the_shared_items() -> None:
    frame = table(human=("aabb", [1, 3, 100, 200]), model=("aa", [1, 3]))
    scaled, constants = scale(frame, "human", ["x"])
    assert constants["mean"].tolist() == [2.0, 2.0]
    assert constants["n_rows"].tolist() == [2, 2]
    assert scaled["x"].tolist()[:2] == scaled["x"].tolist()[-2:]
    assert frame["x"].tolist() == [1, 3, 100, 200, 1, 3]


def test_human_scaling_without_models_uses_all_rows_and_keeps_missing() -> None:
    frame = table(human=("abcd", [1, 3, math.nan, 5]))
    scaled, constants = scale(frame, "human", ["x"])
    assert constants["n_rows"].tolist() == [3]
    assert scaled["x"].isna().tolist() == [False, False, True, False]


def test_what_cannot_be_scaled_is_said() -> None:
    with pytest.raises(ScandlError, match="predictor 'x' is the same in all 2 rows"):
        scale(table(human=("aa", [0.1, 0.1])), "separate", ["x"])
    with pytest.raises(ScandlError, match="scaling 'human' needs human readings"):
        scale(table(human=("a", [1]), model=("b", [1])), "human", ["x"])
    with pytest.raises(ScandlError, match="no scaling 'humans'; did you mean 'human'"):
        scale(table(human=("a", [1])), "humans", ["x"])


def test_truncated_first_fixations_are_left_out_and_counted(small_corpus: Corpus) -> None:
    cut = replace(small_corpus, card=replace(small_corpus.card, first_fixation="truncated"))
    readings = human_readings(cut)
    table = word_rows(readings, times=("FFD", "TFT"))
    assert table["FFD"].isna().tolist()[:4] == [True, True, False, False]
    assert table["TFT"].tolist()[:4] == [200.0, 140.0, 100.0, 90.0]
    assert truncated_note(readings).startswith("FFD, SFD and FPRT: 1 word whose first fixation was under way")
    assert truncated_note(human_readings(small_corpus)) == ""
