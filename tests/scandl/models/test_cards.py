"""Cards of shipped models: complete, true to the file, and small."""

from __future__ import annotations

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.cards import card_rows, model_card, shipped_models


@pytest.mark.parametrize("name", shipped_models())
def test_a_card_says_what_one_must_know(name: str) -> None:
    card = model_card(name)
    assert card.name == name
    assert 0 < card.bytes < 8_000_000
    assert card.kind in ("human", "simulated")
    assert card.corpora
    for corpus in card.corpora:
        assert corpus.licence
        assert corpus.citation
        assert corpus.scanpaths > 0
    for line in (card.about, card.engine, card.licence, card.made_by):
        assert line
    assert card.limits
    rows = dict(card_rows(card))
    assert rows["licence"] == card.licence
    assert rows["trained on"].startswith(card.corpora[-1].name)


def test_the_demonstration_is_of_the_demo_corpus() -> None:
    (corpus,), demo = model_card("demo").corpora, open_corpus("demo")
    assert (corpus.readers, corpus.texts, corpus.scanpaths) == (
        len(demo.reader_ids),
        len(demo.sentences),
        len(demo.scanpaths),
    )
    assert model_card("demo").longest_text == max(s.n_words for s in demo.sentences.values())


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(ScandlError, match="no shipped model 'dem'; did you mean 'demo'\\? known: demo"):
        model_card("dem")
