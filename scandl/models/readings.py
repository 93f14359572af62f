"""The one place where models read: requests in, predictions out, for texts, corpora and folds alike."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, Fact, LeftOutWarning, ScandlError, did_you_mean
from scandl.files.cell_values import LOG_PROB, log_probability
from scandl.files.prediction_files import read_predictions
from scandl.files.symbol_repair import kept_symbols
from scandl.models.conditions import Condition, meeting
from scandl.models.model import Given, Model, Request
from scandl.models.pointer.condition import styles_of
from scandl.models.pointer.given import completed, given_path
from scandl.models.pointer.people_generator import like, like_laboratory
from scandl.models.text_stream import GIVEN, texts_of
from scandl.models.trained_model import TrainedModel
from scandl.records import WHOLE, Prediction, Scanpath, Sentence
from scandl.splits import Fold, make_folds

if TYPE_CHECKING:
    from scandl.models.pointer.condition import Style


@dataclass(frozen=True)
class ReaderChoice:
    """Who reads a text.

    Without a number and without styles every scanpath is that of another reader. Simulated readers are
    called sim1, sim2 and so on; each is the same person in all texts.
    """

    n: int = 0
    first: int = 0  # the number of the first, from 0
    group: str | None = None  # None: the model's own choice; "": any group
    task: str = ""  # "": as the text is
    styles: Mapping[str, Style] = field(default_factory=dict)  # by reader: what they are like

    @property
    def names(self) -> list[str]:
        """Their names; one empty name where nobody is named."""
        return list(self.styles) or [f"sim{self.first + k + 1}" for k in range(self.n)] or [""]

    def requests(self, sentence: Sentence, samples: int) -> list[Request]:
        """Return what is wanted of a text: reader by reader, sample by sample."""
        given, conditions = _given(sentence)
        asked = Request(sentence, group=self.group, task=self.task, given=given, conditions=conditions)
        return [
            replace(asked, reader_id=name, sample=k, style=self.styles.get(name))
            for name in self.names
            for k in range(samples)
        ]

    def check(self, model: Model) -> None:
        """Refuse readers that a model cannot be."""
        known = model.conditions if isinstance(model, TrainedModel) else None
        if known is None and (self.styles or self.task):
            raise ScandlError(f"--like and --task: {model.name} knows no readers")
        groups = () if known is None else known.labels["group"]
        if self.group and not groups:
            raise ScandlError(f"--group {self.group}: {model.name} knows no groups of readers")
        if self.group and self.group not in groups:
            raise ScandlError(
                f"--group {self.group}: no such group of readers{did_you_mean(self.group, groups)}"
            )


def readings(
    model: Model,
    what: Corpus | Iterable[Sentence],
    *,
    samples: int = 1,
    readers: ReaderChoice | None = None,
    seed: int = 1,
    setting: str = WHOLE,
    fold: str = "0",
) -> list[Prediction]:
    """Let a model read.

    Parameters
    ----------
    model
        A model that has learned what it needs: see :func:`prepared`.
    what
        A corpus that people have read, or texts. A corpus gives ``samples`` paths beside each human
        path, standing for its reader.
    samples
        Scanpaths per text and reader.
    readers
        Who reads texts; in a corpus the readers are its own.
    seed
        The same text, reader, sample and seed give the same scanpath, whatever else is read.
    setting, fold
        What the predictions are labelled with.

    Returns
    -------
    list of Prediction
        Text by text and reader by reader, or in the order of the human paths.
    """
    if isinstance(what, Corpus) and what.scanpaths:
        return _beside_people(model, what, samples=samples, seed=seed, setting=setting, fold=fold)
    sentences = what.sentences.values() if isinstance(what, Corpus) else what
    who = readers or ReaderChoice()
    if who.n:
        model = model.with_readers()
    requests = [request for sentence in sentences for request in who.requests(sentence, samples)]
    return [
        Prediction(
            sentence_id=request.sentence.sentence_id,
            predicted=path.positions,
            reader_id=request.reader_id or None,
            model=model.name,
            sample=request.sample,
            text=request.sentence.text,
            durations=path.durations,
            extra=path.extra,
        )
        for request, path in zip(requests, _read(model, requests, seed), strict=True)
    ]


def _beside_people(
    model: Model, tested: Corpus, *, samples: int, seed: int, setting: str, fold: str
) -> list[Prediction]:
    pairs = [
        (_request(human, sample, tested), human) for human in tested.scanpaths for sample in range(samples)
    ]
    paths = _read(model, [request for request, _ in pairs], seed)
    log_probs = _log_probs(model, tested)
    return [
        Prediction(
            sentence_id=human.sentence_id,
            predicted=path.positions,
            human=human.positions,
            reader_id=human.reader_id,
            model=model.name,
            setting=setting,
            fold=fold,
            sample=request.sample,
            text=request.sentence.text,
            durations=path.durations,
            log_prob=log_probs.get((human.reader_id, human.sentence_id)),
            raw=kept_symbols(path.extra) if path.extra else None,
            extra=path.extra,
        )
        for (request, human), path in zip(pairs, paths, strict=True)
    ]


def _request(human: Scanpath, sample: int, tested: Corpus) -> Request:
    """Return the request for a path beside a human one, with what ``readers.csv`` says of the reader."""
    who = tested.readers.get(human.reader_id, {})
    return Request(
        tested.sentences[human.sentence_id],
        human.reader_id,
        sample,
        human.n_fixations,
        group=who.get("group") or None,
        task=who.get("task", ""),
    )


def _given(sentence: Sentence) -> tuple[Given, tuple[Condition, ...]]:
    """Return what a text says is known of its paths: places, and conditions behind semicolons."""
    parts = [part.strip() for part in sentence.extra.get(GIVEN, "").split(";") if part.strip()]
    if not parts:
        return (), ()
    places = "" if parts[0][0].isalpha() else parts.pop(0)
    conditions = tuple(Condition.read(part, sentence.n_words) for part in parts)
    return given_path(places, sentence.n_words), conditions


def _read(model: Model, requests: Sequence[Request], seed: int) -> list[Scanpath]:
    if any(request.conditions for request in requests):
        return meeting(partial(_drawn, model), requests, seed)
    return _drawn(model, requests, seed)


def _drawn(model: Model, requests: Sequence[Request], seed: int) -> list[Scanpath]:
    if any(request.given for request in requests):
        return completed(model, requests, seed=seed)
    paths = model.read(requests, seed=seed)
    if len(paths) != len(requests):
        raise ScandlError(
            f"model {model.name!r} returned {len(paths)} scanpaths for {len(requests)} requests"
        )
    return paths


def _log_probs(model: Model, tested: Corpus) -> dict[tuple[str, str], float]:
    if not model.likelihood:
        return {}
    sentences = [tested.sentences[human.sentence_id] for human in tested.scanpaths]
    values = model.log_probs(sentences, tested.scanpaths)
    known: dict[tuple[str, str], float] = {}
    for human, value in zip(tested.scanpaths, values, strict=True):
        try:
            known[human.reader_id, human.sentence_id] = log_probability(value)
        except ValueError:
            raise ScandlError(
                f"model {model.name!r}: log_prob of the path of reader {human.reader_id!r}, "
                f"sentence {human.sentence_id!r}: found {value!r}, expected {LOG_PROB}"
            ) from None
    return known


def prepared(model: Model, tested: Corpus, training: Corpus | None = None, *, seed: int = 1) -> Model:
    """Return a model that is ready to read the sentences of ``tested``.

    It learns from ``training``. Without, only a model that needs no training can read: it takes the
    language of the texts and nothing else.
    """
    if training is None and model.needs.training:
        raise ScandlError(
            f"{model.name} needs training: name a corpus that people have read, to learn from (--corpus)"
        )
    if model.needs.human_length and not tested.scanpaths:
        raise ScandlError(f"{model.name} needs the length of a human path, and nobody has read these texts")
    return model.with_stimuli(tested.words).fit(tested if training is None else training, seed=seed)


def text_corpus(sentences: Iterable[Sentence], language: str = "en") -> Corpus:
    """Return texts as a corpus that nobody has read."""
    return Corpus(Card(name="texts", language=language), {s.sentence_id: s for s in sentences}, ())


def fold_readings(
    model: Model,
    fold: Fold,
    corpus: Corpus,
    *,
    samples: int = 1,
    seed: int = 1,
    test_corpus: Corpus | None = None,
    changes: Sequence[str] = (),
    checkpoints: Path | None = None,
) -> list[Prediction]:
    """Fit a model on the training part of a fold and let it read the test part.

    ``changes`` are settings of a network that is trained, ``checkpoints`` is where such are kept. A
    trained model learns nothing more, and is refused if what the setting calls new was trained on.
    """
    tested = (test_corpus or corpus).restricted_to(fold.test)
    model = copy(model)  # another fold begins with a model that has learned nothing
    if changes or checkpoints:
        model = model.with_settings(changes, checkpoints)
    training = corpus.restricted_to(fold.train)
    ready = prepared(model.for_fold(fold, corpus), tested, training, seed=seed)
    # Two corpora may both have a reader 1: only within a corpus does a name say who it is.
    namesakes = set(training.reader_ids) if fold.setting == "cross" else set()
    renamed = _renamed(tested, namesakes)
    made = readings(ready, renamed, samples=samples, seed=seed, setting=fold.setting, fold=str(fold.number))
    if not namesakes:
        return made
    own = [human.reader_id for human in tested.scanpaths for _ in range(samples)]
    return [replace(prediction, reader_id=reader) for prediction, reader in zip(made, own, strict=True)]


def _renamed(tested: Corpus, namesakes: set[str]) -> Corpus:
    """Return a corpus whose readers have names that no reader of another corpus has."""
    if not namesakes & set(tested.reader_ids):
        return tested
    names = {r: f"{tested.name}/{r}" if r in namesakes else r for r in tested.reader_ids}
    return replace(
        tested,
        scanpaths=tuple(replace(path, reader_id=names[path.reader_id]) for path in tested.scanpaths),
        readers={names.get(reader, reader): row for reader, row in tested.readers.items()},
    )


def corpus_readings(
    model: Model,
    corpus: Corpus,
    *,
    setting: str | None = None,
    fold: int | None = None,
    samples: int = 1,
    seed: int = 1,
) -> list[Prediction]:
    """Return predictions for a corpus, one per human path and sample.

    With a setting they cover the test parts of its folds, or of one of them. Without, they cover the
    whole corpus by cross-fitting: each sentence is read by a model that has learned from the others. Where
    a corpus has no fixations, its sentences are read by models that need no training.
    """
    if samples < 1:
        raise ScandlError(f"samples: found {samples}, expected a number from 1")
    if setting is None and fold is not None:
        raise ScandlError(f"fold {fold} of which setting? known: ns, nr, nrns")
    if not corpus.scanpaths and setting is None:
        return readings(prepared(model, corpus, seed=seed), corpus, samples=samples, seed=seed)
    folds = _cross_fitting(corpus, seed) if setting is None else make_folds(corpus, setting, seed=seed)
    if fold is not None and not 0 <= fold < len(folds):
        raise ScandlError(f"no fold {fold} of setting {setting!r}; known: 0 to {len(folds) - 1}")
    made = [
        prediction
        for each in (folds if fold is None else [folds[fold]])
        for prediction in fold_readings(model, each, corpus, samples=samples, seed=seed)
    ]
    return made if setting is not None else [replace(prediction, setting=WHOLE) for prediction in made]


def _cross_fitting(corpus: Corpus, seed: int) -> list[Fold]:
    n_items = len({corpus.sentences[path.sentence_id].item for path in corpus.scanpaths})
    if n_items < 2:
        raise ScandlError(f"corpus {corpus.name!r} has {n_items} sentences; learning from others needs 2")
    return make_folds(corpus, "ns", seed=seed, n_folds=min(5, n_items))


def styles_in(
    path: Path | str, index_base: int | None = None, *, model: Model | None = None, seed: int = 1
) -> dict[str, Style]:
    """Return the style of each reader of whom a file has scanpaths, with the texts they read.

    The file is a prediction table, wide or long, with a column ``text``, or the fixations of a corpus
    with its ``sentences.csv`` beside it. Where it has a column ``human``, that is who is meant; rows
    without a human path are then left out with a warning. ``index_base`` is what positions count from.
    With a model the styles are calibrated: told of them, it reads these texts as the readers did.
    """
    people = _people_in(path, index_base)
    styles = styles_of(people)
    if isinstance(model, TrainedModel) and model.conditions is not None:
        told = like(model.pointer(), people, model.default_group, seed=seed)
        styles |= {reader: told.styles[reader] for reader in styles if reader in told.readers}
    return styles


def laboratory_styles(model: Model, corpus: Corpus | str, n: int, *, seed: int = 1) -> dict[str, Style]:
    """Return the styles of ``n`` simulated readers of the laboratory that recorded a corpus."""
    if not isinstance(model, TrainedModel) or model.conditions is None:
        raise ScandlError(f"--like-lab: {model.name} knows no readers")
    recorded = open_corpus(corpus) if isinstance(corpus, str) else corpus
    if not recorded.scanpaths:
        raise ScandlError(f"--like-lab: corpus {recorded.name!r} has no scanpaths")
    names = ReaderChoice(n).names
    return like_laboratory(model.pointer(), recorded, names, model.default_group, seed=seed)


def _people_in(path: Path | str, index_base: int | None) -> Corpus:
    """Return the scanpaths of a file with their texts."""
    found = read_predictions(path, index_base=index_base)
    humans = [p for p in found if p.human is not None]
    if 0 < len(humans) < len(found):
        lost = f"{path}: no human scanpath in {len(found) - len(humans)} of {len(found)} rows, left out"
        warnings.warn(lost, LeftOutWarning, stacklevel=3)
    texts = {key: sentence.text for key, sentence in _sentences_beside(Path(path)).items()}
    sentences: dict[str, Sentence] = {}
    paths = []
    for n, prediction in enumerate(humans or found):
        text = prediction.text or texts.get(prediction.sentence_id)
        if not text:
            expected = "the text of each sentence: a column of this name, or sentences.csv beside the file"
            raise DataError(
                path, None, "text", Fact(f"none for sentence {prediction.sentence_id!r}"), expected
            )
        words = prediction.predicted if prediction.human is None else prediction.human
        times = prediction.durations if prediction.human is None else None
        if words:
            sentences[str(n)] = Sentence(str(n), text)
            paths.append(Scanpath(prediction.reader_id or "reader", str(n), words, times))
    if not found:
        raise DataError(path, None, None, Fact("no scanpaths"), "some scanpaths of a reader")
    if not paths:
        raise ScandlError("a reader's style needs at least one scanpath with a fixation")
    return Corpus(Card(name=Path(path).stem), sentences, tuple(paths))


def _sentences_beside(path: Path) -> dict[str, Sentence]:
    beside = path.with_name("sentences.csv")
    if not beside.exists() or beside == path:
        return {}
    return {sentence.sentence_id: sentence for sentence in texts_of(beside)}
