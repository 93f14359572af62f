from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import lognorm

from scandl.models.model import Request
from scandl.models.pointer.lengths import (
    N_OF_TEXT,
    N_PARAMETERS,
    TYPICAL_LOG_SD,
    draw_lengths,
    length_log_prob,
    length_parameters,
    length_probabilities,
    of_text,
)
from scandl.models.pointer.path_batch import TextBatch, longest
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.words import word_features
from scandl.records import Sentence


@pytest.mark.parametrize("n_words", [1, 7, 60])
def test_probabilities_sum_to_one(n_words: int) -> None:
    parameters = np.random.default_rng(n_words).normal(size=N_PARAMETERS)
    probabilities = length_probabilities(parameters, n_words, 40 * n_words + 40)
    assert probabilities.sum() == pytest.approx(1.0, abs=1e-4)
    assert (probabilities >= 0).all()


def test_one_component_is_scipy_s_log_normal() -> None:
    parameters = np.array([0, -40, -40, 0.2, 0, 0, -0.7 - TYPICAL_LOG_SD, 0, 0])
    law = lognorm(s=np.exp(-0.7), scale=np.exp(0.2))
    expected = law.cdf((4 + 0.5) / 6) - law.cdf((4 - 0.5) / 6)
    assert length_log_prob(parameters, 6, 4) == pytest.approx(np.log(expected), abs=1e-6)


def test_lengths_are_drawn_as_often_as_they_are_probable(make_model: Callable[..., PointerModel]) -> None:
    model, sentence = make_model(), Sentence("four", "One two three four.")
    batch = model.text_batch([Request(sentence, "a")] * 4000, 1)
    rng = np.random.default_rng(1)
    drawn = Counter(draw_lengths(model.network, batch, [rng] * 4000).tolist())
    probabilities = length_probabilities(length_parameters(model.network, batch)[0], 4, longest(4))
    for n, probability in enumerate(probabilities / probabilities.sum(), start=1):
        assert drawn[n] / 4000 == pytest.approx(probability, abs=0.03)
    assert max(drawn) <= longest(4)


def test_what_is_told_of_a_text_is_a_mean_over_its_words_alone() -> None:
    texts = [word_features(tuple(text.split())) for text in ("The cat sat.", "Well, it fell down 3 times.")]
    both = of_text(TextBatch.of(texts, np.zeros((2, 1), np.float32)))
    alone = of_text(TextBatch.of(texts[:1], np.zeros((1, 1), np.float32)))
    assert both.shape == (2, N_OF_TEXT)
    np.testing.assert_allclose(both[0], alone[0], rtol=1e-6)
    np.testing.assert_allclose(both[1, 0], texts[1][:, 0].mean(), rtol=1e-6)
