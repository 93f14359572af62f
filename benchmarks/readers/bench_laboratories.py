"""What a choice is worth for readers of a laboratory, or a group, that nothing was learned from.

``python benchmarks/readers/bench_laboratories.py provo training.steps=2000`` trains the recipe of the shipped
model on the corpora of the other laboratory and tests on 40 readers of this one. It prints likelihoods of
fixations and of durations, without and with the readers' styles, energy distances of simulated readers as the
shipped model draws them, and the correlation of gaze durations by word. ``--surprisal trigram`` tells the
network that surprisal of each word, ``--pretrained N`` lets it learn from SWIFT and E-Z Reader before,
``--shown`` leaves out longer sentences made of short ones. ``--fold N`` tests on the texts of that ns fold
alone and learns from no reader of them. ``--readers`` takes more readers of this laboratory, ``--lengths``
adds distances by sentence length (two draws), ``--gaze N`` the correlation of gaze durations of N simulated
readers, whose means are less noisy.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
from bench_tables import by_sentence, gaze_correlation, gaze_means, show_lengths, without_texts

from scandl.config import read_config, to_table
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.catalogue import open_model
from scandl.models.cognitive.predictability import Predictability
from scandl.models.model import Request
from scandl.models.pointer import people
from scandl.models.pointer.condition import SENTENCE
from scandl.models.pointer.pointer_generator import one_thread
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.pointer_training import PointerTask, load
from scandl.models.pointer.style import calibrated, styles_of
from scandl.models.pointer.words import n_word_features, word_features
from scandl.records import Scanpath
from scandl.splits import make_folds
from scandl.statistics.energy import energy_terms
from scandl.text.surprisal import resolve
from scandl.training.checkpoint import read_checkpoint
from scandl.training.trainer import Trainer

LABORATORIES = {
    "provo": ("reading-brain-l1", "reading-brain-l2"),
    "reading-brain-l1": ("provo", "provo-passages"),
    "reading-brain-l2": ("reading-brain-l1", "provo", "provo-passages"),
}
"""What is tested on, and the corpora of another laboratory or group that are learned from."""
N_READERS = 40
SIMULATORS = ("swift", "ezreader")
N_SIMULATED = 20  # readers of each simulator, about


def main(argv: Sequence[str] | None = None) -> None:
    """Print the numbers of one choice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("test", choices=LABORATORIES)
    parser.add_argument("settings", nargs="*", metavar="name=value")
    parser.add_argument("--surprisal", help="a source: trigram, unigram, smollm2")
    parser.add_argument("--pretrained", type=int, default=0, metavar="N", help="steps on simulated readers")
    parser.add_argument("--shown", action="store_true", help="learn from what was shown alone")
    parser.add_argument("--fold", type=int, metavar="N", help="test on its texts, and learn from others")
    parser.add_argument("--readers", type=int, default=N_READERS)
    parser.add_argument("--lengths", action="store_true")
    parser.add_argument("--gaze", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    ours = [
        f"{part}.{name}={json.dumps(value)}"
        for part in ("network", "training")
        for name, value in to_table(getattr(people.config(), part)).items()
    ]
    config = read_config(PointerConfig, None, [*ours, *args.settings, f"training.seed={args.seed}"])
    corpora = [open_corpus(name) for name in LABORATORIES[args.test]]
    tested = open_corpus(args.test)
    if args.fold is not None:
        tested = tested.restricted_to(make_folds(tested, "ns", seed=1)[args.fold].test)
        corpora = [without_texts(corpus, {s.text for s in tested.sentences.values()}) for corpus in corpora]
    training = people.displays(corpora) if args.shown else people.people(corpora)
    readers = set(tested.reader_ids[: args.readers])
    tested = tested.restricted_to([pair for pair in tested.by_pair if pair[0] in readers])
    with ExitStack() as changed, tempfile.TemporaryDirectory() as folder, one_thread():
        if args.surprisal:
            features = with_surprisal(args.surprisal)
            for module in ("task", "model"):
                changed.enter_context(patch(f"scandl.models.pointer.{module}.word_features", features))
            wider = changed.enter_context(patch("scandl.models.pointer.pointer_training.n_word_features"))
            wider.side_effect = lambda **told: n_word_features(**told) + 1
        model = load(trained(config, training, Path(folder), args.pretrained))
        model = model.told(calibrated(model, people.displays(corpora)))
        print(
            f"{' '.join(sys.argv[1:])}: {likelihoods(model, tested)}; {distances(model, tested)}", flush=True
        )
        if args.lengths:
            n_words = {key: sentence.n_words for key, sentence in tested.sentences.items()}
            draws = [read(model, tested, seed) for seed in (1, 2)]
            show_lengths(by_sentence(tested.scanpaths), draws, n_words)
        if args.gaze:
            show_gaze(model, tested, args.gaze)


def trained(config: PointerConfig, corpus: Corpus, folder: Path, n_before: int) -> Path:
    """Train, on simulated readers of the same texts first if wanted, and return the checkpoint."""
    task = PointerTask(config, corpus)
    if n_before:
        before = replace(config, training=replace(config.training, steps=n_before))
        first = trained(before, simulated(corpus), folder / "before", 0)
        task.module.load_state_dict(read_checkpoint(first)["ema"])
    return Trainer(task, config.training, folder / "after", quiet=True, device="cpu").run()


def simulated(corpus: Corpus) -> Corpus:
    """Return readings of the texts by simulated readers, who have the labels of people."""
    read = Predictability(source="zero").of(corpus)
    paths, readers = [], {}
    for name in SIMULATORS:
        like = corpus.reader_ids[:: max(1, len(corpus.reader_ids) // N_SIMULATED)]
        readers |= {f"{name} {reader}": dict(corpus.readers[reader]) for reader in like}
        requests = [Request(s, f"{name} {reader}") for s in read.sentences.values() for reader in like]
        paths += open_model(name).fit(read, seed=1).read(requests, seed=1)
    return replace(corpus, scanpaths=tuple(paths), readers=readers)


def with_surprisal(name: str) -> Callable[..., np.ndarray]:
    """Return ``word_features`` with one more column: the surprisal of each word, 0 where it has none."""
    provider, _ = resolve(name)

    def features(words: Sequence[str], **told: bool) -> np.ndarray:
        nats = np.array(provider.nats([" ".join(words)])[0].surprisal)
        column = np.nan_to_num((nats - 6.0) / 3.0)[:, None].astype(np.float32)
        return np.concatenate([word_features(words, **told), column], axis=1)

    return features


def likelihoods(model: PointerModel, tested: Corpus) -> str:
    """Return the negative log-likelihood of a fixation and of a duration, without and with styles."""
    styles = styles_of(tested)
    paths = tested.scanpaths
    sentences = [tested.sentences[path.sentence_id] for path in paths]
    n_events = sum(path.n_fixations + 1 for path in paths)
    found = []
    for told in (None, [styles[path.reader_id] for path in paths]):
        times = [x for row in model.duration_log_probs(sentences, paths, told) for x in row[1:]]
        found.append((-sum(model.log_probs(sentences, paths, told)) / n_events, -float(np.nanmean(times))))
    (path, time), (path_told, time_told) = found
    return f"NLL {path:.4f} {path_told:.4f}, of durations {time:.4f} {time_told:.4f}"


def read(model: PointerModel, tested: Corpus, seed: int = 1) -> dict[str, list[Scanpath]]:
    """Return the paths of simulated readers, one for each human path, by sentence."""
    requests = [
        Request(tested.sentences[path.sentence_id], path.reader_id, group=people.GROUP, task=SENTENCE)
        for path in tested.scanpaths
    ]
    return by_sentence(model.read(requests, seed=seed))


def show_gaze(model: PointerModel, tested: Corpus, n_readers: int) -> None:
    """Print how mean gaze durations by word of simulated readers go with those of people; and word length."""
    requests = [
        Request(sentence, f"sim{k + 1}", group=people.GROUP, task=SENTENCE)
        for sentence in tested.sentences.values()
        for k in range(n_readers)
    ]
    human = by_sentence(tested.scanpaths)
    r = gaze_correlation(human, gaze_means(by_sentence(model.read(requests, seed=1))))
    lengths = {(key, i): len(word) for key, s in tested.sentences.items() for i, word in enumerate(s.words)}
    print(f"  {n_readers} readers: r {r:.3f}, word length alone {gaze_correlation(human, lengths):.3f}")


def distances(model: PointerModel, tested: Corpus) -> str:
    """Return energy distances of simulated readers, diversity and the correlation of gaze durations."""
    human, made = by_sentence(tested.scanpaths), read(model, tested)
    plain, timed = (energy_terms(human, {"model": made}, kernel) for kernel in ("nld", "nld-time"))
    assert plain is not None
    assert timed is not None
    r = gaze_correlation(human, gaze_means(made))
    return (
        f"energy {plain.distances[0]:.4f}, with times {timed.distances[0]:.4f},"
        f" diversity {plain.diversity[0]:.2f}, r {r:.3f}"
    )


if __name__ == "__main__":
    main()
