"""Whether the shipped model looks long at the words that people look long at, and better than length tells.

``python benchmarks/readers/bench_word_times.py schilling provo`` lets 100 simulated readers read every text
of a corpus, and correlates mean gaze durations by word with those of its readers; beside it stand the
correlation of word length alone and the difference. Intervals resample sentences. Means of simulated readers
are noisy in themselves: by the correlation of one half of them with the other it also says what their number
without end would correlate. Means of last words and of the others follow. ``--group L2`` lets readers of
that group read; ``--beside C`` adds how well the means of people of another corpus, who read the same texts,
would do.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np
from bench_tables import by_sentence, gaze_means

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.people_generator import ScandlPeople
from scandl.seeds import stream

RESAMPLES = 2000
Word = tuple[str, int]


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per corpus."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--readers", type=int, default=100)
    parser.add_argument("--group", default="", help="L1 or L2")
    parser.add_argument("--beside", metavar="CORPUS", help="other people who read the same texts")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    for name in args.corpora:
        corpus = open_corpus(name)
        requests = [
            Request(sentence, f"sim{k + 1}", group=args.group)
            for sentence in corpus.sentences.values()
            for k in range(args.readers)
        ]
        paths = ScandlPeople().generate(requests, seed=args.seed)
        made, *halves = (gaze_means(by_sentence(part)) for part in (paths, paths[::2], paths[1::2]))
        people = gaze_means(by_sentence(corpus.scanpaths))
        words = [word for word in people if word in made]
        lengths = {word: float(len(corpus.sentences[word[0]].words[word[1]])) for word in words}
        both = described(words, people, made, lengths, args.seed)
        inner = [word for word in words if word[1] < corpus.sentences[word[0]].n_words - 1]
        print(f"{name}: {both}")
        if args.beside:
            others = gaze_of_others(open_corpus(args.beside), corpus)
            shared = [word for word in words if word in others]
            print(f"  people of {args.beside}: {described(shared, people, others, lengths, args.seed)}")
        for what, part in (("all words", words), ("without last words", inner)):
            print(f"  {what}: {without_noise(part, people, made, halves, lengths)}", flush=True)
        for what, part in (("last words", sorted(set(words) - set(inner))), ("others", inner)):
            means = (np.mean([gaze[word] for word in part]) for gaze in (people, made))
            print(
                f"  {what}: people {next(means):.0f} ms, simulated readers {next(means):.0f} ms", flush=True
            )


def described(
    words: Sequence[Word],
    people: Mapping[Word, float],
    made: Mapping[Word, float],
    lengths: Mapping[Word, float],
    seed: int,
) -> str:
    """Return both correlations and their difference."""
    table = np.array([(people[word], made[word], lengths[word]) for word in words])
    of_sentence: dict[str, list[int]] = {}
    for i, (sentence, _) in enumerate(words):
        of_sentence.setdefault(sentence, []).append(i)
    rows = [np.array(own) for own in of_sentence.values()]
    drawn = stream(seed, "bootstrap").integers(0, len(rows), (RESAMPLES, len(rows)))
    values = np.array([_correlations(table[np.concatenate([rows[k] for k in draw])]) for draw in drawn])
    model, length = _correlations(table)
    low, high = np.percentile(values[:, 0] - values[:, 1], [2.5, 97.5])
    both = f"r {model:.2f}, word length alone {length:.2f}"
    return f"{both}, difference {model - length:.2f} [{low:.2f}, {high:.2f}], {len(words)} words"


def without_noise(
    words: Sequence[Word],
    people: Mapping[Word, float],
    made: Mapping[Word, float],
    halves: Sequence[Mapping[Word, float]],
    lengths: Mapping[Word, float],
) -> str:
    """Return what the means of simulated readers without number would correlate (Spearman-Brown)."""
    known = [word for word in words if all(word in half for half in halves)]
    table = np.array([(people[w], made[w], lengths[w], *(half[w] for half in halves)) for w in known])
    between = np.corrcoef(table.T)
    stable = 2 * between[3, 4] / (1 + between[3, 4])
    return (
        f"r {between[0, 1]:.3f}, without noise of the simulated means {between[0, 1] / np.sqrt(stable):.3f}"
        f" (their reliability {stable:.2f}), word length alone {between[0, 2]:.3f}"
    )


def _correlations(table: np.ndarray) -> tuple[float, float]:
    together = np.corrcoef(table.T)
    return float(together[0, 1]), float(together[0, 2])


def gaze_of_others(others: Corpus, corpus: Corpus) -> dict[Word, float]:
    """Return mean gaze durations of people of another corpus on the words of the texts that both share."""
    keys = {sentence.text: key for key, sentence in corpus.sentences.items()}
    return {
        (keys[text], place): ms
        for (key, place), ms in gaze_means(by_sentence(others.scanpaths)).items()
        if (text := others.sentences[key].text) in keys
    }


if __name__ == "__main__":
    main()
