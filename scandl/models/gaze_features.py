"""Expected gaze as features for language models: per word, or per token of a tokenizer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl.text.context import open_context

if TYPE_CHECKING:
    from scandl.models.expected_reading import WordReadings
    from scandl.models.model import Model

Array = NDArray[np.float64]
Span = tuple[int, int]
"""First character and the one after the last."""

FEATURES = ("first_pass_ms", "total_ms", "skipping", "regression")
"""Per word: time of the first pass of those who did not skip it, time of all fixations, share of readers who
skip it, share of those who did not that look back from it."""
NO_WORD = -1
"""The word of a token that belongs to none, such as a special one."""
_BATCH = 64  # texts whose context is asked for at once


def gaze_features(
    texts: str | Iterable[str],
    tokenizer: Any = None,
    *,
    max_length: int | None = None,
    model: Model | str | None = None,
    readers: int = 48,
    group: str | None = None,
    task: str = "sentence",
    context: str = "auto",
    language: str = "en",
    seed: int = 1,
) -> Iterator[dict[str, Any]]:
    """Yield what readers are expected to do with each word or token of texts, a record per text.

    Texts are taken from an iterable a batch at a time, so that any number of them can be read;
    ``datasets.Dataset.from_generator`` and ``from_list`` take the records as they are. A record does not
    depend on the texts beside it, and neither do its random numbers: equal texts have equal records.

    Parameters
    ----------
    texts
        A text or several; white space is kept for the tokenizer and parts words for the readers.
    tokenizer
        A fast tokenizer of transformers, or one of the package tokenizers; without one, features are of
        words.
    max_length
        Tokens of a text at most, special ones included; what comes later is cut off.
    model
        What :func:`scandl.open_model` takes; by default the model of human readers.
    readers, group, seed
        Simulated readers, each the same in all texts; of which group; seed of their random numbers.
    task
        ``"sentence"``, ``"paragraph"`` or ``"part"``, one for all texts.
    context
        What tells how expected words are: see ``scandl.text.context.context``.
    language
        Of the texts.

    Yields
    ------
    dict
        ``text``, ``word_index`` (-1 for a token of no word), the four features as lists of numbers (NaN for a
        token of no word, and where nobody did what the feature is about), and ``words``, or with a tokenizer
        ``input_ids``.

    Examples
    --------
    >>> (found,) = gaze_features("The old man the boats.", readers=4, context="small")
    >>> found["words"], len(found["total_ms"]), found["word_index"]
    (['The', 'old', 'man', 'the', 'boats.'], 5, [0, 1, 2, 3, 4])
    """
    from scandl.models.catalogue import open_model
    from scandl.models.expected_reading import expected_readings, ready
    from scandl.models.readings import prepared, text_corpus

    source = open_context(context, language)
    opened = prepared(open_model(model), text_corpus((), language), seed=seed)
    chosen = ready(opened, source.name)
    rest = iter([texts] if isinstance(texts, str) else texts)
    while some := [_checked(text) for text in islice(rest, _BATCH)]:
        source.of_texts([text.split() for text in some])  # asked for at once and kept
        sentences = [Sentence(" ".join(text.split()), text, language=language) for text in some]
        found = expected_readings(chosen, sentences, readers=readers, group=group, task=task, seed=seed)
        for text, reading in zip(some, found, strict=True):
            yield _record(text, word_features(reading), tokenizer, max_length)


def word_features(reading: WordReadings) -> Array:
    """Return the features of each word of a text, (words, 4); NaN where they are of nobody."""
    n_read = (1.0 - reading.skipped).sum(axis=(0, 1))
    known = np.where(n_read > 0, n_read, np.nan)
    return np.stack(
        [
            reading.first_pass.sum(axis=(0, 1)) / known,
            reading.total.mean(axis=(0, 1)),
            reading.skipped.mean(axis=(0, 1)),
            reading.regression.sum(axis=(0, 1)) / known,
        ],
        axis=1,
    )


def words_of_tokens(text: str, tokens: Sequence[Span]) -> list[int]:
    """Return the word of each token: that of its last character which is no space; -1 for none.

    >>> words_of_tokens("A dog's  day", [(0, 0), (0, 1), (1, 5), (5, 7), (7, 9), (9, 12)])
    [-1, 0, 1, 1, -1, 2]
    """
    word_at = np.full(len(text) + 1, NO_WORD)
    for k, word in enumerate(re.finditer(r"\S+", text)):
        word_at[word.start() : word.end()] = k
    return [int(word_at[start:end].max(initial=NO_WORD)) for start, end in tokens]


def _checked(text: object) -> str:
    if not isinstance(text, str) or not text.split():
        raise ScandlError(f"gaze_features: found {text!r}, expected a text of one word or more")
    return text


def _record(text: str, features: Array, tokenizer: Any, max_length: int | None) -> dict[str, Any]:
    if tokenizer is None:
        own: Mapping[str, Any] = {"words": text.split()}
        index = list(range(len(features)))
    else:
        ids, spans = _tokens(text, tokenizer, max_length)
        own, index = {"input_ids": ids}, words_of_tokens(text, spans)
    padded = np.vstack([features, np.full((1, len(FEATURES)), np.nan)])  # the last row is of no word
    columns = dict(zip(FEATURES, padded[index].T.tolist(), strict=True))
    return {"text": text, **own, "word_index": index, **columns}


def _tokens(text: str, tokenizer: Any, max_length: int | None) -> tuple[list[int], list[Span]]:
    """Return the ids of the tokens of a text, and the characters of each."""
    if hasattr(tokenizer, "encode_batch"):  # of the package tokenizers; truncation is its own business
        found = tokenizer.encode(text)
        cut = slice(max_length)
        return list(found.ids)[cut], list(found.offsets)[cut]
    if not getattr(tokenizer, "is_fast", False):
        kind = type(tokenizer).__name__
        raise ScandlError(
            f"tokenizer: found {kind}, expected a fast one, which knows the characters of tokens"
        )
    told = {} if max_length is None else {"truncation": True, "max_length": max_length}
    found = tokenizer(text, return_offsets_mapping=True, **told)
    return list(found["input_ids"]), [(int(a), int(b)) for a, b in found["offset_mapping"]]
