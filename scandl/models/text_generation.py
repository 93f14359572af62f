"""Scanpaths for texts of one's own: what ``scandl.generate`` does."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.cell_values import TEXT, is_text
from scandl.models.text_range import RangeCheck
from scandl.models.text_stream import GIVEN, checked_text
from scandl.records import NOTHING, Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.models.diffusion.diffusion_model import Sampling
    from scandl.models.model import Model
    from scandl.models.pointer.style import Style


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
    training: Corpus | str | None = None,
    language: str = "en",
    sampling: Sampling | None = None,
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
        any number of them. The model draws the rest, given what stands before and after it.
    like
        A table with some scanpaths of one reader or several, or their styles: the paths are theirs.
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
    from scandl.models.readings import ReaderChoice, prepared, readings, styles_in, text_corpus
    from scandl.models.trained_model import ModelOptions, TrainedModel

    check_samples(samples)
    told = {GIVEN: given} if given else NOTHING
    sentences = [replace(each, extra={**each.extra, **told}) for each in as_sentences(texts)]
    corpus = text_corpus(sentences, language)
    chosen = open_model(model, ModelOptions(device=device, sampling=sampling, context=context))
    styles = styles_in(like) if isinstance(like, Path | str) else like or {}
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
