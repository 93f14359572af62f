"""Whether simulated readers show what people show of words in context; a corpus that was not trained on.

``python benchmarks/readers/bench_context.py schilling mertzen --context none,smollm2`` lets the shipped model
read each text as often as people did. It prints energy distances, without and with times, fixations per word,
correlations over words, and standardised slopes of surprisal, of the word itself and of the one before, on
logarithms of mean fixations, gaze duration and total time by word, beside length and frequency. ``--model``
takes other models or files, ``--gains`` what deviations of surprisal are multiplied by, ``--lengths`` adds
energies by length. ``--without provo`` trains the recipe of the shipped model on the other corpora first.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
from bench_tables import by_sentence, described, gaze_means, show_lengths, spread

from scandl.config import read_config, to_table
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer import people
from scandl.models.pointer.condition import task_of
from scandl.models.pointer.given import pointer_model
from scandl.models.pointer.pointer_model import LINE, PointerModel
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.trained_model import open_trained
from scandl.records import Scanpath
from scandl.text.context import ContextSource, open_context
from scandl.text.word_facts import zipf

MEASURES = ("fixations", "gaze", "total")
Words = Mapping[tuple[str, int], Sequence[float]]


def main(argv: Sequence[str] | None = None) -> None:
    """Print a block per corpus, model, context and gain."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--model", default="people,people-masked")
    parser.add_argument("--context", default="none,smollm2")
    parser.add_argument("--gains", default="", help="by default that of the model")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--lengths", action="store_true")
    parser.add_argument("--without", default="", metavar="CORPORA", help="train on the others first")
    parser.add_argument("--settings", default="", help="of that training, such as training.steps=2000")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        if args.without:
            args.model = str(trained(args.without.split(","), args.settings.split(), Path(folder)))
        for name in args.corpora:
            corpus = open_corpus(name)
            human = word_means(corpus.scanpaths)
            print(f"{name}: people {slopes(human, corpus)}", flush=True)
            for which in args.model.split(","):
                for context in args.context.split(","):
                    for gain in filter(None, args.gains.split(",")) if args.gains else [None]:
                        network = pointer_model(open_trained(which)).with_lines(corpus.words.get(LINE, {}))
                        if gain:
                            network = network.drawn_by(gain=float(gain))
                        network = network.drawn_by(context=context)
                        draws = [drawn(network, corpus, seed) for seed in range(1, args.samples + 1)]
                        print(f"  {Path(which).stem}, context {context}, gain {gain or 'as shipped'}:")
                        show(corpus, human, draws, lengths=args.lengths)


def trained(left_out: Sequence[str], settings: Sequence[str], folder: Path) -> Path:
    """Train the recipe of the shipped model on the corpora that are not left out."""
    ours = [
        f"{part}.{name}={json.dumps(value)}"
        for part in ("network", "sampling", "training")
        for name, value in to_table(getattr(people.config(), part)).items()
        if value is not None
    ]
    corpora = [open_corpus(name) for name in people.TASKS if name not in left_out]
    # Of one laboratory alone there is no way between two.
    with patch.object(people, "wanted_styles", lambda given: None):
        return people.make(
            corpora, folder / "left-out.npz", recipe=read_config(PointerConfig, None, [*ours, *settings])
        )


def drawn(network: PointerModel, corpus: Corpus, seed: int) -> list[Scanpath]:
    """Return one path of a simulated reader beside each human one."""
    requests = [
        Request(
            corpus.sentences[path.sentence_id],
            f"simulated {path.reader_id}",
            group=corpus.readers.get(path.reader_id, {}).get("group", people.GROUP),
            task=people.TASKS.get(corpus.name) or task_of(corpus.sentences[path.sentence_id].words),
        )
        for path in corpus.scanpaths
    ]
    return network.read(requests, seed=seed)


def show(corpus: Corpus, human: Words, draws: Sequence[Sequence[Scanpath]], *, lengths: bool) -> None:
    """Print what draws are like beside people."""
    human_side, made_sides = by_sentence(corpus.scanpaths), [by_sentence(paths) for paths in draws]
    made = word_means([path for paths in draws for path in paths])
    n_words = {key: sentence.n_words for key, sentence in corpus.sentences.items()}
    density = [
        np.mean([path.n_fixations / n_words[path.sentence_id] for path in paths])
        for paths in (draws[0], corpus.scanpaths)
    ]
    shared = [word for word in human if word in made]
    table = np.array([[*human[word], *made[word]] for word in shared])
    known = np.isfinite(table).all(axis=1)
    between = np.corrcoef(table[known].T)[:3, 3:].diagonal().round(2).tolist()
    spreads = f"{spread(made_sides, n_words):.3f} ({spread([human_side], n_words):.3f})"
    print("    energy, with times, diversity, spread (people), r of gaze; each draw:")
    print(f"    {described(human_side, made_sides, spreads)}")
    print(f"    fixations per word {density[0]:.3f} (people {density[1]:.3f}), r of {MEASURES}: {between}")
    print(f"    {slopes(made, corpus)}", flush=True)
    if lengths:
        show_lengths(human_side, made_sides, n_words)


def word_means(paths: Sequence[Scanpath]) -> Words:
    """Return mean fixations, gaze duration and total time of each word."""
    by_text, gaze = by_sentence(paths), gaze_means(by_sentence(paths))
    found: dict[tuple[str, int], list[float]] = {}
    for key, own in by_text.items():
        for path in own:
            for word, ms in zip(path.positions, path.durations or (), strict=True):
                row = found.setdefault((key, word), [0.0, gaze.get((key, word), np.nan), 0.0])
                row[0] += 1 / len(own)
                row[2] += ms / len(own)
    return found


def slopes(means: Words, corpus: Corpus, source: ContextSource | None = None) -> str:
    """Return what a standard deviation of surprisal does, on log scales, of inner words."""
    given = source or open_context("smollm2")
    known = dict(
        zip(corpus.sentences, given.of_texts([s.words for s in corpus.sentences.values()]), strict=True)
    )
    rows = []
    for (key, k), row in means.items():
        words = corpus.sentences[key].words
        if 0 < k < len(words) - 1 and min(row) > 0:
            nats = known[key].surprisal
            rows.append([len(words[k]), zipf(words[k]), nats[k], nats[k - 1], *np.log(row)])
    table = np.array([row for row in rows if np.isfinite(row).all()])
    predictors = (table[:, :4] - table[:, :4].mean(axis=0)) / table[:, :4].std(axis=0)
    design = np.column_stack([np.ones(len(table)), predictors])
    found = np.linalg.lstsq(design, table[:, 4:], rcond=None)[0]
    pairs = [f"{name} {found[3, k]:.3f} {found[4, k]:.3f}" for k, name in enumerate(MEASURES)]
    return f"slopes of surprisal, of the word and of the one before: {', '.join(pairs)}"


if __name__ == "__main__":
    main()
