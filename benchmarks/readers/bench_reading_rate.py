"""Whether texts that people read slowly are slow for simulated readers: r over texts of ms per word.

``python benchmarks/readers/bench_reading_rate.py provo-passages schilling`` prints a row for each corpus: r
with people of simulated ms per word, of mean word length, of Flesch and of mean surprisal. Beside the first
stand its interval and what it is above word length (texts resampled), and last the largest r that these
people allow, from halves of them. A text's rate is its effect beside that of readers, who need not all have
read it. ``--model`` takes other weights, such as those that a corpus was left out of.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.streamed_generation import PackedModel
from scandl.models.trained_model import model_card, shipped_models
from scandl.seeds import stream
from scandl.text.word_facts import n_characters
from scandl_analysis.reading_ease.ease import ease

Array = NDArray[np.float64]
SPLITS, RESAMPLES = 50, 2000
PREDICTORS = ("ms_per_word", "length", "flesch", "surprisal")


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--model", default="people")
    parser.add_argument("--context", default="auto")
    parser.add_argument("--readers", type=int, default=48)
    args = parser.parse_args(argv)
    known = [c.name for c in model_card(args.model).corpora] if args.model in shipped_models() else []
    print(f"weights of {args.model}: {PackedModel.of(args.model).sha256[:12]}; trained on {', '.join(known)}")
    print("| corpus | texts | simulated | above length | length | Flesch | surprisal | most |")
    print("|---|---|---|---|---|---|---|---|")
    for name in args.corpora:
        print(row(open_corpus(name), args), flush=True)


def row(corpus: Corpus, args: argparse.Namespace) -> str:
    """Return the line of a corpus."""
    times = table(corpus)
    people = rates(times)
    texts = [corpus.sentences[key] for key in people]
    groups = {who.get("group", "") for who in corpus.readers.values()} & {"L1", "L2"}
    found = ease(
        texts, groups=sorted(groups), model=args.model, readers=args.readers, context=args.context
    ).texts.set_index("text_id")
    found["length"] = {text.sentence_id: np.mean([*map(n_characters, text.words)]) for text in texts}
    y = np.array(list(people.values()))
    x = found.loc[list(people), list(PREDICTORS)].to_numpy()
    r = [float(np.corrcoef(column, y)[0, 1]) for column in x.T]
    rng = stream(1, "texts", corpus.name)
    drawn = np.array([_correlations(x[k], y[k]) for k in rng.integers(0, len(y), (RESAMPLES, len(y)))])
    low, high = np.nanquantile(drawn[:, 0], (0.025, 0.975))
    gain = np.nanquantile(np.abs(drawn[:, 0]) - np.abs(drawn[:, 1]), (0.025, 0.975))
    cells = [
        f"{r[0]:.2f} [{low:.2f}, {high:.2f}]",
        f"{r[0] - abs(r[1]):+.2f} [{gain[0]:+.2f}, {gain[1]:+.2f}]",
    ]
    cells += [f"{value:.2f}" for value in r[1:]]
    line = [corpus.name, str(len(y)), *cells, f"{most(times, rng):.2f}"]
    return f"| {' | '.join(line)} |"


def _correlations(x: Array, y: Array) -> list[float]:
    return [float(np.corrcoef(column, y)[0, 1]) for column in x.T]


def table(corpus: Corpus) -> pd.DataFrame:
    """Return ms per word of each reader of each text."""
    return pd.DataFrame(
        [
            (
                path.reader_id,
                path.sentence_id,
                sum(path.durations) / corpus.sentences[path.sentence_id].n_words,
            )
            for path in corpus.scanpaths
            if path.durations
        ],
        columns=["reader", "text", "ms"],
    )


def rates(times: pd.DataFrame) -> Mapping[str, float]:
    """Return the effect of each text beside that of readers, by least squares."""
    left = times["ms"].to_numpy(float)
    readers, texts = times["reader"], times["text"]
    of_reader = np.zeros(len(left))
    for _ in range(100):
        of_text = (
            pd.Series(left - of_reader).groupby(texts.to_numpy(), sort=False).transform("mean").to_numpy()
        )
        new = pd.Series(left - of_text).groupby(readers.to_numpy(), sort=False).transform("mean").to_numpy()
        moved, of_reader = float(np.abs(new - of_reader).max()), new
        if moved < 1e-6:
            break
    return dict(zip(texts, of_text, strict=True))


def most(times: pd.DataFrame, rng: np.random.Generator) -> float:
    """Return the root of the reliability of all readers' rates, from halves of them (Spearman and Brown)."""
    names = times["reader"].unique()
    found = []
    for _ in range(SPLITS):
        first = set(rng.permutation(names)[: len(names) // 2])
        a, b = (
            rates(times[times["reader"].isin(first) == side].reset_index(drop=True)) for side in (True, False)
        )
        both = [key for key in a if key in b]
        r = float(np.corrcoef([a[key] for key in both], [b[key] for key in both])[0, 1])
        found.append(2 * r / (1 + r))
    return float(np.sqrt(max(np.mean(found), 0.0)))


if __name__ == "__main__":
    main()
