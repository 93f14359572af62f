"""What is known of a word by itself: its signs, its length, and how frequent it is, by language.

The scale belongs beside every effect. All scales but the published one start from the proportion that
wordfreq (Speer, 2022) gives the word without the punctuation around it. Its word lists end around 2021, have
three significant digits, fold case, collapse digits, and combine the tokens of one word by 1/f = Σ 1/f_k; an
unknown word has proportion 0.

A contraction is looked up as one word: don't, not dont. A hyphenated word is as frequent as when it is
written in one, or as a hundredth of its parts, whichever is more. Against the counts of the language model of
CMU Sphinx, 3,914 words with an apostrophe are off by .28 Zipf on average (1.24 with the apostrophe deleted),
and 229 hyphenated ones by .58 (1.91 as their parts, 1.39 with the hyphen deleted).
"""

from __future__ import annotations

import math
import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from scandl.errors import ScandlError
from scandl.extras import Registry, need

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus


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


COLUMN = "frequency_per_million"
"""The extra word column in which a corpus brings its own frequencies."""

FLOOR = 1.0
"""What an unknown word counts as: one per million, so that its logarithm is 0."""

SAME_LANGUAGE = 9
"""Up to here langcodes tells forms of one language apart: en-GB and en 5, hr and sh 9; af and nl are 24."""

LARGEST = 69_974.0
"""The most frequent word of English in Francis and Kučera's count, per million ("the")."""

FrequencyScale = Callable[[str, str], float]
"""A word as it stands in the text, and its language -> its frequency."""
SCALES: Registry[FrequencyScale] = Registry("frequency scale")
ZIPF_FLOOR = 1e-9  # proportion of Zipf value 0, which wordfreq gives to unknown words
NEGLOG2_FLOOR = 1e-11
OF_PARTS = 0.01
"""How much of its parts' frequency a hyphenated word has."""
UNKNOWN = "und"
"""The code of a language that nobody named (ISO 639)."""
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@lru_cache(maxsize=100_000)
def frequency_per_million(word: str, language: str = "en") -> float:
    """Return the frequency of a word as it stands in a text, never less than 1.

    Punctuation around the word does not count, nor does its case. Numbers written in digits and
    unknown words get the floor: counts of them say more about the source than about reading.

    >>> frequency_per_million("“The") == frequency_per_million("the,")
    True
    >>> frequency_per_million("1998"), frequency_per_million("xqzzv"), frequency_per_million("—")
    (1.0, 1.0, 1.0)
    """
    code = known_language(language)
    return max(FLOOR, 1e6 * proportion(word, code)) if any(map(str.isalpha, word)) else FLOOR


@lru_cache
def known_language(language: str) -> str:
    """Return the code of the word list of a language, or say that there is none that can be used.

    wordfreq itself would answer with the list of a distant language: Klingon with English.

    >>> [known_language(code) for code in ("en_GB", "deu", "hr")]
    ['en', 'de', 'sh']
    """
    if language == UNKNOWN:
        raise ScandlError(
            "the language of the texts is not known: write it into corpus.toml, such as language = 'en', or"
            " name it with --language"
        )
    wordfreq = need("wordfreq", "all")
    known = sorted(wordfreq.available_languages())
    try:
        code, _ = need("langcodes", "all").closest_match(language, known, max_distance=SAME_LANGUAGE)
    except ValueError:  # no code of a language
        code = ""
    if code not in known:
        raise ScandlError(
            f"no word frequencies for language {language!r}: expected the code of one that wordfreq has, "
            f"such as 'en' (generators also take a words column {COLUMN!r})"
        )
    try:
        wordfreq.tokenize("a", code)
    except ModuleNotFoundError as error:
        raise ScandlError(
            f"word frequencies for language {language!r} need {error.name}, which is not installed: "
            "pip install 'wordfreq[cjk]'"
        ) from None
    return code


def log_frequency_share(frequencies: Sequence[float], largest: float = LARGEST) -> list[float]:
    """Return log f / log ``largest`` per word, from 0 (f of 1 or less) to 1 (``largest`` or more).

    ``largest`` is a constant and not the maximum of a corpus, so that a sentence has the same
    values wherever it stands.

    >>> log_frequency_share([0, 1, 69_974**0.5, 69_974])
    [0.0, 0.0, 0.5, 1.0]
    """
    return [min(1.0, math.log(max(FLOOR, f)) / math.log(largest)) for f in frequencies]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Frequencies by word form: those a corpus brings, and the language's for all other words.

    >>> Lexicon({"cat": 23.0})("“Cat!”")
    23.0
    """

    known: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Learn the forms of a corpus; where it gives a form several values, the last one counts."""
        columns = corpus.word_numbers(COLUMN) or {}
        known = {
            bare_word(word).casefold(): value
            for key, values in columns.items()
            for word, value in zip(corpus.sentences[key].words, values, strict=True)
        }
        return cls(known)

    def __call__(self, word: str, language: str = "en") -> float:
        """Return the frequency per million of a word as it stands in a text of a language."""
        known = self.known.get(bare_word(word).casefold())
        return frequency_per_million(word, language) if known is None else known


@dataclass(frozen=True, slots=True)
class WordNats:
    """What a source says of the words of one text; NaN where it says nothing."""

    surprisal: tuple[float, ...]  # −ln p(word | the words before it)
    entropy: tuple[float, ...]  # of the first token of the word, before it is seen


def unigram_nats(word: str, language: str = "en") -> float:
    """Return −ln of the word's proportion; NaN for punctuation alone.

    >>> round(unigram_nats("the,"), 2), unigram_nats("—")
    (2.92, nan)
    """
    if not bare_word(word):
        return math.nan
    return -math.log(max(proportion(word, language), NEGLOG2_FLOOR))


@lru_cache(maxsize=100_000)
def proportion(word: str, language: str = "en") -> float:
    """Return the share of all words of the language that this word makes up; 0 = unknown.

    >>> proportion("The") == proportion("the,") > 0.05, proportion("xqzzv")
    (True, 0.0)
    >>> proportion("e-mail") == proportion("email") > proportion("man-eating") > 0
    True
    """
    share = need("wordfreq", "all").word_frequency
    bare, code = bare_word(word), known_language(language)
    if "-" not in bare:
        return float(share(bare, code)) if bare else 0.0
    return float(max(share(bare.replace("-", ""), code), OF_PARTS * share(bare, code)))


@SCALES.register("proportion")
@lru_cache(maxsize=100_000)
def published_proportion(word: str, language: str = "en") -> float:
    """Return the proportion of the word with ASCII punctuation deleted wherever it stands, as once published.

    >>> published_proportion("U.S.") == published_proportion("us"), published_proportion("--")
    (True, 0.0)
    """
    bare, code = word.translate(_NO_PUNCTUATION), known_language(language)
    return float(need("wordfreq", "all").word_frequency(bare, code)) if bare else 0.0


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


@dataclass(frozen=True, slots=True)
class LanguageScale:
    """How long and how frequent the words of running text are: mean and standard deviation, in tokens.

    Words of two languages are alike where they stand at the same place of these scales.
    """

    length: tuple[float, float]
    zipf: tuple[float, float]

    @classmethod
    @lru_cache
    def of(cls, language: str) -> Self:
        """Return the scale of a language, from its words of Zipf value 3 and more."""
        words = need("wordfreq", "all").get_frequency_dict(known_language(language), "small")
        tokens = [
            (n_characters(word), math.log10(p) + 9.0, p)
            for word, p in words.items()
            if all(map(is_word_sign, word)) and not word.isdigit()
        ]
        lengths, zipfs, weights = zip(*tokens, strict=True)
        return cls(_moments(lengths, weights), _moments(zipfs, weights))


def _moments(values: Sequence[float], weights: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation under weights.

    >>> _moments((1.0, 3.0), (2.0, 2.0))
    (2.0, 1.0)
    """
    total = math.fsum(weights)
    mean = math.fsum(x * w for x, w in zip(values, weights, strict=True)) / total
    square = math.fsum((x - mean) ** 2 * w for x, w in zip(values, weights, strict=True)) / total
    return mean, math.sqrt(square)


def as_english(value: float, own: tuple[float, float], english: tuple[float, float]) -> float:
    """Return the value at the same place of the English scale.

    >>> as_english(4.0, (2.0, 1.0), (5.0, 2.0))
    9.0
    """
    return value if own == english else english[0] + (value - own[0]) * english[1] / own[1]
