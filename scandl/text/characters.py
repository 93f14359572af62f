"""What a reader sees of a word: how many signs, which are the word's own, whether a clause or sentence ends.

A vowel sign of Devanagari or an accent of its own is a character to a computer and part of a letter to a
reader.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_CLOSING = "\"'”’“»«)]』」】）》"
_CLAUSE = (",", ";", ":", "–", "—", "،", "؛", "，", "、", "；", "：")
_SENTENCE = (".", "!", "?", "…", "।", "॥", "؟", "۔", "。", "！", "？")
LONGEST_UNSPACED = 25
"""Letters of a script without spaces in one word from which a text was not cut into words."""
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")


@lru_cache(maxsize=100_000)
def n_characters(word: str) -> int:
    """Return the length of a word in grapheme clusters, which are what a reader takes for one sign.

    >>> n_characters("don't"), n_characters("नमस्ते"), n_characters("e\u0301te\u0301")
    (5, 4, 3)
    """
    if word.isascii():
        return len(word)
    import regex  # wordfreq needs it too

    return len(regex.findall(r"\X", word))


def is_word_sign(sign: str) -> bool:
    """Return whether a sign is part of a word: a letter, a digit, or a mark on a letter.

    >>> [is_word_sign(sign) for sign in ("a", "7", "ि", "-", "।")]
    [True, True, True, False, False]
    """
    return sign.isalnum() or unicodedata.category(sign).startswith("M")


def bare_word(word: str) -> str:
    """Return the word without the punctuation around it.

    >>> [bare_word(word) for word in ("(“don’t”),", "well-known", "स्थिति।", "...")]
    ["don't", 'well-known', 'स्थिति', '']
    """
    letters = [i for i, sign in enumerate(word) if is_word_sign(sign)]
    return word[letters[0] : letters[-1] + 1].replace("’", "'") if letters else ""


def ends_clause(word: str) -> bool:
    """Return whether a comma, colon, semicolon or dash ends the word.

    >>> [ends_clause(word) for word in ("well,", "(so):", "end.")]
    [True, True, False]
    """
    return word.rstrip(_CLOSING).endswith(_CLAUSE)


def ends_sentence(word: str) -> bool:
    """Return whether a full stop of any script, an exclamation or a question mark ends the word.

    >>> [ends_sentence(word) for word in ('over."', "है।", "well,")]
    [True, True, False]
    """
    return word.rstrip(_CLOSING).endswith(_SENTENCE)


def is_unsegmented(text: str) -> bool:
    """Return whether a text in a script without spaces was not cut into words.

    >>> is_unsegmented("我们昨天在公园里看到了一只非常漂亮的白色小狗和它的主人。")
    True
    >>> is_unsegmented("我们 昨天 在 公园 里 看到 了 一 只 非常 漂亮 的 小狗 。")
    False
    """
    return any(sum(_script(sign) in _UNSPACED for sign in word) >= LONGEST_UNSPACED for word in text.split())


def is_latin(text: str) -> bool:
    """Return whether most letters of a text are Latin; a text without letters is.

    >>> is_latin("naïve 42"), is_latin("यह एक है")
    (True, False)
    """
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(_script(sign) == "LATIN" for sign in letters) >= len(letters)


@lru_cache(maxsize=4096)
def _script(sign: str) -> str:
    """Return the first word of the name of a sign, which is its script."""
    return unicodedata.name(sign, "").partition(" ")[0]
