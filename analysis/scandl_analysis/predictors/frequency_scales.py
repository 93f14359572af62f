"""How frequent a word is, on the scales in use; the scale belongs beside every effect.

All scales start from the proportion that wordfreq (Speer, 2022) gives the word without its ASCII
punctuation. Its word lists end around 2021, have three significant digits, fold case, collapse
digits, and combine the tokens of one word by 1/f = Σ 1/f_k; an unknown word has proportion 0.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from functools import lru_cache

from scandl.reading.word_frequency import known_language
from scandl.registry import Registry

FrequencyScale = Callable[[str, str], float]
"""A word as it stands in the text, and its language -> its frequency."""

SCALES: Registry[FrequencyScale] = Registry("frequency scale")
ZIPF_FLOOR = 1e-9  # proportion of Zipf value 0, which wordfreq gives to unknown words
NEGLOG2_FLOOR = 1e-11

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def without_punctuation(word: str) -> str:
    """Delete ASCII punctuation wherever it stands.

    >>> [without_punctuation(word) for word in ("U.S.", "don't", "--")]
    ['US', 'dont', '']
    """
    return word.translate(_NO_PUNCTUATION)


@SCALES.register("proportion")
@lru_cache(maxsize=100_000)
def proportion(word: str, language: str = "en") -> float:
    """Return the share of all words of the language that this word makes up; 0 = unknown.

    >>> proportion("The") == proportion("the,") > 0.05, proportion("xqzzv")
    (True, 0.0)
    """
    import wordfreq

    bare = without_punctuation(word)
    return float(wordfreq.word_frequency(bare, known_language(language))) if bare else 0.0


@SCALES.register("zipf")
def zipf(word: str, language: str = "en") -> float:
    """Return log10 of the occurrences per thousand million words; 0 = unknown.

    >>> round(zipf("the"), 2), zipf("xqzzv")
    (7.73, 0.0)
    """
    return math.log10(max(proportion(word, language), ZIPF_FLOOR) * 1e9)


@SCALES.register("neglog2")
def neglog2(word: str, language: str = "en") -> float:
    """Return −log2 of the proportion, at most 36.5: *rare* words have large values here.

    >>> round(neglog2("the"), 2), round(neglog2("xqzzv"), 1)
    (4.22, 36.5)
    """
    return -math.log2(max(proportion(word, language), NEGLOG2_FLOOR))


@SCALES.register("fpm")
def per_million(word: str, language: str = "en") -> float:
    """Return the occurrences per million words, 10^(zipf − 3); 0.001 = unknown.

    >>> round(per_million("the")), round(per_million("xqzzv"), 4)
    (53700, 0.001)
    """
    return float(10.0 ** (zipf(word, language) - 3.0))
