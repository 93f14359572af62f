"""Models that read the same items as predictions do, kept so that a second look takes no time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path as File

from scandl.corpora.corpus import Card, Corpus, corpus_digest
from scandl.errors import ScandlError
from scandl.files.manifest import code_digest, digest
from scandl.files.results import cache_folder, writable, write_text
from scandl.models.catalogue import open_model
from scandl.models.cognitive.predictability import Predictability
from scandl.models.readings import prepared, readings
from scandl.records import Prediction, Scanpath, Sentence

ALL = "all"
USUAL = ("uniform", "ezreader", "swift", "people")
"""Who reads when all baselines are asked for; train-label-dist and left-to-right stand beside anyway."""


def baseline_readings(
    names: Sequence[str], predictions: Sequence[Prediction], corpus: Corpus | None, *, seed: int
) -> list[Prediction]:
    """Return what models read of the items of predictions: one path for each reader and sentence.

    They are those of ``scandl-eval baseline generate`` with the same seed. A model that is among the
    predictions already is not asked again.
    """
    known = {p.model for p in predictions}
    wanted = [name for each in names for name in (USUAL if each == ALL else (each,)) if name not in known]
    items = _items(predictions, corpus)
    read = _corpus_of(items, corpus)
    asked = digest(seed, code_digest(), corpus_digest(read))
    found = []
    for name in dict.fromkeys(wanted):
        kept = cache_folder() / "baselines" / f"{digest(name, asked)[:32]}.json"
        paths = _kept(kept) or _made(kept, name, read, seed)
        found += [
            Prediction(
                p.sentence_id, words, p.human, p.reader_id, name, p.setting, p.fold, 0, p.text, ms, log_prob
            )
            for p, (words, ms, log_prob) in zip(items, paths, strict=True)
        ]
    return found


def _items(predictions: Sequence[Prediction], corpus: Corpus | None) -> list[Prediction]:
    """Return a prediction for each item whose text is known; a reader without a name is one each time."""
    found: dict[tuple[str, str, str, str], Prediction] = {}
    seen: Counter[tuple[str, str, str, str, int]] = Counter()
    for p in predictions:
        own = (p.setting, p.fold, p.model, p.sentence_id, p.sample)
        seen[own] += p.reader_id is None
        reader = p.reader_id or f"#{seen[own]}"
        found.setdefault((p.setting, p.fold, reader, p.sentence_id), p)
    sentences = corpus.sentences if corpus is not None else {}
    with_text = [p for p in found.values() if p.text is not None or p.sentence_id in sentences]
    if not with_text:
        raise ScandlError("--baselines: models read texts: give a column 'text', or --corpus")
    return with_text


def _corpus_of(items: Sequence[Prediction], corpus: Corpus | None) -> Corpus:
    """Return the items as a corpus of their own, with what is known of its words and readers."""
    known = corpus or Corpus(Card(name="texts", language="en"), {}, ())
    sentences = {
        p.sentence_id: known.sentences.get(p.sentence_id) or Sentence(p.sentence_id, p.text or "")
        for p in items
    }
    human = {(path.reader_id, path.sentence_id): path.positions for path in known.scanpaths}
    nobody: Counter[str] = Counter()
    paths = []
    for p in items:
        nobody[p.sentence_id] += p.reader_id is None
        reader = p.reader_id or f"#{nobody[p.sentence_id]}"
        positions = human.get((reader, p.sentence_id), ()) if p.human is None else p.human
        paths.append(Scanpath(reader, p.sentence_id, positions))
    words = {
        column: {key: values for key, values in rows.items() if key in sentences}
        for column, rows in known.words.items()
    }
    return replace(known, sentences=sentences, scanpaths=tuple(paths), words=words)


Path = tuple[tuple[int, ...], tuple[float, ...] | None, float | None]
"""Words, durations, and the log-probability of the human path."""


def _kept(path: File) -> list[Path]:
    """Return the paths that were made before; none where the file is not what was written."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [(tuple(words), None if ms is None else tuple(ms), p) for words, ms, p in found]


def _made(kept: File, name: str, read: Corpus, seed: int) -> list[Path]:
    """Return a path for each of the corpus, and keep them."""
    model = open_model(name)
    if model.needs.training:
        raise ScandlError(
            f"--baselines {name}: it learns from people's scanpaths: 'scandl-eval baseline generate {name}'"
            " makes a file of it, which stands beside yours with --pred yours.csv its.csv"
        )
    told = Predictability().of(read)
    made = readings(prepared(model, told, seed=seed), told, seed=seed)
    found: list[Path] = [(p.predicted, p.durations, p.log_prob) for p in made]
    if writable(kept.parent):
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_text(kept, json.dumps(found))
    return found
