"""Word-pointing models beside their rivals, trained with several seeds: the tables of docs/results.md.

``python benchmarks/readers/bench_tables.py reading-brain-l1 --setting ns --folds 0,1 --seeds 1,2,3 --models
scanpath-transformer,markov-text`` trains and draws on each fold with each seed and prints, for each model,
energy distances of paths and of timed paths with intervals over readers and sentences, the energy of each
seed, diversity, the spread of fixations per word (of people in brackets), and the correlation of gaze
durations by word. Below stand paired differences of each seed from the best seed of the first model.
Several corpora, joined by commas, are one training corpus; ``--test C`` tests on another one, or on the
test part of its ns folds with ``--folds``. Texts that are tested on are never trained on. ``--lengths``
adds energies and reach by sentence length. With ``SCANDL_CHECKPOINTS`` set trainings are kept, so that an
interrupted table goes on where it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from scandl.corpora import Corpus
from scandl.corpora.corpus import joined
from scandl.corpora.corpus_folder import open_corpus
from scandl.measures.distribution.word_times import correlation, word_places, word_times
from scandl.models.catalogue import open_model
from scandl.models.cognitive.predictability import Predictability
from scandl.models.pointer.people import TASKS
from scandl.models.readings import fold_readings
from scandl.records import Prediction, Scanpath
from scandl.splits import Fold, make_cross, make_folds
from scandl.statistics.energy import EnergyTerms, energy_terms

CLASSES = (1, 10, 20, 30, 40, 50, 10_000)
REREADING = 10  # fixations after the furthest word was reached, above which a path counts as reread
BySentence = Mapping[str, Sequence[Scanpath]]


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per model, and one per model and length class."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("training", help="a corpus, or several joined by commas")
    parser.add_argument("--setting", default="ns", choices=["ns", "nr", "nrns"])
    parser.add_argument("--test", help="the corpus tested on, if it is another one")
    parser.add_argument("--folds", default="", help="numbers; with --test: of the texts tested on")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--models", default="scanpath-transformer,markov-text,swift,ezreader")
    parser.add_argument("--samples", type=int, default=1, help="scanpaths for each human one")
    parser.add_argument("--lengths", action="store_true")
    args = parser.parse_args(argv)
    folds = [int(number) for number in args.folds.split(",") if number]
    print(f"{args.training}, {args.setting if not args.test else args.test}, folds {folds or 'all'}")
    made = {}
    human: dict[str, list[Scanpath]] = {}
    tested: Mapping[str, int] = {}
    for name in args.models.split(","):
        for seed in args.seeds.split(","):
            found = list(predictions(args, folds, name, int(seed)))
            made[name, seed] = by_sentence([path for path, _ in found])
            human = by_sentence(list({(p.reader_id, p.sentence_id): p for _, p in found}.values()))
            tested = {path.sentence_id: len((path.text or "").split()) for path, _ in found}
    print("model: energy, energy-time, diversity, spread (people), r of gaze by word; energy of each seed")
    for name in dict.fromkeys(name for name, _ in made):
        seeds = [paths for (own, _), paths in made.items() if own == name]
        spreads = f"{spread(seeds, tested):.3f} ({spread([human], tested):.3f})"
        print(f"{name}: {described(human, seeds, spreads)}", flush=True)
        if args.lengths:
            show_lengths(human, seeds, tested)
    for line in differences(human, made):
        print(line, flush=True)
    lengths = {(s, i): len(w) for s, text in texts.items() for i, w in enumerate(text.split())}
    print(f"word length alone: r {gaze_correlation(human, lengths):.2f}")


texts: dict[str, str] = {}


def predictions(
    args: argparse.Namespace, folds: Sequence[int], name: str, seed: int
) -> Iterator[tuple[Scanpath, Scanpath]]:
    """Yield generated paths and the human ones they stand against, of all folds; ids tell folds apart."""
    for fold, corpus, test in _folds(args, folds):
        by_pair = (test or corpus).by_pair
        for p in fold_readings(
            open_model(name), fold, corpus, samples=args.samples, seed=seed, test_corpus=test
        ):
            human = by_pair[p.reader_id or "", p.sentence_id]
            # In nr a sentence is tested in several folds: those are different trainings.
            key = f"{fold.fold_id} {p.sentence_id}"
            texts[key] = p.text or ""
            yield _path(p, key), replace(human, sentence_id=key)


def _folds(args: argparse.Namespace, numbers: Sequence[int]) -> Iterator[tuple[Fold, Corpus, Corpus | None]]:
    training = [opened(name) for name in args.training.split(",")]
    if args.test is None:
        for number in numbers:
            yield make_folds(training[0], args.setting, seed=1)[number], training[0], None
        return
    whole = opened(args.test)
    parts = [make_folds(whole, "ns", seed=1)[number].test for number in numbers] or [tuple(whole.by_pair)]
    for number, pairs in zip(numbers or [0], parts, strict=True):
        test = whole.restricted_to(pairs)
        tested = {sentence.text for sentence in test.sentences.values()}
        corpus = together([without_texts(each, tested) for each in training])
        yield replace(make_cross(corpus, test, seed=1), number=number), corpus, test


def opened(name: str) -> Corpus:
    """Return a corpus whose words cognitive models can read, cloze norms or none."""
    return Predictability(source="zero").of(open_corpus(name))


def without_texts(corpus: Corpus, tested: set[str]) -> Corpus:
    """Return a training corpus without the texts that are tested on."""
    return corpus.restricted_to(
        [pair for pair in corpus.by_pair if corpus.sentences[pair[1]].text not in tested]
    )


def together(corpora: Sequence[Corpus]) -> Corpus:
    """Return training corpora as one."""
    if len(corpora) == 1:
        return corpora[0]
    return joined(
        corpora, "+".join(corpus.name for corpus in corpora), told={k: {"task": v} for k, v in TASKS.items()}
    )


def spread(seeds: Sequence[BySentence], n_words: Mapping[str, int]) -> float:
    """Return the standard deviation of fixations per word over paths, the mean of the seeds."""
    return float(
        np.mean(
            [
                np.std([path.n_fixations / n_words[key] for key, own in paths.items() for path in own])
                for paths in seeds
            ]
        )
    )


def differences(human: BySentence, made: Mapping[tuple[str, str], BySentence]) -> Iterator[str]:
    """Yield the paired differences of each model and seed from the best seed of the first model."""
    for kernel in ("nld", "nld-time"):
        each = {key: energy_terms(human, {"model": paths}, kernel) for key, paths in made.items()}
        energy = {key: float(terms.distances[0]) for key, terms in each.items() if terms is not None}
        rivals = [key for key in energy if key[0] == next(iter(made))[0]]
        if len(energy) < 2 or not rivals:
            continue
        best = min(rivals, key=lambda key: energy[key])
        for key in energy:
            terms = energy_terms(human, {"best": made[best], "own": made[key]}, kernel)
            if key == best or terms is None:
                continue
            value = float(terms.distances[1] - terms.distances[0])
            found = terms.distance_uncertainty.interval(value, (-1.0, 1.0))
            within = "" if found is None else f" [{found[0]:+.4f}, {found[1]:+.4f}]"
            yield f"{kernel}: {key[0]} {key[1]} less {best[0]} {best[1]}: {value:+.4f}{within}"


def described(human: BySentence, seeds: Sequence[BySentence], spreads: str) -> str:
    """Return the numbers of a model, mean over its seeds; intervals are of the readers and sentences."""
    plain, timed = (
        [each for paths in seeds if (each := energy_terms(human, {"model": paths}, kernel)) is not None]
        for kernel in ("nld", "nld-time")
    )
    diversity = np.mean([each.diversity[0] for each in plain])
    r = np.mean([gaze_correlation(human, gaze_means(paths)) for paths in seeds])
    each_seed = " ".join(f"{each.distances[0]:.4f}" for each in plain)
    energies = ", ".join(_mean_and_interval(terms) if terms else "–" for terms in (plain, timed))
    return f"{energies}, {diversity:.2f}, {spreads}, r {r:.2f}; {each_seed}"


def _mean_and_interval(terms: Sequence[EnergyTerms]) -> str:
    values = [float(each.distances[0]) for each in terms]
    # Seeds share readers and sentences: the half-width is the mean of theirs.
    reach = [
        interval[1] - value
        for each, value in zip(terms, values, strict=True)
        if (interval := each.distance_uncertainty.interval(value, (1.0,))) is not None
    ]
    mean, half = np.mean(values), np.mean(reach) if reach else np.nan
    return f"{mean:.4f} [{mean - half:.4f}, {mean + half:.4f}]"


def show_lengths(human: BySentence, seeds: Sequence[BySentence], n_words: Mapping[str, int]) -> None:
    """Print a line for each class of sentence lengths."""
    for low, high in pairwise(CLASSES):
        part = [key for key in human if low <= n_words[key] < high]
        if part:
            print(f"  {low}–{high - 1} words: {by_length(human, seeds, part, n_words)}", flush=True)


def by_length(
    human: BySentence, seeds: Sequence[BySentence], part: Sequence[str], n_words: Mapping[str, int]
) -> str:
    """Return energies, reach and fixations per word of one class of sentence lengths; humans in brackets."""
    own = {key: human[key] for key in part}
    made = [{key: paths[key] for key in part if key in paths} for paths in seeds]
    plain, timed = (mean_energy(own, made, kernel) for kernel in ("nld", "nld-time"))
    sides = [
        _reach([path for key in part for path in side.get(key, ())], n_words) for side in (seeds[0], human)
    ]
    return f"energy {plain:.3f}, with times {timed:.3f}, {sides[0]} ({sides[1]}), {len(part)} texts"


def mean_energy(human: BySentence, seeds: Sequence[BySentence], kernel: str) -> float:
    """Return the mean energy distance of the seeds, nan where there is none: of paths without times."""
    terms = [energy_terms(human, {"model": paths}, kernel) for paths in seeds]
    found = [float(each.distances[0]) for each in terms if each is not None]
    return float(np.mean(found)) if found else float("nan")


def _reach(paths: Sequence[Scanpath], n_words: Mapping[str, int]) -> str:
    reach = [(max(path.positions) + 1) / n_words[path.sentence_id] for path in paths if path.positions]
    ratio = [path.n_fixations / n_words[path.sentence_id] for path in paths]
    again = [
        path.n_fixations - path.positions.index(max(path.positions)) - 1 > REREADING
        for path in paths
        if path.positions
    ]
    return (
        f"reach {np.mean(reach):.2f}, {np.mean(ratio):.2f} fixations per word,"
        f" {np.mean(again):.2f} of paths reread"
    )


def gaze_correlation(human: BySentence, times: Mapping[tuple[str, int], float]) -> float:
    """Return the correlation over words between something and the mean gaze durations of readers."""
    own = gaze_means(human)
    shared = [word for word in own if word in times]
    if not shared:
        return float("nan")
    return correlation(np.array([times[w] for w in shared]), np.array([own[w] for w in shared])).value


def gaze_means(paths: BySentence) -> dict[tuple[str, int], float]:
    """Return the mean gaze duration of each word that has one."""
    timed = {key: [p for p in own if p.durations] for key, own in paths.items()}
    places = word_places([timed])
    means = word_times([path for own in timed.values() for path in own], places).means
    return {word: float(means[i]) for word, i in places.items() if np.isfinite(means[i])}


def by_sentence(paths: Sequence[Scanpath]) -> dict[str, list[Scanpath]]:
    """Return the paths of each sentence."""
    found: dict[str, list[Scanpath]] = {}
    for path in paths:
        found.setdefault(path.sentence_id, []).append(path)
    return found


def _path(p: Prediction, key: str) -> Scanpath:
    return Scanpath(p.reader_id or "", key, p.predicted, p.durations, text=p.text)


if __name__ == "__main__":
    main()
