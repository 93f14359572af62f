from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Request
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

Make = Callable[..., PointerModel]


@pytest.mark.parametrize("process", ["autoregressive", "absorbing"])
def test_a_path_is_the_same_in_any_company_and_order(process: str, make_model: Make, corpus: Corpus) -> None:
    model = make_model(process)
    requests = [
        Request(s, reader, k) for s in corpus.sentences.values() for reader in ("a", "new") for k in (0, 1)
    ]
    together = model.generate(requests, seed=3)
    for again in (
        model.generate(requests[::-1], seed=3)[::-1],
        [model.generate([request], seed=3)[0] for request in requests],
    ):
        assert [path.words for path in again] == [path.words for path in together]
        for one, other in zip(again, together, strict=True):  # of untrained weights some are hours long
            assert one.durations == pytest.approx(other.durations, rel=1e-4)
    assert model.generate(requests, seed=4) != together
    for path in together:
        assert path.durations is not None
        assert len(path.durations) == path.n_fixations
        assert max(path.words) < corpus.sentences[path.sentence_id].n_words


def test_probabilities_of_all_paths_of_one_word_sum_to_one(make_model: Make) -> None:
    """A text of one word has one path of each length; what is left is that of longer ones."""
    model = make_model("autoregressive")
    sentence = Sentence("one", "Word.")
    paths = [Scanpath("new", "one", (0,) * n) for n in range(1, 60)]
    shares = np.exp(model.log_probs([sentence] * len(paths), paths))
    assert shares.sum() == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "message"),
    [((), "sentence 's' is empty"), ((0, 7), "sentence 's': found word 7, expected 0 to 2")],
)
def test_paths_a_text_cannot_have_are_refused(
    words: tuple[int, ...], message: str, make_model: Make, corpus: Corpus
) -> None:
    with pytest.raises(ScandlError, match=message):
        make_model("autoregressive").log_probs([corpus.sentences["s"]], [Scanpath("a", "s", words)])


def test_durations_are_asked_for_where_they_are_scored(make_model: Make, corpus: Corpus) -> None:
    model = make_model("autoregressive")
    found = model.duration_log_probs([corpus.sentences["s"]], [corpus.by_pair["a", "s"]])
    assert [len(one) for one in found] == [3]
    with pytest.raises(ScandlError, match="the path of reader 'a', sentence 's' has no durations"):
        model.duration_log_probs([corpus.sentences["s"]], [Scanpath("a", "s", (0,))])


def test_a_text_without_words_is_refused(make_model: Make) -> None:
    with pytest.raises(ScandlError, match="sentence 'empty' has no words"):
        make_model("autoregressive").generate([Request(Sentence("empty", " "))], seed=1)
