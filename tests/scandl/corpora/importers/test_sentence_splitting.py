from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.corpora.importers.sentence_splitting import cut_into_sentences, sentence_spans
from scandl.records import Scanpath, Sentence


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("He said “Go!” Then he left.", ["He said “Go!”", "Then he left."]),
        ("“Why?” she asked. Nobody knew", ["“Why?” she asked.", "Nobody knew"]),
        ("Dr. Lee of the U.S. Army met J. Smith.", ["Dr. Lee of the U.S. Army met J. Smith."]),
        ("It cost 3.5 euros. 50 people came.", ["It cost 3.5 euros.", "50 people came."]),
        ("Wait... (Really.) Yes", ["Wait...", "(Really.)", "Yes"]),
    ],
)
def test_where_sentences_end(text: str, sentences: list[str]) -> None:
    words = text.split()
    assert [" ".join(words[a:b]) for a, b in sentence_spans(words)] == sentences


@given(
    words=st.lists(st.sampled_from(["A", "b", "c.", "D!", "Mr.", "e?”"]), min_size=1, max_size=12),
    data=st.data(),
)
def test_cutting_loses_no_word_and_no_fixation(words: list[str], data: st.DataObject) -> None:
    path = data.draw(st.lists(st.integers(0, len(words) - 1), min_size=1, max_size=10))
    whole = Scanpath("r", "p", tuple(path), tuple(float(n + 1) for n in range(len(path))))
    paragraph = Sentence("p", " ".join(words))
    cut = cut_into_sentences(Corpus(Card(name="c"), {"p": paragraph}, (whole,)))
    spans = sentence_spans(words)
    assert [word for a, b in spans for word in words[a:b]] == words
    start = {f"p_s{k}": a for k, (a, _) in enumerate(spans)}
    found = [
        (ms, start[part.sentence_id] + word)
        for part in cut.scanpaths
        for word, ms in zip(part.positions, part.durations or (), strict=True)
    ]
    assert [word for _, word in sorted(found)] == path
    assert all(list(part.durations or ()) == sorted(part.durations or ()) for part in cut.scanpaths)
