"""Generators by name, and their predictions: fit on the training part of a fold, generate for its test."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.extras import install_command, is_installed
from scandl.files.cell_values import LOG_PROB, log_probability
from scandl.files.symbol_repair import kept_symbols
from scandl.models.baselines import times_by_word
from scandl.models.cognitive.predictability import Predictability
from scandl.models.model import (
    GENERATORS,
    Generator,
    HasLikelihood,
    HasLikelihoods,
    HasSettings,
    KnowsItsFold,
    Request,
    UsesStimuli,
    learns,
)
from scandl.records import WHOLE, Prediction, Scanpath
from scandl.splits import Fold, make_folds

_BASELINES = (
    "ezreader.ezreader_generator",
    "baselines.left_to_right",
    "baselines.markov",
    "baselines.medoid",
    "simplified_swift.simplified_swift_generator",
    "baselines.skip_short",
    "swift.swift_generator",
    "baselines.train_label",
    "baselines.uniform",
)
"""Modules whose generators are fitted in seconds."""
_TRAINED = (
    "scandl.models.eyettention.eyettention_generator",
    "scandl.models.diffusion.scandl_generator",
    "scandl.models.pointer.pointer_generator",
    "scandl.models.pointer.people_generator",
)
"""Modules whose generators train for minutes, or have been trained: they run where they are named."""
QUICKLY_TRAINED = ("scanpath-transformer",)
"""Trained models that a fold takes less than a minute of: with the baselines they are what ``all`` means."""


def predict(
    factory: Callable[[], Generator],
    fold: Fold,
    corpus: Corpus,
    *,
    model: str,
    samples: int = 1,
    seed: int = 1,
    test_corpus: Corpus | None = None,
    changes: Sequence[str] = (),
    checkpoints: Path | None = None,
) -> list[Prediction]:
    """Fit a generator on the training pairs and generate ``samples`` paths for each test pair.

    ``changes`` are settings of a network that is trained, ``checkpoints`` where such are kept.
    """
    tested = (test_corpus or corpus).restricted_to(fold.test)
    generator = factory()
    if isinstance(generator, HasSettings) and (changes or checkpoints):
        generator = generator.with_settings(changes, checkpoints)
    if isinstance(generator, UsesStimuli):
        generator = generator.with_stimuli(tested.words)
    if isinstance(generator, KnowsItsFold):
        generator = generator.for_fold(fold, corpus)
    training = corpus.restricted_to(fold.train)
    generator = generator.fit(training, seed=seed)
    # Two corpora may both have a reader 1: only within a corpus does a name say who it is.
    namesakes = set(training.reader_ids) if fold.setting == "cross" else set()
    humans = [_renamed(human, namesakes, tested.name) for human in tested.scanpaths]
    readings = [
        (_request(human, known.reader_id, sample, tested), human)
        for human, known in zip(tested.scanpaths, humans, strict=True)
        for sample in range(samples)
    ]
    generated = _generated(generator, [request for request, _ in readings], model, seed)
    log_prob = _log_probs(generator, tested, humans, model)
    return [
        Prediction(
            sentence_id=request.sentence.sentence_id,
            predicted=path.words,
            human=human.words,
            reader_id=human.reader_id,
            model=model,
            setting=fold.setting,
            fold=str(fold.number),
            sample=request.sample,
            text=request.sentence.text,
            durations=path.durations,
            log_prob=log_prob.get((request.reader_id, request.sentence.sentence_id)),
            raw=kept_symbols(path.extra) if path.extra else None,
            extra=path.extra,
        )
        for (request, human), path in zip(readings, generated, strict=True)
    ]


def _request(human: Scanpath, reader: str, sample: int, tested: Corpus) -> Request:
    """Return the request for a path beside a human one, with what ``readers.csv`` says of the reader."""
    who = tested.readers.get(human.reader_id, {})
    return Request(
        tested.sentences[human.sentence_id],
        reader,
        sample,
        human.n_fixations,
        group=who.get("group", ""),
        task=who.get("task", ""),
    )


def _renamed(path: Scanpath, namesakes: Collection[str], corpus: str) -> Scanpath:
    """Return a path under a name that no reader of another corpus has."""
    return replace(path, reader_id=f"{corpus}/{path.reader_id}") if path.reader_id in namesakes else path


def _generated(generator: Generator, requests: Sequence[Request], model: str, seed: int) -> list[Scanpath]:
    generated = generator.generate(requests, seed=seed)
    if len(generated) != len(requests):
        raise ScandlError(
            f"generator {model!r} returned {len(generated)} scanpaths for {len(requests)} requests"
        )
    return generated


def text_predictions(
    name: str, texts: Corpus, *, training: Corpus | None = None, samples: int = 1, seed: int = 1
) -> list[Prediction]:
    """Return predictions of the generator ``name`` for sentences that nobody has read yet.

    It learns from ``training``; without, only generators that learn nothing from readers can do it.
    """
    generator = find_generator(name)()
    if training is None and learns(generator):
        raise ScandlError(f"{name} learns from readers: give a corpus with fixations (--corpus)")
    if isinstance(generator, UsesStimuli):
        generator = generator.with_stimuli(texts.words)
    generator = generator.fit(training or texts, seed=seed)
    requests = [Request(s, "", k) for s in texts.sentences.values() for k in range(samples)]
    return [
        Prediction(
            sentence_id=request.sentence.sentence_id,
            predicted=path.words,
            model=name,
            sample=request.sample,
            text=request.sentence.text,
            durations=path.durations,
            extra=path.extra,
        )
        for request, path in zip(requests, _generated(generator, requests, name, seed), strict=True)
    ]


def baseline_predictions(
    name: str,
    corpus: str,
    *,
    setting: str | None = None,
    fold: int | None = None,
    samples: int = 1,
    seed: int = 1,
    predictability: Predictability | None = None,
) -> list[Prediction]:
    """Return predictions of the generator ``name`` for a corpus, one per human path and sample.

    With a setting they cover the test parts of its folds, or of one of them; without, the whole
    corpus by cross-fitting; where a corpus has no fixations, its sentences, by generators that learn
    nothing from readers. ``predictability`` is for generators that read properties of the words.
    """
    if samples < 1:
        raise ScandlError(f"samples: found {samples}, expected a number from 1")
    factory = find_generator(name)
    opened = (predictability or Predictability()).of(open_corpus(corpus))
    if not opened.scanpaths and setting is None and fold is None:
        return text_predictions(name, opened, samples=samples, seed=seed)
    if setting is None:
        if fold is not None:
            raise ScandlError(f"fold {fold} of which setting? known: ns, nr, nrns")
        return cross_fitted(factory, opened, model=name, samples=samples, seed=seed)
    folds = make_folds(opened, setting, seed=seed)
    if fold is not None and not 0 <= fold < len(folds):
        raise ScandlError(f"no fold {fold} of setting {setting!r}; known: 0 to {len(folds) - 1}")
    return [
        prediction
        for each in (folds if fold is None else [folds[fold]])
        for prediction in predict(factory, each, opened, model=name, samples=samples, seed=seed)
    ]


def cross_fitted(
    factory: Callable[[], Generator], corpus: Corpus, *, model: str, samples: int = 1, seed: int = 1
) -> list[Prediction]:
    """Generate for every pair of a corpus, each time learned from the folds without its sentence."""
    n_items = len({corpus.sentences[path.sentence_id].item for path in corpus.scanpaths})
    if n_items < 2:
        raise ScandlError(f"corpus {corpus.name!r} has {n_items} sentences; learning from others needs 2")
    folds = make_folds(corpus, "ns", seed=seed, n_folds=min(5, n_items))
    return [
        replace(prediction, setting=WHOLE)
        for fold in folds
        for prediction in predict(factory, fold, corpus, model=model, samples=samples, seed=seed)
    ]


def _log_probs(
    generator: Generator, tested: Corpus, humans: Sequence[Scanpath], model: str
) -> dict[tuple[str, str], float]:
    if not isinstance(generator, HasLikelihood):
        return {}
    sentences = [tested.sentences[human.sentence_id] for human in humans]
    if isinstance(generator, HasLikelihoods):
        values = generator.log_probs(sentences, humans)
    else:
        values = [generator.log_prob(*pair) for pair in zip(sentences, humans, strict=True)]
    found: dict[tuple[str, str], float] = {}
    for human, value in zip(humans, values, strict=True):
        try:
            found[human.reader_id, human.sentence_id] = log_probability(value)
        except ValueError:
            raise ScandlError(
                f"generator {model!r}: log_prob of the path of reader {human.reader_id!r}, "
                f"sentence {human.sentence_id!r}: found {value!r}, expected {LOG_PROB}"
            ) from None
    return found


def find_generator(name: str) -> Callable[[], Generator]:
    """Return what makes the generator ``name``: one of ours, or one another package registered.

    ``markov+times-by-word`` is markov with durations.
    """
    _load()
    base, added, what = name.rpartition("+")
    if added and what == times_by_word.NAME and name not in GENERATORS:
        return times_by_word.Timed(GENERATORS[base])
    return GENERATORS[name]


def generator_names() -> list[str]:
    """Return the names of all generators, ours and those of other packages."""
    _load()
    return list(GENERATORS)


def baseline_names() -> list[str]:
    """Return the baselines of this package, each once although some have a second name."""
    names: dict[Callable[[], Generator], str] = {}
    for name in generator_names():
        factory = GENERATORS[name]
        if factory.__module__.startswith(_modules()):
            names.setdefault(factory, name)
    return list(names.values())


def all_names() -> list[str]:
    """Return what ``all`` means: the baselines, and ScanDL's quickest model where torch is there."""
    if is_installed("torch"):
        return [*baseline_names(), *QUICKLY_TRAINED]
    warnings.warn(
        f"all: without {', '.join(QUICKLY_TRAINED)}, which needs torch: {install_command('model')}",
        stacklevel=2,
    )
    return baseline_names()


@dataclass(frozen=True, slots=True)
class Description:
    """A generator as ``scandl-eval baseline list`` shows it."""

    name: str
    about: str
    likelihood: bool  # whether it says how probable a human path is


def describe_generators() -> list[Description]:
    """Return one line about each generator, from the first line of its docstring."""
    described = []
    for name in generator_names():
        factory = GENERATORS[name]
        about = (factory.__doc__ or "").strip().partition("\n")[0]
        likelihood = isinstance(factory, type) and issubclass(factory, HasLikelihood)
        described.append(Description(name, about, likelihood))
    return described


def _modules() -> tuple[str, ...]:
    """Return the modules of the baselines."""
    return tuple(f"scandl.models.{name}" for name in _BASELINES)


def _load() -> None:
    """Import every module that has generators; each registers its own."""
    for module in (*_modules(), *_TRAINED):
        import_module(module)
