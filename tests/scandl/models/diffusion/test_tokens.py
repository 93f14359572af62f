"""The layout of an input: the worked example, truncation, buckets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.settings import ModelConfig, preset
from scandl.models.diffusion.tokens import (
    Lengths,
    bucket_for,
    generation_tokens,
    is_cut,
    pad_id,
    scanpath_ids,
    training_tokens,
    used_buckets,
)
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import EncodedSentence, Lexical

PAPER = ModelConfig()
PADDING = np.zeros(2, dtype=np.float32)


def encoded(*pieces_per_word: int) -> EncodedSentence:
    ids = [
        0,
        *(k for k, n in enumerate(pieces_per_word, start=1) for _ in range(n)),
        len(pieces_per_word) + 1,
    ]
    return EncodedSentence(tuple(ids), np.arange(2 * len(ids), dtype=np.float32).reshape(-1, 2) + 1)


def test_the_worked_example() -> None:
    tokens = training_tokens(encoded(1, 2, 1), (0, 2, 1), PADDING, PAPER)
    assert tokens.ids.tolist() == [0, 1, 2, 2, 3, 4, 0, 1, 3, 2, 4, *[127] * 117]
    assert tokens.positions.tolist() == [*range(6), *range(122)]
    assert tokens.noised.tolist() == [False] * 6 + [True] * 122
    assert tokens.padding.tolist() == [False] * 11 + [True] * 117
    assert tokens.n_sentence == 6
    assert scanpath_ids(tokens.ids.tolist(), tokens)[:6] == [0, 1, 3, 2, 4, 127]


def slow_truncation(words: list[int], path: list[int], limit: int) -> tuple[list[int], list[int]]:
    """Take one element at a time from the longer part, from both when equal."""
    words, path = words[:-1], path[:-1]
    while len(words) + len(path) > limit:
        a, b = len(words), len(path)
        if a >= b:
            words.pop()
        if b >= a:
            path.pop()
    return words, path


@settings(deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=60), st.data())
def test_truncation_follows_the_released_rule(pieces: list[int], data: st.DataObject) -> None:
    path = tuple(data.draw(st.lists(st.integers(0, len(pieces) - 1), max_size=150)))
    sentence = encoded(*pieces)
    sep = len(pieces) + 1
    tokens = training_tokens(sentence, path, PADDING, PAPER)
    words, kept = slow_truncation(list(sentence.word_ids), [0, *(w + 1 for w in path), sep], 125)
    expected = [*words, sep, *kept, sep]
    assert len(expected) <= 127
    assert tokens.ids.tolist() == expected + [127] * (128 - len(expected))
    assert tokens.n_sentence == len(words) + 1
    np.testing.assert_array_equal(tokens.text[tokens.n_sentence - 1], sentence.vectors[-1])


def test_a_truncated_sentence_ends_in_the_vector_of_sep() -> None:
    config = ModelConfig(seq_len=128, buckets=(9,))
    sentence = encoded(1, 1, 1, 1, 1, 1)  # CLS, six pieces, SEP: vectors of eight rows
    tokens = training_tokens(sentence, (5, 4), PADDING, config)
    assert tokens.ids.tolist() == [0, 1, 2, 7, 0, 6, 5, 7, 127]
    np.testing.assert_array_equal(tokens.text[:4], sentence.vectors[[0, 1, 2, 7]])
    np.testing.assert_array_equal(tokens.text[4:], np.tile(PADDING, (5, 1)))


def test_a_bucket_has_room_for_the_path_and_pad_depends_on_neither() -> None:
    config = ModelConfig(buckets=(32, 64, 128), reserve=2.0)
    sentence = encoded(*[1] * 8)  # 10 pieces + 3 + 16 positions in reserve
    for path, length in [((0,), 32), (tuple(range(8)) * 2, 32), (tuple(range(8)) * 5, 64)]:
        tokens = training_tokens(sentence, path, PADDING, config)
        assert len(tokens.ids) == length
        assert tokens.ids[-1] == pad_id(config) == 127
    assert len(generation_tokens(sentence, PADDING, config).ids) == 32
    assert len(generation_tokens(sentence, PADDING, config, n_fixations=40).ids) == 64


def lengths_corpus(*counts: tuple[int, int]) -> Corpus:
    """Return a corpus of paths with so many fixations on so many words."""
    sentences = {str(k): Sentence(str(k), " ".join("a" * m)) for k, (_, m) in enumerate(counts)}
    paths = tuple(Scanpath("r", str(k), (0,) * n) for k, (n, _) in enumerate(counts))
    return Corpus(Card(name="lengths"), sentences, paths)


def test_rooms_are_drawn_as_training_paths_had_them() -> None:
    """With one sentence length the buckets drawn have the frequencies of those that training took."""
    counts = [1 + (7 * k) % 31 for k in range(900)]
    config = preset("small").model
    lengths = Lengths.of(lengths_corpus(*((n, 9) for n in counts)))
    assert lengths.longest == 9
    sentence = encoded(*[1] * 9)
    taken = [bucket_for(sentence, config, n) for n in counts]
    drawn = [bucket_for(sentence, config, lengths.drawn(9, (k + 0.5) / 900)) for k in range(900)]
    assert len(set(taken)) > 3
    for bucket in set(taken):
        assert drawn.count(bucket) / 900 == pytest.approx(taken.count(bucket) / 900, abs=0.01)


@pytest.mark.parametrize("least", [1, 8, 32])
def test_rare_buckets_go_to_the_next_and_no_path_is_cut_by_that(least: int) -> None:
    config = preset("small").model
    rng = np.random.default_rng(least)
    inputs = [(encoded(*[1] * m), int(n)) for m, n in rng.integers(1, 40, (300, 2))]
    taken = [bucket_for(sentence, config, n) for sentence, n in inputs]
    fewer = replace(config, buckets=used_buckets(config.buckets, taken, least))
    assert set(fewer.buckets) <= set(config.buckets)
    now = [bucket_for(sentence, fewer, n) for sentence, n in inputs]
    assert all(after >= before for after, before in zip(now, taken, strict=True))
    assert all(now.count(bucket) >= least for bucket in set(now) - {max(now)})
    assert not any(is_cut(sentence, (0,) * n, fewer) for sentence, n in inputs)
    assert fewer.buckets[-1] == config.buckets[-1]  # longer sentences than in training find theirs


CORPORA = ("schilling", "reading-brain-l2", "mertzen", "provo-passages", "onestop-sample", "hindi")
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("reading-brain-l1", "provo")]


@pytest.mark.parametrize("name", [*CORPORA, *SLOW])
def test_no_path_loses_its_end(name: str, shared: Callable[[str], Path]) -> None:
    corpus, encoder, config = open_corpus(shared(name)), Lexical(), preset("small").model
    pieces = {key: encoder.encode(sentence.words) for key, sentence in corpus.sentences.items()}
    assert not any(is_cut(pieces[path.sentence_id], path.positions, config) for path in corpus.scanpaths)


def test_without_condition_there_is_the_scanpath_alone() -> None:
    config = ModelConfig(sentence_condition=False)
    tokens = training_tokens(encoded(1, 1, 1), (0, 2), PADDING, config)
    assert tokens.ids[:5].tolist() == [0, 1, 3, 4, 127]
    assert tokens.positions.tolist() == list(range(128))
    assert tokens.noised.all()
    long = training_tokens(encoded(1, 1, 1), (1,) * 200, PADDING, config)
    assert long.ids.tolist() == [0, *[2] * 124, 4, 127, 127]


def test_too_long_a_sentence_is_named_with_the_limit() -> None:
    with pytest.raises(
        ScandlError, match="sentence 's9' has 92 word pieces with CLS and SEP; this model takes at most 88"
    ):
        generation_tokens(encoded(*[3] * 30), PADDING, PAPER, name="s9")
    with pytest.raises(ScandlError, match="the sentence has 126 words; seq_len 128 has ids for at most 125"):
        training_tokens(encoded(*[1] * 126), (0,), PADDING, PAPER)


def test_lexical_vectors_are_the_same_everywhere() -> None:
    encoder = Lexical()
    sentence = encoder.encode(["The", "cats", "sat."])
    assert sentence.word_ids == (0, 1, 2, 3, 4)
    assert sentence.vectors.shape == (5, encoder.dim)
    assert np.isfinite(sentence.vectors).all()
    cats, cat, piano = (encoder.encode([word]).vectors[1, :56] for word in ("cats", "cat", "piano"))

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine(cats, cat) > 0.4 > cosine(cats, piano)


def test_a_bucket_leaves_the_room_that_generation_asks_for() -> None:
    """Eight words in seventeen pieces fit the bucket of 36 positions, but leave less than half of it."""
    config = preset("small").model
    sentence = encoded(*[2] * 7, 3)
    assert len(sentence.word_ids) == 19
    assert bucket_for(sentence, config) >= 38
    assert generation_tokens(sentence, PADDING, config).n_words == 8


@pytest.mark.parametrize("n_fixations", range(1, 14))
def test_what_is_cut_is_what_does_not_come_back(n_fixations: int) -> None:
    config = ModelConfig(seq_len=128, buckets=(16,))
    path = (0, 1, 2, 1, 0, 2, 1, 0, 2, 0, 1, 2, 1)[:n_fixations]
    tokens = training_tokens(encoded(1, 1, 1), path, PADDING, config)
    words = scanpath_ids(tokens.ids.tolist(), tokens)
    whole = tuple(words[1 : words.index(4)]) == tuple(w + 1 for w in path) and tokens.n_sentence == 5
    assert is_cut(encoded(1, 1, 1), path, config) is not whole
