"""Scanpaths for texts of one's own: what ``scandl.generate`` does, and texts outside what a model knows."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.cell_values import TEXT, is_text
from scandl.models.text_stream import GIVEN, checked_text
from scandl.records import NOTHING, Scanpath, Sentence
from scandl.text.word_facts import bare_word, is_latin

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.models.diffusion.diffusion_model import Denoising
    from scandl.models.model import Model
    from scandl.models.pointer.condition import Style


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


Texts = str | Sentence | Iterable[str | Sentence]
"""One sentence or several, as text or as records."""


def generate(
    texts: Texts,
    *,
    samples: int = 1,
    seed: int = 1,
    model: Model | Path | str | object | None = None,
    readers: int = 0,
    group: str | None = None,
    task: str = "",
    given: str = "",
    like: Path | str | Mapping[str, Style] | None = None,
    like_lab: Corpus | str | None = None,
    training: Corpus | str | None = None,
    language: str = "en",
    sampling: Denoising | None = None,
    device: str | None = None,
    context: str | None = None,
    quiet: bool = True,
) -> list[Scanpath]:
    """Let a model read texts.

    Parameters
    ----------
    texts
        A sentence or paragraph, or several; a string is one text, however long.
    samples
        Scanpaths per text and reader; those of one text follow each other.
    seed
        The same text, reader, sample and seed give the same scanpath, whatever else is generated.
    model
        What :func:`scandl.open_model` takes: a name, a file, or an object with ``fit`` and ``read``.
        Without one the model ``people`` reads: it learned from human readers.
    readers
        Simulated readers who differ, each the same in all texts; 0 is another reader each time.
    group
        Readers of this group alone, such as ``"L2"``; None is the model's default, ``""`` all of them.
    task
        ``"sentence"`` or ``"paragraph"``; without it each text is read as what it is.
    given
        What is known of the path, such as ``"0 1 ? ... 5"``: positions, ``?`` for one fixation, ``...`` for
        any number of them. The model draws the rest, given what stands before and after it. Behind a
        semicolon stand conditions: ``skip 7`` (in first pass), ``back 8 3`` (a regression). A path is drawn
        until it meets them; ``extra["draws"]`` says how often.
    like
        A table with some scanpaths of one reader or several, or their styles: the paths are theirs.
    like_lab
        With ``readers``: a corpus. The simulated readers are moved to its readers' average style.
    training
        A corpus that people have read, for models that learn from one.
    language
        Of the texts, for word frequencies.
    sampling
        Denoising steps and rounding of a diffusion model.
    device
        Where a checkpoint runs: ``cpu``, ``cuda``, or whichever there is.
    context
        Who tells a word-pointing model how expected words are, such as ``smollm2``: see
        :func:`scandl.text.context.context`. None is what the model ships with.
    quiet
        Without it texts outside of what the model knows are warned of.

    Returns
    -------
    list of Scanpath
        Each with its text and, where the model has them, fixation durations in ms.

    Examples
    --------
    >>> paths = generate("The old man the boats.", samples=2, seed=1)
    >>> [path.sentence_id for path in paths], paths[0].text
    (['t1', 't1'], 'The old man the boats.')
    """
    from scandl.models.catalogue import open_model
    from scandl.models.readings import (
        ReaderChoice,
        laboratory_styles,
        prepared,
        readings,
        styles_in,
        text_corpus,
    )
    from scandl.models.trained_model import ModelOptions, TrainedModel

    check_samples(samples)
    told = {GIVEN: given} if given else NOTHING
    sentences = [replace(each, extra={**each.extra, **told}) for each in as_sentences(texts)]
    corpus = text_corpus(sentences, language)
    chosen = open_model(model, ModelOptions(device=device, sampling=sampling, context=context))
    if like_lab is not None:
        styles: Mapping[str, Style] = laboratory_styles(chosen, like_lab, readers, seed=seed)
    else:
        styles = styles_in(like, model=chosen, seed=seed) if isinstance(like, Path | str) else like or {}
    who = ReaderChoice(readers, group=group, task=task, styles=styles)
    who.check(chosen)
    if not quiet:
        trained = isinstance(chosen, TrainedModel)
        check = RangeCheck(trained=trained, longest=chosen.longest if isinstance(chosen, TrainedModel) else 0)
        check.add(check.reasons(list(corpus.sentences.values())), len(corpus.sentences))
        for line in check.lines():
            warnings.warn(line, stacklevel=2)
    learned = open_corpus(training) if isinstance(training, str) else training
    ready = prepared(chosen, corpus, learned, seed=seed)
    return [
        Scanpath(p.reader_id or "", p.sentence_id, p.predicted, p.durations, p.extra, p.text)
        for p in readings(ready, corpus, samples=samples, readers=who, seed=seed)
    ]


def check_samples(samples: int) -> None:
    """Refuse a number of scanpaths below 1."""
    if samples < 1:
        raise ScandlError(f"--samples {samples}: expected at least 1")


def as_sentences(texts: Texts) -> list[Sentence]:
    """Return sentences as records; those given as text are called t1, t2 and so on.

    >>> [(s.sentence_id, s.text) for s in as_sentences(["The  cat.", Sentence("s7", "A dog.")])]
    [('t1', 'The cat.'), ('s7', 'A dog.')]
    """
    given = [texts] if isinstance(texts, str | Sentence) else list(texts)
    sentences = [
        each if isinstance(each, Sentence) else Sentence(f"t{n}", " ".join(str(each).split()))
        for n, each in enumerate(given, start=1)
    ]
    if not any(sentence.n_words for sentence in sentences):
        raise ScandlError("the text is empty: there is nothing to read")
    for sentence in sentences:
        if not is_text(sentence.text):
            raise ScandlError(f"text {sentence.sentence_id!r}: found {sentence.text[:50]!r}, expected {TEXT}")
    return [checked_text(sentence, f"text {sentence.sentence_id!r}") for sentence in sentences]
