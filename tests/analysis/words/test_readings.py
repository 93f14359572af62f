"""Where readings come from."""

from __future__ import annotations

import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.records import Prediction
from scandl_analysis.words.readings import Reading, human_readings, model_readings, paired_readings


def test_humans_of_a_corpus(small_corpus: Corpus) -> None:
    first, second = human_readings(small_corpus)
    assert (first.source, first.reader_id, first.words) == ("human", "r1", ["The", "old", "dog", "slept."])
    assert first.durations == (200.0, 100.0, 80.0, 60.0, 90.0)
    assert second.durations is None


def test_models_take_the_corpus_text_before_their_own(small_corpus: Corpus) -> None:
    prediction = Prediction("s1", (0, 1), model="m", setting="nrns", fold="2", sample=3, text="A b c d")
    (reading,) = model_readings([prediction], small_corpus)
    assert reading == Reading("m", "s1", "The old dog slept.", (0, 1), None, "", "nrns", "2", 3)
    assert model_readings([prediction])[0].text == "A b c d"


def test_a_model_without_words_is_an_error() -> None:
    with pytest.raises(ScandlError, match=r"sentence 's1': its words are not known; give the corpus"):
        model_readings([Prediction("s1", (0,))])


def test_a_human_path_that_a_file_repeats_is_one_reading() -> None:
    def row(model: str, sample: int, reader: str | None) -> Prediction:
        return Prediction("s1", (0,), human=(1,), reader_id=reader, model=model, sample=sample, text="a b")

    named = [row(model, sample, "r1") for model in "ab" for sample in range(2)]
    assert len(paired_readings(named)) == 1
    unnamed = [row(model, sample, None) for model in "ab" for sample in range(2)]
    assert len(paired_readings(unnamed)) == 1
    assert paired_readings([Prediction("s1", (0,), text="a")]) == []
