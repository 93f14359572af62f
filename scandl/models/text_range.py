"""Texts outside what a model was trained for: another language, no letters, too long. They are counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from scandl.records import Sentence
from scandl.text.characters import bare_word, is_latin

_NAMES = {
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hu": "Hungarian",
    "it": "Italian",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "sv": "Swedish",
    "tr": "Turkish",
}
_ENGLISH = 5.0  # mean Zipf value from which a text is taken for English without a look at other languages
_CLEARLY = 0.5  # by so much must another language fit better
_LEAST_WORDS = 3  # fewer tell nothing of their language


class RangeCheck:
    """Counts the texts that lie outside, and says so in one line for each reason."""

    def __init__(self, *, trained: bool = True, longest: int = 0) -> None:
        self._trained = trained  # a model that learned from English texts
        self._longest = longest  # words of the longest text in training; 0: not known
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self._n = 0

    def add(self, counts: Sequence[tuple[str, str]], n: int) -> None:
        """Take note of reasons, each with the id of its text, among ``n`` texts."""
        self._n += n
        for reason, key in counts:
            self._counts[reason] += 1
            self._first.setdefault(reason, key)

    def reasons(self, sentences: Sequence[Sentence]) -> list[tuple[str, str]]:
        """Return why texts lie outside: (reason, id of the text)."""
        why = outside if self._trained else misread
        found = ((why(s.words, s.language_or_english, self._longest), s.sentence_id) for s in sentences)
        return [(reason, key) for reason, key in found if reason]

    def lines(self) -> list[str]:
        """Return what is to be said, most frequent first."""
        return [
            f"{n:,} of {self._n:,} text{'s' * (self._n != 1)} ({self._first[reason]}"
            f"{' the first' * (n > 1)}): {reason}"
            for reason, n in self._counts.most_common()
        ]


def outside(words: Sequence[str], language: str = "en", longest: int = 0) -> str:
    """Return why a text lies outside of what a model trained on English knows; empty where it does not.

    >>> outside("Der alte Mann".split(), "de")
    "is in language 'de', the model was trained on English"
    >>> outside(["12", "+", "30", "=", "42"])
    'has no letters, the model was trained on words'
    """
    if not any(sign.isalpha() for word in words for sign in word):
        return "has no letters, the model was trained on words"
    if language != "en":
        return f"is in language {language!r}, the model was trained on English"
    if longest and len(words) > longest:
        long = f"is longer than the {longest} words of the longest text that the model was trained on"
        return misread(words) or long
    return misread(words)


def misread(words: Sequence[str], language: str = "en", longest: int = 0) -> str:
    """Return why a text is not of the language it is read as; empty where it may be.

    >>> misread("Der alte Mann sitzt auf der Bank und liest eine Zeitung .".split())
    'looks German and is read as English: give --language de'
    >>> misread("The old man sits on the bank and reads a newspaper .".split())
    ''
    """
    if language != "en":
        return ""
    if not is_latin(" ".join(words)):
        return "is in another script and is read as English: give its --language"
    code = _language(words)
    return code and f"looks {_NAMES[code]} and is read as English: give --language {code}"


def _language(words: Sequence[str]) -> str:
    """Return another language that words fit clearly better than English; empty where there is none."""
    bare = [word.lower() for word in map(bare_word, words) if word.isalpha()]
    if len(bare) < _LEAST_WORDS or (english := _fit(bare, "en")) >= _ENGLISH:
        return ""
    best = max(_NAMES, key=lambda code: _fit(bare, code))
    return best if _fit(bare, best) > english + _CLEARLY else ""


def _fit(words: Sequence[str], language: str) -> float:
    """Return the mean Zipf value of words, on the lists of frequent words that all languages have."""
    return sum(_zipf(word, language) for word in words) / len(words)


@lru_cache(maxsize=200_000)
def _zipf(word: str, language: str) -> float:
    from wordfreq import get_frequency_dict

    frequency = get_frequency_dict(language, "small").get(word, 0.0)
    return math.log10(frequency) + 9 if frequency else 0.0
