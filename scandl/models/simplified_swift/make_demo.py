"""Make the demo corpus again: ``python -m scandl.models.simplified_swift.make_demo [--check]``.

Sources are ``sentences.csv``, which was written for this corpus, and the frequencies in
``words.csv``. Everything else follows from them, from the numbers in this file and from one seed.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import NormalDist

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.corpus_folder import write_corpus
from scandl.corpora.demo import FOLDER
from scandl.files.tables import read_table
from scandl.models.simplified_swift.simulation import Parameters, simulate
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.word_facts import frequency_per_million, log_frequency_share

Frequencies = dict[str, tuple[str, ...]]
"""sentence_id -> one frequency per million, as text, per word"""

SEED = 2024
N_READERS = 30
SHARE_READ = 0.9  # of all sentences, by each reader: real corpora have gaps
FILES = ("corpus.toml", "sentences.csv", "words.csv", "readers.csv", "fixations.csv")

TYPICAL = Parameters(nu=0.65, r=5.5, mu=265.0, iota=0.5, eta=-2.3, beta=0.7, gamma=1.0)
SPREAD = {"nu": 0.5, "r": 0.2, "mu": 0.12, "iota": 0.3, "beta": 0.4, "gamma": 0.1}
"""Standard deviations between readers, of the logarithm or, for ``nu`` and ``beta``, of the logit."""

CARD = Card(
    name="demo",
    language="en",
    kind="simulated",
    licence="MIT",
    citation="none; the readers are simulated with the model of Engbert & Rabe (2024)",
    source="made by scandl.models.simplified_swift.make_demo",
    notes=(
        "The readers are simulated, not human: for trying the tools, never for conclusions about reading. "
        "Each follows simplified SWIFT with parameters of its own (readers.csv). The model knows a word's "
        "frequency, not its length or predictability: effects of those are effects of frequency. Reading "
        "starts on the first word and ends with the first fixation of the last word."
    ),
)


def make(folder: Path, *, new_frequencies: bool = False) -> None:
    """Write the corpus files into ``folder``, which may hold other files."""
    sentences = _sentences()
    corpus = simulated_corpus(sentences, _new_frequencies(sentences) if new_frequencies else _frequencies())
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary) / "demo"
        write_corpus(corpus, made)
        for name in FILES:
            shutil.copyfile(made / name, folder / name)


def simulated_corpus(sentences: Sequence[Sentence], frequencies: Frequencies) -> Corpus:
    """Let every simulated reader read about nine in ten of the sentences."""
    readers = {f"r{n:02d}": draw_reader(n) for n in range(1, N_READERS + 1)}
    share = {key: log_frequency_share([float(f) for f in texts]) for key, texts in frequencies.items()}
    paths = []
    for reader_id, parameters in readers.items():
        for sentence in sentences:
            rng = stream(SEED, reader_id, sentence.sentence_id)
            if rng.random() < SHARE_READ:
                words, durations = simulate(share[sentence.sentence_id], parameters, rng)
                whole = tuple(float(max(1, round(duration))) for duration in durations)
                paths.append(Scanpath(reader_id, sentence.sentence_id, tuple(words), whole))
    return Corpus(
        CARD,
        {sentence.sentence_id: sentence for sentence in sentences},
        tuple(paths),
        {"frequency_per_million": frequencies},
        {reader_id: {k: f"{v:g}" for k, v in asdict(p).items()} for reader_id, p in readers.items()},
    )


def draw_reader(n: int) -> Parameters:
    """Return the parameters of simulated reader ``n``, rounded as ``readers.csv`` shows them."""
    rng = stream(SEED, "reader", n)
    drawn = {name: _spread(name, spread, rng.random()) for name, spread in SPREAD.items()}
    return replace(TYPICAL, **{name: float(f"{value:.4g}") for name, value in drawn.items()})


def _spread(name: str, spread: float, u: float) -> float:
    """Return the ``u``-quantile of a parameter's distribution over readers."""
    # Quantiles of plain uniform numbers are the same with every version of numpy.
    typical, factor = getattr(TYPICAL, name), math.exp(spread * NormalDist().inv_cdf(u))
    if name not in ("nu", "beta"):
        return float(typical * factor)
    odds = typical / (1.0 - typical) * factor
    return float(odds / (1.0 + odds))


def check(folder: Path) -> list[str]:
    """Return the names of corpus files in ``folder`` that differ from what would be made."""
    with tempfile.TemporaryDirectory() as temporary:
        make(Path(temporary))
        return [
            name for name in FILES if (Path(temporary) / name).read_bytes() != (folder / name).read_bytes()
        ]


def main(argv: Sequence[str] | None = None) -> int:
    """Make or check the corpus; return 1 when a check fails."""
    parser = argparse.ArgumentParser(
        prog="python -m scandl.models.simplified_swift.make_demo", description=__doc__
    )
    parser.add_argument("--check", action="store_true", help="compare only; exit with 1 on a difference")
    parser.add_argument(
        "--frequencies", action="store_true", help="look the word frequencies up again in wordfreq"
    )
    args = parser.parse_args(argv)
    if args.check:
        different = check(FOLDER)
        print(f"differs: {', '.join(different)}" if different else "the demo corpus is as it would be made")
        return int(bool(different))
    make(FOLDER, new_frequencies=args.frequencies)
    return 0


def _sentences() -> list[Sentence]:
    ids, texts = read_table(FOLDER / "sentences.csv").need("sentence_id", "text")
    return [Sentence(key, text) for key, text in zip(ids, texts, strict=True)]


def _frequencies() -> Frequencies:
    """Return the frequencies of ``words.csv`` as they are written there."""
    ids, values = read_table(FOLDER / "words.csv").need("sentence_id", "frequency_per_million")
    return {key: tuple(v for k, v in zip(ids, values, strict=True) if k == key) for key in dict.fromkeys(ids)}


def _new_frequencies(sentences: Sequence[Sentence]) -> Frequencies:
    """Look every word up, keeping three digits."""
    return {
        sentence.sentence_id: tuple(_three_digits(frequency_per_million(word)) for word in sentence.words)
        for sentence in sentences
    }


def _three_digits(value: float) -> str:
    """Write a number with three significant digits and no exponent.

    >>> [_three_digits(value) for value in (53703.2, 1.0, 12.345)]
    ['53700', '1', '12.3']
    """
    return f"{float(f'{value:.3g}'):.10g}"


if __name__ == "__main__":
    sys.exit(main())
