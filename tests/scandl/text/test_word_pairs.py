"""The table of English word pairs: against a slow definition, and against the model it was made of."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.text.word_facts import bare_word, unigram_nats
from scandl.text.word_pairs import END, START, STEP, UNKNOWN, WordPairs, english, make, model_file, open_model

TEXT = [
    "The",
    "old",
    "man",
    "the",
    "boats",
    "—",
    "of",
    "xqzzv",
    "course,",
    "they",
    "don’t",
    "like",
    "New",
    "York",
    "...",
]


def test_probabilities_of_all_words_after_one_add_up() -> None:
    pytest.importorskip("pocketsphinx")
    model = open_model()
    lines = model_file().with_name("cmudict-en-us.dict").read_text(encoding="utf-8").splitlines()
    words = {line.partition(" ")[0] for line in lines} | {END}
    for before in ("of", START):
        steps = [model.prob([word, before]) for word in words]
        total = sum(math.exp(STEP * each) for each in steps if each > UNKNOWN)
        assert total == pytest.approx(1.0, abs=0.02)


def test_words_it_does_not_know_are_marked() -> None:
    pytest.importorskip("pocketsphinx")
    model = open_model()
    assert model.prob(["xqzzv"]) <= UNKNOWN < model.prob(["lighthouse"]) < model.prob(["the"]) < 0


def test_where_it_is_not_installed_one_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    with pytest.raises(ScandlError, match=r"\[trigram\]"):
        open_model()


def slow(table: WordPairs, words: list[str]) -> list[float]:
    """Walk through a text with a dictionary of pairs."""
    pairs = {
        (table.words[a], table.words[b]): nats
        for a, b, nats in zip(table.firsts, table.seconds, table.given, strict=True)
    }
    before, found = START, []
    for word in words:
        form = bare_word(word).lower()
        if not form:
            found.append(math.nan)  # a dash does not break the context
        elif form not in table.words:
            found.append(unigram_nats(word))
            before = ""
        else:
            alone = table.alone[table.words.index(form)]
            if before:
                alone -= table.backoff[table.words.index(before)]
            found.append(pairs.get((before, form), alone))
            before = form
    return found


def test_a_text_is_walked_through_word_by_word() -> None:
    found = english().nats(TEXT)
    np.testing.assert_allclose(found, slow(english(), TEXT), rtol=1e-12)
    assert np.isnan(found[[5, -1]]).all()
    assert np.isfinite(np.delete(found, [5, len(TEXT) - 1])).all()
    assert english().nats([]).shape == (0,)


def test_what_is_expected_surprises_little() -> None:
    of, york = english().nats(["of", "course"])[1], english().nats(["New", "York"])[1]
    assert of < unigram_nats("course") - 2
    assert york < unigram_nats("York") - 2
    assert english().nats(["York", "New"])[1] > york


def test_case_and_punctuation_do_not_count() -> None:
    np.testing.assert_array_equal(english().nats(["(Of", "COURSE!”"]), english().nats(["of", "course"]))


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    english().write(tmp_path / "pairs.npz")
    again = WordPairs.read(tmp_path / "pairs.npz")
    assert again.words == english().words
    for name in ("alone", "backoff", "firsts", "seconds", "given"):
        np.testing.assert_array_equal(getattr(again, name), getattr(english(), name))
    assert (tmp_path / "pairs.npz").stat().st_size < 2_000_000


def test_pairs_are_those_of_the_language_model() -> None:
    pytest.importorskip("pocketsphinx")
    from scandl.text.word_pairs import open_model

    model, table = open_model(), english()
    rng = np.random.default_rng(1)
    some = rng.choice(len(table.seconds), 2000, replace=False)
    first, second = (np.array(table.words)[part[some]] for part in (table.firsts, table.seconds))
    asked = [-STEP * model.prob([b, a]) for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(table.given[some], asked, atol=0.051)  # kept in tenths
    forms = [word for word in table.words if bare_word(word) == word]  # 'em is looked for as em
    words = rng.choice(forms, 500, replace=False).tolist()
    alone = [table.nats(["xqzzv", word])[1] for word in words]  # nothing that counts stands before
    np.testing.assert_allclose(alone, [-STEP * model.prob([word]) for word in words], atol=0.006)


pytest.importorskip("pocketsphinx")


def test_a_table_is_made_of_the_pairs_that_tell_most(tmp_path: Path) -> None:
    model = open_model()
    every = make(tmp_path / "every.npz", n_words=40, n_pairs=10_000)
    few = make(tmp_path / "few.npz", n_words=40, n_pairs=100)
    assert every.words[0] == START
    assert {"the", "of", "to", "and"} < set(every.words)
    words = [word for word in every.words if bare_word(word) == word]
    for first in words:  # where all pairs are kept, every one is the model's
        after = [every.nats([first, word])[1] for word in words]
        expected = [-STEP * model.prob([word, first]) for word in words]
        np.testing.assert_allclose(after, expected, atol=0.08)  # tenths, or two hundredths and a twentieth
    kept = set(zip(few.firsts.tolist(), few.seconds.tolist(), strict=True))
    assert len(kept) == 100
    told = {
        (a, b): math.exp(-every.alone[a] - nats) * abs(every.alone[b] - every.backoff[a] - nats)
        for a, b, nats in zip(every.firsts, every.seconds, every.given, strict=True)
        if every.words[a] != START
    }
    least = min(told[pair] for pair in kept if pair in told)
    left = [worth for pair, worth in told.items() if pair not in kept]
    assert max(left) < 1.2 * least  # numbers are rounded
