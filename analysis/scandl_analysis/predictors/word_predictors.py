"""What is known of a word before anyone reads it: length, frequency, surprisal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scandl.models.text_generation import RangeCheck
from scandl.records import Sentence
from scandl.text.surprisal import Provider, surprisal
from scandl.text.word_facts import SCALES, is_word_sign, n_characters, proportion

if TYPE_CHECKING:
    pass

ByText = Mapping[str, tuple[float, ...]]
"""One value per word of each text; NaN = none."""


@dataclass(frozen=True, slots=True)
class Predictors:
    """Columns of predictors by text, and what has to be said with them."""

    columns: Mapping[str, ByText]
    settings: Mapping[str, Mapping[str, str]]  # column -> what decides its values
    notes: tuple[str, ...] = ()  # for the user: which provider and why, words without frequency


def word_length(word: str, *, punctuation: bool = True) -> int:
    """Return the number of characters; without ``punctuation`` only letters and digits count.

    >>> word_length("don't,"), word_length("don't,", punctuation=False)
    (6, 4)
    """
    return n_characters(word if punctuation else "".join(filter(is_word_sign, word)))


def compute_predictors(
    texts: Iterable[str],
    *,
    provider: str | Provider = "auto",
    frequency: str = "zipf",
    punctuation: bool = True,
    language: str = "en",
    unit: str = "nats",
    bow: bool = False,
    alignment: str = "offsets",
) -> Predictors:
    """Return word_length, frequency and surprisal of every word of the texts.

    ``frequency`` names a scale (proportion is the published analysis's), ``punctuation`` says
    whether it counts as part of a word's length; for the rest see ``surprisal``.
    """
    distinct = list(dict.fromkeys(texts))
    scale = SCALES[frequency]
    in_context = surprisal(distinct, provider, language=language, unit=unit, bow=bow, alignment=alignment)
    return Predictors(
        {
            "word_length": _by_text(distinct, lambda word: word_length(word, punctuation=punctuation)),
            "frequency": _by_text(distinct, lambda word: scale(word, language)),
            "surprisal": in_context.values,
        },
        {
            "word_length": {"characters": "all" if punctuation else "letters and digits"},
            "frequency": {"scale": frequency, "source": "wordfreq", "language": language},
            "surprisal": dict(in_context.record),
        },
        (str(in_context), *_unknown(distinct, language), *_misread(distinct, language)),
    )


def _by_text(texts: Sequence[str], value: Callable[[str], float]) -> dict[str, tuple[float, ...]]:
    return {text: tuple(float(value(word)) for word in text.split()) for text in texts}


def _unknown(texts: Sequence[str], language: str) -> list[str]:
    """Say which words have no frequency: every scale puts them at its end, with a gap before it."""
    words = dict.fromkeys(word for text in texts for word in text.split())
    unknown = [word for word in words if proportion(word, language) == 0.0]
    if not unknown:
        return []
    shown = ", ".join(unknown[:5]) + (", …" if len(unknown) > 5 else "")
    return [f"frequency: {len(unknown)} of {len(words)} word forms are not in wordfreq's list ({shown})"]


def _misread(texts: Sequence[str], language: str) -> list[str]:
    """Say which texts are not of the language whose frequencies they get."""
    check = RangeCheck(trained=False)
    sentences = [Sentence(f"text {n}", text, language=language) for n, text in enumerate(texts, start=1)]
    check.add(check.reasons(sentences), len(sentences))
    return [f"language: {line}" for line in check.lines()]
