"""Whom simulated readers should be like, and what to tell them: readers and a text left out of training.

``python benchmarks/readers/bench_pools.py training.steps=1000`` trains on ``reading-brain-l2``, ``provo`` and
``provo-passages`` without one text of ``reading-brain-l1``, and tests on the first 40 readers of that text.
It prints the likelihood without and with their styles (of the very paths), and the energy distance by pool
of training readers and by what these are told of group and task.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from scandl.config import read_config, to_table
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.people import people
from scandl.models.pointer.pointer_generator import one_thread
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.models.pointer.style import Style, styles_of
from scandl.records import Scanpath
from scandl.statistics.energy import energy_terms

N_READERS = 40
Told = tuple[Style | None, Mapping[str, str]]


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per pool and labels."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("settings", nargs="*", metavar="name=value")
    args = parser.parse_args(argv)
    ours = [f"training.{name}={json.dumps(v)}" for name, v in to_table(PointerConfig().training).items()]
    config = read_config(PointerConfig, None, [*ours, *args.settings])
    training, tested = left_out()
    with tempfile.TemporaryDirectory() as folder, one_thread():
        model = load(train(config, training, folder))
        print_likelihoods(model, tested)
        print_energies(model, tested)


def left_out() -> tuple[Corpus, Corpus]:
    """Return what is learned from, and the readers of another corpus with a text nobody of it has read."""
    target = open_corpus("reading-brain-l1")
    text = min(sentence.item for sentence in target.sentences.values())
    readers = target.reader_ids[:N_READERS]
    tested = target.restricted_to(
        [pair for pair in target.by_pair if pair[0] in readers and target.sentences[pair[1]].item == text]
    )
    known = {sentence.text for sentence in tested.sentences.values()}
    corpora = [open_corpus(name) for name in ("reading-brain-l2", "provo", "provo-passages")]
    return people(
        [
            corpus.restricted_to(
                [pair for pair in corpus.by_pair if corpus.sentences[pair[1]].text not in known]
            )
            for corpus in corpora
        ]
    ), tested


def print_likelihoods(model: PointerModel, tested: Corpus) -> None:
    """Print the negative log-likelihood of a fixation, without and with the readers' styles."""
    styles = styles_of(tested)
    sentences = [tested.sentences[path.sentence_id] for path in tested.scanpaths]
    n_events = sum(path.n_fixations + 1 for path in tested.scanpaths)
    values = [
        -sum(model.log_probs(sentences, tested.scanpaths, told)) / n_events
        for told in (None, [styles[path.reader_id] for path in tested.scanpaths])
    ]
    print(f"NLL of a fixation: {values[0]:.4f} without style, {values[1]:.4f} with")


def print_energies(model: PointerModel, tested: Corpus) -> None:
    """Print energy distance and diversity by pool and labels."""
    conditions = model.conditions
    drawable = [name for name in conditions.readers if not name.startswith("provo-passages")]
    pools = {"all": drawable} | {
        group: [name for name in drawable if conditions.readers[name]["group"] == group]
        for group in ("L1", "L2")
    }
    labels: dict[str, Mapping[str, str] | None] = {
        "their own labels": None,
        "no labels": {},
        "told to read sentences": {"task": "sentence"},
    }
    for pool, names in pools.items():
        for what, told in labels.items():
            order = np.random.default_rng(1).permutation(len(names))
            like = {r: names[order[i % len(names)]] for i, r in enumerate(tested.reader_ids)}
            readers: dict[str, Told] = {
                reader: (conditions.style(name), conditions.readers[name] if told is None else told)
                for reader, name in like.items()
            }
            print(f"like {pool}, {what}: {energy_of(model, tested, readers)}", flush=True)
    for what, told in list(labels.items())[1:]:
        own: dict[str, Told] = {reader: (style, told or {}) for reader, style in styles_of(tested).items()}
        print(f"with their own style, {what}: {energy_of(model, tested, own)}", flush=True)


def energy_of(model: PointerModel, tested: Corpus, readers: Mapping[str, Told]) -> str:
    """Return energy distance and diversity of paths drawn for readers who are told something."""
    requests = [
        Request(
            tested.sentences[path.sentence_id], f"like {path.reader_id}", style=readers[path.reader_id][0]
        )
        for path in tested.scanpaths
    ]
    told = {f"like {reader}": both for reader, both in readers.items()}
    model.reader_of = lambda request, seed: told[request.reader_id]  # type: ignore[method-assign]
    made = [replace(p, reader_id=p.reader_id.removeprefix("like ")) for p in model.generate(requests, seed=1)]
    terms = energy_terms(_by_sentence(tested.scanpaths), {"model": _by_sentence(made)})
    assert terms is not None
    return f"energy {terms.distances[0]:.4f}, diversity {terms.diversity[0]:.2f}"


def _by_sentence(paths: Sequence[Scanpath]) -> dict[str, list[Scanpath]]:
    found: dict[str, list[Scanpath]] = {}
    for path in paths:
        found.setdefault(path.sentence_id, []).append(path)
    return found


if __name__ == "__main__":
    main()
