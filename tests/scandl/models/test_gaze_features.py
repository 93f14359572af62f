"""Gaze features: every character's features land on its token, for three kinds of tokenizers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scandl
from scandl.errors import ScandlError
from scandl.models.expected_reading import WordReadings
from scandl.models.gaze_features import FEATURES, gaze_features, word_features, words_of_tokens

TEXTS = (
    "Don't panic: the well-known author laughed 😀👍🏽 twice.",
    "  Two   spaces\tand\na line, naïve café's menu ",
    "x",
)


def tokenizers_made_offline() -> dict[str, Any]:
    """Return a WordPiece, a byte-level BPE and a SentencePiece-like tokenizer, trained on the texts."""
    tk = pytest.importorskip("tokenizers")
    word_piece = tk.Tokenizer(tk.models.WordPiece(unk_token="[UNK]"))
    word_piece.normalizer = tk.normalizers.BertNormalizer()
    word_piece.pre_tokenizer = tk.pre_tokenizers.BertPreTokenizer()
    bpe = tk.Tokenizer(tk.models.BPE())
    bpe.pre_tokenizer = tk.pre_tokenizers.ByteLevel(add_prefix_space=True)
    unigram = tk.Tokenizer(tk.models.Unigram())
    unigram.pre_tokenizer = tk.pre_tokenizers.Metaspace()
    special = ["[UNK]", "[CLS]", "[SEP]"]
    trainers = (
        tk.trainers.WordPieceTrainer(vocab_size=90, special_tokens=special, show_progress=False),
        tk.trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=special,
            show_progress=False,
            initial_alphabet=tk.pre_tokenizers.ByteLevel.alphabet(),
        ),
        tk.trainers.UnigramTrainer(
            vocab_size=60, special_tokens=special, unk_token="[UNK]", show_progress=False
        ),
    )
    made = dict(zip(("wordpiece", "bpe", "sentencepiece"), (word_piece, bpe, unigram), strict=True))
    for tokenizer, trainer in zip(made.values(), trainers, strict=True):
        tokenizer.train_from_iterator(TEXTS * 20, trainer)
        tokenizer.post_processor = tk.processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
    return made


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "sentencepiece"])
def test_every_character_lands_on_its_token(kind: str) -> None:
    tokenizer = tokenizers_made_offline()[kind]
    words = list(gaze_features(TEXTS, readers=2, context="none"))
    tokens = list(gaze_features(TEXTS, tokenizer, readers=2, context="none"))
    for text, by_word, by_token in zip(TEXTS, words, tokens, strict=True):
        spans = tokenizer.encode(text).offsets
        assert by_token["input_ids"] == tokenizer.encode(text).ids
        assert by_token["word_index"][0] == by_token["word_index"][-1] == -1
        assert all(np.isnan(by_token[name][0]) for name in FEATURES)
        # The slow truth: walk through the characters, counting words as they begin.
        word, covered = -1, set()
        for place, sign in enumerate(text):
            word += not sign.isspace() and (place == 0 or text[place - 1].isspace())
            for k, (start, end) in enumerate(spans):
                if start <= place < end and not sign.isspace():
                    covered.add(word)
                    assert by_token["word_index"][k] == word
                    for name in FEATURES:
                        assert np.array_equal(by_token[name][k], by_word[name][word], equal_nan=True)
        assert covered == set(range(len(text.split())))


def test_a_fast_tokenizer_of_transformers_cuts_what_is_too_long() -> None:
    transformers = pytest.importorskip("transformers")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizers_made_offline()["bpe"])
    (whole,) = gaze_features(TEXTS[0], fast, readers=2, context="none")
    (cut,) = gaze_features(TEXTS[0], fast, max_length=6, readers=2, context="none")
    assert len(cut["input_ids"]) == 6
    assert cut["word_index"][:5] == whole["word_index"][:5]
    assert cut["word_index"][5] == -1


def test_texts_are_taken_as_they_are_needed_and_alone_they_are_the_same() -> None:
    def endless() -> Any:
        k = 0
        while True:
            k += 1
            yield f"Text number {k} is here."

    stream = gaze_features(endless(), readers=1, context="none")
    found = [next(stream) for _ in range(66)]
    (alone,) = gaze_features("Text number 66 is here.", readers=1, context="none")
    assert alone["total_ms"] == found[65]["total_ms"]


def test_features_are_means_of_those_they_are_about() -> None:
    total = np.array([[[200.0, 0.0]], [[100.0, 0.0]]])
    skipped = np.array([[[0.0, 1.0]], [[1.0, 1.0]]])
    first_pass, regression = np.array([[[200.0, 0.0]], [[0.0, 0.0]]]), np.array([[[1.0, 0.0]], [[0.0, 0.0]]])
    found = word_features(WordReadings(total, first_pass, skipped, regression))
    assert found[0].tolist() == [200.0, 150.0, 0.5, 1.0]
    assert np.isnan(found[1, 0])
    assert found[1, 1:3].tolist() == [0.0, 1.0]


def test_a_token_of_two_words_is_of_the_last() -> None:
    assert words_of_tokens("of the", [(0, 6)]) == [1]


def test_bad_input_is_one_line() -> None:
    with pytest.raises(ScandlError, match="expected a text of one word or more"):
        list(gaze_features(["fine", " "], readers=1, context="none"))
    with pytest.raises(ScandlError, match="found object, expected a fast one"):
        list(gaze_features("fine", object(), readers=1, context="none"))
    assert scandl.gaze_features is gaze_features
