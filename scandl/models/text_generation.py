"""Scanpaths for texts of one's own: what ``scandl.generate`` does."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.models.diffusion.diffusion_model import Sampling, ScanpathModel
    from scandl.models.pointer.pointer_model import PointerModel
    from scandl.models.pointer.style import Style
    from scandl.models.reading_models import ReadingModel

Texts = str | Sentence | Iterable[str | Sentence]
"""One sentence or several, as text or as records."""


def generate(
    texts: Texts,
    *,
    samples: int = 1,
    seed: int = 1,
    model: ReadingModel | ScanpathModel | PointerModel | Path | str | None = None,
    readers: int = 0,
    group: str | None = None,
    task: str = "",
    like: Path | str | Mapping[str, Style] | None = None,
    sampling: Sampling | None = None,
    device: str | None = None,
    quiet: bool = True,
) -> list[Scanpath]:
    """Let a trained model read texts, and return scanpaths with fixation durations.

    Parameters
    ----------
    texts
        A sentence or paragraph, or several; a string is one text, however long.
    samples
        Scanpaths per text and reader; those of one text follow each other.
    seed
        The same text, reader, sample and seed give the same scanpath, whatever else is generated.
    model
        The name of a shipped model, a checkpoint of ``scandl train``, a file of ``scandl export``, or
        an open model. Without one the model ``people`` reads: it learned from human readers.
    readers
        Simulated readers, each with a style of their own in all texts; 0 is another reader each time.
    group
        Readers of this group alone, such as ``"L2"``; None is the model's default, ``""`` all of them.
    task
        ``"sentence"`` or ``"paragraph"``; without it each text is read as what it is.
    like
        A table with some scanpaths of one reader or several, or their styles: the paths are theirs.
    sampling
        Denoising steps, sampler and rounding of a diffusion model.
    device
        Where a checkpoint runs: ``cpu``, ``cuda``, or whichever there is.
    quiet
        Without it texts outside of what the model knows are warned of.

    Examples
    --------
    >>> paths = generate("The old man the boats.", samples=2, seed=1)
    >>> [path.sentence_id for path in paths], paths[0].text
    (['t1', 't1'], 'The old man the boats.')
    """
    from scandl.models.simulated_readers import WhoReads, styles_in
    from scandl.models.text_range import RangeCheck

    check_samples(samples)
    sentences = as_sentences(texts)
    reading = opened(model, device, sampling)
    styles = styles_in(like) if isinstance(like, Path | str) else like or {}
    who = WhoReads(readers, reading.group(group), task, styles)
    reading.check(who)
    if not quiet:
        check = RangeCheck(longest=reading.longest)
        check.add(check.reasons(sentences), len(sentences))
        for line in check.lines():
            warnings.warn(line, stacklevel=2)
    requests = [r for sentence in sentences for r in reading.requests(sentence, who, samples, seed)]
    return reading.draw(requests, seed=seed, quiet=quiet)


def check_samples(samples: int) -> None:
    """Refuse a number of scanpaths below 1."""
    if samples < 1:
        raise ScandlError(f"--samples {samples}: expected at least 1")


def as_sentences(texts: Texts) -> list[Sentence]:
    """Return sentences as records; those given as text are called t1, t2 and so on.

    >>> [(s.sentence_id, s.text) for s in as_sentences(["The  cat.", Sentence("s7", "A dog.")])]
    [('t1', 'The cat.'), ('s7', 'A dog.')]
    """
    from scandl.files.cell_values import TEXT, is_text
    from scandl.models.text_stream import checked_length

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
    return [checked_length(sentence, f"text {sentence.sentence_id!r}") for sentence in sentences]


def opened(
    model: ReadingModel | ScanpathModel | PointerModel | Path | str | None,
    device: str | None = None,
    sampling: Sampling | None = None,
) -> ReadingModel:
    """Return a model that is open, given or named; without one, that of the package."""
    from scandl.models.reading_models import ModelOptions, ReadingModel, load_model

    options = ModelOptions(device=device, sampling=sampling)
    if isinstance(model, ReadingModel):
        return model if sampling is None else ReadingModel(model.network, options, model.card)
    if model is None or isinstance(model, Path | str):
        return load_model(model, options)
    return ReadingModel(model, options)
