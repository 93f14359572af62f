"""Scanpaths for texts of one's own: what ``scandl.generate`` and ``scandl generate --text`` do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.generators import Request
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.inference.generation import Sampling, ScanpathModel

Texts = str | Sentence | Iterable[str | Sentence]
"""One sentence or several, as text or as records."""


def generate(
    texts: Texts, *, samples: int = 1, seed: int = 1, model: ScanpathModel | Path | str | None = None,
    sampling: Sampling | None = None, device: str | None = None, quiet: bool = True,
) -> list[Scanpath]:  # fmt: skip
    """Let a trained model read sentences, and return ``samples`` scanpaths of each.

    Parameters
    ----------
    texts
        A sentence, or several; a string is one sentence, however long.
    samples
        Scanpaths per sentence; those of one sentence follow each other.
    seed
        The same sentence, sample and seed give the same scanpath, whatever else is generated.
    model
        A checkpoint of ``scandl train``, a file of ``scandl export``, or an open model. Without one the
        small demonstration model of the package reads: it learned from simulated readers.
    sampling
        Denoising steps, sampler and rounding, as ``scandl.inference.generation.Sampling`` says.
    device
        Where a checkpoint runs: ``cpu``, ``cuda``, or whichever there is.
    quiet
        Without it a progress bar is shown.

    Examples
    --------
    >>> paths = generate("The old man the boats.", samples=2, seed=1)
    >>> [path.sentence_id for path in paths], paths[0].text
    (['t1', 't1'], 'The old man the boats.')
    """
    check_samples(samples)
    sentences = as_sentences(texts)
    requests = [Request(sentence, "", k) for sentence in sentences for k in range(samples)]
    reading = opened(model, device)
    paths = reading.generate(requests, seed=seed, sampling=sampling, quiet=quiet)
    return [replace(p, text=r.sentence.text) for r, p in zip(requests, paths, strict=True)]


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
    return sentences


def opened(model: ScanpathModel | Path | str | None, device: str | None = None) -> ScanpathModel:
    """Return a model that is open, given or named; without one, the demonstration model."""
    from scandl.inference.generation import ScanpathModel
    from scandl.inference.trained_models import check_cpu, demonstration_model, open_model

    if isinstance(model, ScanpathModel):
        return model
    if model is not None:
        return open_model(model, device=device)
    check_cpu(device)
    return demonstration_model()
