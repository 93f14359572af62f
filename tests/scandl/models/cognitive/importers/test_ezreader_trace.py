"""Traces of E-Z Reader: segmented, repaired, and every fault named."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError, ScandlError
from scandl.models.cognitive.importers import import_baseline
from scandl.models.cognitive.word_inputs import Inputs
from scandl.models.ezreader.ezreader import simulate_ezreader
from scandl.records import Sentence

SENTENCES = {
    "x1": Sentence("x1", "Sally walked home."),  # centres 3.5, 10, 16; ends at 19
    "x2": Sentence("x2", "We met an old man."),
}

CORPUS = Corpus(Card(name="two"), SENTENCES, ())


def read(tmp_path, kind, text, **options):
    path = tmp_path / "out.txt"
    path.write_text(text)
    return import_baseline(kind, path, CORPUS, **options)


def trace(*rows, comma=False):
    text = "".join(
        f"{f'sent: {s} ' if s is not None else ''}dur: {d} pos: {p} word: {w} {t}\n" for s, d, p, w, t in rows
    )
    return text.replace(".", ",") if comma else text


PLAIN = [
    (None, "210.5", "3.5", 0, "Sally"),
    (None, "180.0", "9.2", 1, "walked"),
    (None, "200.0", "2.0", 0, "We"),
    (None, "Infinity", "12.5", 3, "old"),
]


@pytest.mark.parametrize("comma", [False, True])
def test_a_plain_trace_is_segmented_by_first_words(tmp_path, comma):
    imported = read(
        tmp_path, "ezreader-trace", trace(*PLAIN, *PLAIN[:2], (None, "90.0", "2.0", 0, "We"), comma=comma)
    )
    assert [(p.sentence_id, p.predicted, p.sample) for p in imported.predictions] == [
        ("x1", (0, 1), 0),
        ("x2", (0, 3), 0),
        ("x1", (0, 1), 1),
        ("x2", (0,), 1),
    ]
    assert imported.predictions[0].durations == (210.5, 180.0)
    assert imported.predictions[0].text == "Sally walked home."
    assert imported.predictions[0].model == "out"


def test_infinite_durations_are_left_out_or_replaced(tmp_path):
    imported = read(tmp_path, "ezreader-trace", trace(*PLAIN))
    assert imported.predictions[1].durations is None
    assert imported.notes == [
        "1 of 2 trials have infinite durations (frequencies of 0 were given to the program): "
        "left out with the path's others"
    ]
    replaced = read(tmp_path, "ezreader-trace", trace(*PLAIN), infinite_ms=2000.0)
    assert replaced.predictions[1].durations == (200.0, 2000.0)
    assert replaced.notes[0].endswith("set to 2000 ms")


def test_durations_that_are_no_numbers_are_not_called_infinite(tmp_path):
    rows = [*PLAIN[:3], (None, "NaN", "12.5", 3, "old")]
    for options in ({}, {"infinite_ms": 2000.0}):
        imported = read(tmp_path, "ezreader-trace", trace(*rows), **options)
        assert imported.predictions[1].durations is None
        assert imported.notes == [
            "1 of 2 trials have durations that are no numbers (NaN): left out with the path's others"
        ]


@pytest.mark.parametrize("ms", [-7.0, 0.0, float("nan"), float("inf")])
def test_infinite_durations_become_a_time_that_can_be(tmp_path, ms):
    with pytest.raises(ScandlError, match="--infinite-ms .*: expected milliseconds above 0"):
        read(tmp_path, "ezreader-trace", trace(*PLAIN), infinite_ms=ms)


def test_a_landing_at_the_end_labelled_word_0_is_on_the_last_word(tmp_path):
    rows = [PLAIN[0], (None, "150.0", "19.0", 0, "Sally"), PLAIN[2]]
    imported = read(tmp_path, "ezreader-trace", trace(*rows))
    assert imported.predictions[0].predicted == (0, 2)
    assert imported.notes == ["repaired on import: word 0 at the end of the sentence 1×"]


def test_a_trace_with_sentence_numbers(tmp_path):
    rows = [(1, "200.0", "2.0", 0, "We"), (1, "200.0", "4.4", 1, "met"), (0, "210.0", "3.5", 0, "Sally")]
    imported = read(tmp_path, "ezreader-trace", trace(*rows))
    assert [(p.sentence_id, p.predicted) for p in imported.predictions] == [("x2", (0, 1)), ("x1", (0,))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dur: 210 word: 0 Sally\n", r"out\.txt:1: column 'pos': found 'dur: 210 word: 0 Sally'"),
        ("dur: x pos: 3.5 word: 0 Sally\n", r"out\.txt:1: column 'dur': found 'x', expected a number"),
        (trace(PLAIN[1]), r"out\.txt:1: column 'pos': found 9\.2, expected the centre of the first word"),
        (
            trace(*PLAIN[:2]),
            r"found 1 readings that start .* expected a multiple of the corpus's 2 sentences",
        ),
        (
            trace(PLAIN[0], (None, "1.0", "9.2", 2, "home."), PLAIN[2]),
            r":2: column 'pos': found 9\.2, expected 13\.\.19",
        ),
        (
            trace(PLAIN[0], (None, "1.0", "9.2", 7, "home."), PLAIN[2]),
            r":2: column 'word': found 7, expected a position 0\.\.2",
        ),
        ("", "an empty file"),
    ],
)
def test_broken_traces_name_the_place(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, "ezreader-trace", text)


def test_a_simulated_trace_comes_back(tmp_path):
    stimuli = Inputs().stimuli(SENTENCES.values())
    simulated = simulate_ezreader(stimuli, runs=100)
    rows = [
        (None, f"{d:.4f}", f"{x:.6f}", w, "token")
        for d, x, w in zip(simulated.duration_ms, simulated.char_pos, simulated.word, strict=True)
    ]
    imported = read(tmp_path, "ezreader-trace", trace(*rows))
    assert [p.predicted for p in imported.predictions] == [words for words, _ in simulated.paths()]
