"""What is known of a text without any reader: readability formulas, mean frequency and surprisal, one index.

The index ``judged_ease`` says how easy people are likely to call a text. It has nothing to do with simulated
reading. Flesch's formula and mean surprisal predict the ratings of teachers better together than either does,
and better than simulated reading times.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from scandl.extras import install_command, is_installed, need
from scandl.text.context import ContextSource
from scandl.text.word_facts import zipf

FORMULAS = {
    "flesch": "flesch_reading_ease",
    "flesch_kincaid": "flesch_kincaid_grade",
    "dale_chall": "dale_chall_readability_score",
    "smog": "smog_index",
}
"""Our names of formulas, and those of textstat."""
NAMES = (*FORMULAS, "frequency", "surprisal", "judged_ease")
FLESCH = (52.9, 17.7)
SURPRISAL = (4.56, 0.70)
"""Mean and standard deviation over the 55 passages of the Provo Corpus; surprisal in nats of SmolLM2."""


def judged_ease(flesch: float, surprisal: float) -> float:
    """Return the index: 0 for a usual passage, 1 for one that is easier by a standard deviation in both.

    Both parts have the same weight, which was fixed in advance and not fitted to ratings.

    >>> judged_ease(52.9, 4.56), round(judged_ease(70.6, 3.86), 2), judged_ease(70.6, math.nan)
    (0.0, 1.0, nan)
    """
    return 0.5 * (flesch - FLESCH[0]) / FLESCH[1] - 0.5 * (surprisal - SURPRISAL[0]) / SURPRISAL[1]


def without_readers(texts: Sequence[str], source: ContextSource, language: str) -> list[dict[str, float]]:
    """Return what is known of each text without readers, by name; NaN where nothing is."""
    words = [text.split() for text in texts]
    contexts = source.of_texts(words)
    found = []
    for text, own, known in zip(texts, words, contexts, strict=True):
        row = formulas(text, language)
        row["frequency"] = float(np.mean([zipf(word, language) for word in own]))
        row["surprisal"] = float(known.surprisal[known.known].mean()) if known.known.any() else math.nan
        found.append({**row, "judged_ease": judged_ease(row["flesch"], row["surprisal"])})
    return found


def formulas(text: str, language: str = "en") -> dict[str, float]:
    """Return the readability formulas of a text; NaN without textstat, and for a language but English."""
    if language != "en" or not is_installed("textstat"):
        return dict.fromkeys(FORMULAS, math.nan)
    textstat = need("textstat", "readability")
    return {name: float(getattr(textstat, function)(text)) for name, function in FORMULAS.items()}


def notes(source: ContextSource, language: str) -> Iterable[str]:
    """Yield what is to be said of the values: where they come from, or why there are none."""
    yield source.about
    if language != "en":
        yield f"formulas and judged ease: none, they are of English and the texts are {language!r}"
    elif not is_installed("textstat"):
        yield f"formulas and judged ease: none without textstat: {install_command('readability')}"
