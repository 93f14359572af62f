"""The walk that reads the next word."""

from __future__ import annotations

from collections import Counter

from scandl.corpora import Card, Corpus
from scandl.generators import Request
from scandl.records import Positions, Scanpath, Sentence
from scandl_eval.models.generator_catalogue import find_generator


def corpus(*paths: Positions, text: str = "The old man is waiting here.") -> Corpus:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path, (200.0,) * len(path)) for n, path in enumerate(paths))
    return Corpus(Card(name="tiny"), {"s1": Sentence("s1", text)}, scanpaths)


def test_markov_text_reads_the_next_word_and_what_is_left():
    # Words of one or two characters are always skipped, others never.
    text = "one of many to come in time by train"
    skipping = tuple(i for i, word in enumerate(text.split()) if len(word) > 2)
    generator = find_generator("markov-text")().fit(corpus(*[skipping] * 10, text=text), seed=1)
    probe = Sentence("new", "men of honour by birth go home")
    drawn = generator.generate([Request(probe, "r", k) for k in range(300)], seed=1)
    fixated = Counter(word for path in drawn for word in path.words)
    assert fixated[1] < 0.25 * fixated[2]  # "of" against "honour"
    ends = Counter(path.words[-1] for path in drawn if path.words)
    assert ends[6] > 0.7 * len(drawn)
