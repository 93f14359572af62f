"""A small estimate of what SmolLM2 says of English words: 50 kB of regression trees, run by NumPy.

A tree sees the word and the two before it: lengths, frequencies, how usual each pair of words is
(``word_pairs``), punctuation, capitals, whether the word stood in the text before, and its place. Three
forests are shipped: surprisal, entropy before the word, and the part of surprisal that length, frequency and
place tell. What context adds to this part is stretched until it spreads as SmolLM2's does. An estimate alone
spreads less than what it estimates, and readers simulated with it would show a third of the effect.

``python -m scandl.text.small_surprisal alice29.txt lcet10.txt`` makes the file in about three minutes on
one core. It lets SmolLM2 (Apache 2.0) read 28,000 words of two texts in the public domain: Alice's Adventures
in Wonderland and the Workshop on Electronic Texts of the Library of Congress. Both are in ``tests/testdata``
of the source archive of Brotli 1.2.1, which is on PyPI.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scandl.extras import need
from scandl.files.results import sha256
from scandl.seeds import stream
from scandl.text.smollm2 import smollm2
from scandl.text.word_facts import WordNats, bare_word, ends_clause, ends_sentence, n_characters, zipf
from scandl.text.word_pairs import english

Floats = NDArray[np.float64]
FILE = Path(str(files("scandl.text").joinpath("small_surprisal.npz")))
PLAIN = ("zipf", "length", "first")
"""What the part of surprisal rests on that needs no context."""
BEFORE = ("zipf_1", "length_1", "zipf_2", "nats_1", "place", "first", "sentence_1", "clause_1", "mean_nats")
"""What is known before the word is seen."""
COLUMNS = (
    *PLAIN,
    *(name for name in BEFORE if name not in PLAIN),
    *("nats", "capital", "capital_1", "digit", "clause", "sentence", "mark", "again", "apart"),
)
_FORESTS = ("whole", "plain", "entropy")
_ARRAYS = ("column", "most", "left", "right", "value")
_LEAVES = 15  # of a tree, at most
_STEP = 2.0**-16  # nats, of the values of leaves
_LEAST = 0.01  # nats
_FEWEST, _MOST = 4, 70  # words of a text to learn from
_FAR = 99.0  # words since the last time, of one that did not stand in the text before
_LONGEST = 30.0  # place from which words are equally far in


def word_columns(words: Sequence[str]) -> Floats:
    """Return what trees see of each word of a text, (M, columns).

    >>> word_columns(("The", "cat", "saw", "the", "dog."))[:, COLUMNS.index("apart")].tolist()
    [99.0, 99.0, 99.0, 2.0, 99.0]
    """
    nats = np.nan_to_num(english().nats(words))
    frequency = [zipf(word, "en") for word in words]
    length = [float(n_characters(word)) for word in words]
    forms = [bare_word(word).lower() for word in words]
    seen: dict[str, int] = {}
    rows = []
    for i, word in enumerate(words):
        before = words[i - 1] if i else ""
        apart = float(i - 1 - seen[forms[i]]) if forms[i] in seen else _FAR
        row = {
            "zipf": frequency[i],
            "length": length[i],
            "first": i == 0,
            "zipf_1": frequency[i - 1] if i else 8.0,
            "length_1": length[i - 1] if i else 0.0,
            "zipf_2": frequency[i - 2] if i > 1 else 8.0,
            "nats_1": nats[i - 1] if i else 0.0,
            "place": min(float(i), _LONGEST),
            "sentence_1": ends_sentence(before),
            "clause_1": ends_clause(before),
            "mean_nats": nats[:i].mean() if i else 4.0,
            "nats": nats[i],
            "capital": word[:1].isupper(),
            "capital_1": before[:1].isupper(),
            "digit": any(map(str.isdigit, word)),
            "clause": ends_clause(word),
            "sentence": ends_sentence(word),
            "mark": not word[:1].isalnum(),
            "again": apart < _FAR,
            "apart": apart,
        }
        rows.append([float(row[name]) for name in COLUMNS])
        if forms[i]:
            seen[forms[i]] = i
    return np.array(rows)


@dataclass(frozen=True, eq=False)
class Forest:
    """Regression trees whose values are added up; a leaf leads to itself."""

    start: float
    column: NDArray[np.int8]  # (trees, nodes): what a node looks at
    most: NDArray[np.float32]  # up to here it goes left
    left: NDArray[np.int8]
    right: NDArray[np.int8]
    value: NDArray[np.float32]  # of leaves

    def __call__(self, columns: Floats) -> Floats:
        """Return the sum for each row of columns.

        >>> looks_at, most = np.array([[1, 0, 0]]), np.array([[0.5, 0, 0]])
        >>> left, right, value = np.array([[1, 1, 2]]), np.array([[2, 1, 2]]), np.array([[0, 10, 20]])
        >>> Forest(1.0, looks_at, most, left, right, value)(np.array([[9.0, 0.4], [9.0, 0.6]]))
        array([11., 21.])
        """
        seen = columns.astype(np.float32)  # (N, columns)
        tree = np.arange(len(self.column))[:, None]  # (trees, 1)
        at = np.zeros((len(self.column), len(seen)), dtype=np.int64)  # (trees, N)
        row = np.arange(len(seen))
        while True:
            low = seen[row, self.column[tree, at]] <= self.most[tree, at]
            down = np.where(low, self.left[tree, at], self.right[tree, at])
            if (down == at).all():
                return self.start + self.value[tree, at].sum(axis=0, dtype=np.float64)
            at = down.astype(np.int64)

    @classmethod
    def learned(cls, columns: Floats, values: Floats, *, trees: int) -> Self:
        """Return a forest grown by gradient boosting."""
        boosting = need("sklearn.ensemble", "model").HistGradientBoostingRegressor(
            max_iter=trees,
            learning_rate=0.06,
            max_leaf_nodes=_LEAVES,
            min_samples_leaf=30,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=1,
        )
        grown = boosting.fit(columns, values)
        parts = [_nodes(one[0].nodes) for one in grown._predictors]
        column, most, left, right, value = (np.stack(part) for part in zip(*parts, strict=True))
        return cls(float(grown._baseline_prediction.item()), column, most, left, right, value)


def _nodes(nodes: Any) -> tuple[NDArray[Any], ...]:
    """Return the five arrays of one tree, filled up with leaves that nothing leads to."""
    leaf, own = nodes["is_leaf"].astype(bool), np.arange(len(nodes))
    # In whole steps, so that a sum of float64 is the same in any order.
    value = np.rint(nodes["value"] / _STEP) * _STEP
    column = np.where(leaf, 0, nodes["feature_idx"]).astype(np.int8)
    most = np.where(leaf, 0.0, nodes["num_threshold"]).astype(np.float32)
    left, right = (np.where(leaf, own, nodes[side]).astype(np.int8) for side in ("left", "right"))
    empty = 2 * _LEAVES - 1 - len(nodes)
    found = (column, most, left, right, np.where(leaf, value, 0.0).astype(np.float32))
    return tuple(np.pad(array, (0, empty)) for array in found)


@dataclass(frozen=True, eq=False)
class SmallSurprisal:
    """Surprisal and entropy of English words, estimated from the words around them."""

    whole: Forest  # surprisal
    plain: Forest  # of it, what length, frequency and place tell
    entropy: Forest
    gain: float  # of what context adds
    cached = False

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Return the estimate in a file."""
        with np.load(path, allow_pickle=False) as held:
            whole, plain, entropy = (
                Forest(float(held[f"{name}_start"]), *(held[f"{name}_{part}"] for part in _ARRAYS))
                for name in _FORESTS
            )
            return cls(whole, plain, entropy, float(held["gain"]))

    def write(self, path: Path | str) -> None:
        """Write the estimate."""
        arrays: dict[str, Any] = {"gain": self.gain}
        for name in _FORESTS:
            forest = getattr(self, name)
            arrays[f"{name}_start"] = forest.start
            arrays |= {f"{name}_{part}": getattr(forest, part) for part in _ARRAYS}
        np.savez_compressed(path, **arrays)

    @property
    def identity(self) -> Mapping[str, str]:
        """What decides the values."""
        return {"provider": "small", "model": "estimate of SmolLM2-135M", "sha256": sha256(FILE)}

    @property
    def record(self) -> Mapping[str, str]:
        """What decides the values."""
        return {**self.identity, "context": "two words, and the words of the text so far"}

    def nats(self, texts: Sequence[str]) -> list[WordNats]:
        """Return surprisal, and entropy before the word, per word of each text."""
        split = [text.split() for text in texts]
        if not any(split):
            return [WordNats((), ()) for _ in split]
        seen = np.concatenate([word_columns(words) for words in split if words])
        plain = self.plain(seen[:, _at(PLAIN)])
        surprisal = np.maximum(plain + self.gain * (self.whole(seen) - plain), _LEAST).tolist()
        entropy = np.maximum(self.entropy(seen[:, _at(BEFORE)]), 0.0).tolist()
        ends = np.cumsum([len(words) for words in split]).tolist()
        return [
            WordNats(tuple(surprisal[end - len(words) : end]), tuple(entropy[end - len(words) : end]))
            for words, end in zip(split, ends, strict=True)
        ]


def _at(names: Sequence[str]) -> list[int]:
    return [COLUMNS.index(name) for name in names]


@lru_cache(maxsize=1)
def small() -> SmallSurprisal:
    """Return the estimate that is shipped."""
    return SmallSurprisal.read(FILE)


def learned(known: Mapping[str, WordNats]) -> SmallSurprisal:
    """Return the estimate learned from what a language model says of texts.

    The gain is chosen on every other text, by forests that learned from the rest.
    """
    texts = list(known)
    half = _forests({text: known[text] for text in texts[::2]})
    seen, surprisal, _ = _examples({text: known[text] for text in texts[1::2]})
    without = half[1](seen[:, _at(PLAIN)])
    gain = float(np.std(surprisal - without) / np.std(half[0](seen) - without))
    whole, plain, entropy = _forests(known)
    return SmallSurprisal(whole, plain, entropy, round(gain, 2))


def _forests(known: Mapping[str, WordNats]) -> tuple[Forest, Forest, Forest]:
    seen, surprisal, entropy = _examples(known)
    return (
        Forest.learned(seen, surprisal, trees=250),
        Forest.learned(seen[:, _at(PLAIN)], surprisal, trees=80),
        Forest.learned(seen[:, _at(BEFORE)], entropy, trees=120),
    )


def _examples(known: Mapping[str, WordNats]) -> tuple[Floats, Floats, Floats]:
    seen = np.concatenate([word_columns(text.split()) for text in known])
    surprisal = np.concatenate([row.surprisal for row in known.values()])
    return seen, surprisal, np.concatenate([row.entropy for row in known.values()])


def excerpts(raw: str, *, seed: int = 1) -> Iterator[str]:
    r"""Yield texts like those of reading experiments: single sentences, and two to four in a row.

    >>> list(excerpts("A dog barked at the cat.\n\nCHAPTER I\n\nThe cat sat on the mat.", seed=1))
    ['A dog barked at the cat.', 'The cat sat on the mat.']
    """
    rng = stream(seed, "excerpts")
    for block in re.split(r"\n\s*\n", raw.replace("\r", "")):
        text = " ".join(re.sub("[_*]", "", block).replace("--", " -- ").replace("`", "'").split())
        letters = sum(sign.isalpha() or sign == " " for sign in text)
        if not text or text[-1] not in ".!?\"')" or letters < 0.9 * len(text):
            continue  # a heading, a table, an address
        sentences = re.split(r"(?:(?<=[.!?])|(?<=[.!?][\"']))\s+(?=[A-Z\"'(])", text)
        while sentences:
            n = 1 if rng.random() < 0.5 else int(rng.integers(2, 5))
            taken, sentences = " ".join(sentences[:n]), sentences[n:]
            if _FEWEST <= len(taken.split()) <= _MOST:
                yield taken


def main(argv: Sequence[str] | None = None) -> None:
    """Make the file that is shipped."""
    from scandl.text.surprisal import through_cache

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("texts", nargs="+", type=Path, help="plain English text")
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args(argv)
    # Twice as many words bring the estimate no nearer: r with SmolLM2 beside length and frequency .574, .581.
    texts = [one for path in args.texts for one in excerpts(path.read_text(encoding="latin-1"))][::2]
    made = learned(through_cache(smollm2(), texts).values)
    made.write(args.out)
    print(f"{sum(len(text.split()) for text in texts):,} words, gain {made.gain}")


if __name__ == "__main__":
    main()
