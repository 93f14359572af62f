from __future__ import annotations

import math

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ConfigError, DataError, ScandlError
from scandl.models.cognitive.predictability import Predictability, calibrated
from scandl.models.cognitive.predictability_calibration import Calibration
from scandl.records import Sentence

SENTENCES = {"a": Sentence("a", "The old cat"), "b": Sentence("b", "It sat.")}
NORMED = Corpus(Card(name="tiny"), SENTENCES, (), words={"cloze": {"a": ("0", "0.5", "1")}})
SURPRISAL = "sentence_id,word_index,word,surprisal,surprisal_unit\n" + "".join(
    f"{key},{n},{word},{n + 1},bits\n" for key, s in SENTENCES.items() for n, word in enumerate(s.words)
)
HALVES = {"a": ("0.5", "0.25", "0.125"), "b": ("0.5", "0.25")}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(SURPRISAL)
    return path


def cloze(table=None, **options):
    return Predictability(words=table and str(table), **options).of(NORMED).words.get("cloze")


def test_norms_win_and_the_language_model_fills_the_gaps(table):
    assert cloze() == NORMED.words["cloze"]
    assert cloze(table) == {"a": ("0", "0.5", "1"), "b": HALVES["b"]}


def test_a_source_can_be_asked_for(table):
    assert cloze(table, source="surprisal") == HALVES
    assert cloze(table, source="zero") == {"a": ("0", "0", "0"), "b": ("0", "0")}
    with pytest.raises(
        ScandlError, match="sentence 'b' has no words column 'cloze', which --predictability asks"
    ):
        cloze(table, source="cloze")
    with pytest.raises(ScandlError, match="'a' has no words column 'surprisal' or 'probability'"):
        cloze(source="surprisal")


def test_probabilities_are_calibrated_and_norms_are_not(table):
    found = cloze(table, calibration=(1.0, 0.5))
    assert found["a"] == ("0", "0.5", "1")
    expected = 1 / (1 + math.exp(-1 - 0.5 * math.log(1 / 3)))
    assert float(found["b"][1]) == pytest.approx(expected, rel=1e-9)


def gapped(*values):
    return Corpus(Card(name="gaps"), SENTENCES, (), words={"cloze": {"a": values, "b": ("", "0.3")}})


def test_an_empty_norm_is_unknown_and_something_stands_in(table):
    corpus = gapped("", "0.5", "")
    blind, told = Predictability(), Predictability(words=str(table))
    assert blind.of(corpus).words["cloze"] == {"a": ("0", "0.5", "0"), "b": ("0", "0.3")}
    assert told.of(corpus).words["cloze"] == {"a": ("0.5", "0.5", "0.125"), "b": ("0.5", "0.3")}
    assert blind.remarks(corpus) == ["Predictability: 0 for 1 of 3 words that have no cloze norm."]
    assert told.remarks(corpus) == [
        "Predictability: a language model's probability for 1 of 3 words that have no cloze norm."
    ]
    assert blind.remarks(gapped("", "0.5", "0")) == []  # the first word is never predictable
    with pytest.raises(
        ScandlError, match="sentence 'a', word 2 has no cloze, which --predictability asks for"
    ):
        Predictability(source="cloze").of(corpus)
    assert Predictability(source="cloze").of(gapped("", "0.5", "0")).words["cloze"]["a"] == ("0", "0.5", "0")


def test_a_norm_that_is_no_number_is_named():
    with pytest.raises(ScandlError, match="sentence 'a': words column 'cloze': found 'x', expected a number"):
        Predictability().of(gapped("", "x", ""))


def test_calibration_leaves_out_words_without_a_norm():
    sentence = Sentence("s", " ".join(["word"] * 14))
    chances, norms = [(i + 1) / 20 for i in range(14)], [(i + 2) / 20 for i in range(14)]
    cloze = ["" if i in (0, 5) else str(value) for i, value in enumerate(norms)]
    words = {"probability": {"s": tuple(map(str, chances))}, "cloze": {"s": tuple(cloze)}}
    _, used, known = calibrated(Corpus(Card(name="both"), {"s": sentence}, (), words=words))
    assert (used, known) == (chances[1:5] + chances[6:], norms[1:5] + norms[6:])


def test_nothing_known_is_said():
    assert Predictability().remarks(Corpus(Card(name="plain"), SENTENCES, ())) == [
        "Predictability is 0 for every word: 'plain' has no cloze norms, and no table of surprisal or"
        " probability was given (--words); E-Z Reader skips fewer words than with them."
    ]


def test_nothing_known_stays_nothing():
    plain = Corpus(Card(name="plain"), SENTENCES, ())
    assert Predictability().of(plain) == plain


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            ("b,0,It,1,bits\nb,1,sat.,2,bits\n", ""),
            "no row for sentence 'b', expected every sentence of corpus 'tiny'",
        ),
        (("b,1,sat.,2,bits\n", ""), "no row for word 1 of sentence 'b', expected every word"),
        (
            ("a,1,old", "a,1,young"),
            r":3: column 'word': found 'young', expected 'old', word 1 of sentence 'a'",
        ),
        (("b,0", "c,0"), r":5: column 'sentence_id': found 'c', expected a sentence of"),
    ],
)
def test_a_table_of_other_words_is_refused(table, change, text):
    table.write_text(SURPRISAL.replace(*change))
    with pytest.raises(DataError, match=text):
        cloze(table)


def test_impossible_options_are_refused():
    with pytest.raises(ConfigError, match="no predictability 'surprise'; did you mean 'surprisal'"):
        Predictability(source="surprise")
    with pytest.raises(ConfigError, match=r"calibration: found \[1\.0\], expected intercept and slope"):
        Predictability(calibration=(1.0,))


def test_a_corpus_with_both_is_calibrated_without_first_words():
    truth, sentence = Calibration(0.5, 0.6), Sentence("s", " ".join(["word"] * 40))
    chances = [0.99, *((i + 0.5) / 40 for i in range(39))]
    words = {
        "probability": {"s": tuple(map(str, chances))},
        "cloze": {"s": ("0", *(str(truth(p)) for p in chances[1:]))},
    }
    found, used, norms = calibrated(Corpus(Card(name="both"), {"s": sentence}, (), words=words))
    assert (found.intercept, found.slope) == pytest.approx((0.5, 0.6), abs=1e-6)
    assert (used, len(norms)) == (chances[1:], 39)
    with pytest.raises(ScandlError, match="corpus 'tiny': no sentence has both cloze and probability"):
        calibrated(NORMED)


def test_inverted_probabilities_warn(tmp_path):
    sentence = Sentence("s", " ".join("a" * (1 + i % 6) for i in range(60)))
    words = {"probability": {"s": tuple(str((1 + i % 6) / 10) for i in range(60))}}
    with pytest.warns(UserWarning, match="probability looks inverted"):
        Predictability().of(Corpus(Card(name="odd"), {"s": sentence}, (), words=words))
