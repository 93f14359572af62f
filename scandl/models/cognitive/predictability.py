"""How predictable the words of a corpus are taken to be: which source, which table, which calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import read_words
from scandl.errors import ConfigError, DataError, Fact, ScandlError, did_you_mean
from scandl.files.tables import read_table
from scandl.models.cognitive.word_inputs import CLOZE, check_direction
from scandl.models.cognitive.word_probabilities import Calibration, WordColumns, number, probabilities
from scandl.records import Sentence
from scandl.text.word_facts import n_characters

SOURCES = ("auto", "cloze", "surprisal", "zero")


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictability:
    """What the cognitive models are told of the predictability of words.

    Parameters
    ----------
    words
        A table with a row for each word of the corpus: its columns are added to those of the
        corpus, or take their place.
    source
        ``auto``: cloze norms and, where a sentence or word has none, a language model's probability
        from the table of words, else 0;
        ``cloze`` or ``surprisal``: this one or nothing; ``zero``: no word is predictable.
    calibration
        Intercept and slope between the logits of probability and cloze.
    """

    words: str | None = None
    source: str = "auto"
    calibration: tuple[float, ...] = (0.0, 1.0)

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise ConfigError(f"no predictability {self.source!r}{did_you_mean(self.source, SOURCES)}")
        if len(self.calibration) != 2:
            raise ConfigError(f"calibration: found {list(self.calibration)}, expected intercept and slope")

    def of(self, corpus: Corpus) -> Corpus:
        """Return the corpus with a column ``cloze`` that says how predictable each word is."""
        words = corpus.words if self.words is None else joined(corpus.words, told_of(corpus, self.words))
        calibration = Calibration(*self.calibration)
        found = {key: self._cloze(words, calibration, key, s.n_words) for key, s in corpus.sentences.items()}
        known = {key: values for key, values in found.items() if values is not None}
        norms = words.get(CLOZE, {})
        _check_direction(
            corpus, {key: values for key, values in known.items() if norms.get(key) is not values}
        )
        without = {name: column for name, column in words.items() if name != CLOZE}
        return replace(corpus, words={**without, CLOZE: known} if known else without)

    def _cloze(
        self, words: WordColumns, calibration: Calibration, sentence: str, n_words: int
    ) -> tuple[str, ...] | None:
        if self.source == "zero":
            return ("0",) * n_words
        norms = words.get(CLOZE, {}).get(sentence)
        if norms is not None and self.source != "surprisal" and all(norms):
            return norms
        told = None if self.source == "cloze" else probabilities(words, sentence)
        made = None if told is None else tuple(f"{calibration(p):.10g}" for p in told)
        if norms is not None and self.source != "surprisal":
            return self._filled(norms, made, sentence)
        if made is not None or self.source == "auto":
            return made
        needed = CLOZE if self.source == "cloze" else "surprisal' or 'probability"
        raise ScandlError(
            f"sentence {sentence!r} has no words column '{needed}', which --predictability asks for"
        )

    def _filled(self, norms: tuple[str, ...], made: tuple[str, ...] | None, sentence: str) -> tuple[str, ...]:
        """Put something for the norms that are not known: the first word is never predictable."""
        others = made or ("0",) * len(norms)
        missing = next((n for n, value in enumerate(norms) if n and not value), None)
        if missing is not None and self.source == "cloze":
            raise ScandlError(
                f"sentence {sentence!r}, word {missing} has no cloze, which --predictability asks for"
            )
        for value in filter(None, norms):
            number(value, CLOZE, sentence)
        return tuple(value or other for value, other in zip(norms, others, strict=True))

    def remarks(self, corpus: Corpus) -> list[str]:
        """Say what stands for the predictability of words that have no norm, first words aside."""
        words = corpus.words if self.words is None else joined(corpus.words, told_of(corpus, self.words))
        if self.source == "zero":
            return []
        n_words = sum(s.n_words - 1 for s in corpus.sentences.values())
        lacking = {key: _n_lacking(words.get(CLOZE, {}).get(key), s) for key, s in corpus.sentences.items()}
        if self.source == "surprisal":
            lacking = {key: s.n_words - 1 for key, s in corpus.sentences.items()}
        modelled = sum(n for key, n in lacking.items() if probabilities(words, key) is not None)
        zero = sum(lacking.values()) - modelled
        if zero == n_words > 0:
            return [
                f"Predictability is 0 for every word: {corpus.name!r} has no cloze norms, and no table of"
                " surprisal or probability was given (--words); E-Z Reader skips fewer words than with them."
            ]
        parts = [(modelled, "a language model's probability"), (zero, "0")]
        told = " and ".join(f"{what} for {n:,}" for n, what in parts if n)
        return [f"Predictability: {told} of {n_words:,} words that have no cloze norm."] if told else []


def _n_lacking(norms: tuple[str, ...] | None, sentence: Sentence) -> int:
    """Count the words but the first that have no norm."""
    return sentence.n_words - 1 if norms is None else sum(not value for value in norms[1:])


def told_of(corpus: Corpus, path: Path | str) -> WordColumns:
    """Read a table of words; every sentence of the corpus must be in it, word by word."""
    told = read_words(path, corpus.sentences)
    rows = next(iter(told.values()), {})
    missing = next((key for key in corpus.sentences if key not in rows), None)
    if missing is not None:
        found = Fact(f"no row for sentence {missing!r}")
        raise DataError(path, None, "sentence_id", found, f"every sentence of corpus {corpus.name!r}")
    for key, words in told.get("word", {}).items():
        for n, (theirs, ours) in enumerate(zip(words, corpus.sentences[key].words, strict=True)):
            if theirs != ours:
                expected = f"{ours!r}, word {n} of sentence {key!r}"
                raise DataError(path, _line(path, key, n), "word", theirs, expected)
    return {name: column for name, column in told.items() if name not in ("word", "length")}


def joined(words: WordColumns, told: WordColumns) -> WordColumns:
    """Return both tables' columns; where both have a value for a sentence, the second table's counts.

    >>> joined({"cloze": {"a": ("0",), "b": ("1",)}}, {"cloze": {"b": ("0.5",)}, "surprisal": {"b": ("2",)}})
    {'cloze': {'a': ('0',), 'b': ('0.5',)}, 'surprisal': {'b': ('2',)}}
    """
    none: Mapping[str, tuple[str, ...]] = {}
    return {name: {**words.get(name, none), **told.get(name, none)} for name in (*words, *told)}


def calibrated(corpus: Corpus) -> tuple[Calibration, list[float], list[float]]:
    """Return the calibration of a corpus that has both, with the probabilities and cloze values behind it.

    The first word of a sentence, which nothing precedes, takes no part.
    """
    pairs: list[tuple[float, float]] = []
    for key in corpus.sentences:
        told, norms = probabilities(corpus.words, key), corpus.words.get(CLOZE, {}).get(key)
        if told is not None and norms is not None:
            known = [(p, value) for p, value in list(zip(told, norms, strict=True))[1:] if value]
            pairs += [(p, number(value, CLOZE, key)) for p, value in known]
    if not pairs:
        raise ScandlError(f"corpus {corpus.name!r}: no sentence has both cloze and probability or surprisal")
    chances, cloze = [p for p, _ in pairs], [c for _, c in pairs]
    return Calibration.fitted(chances, cloze), chances, cloze


def _check_direction(corpus: Corpus, made: Mapping[str, tuple[str, ...]]) -> None:
    """Warn where a language model seems to find long words likely."""
    lengths = [n_characters(word) for key in made for word in corpus.sentences[key].words[1:]]
    check_direction(
        lengths, [float(value) for values in made.values() for value in values[1:]], "probability"
    )


def _line(path: Path | str, sentence: str, word: int) -> int:
    table = read_table(path)
    ids, indices = table.need("sentence_id", "word_index")
    return table.line(list(zip(ids, indices, strict=True)).index((sentence, str(word))))
