from __future__ import annotations

import pickle
from collections import OrderedDict

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError, ScandlError
from scandl.records import Sentence
from scandl_eval.models.cognitive.importers import import_baseline
from scandl_eval.models.cognitive.word_inputs import Inputs
from scandl_eval.models.ezreader.ezreader import simulate_ezreader

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
    (None, "210.5", "3.5", 0, "Sally"), (None, "180.0", "9.2", 1, "walked"),
    (None, "200.0", "2.0", 0, "We"), (None, "Infinity", "12.5", 3, "old"),
]  # fmt: skip


@pytest.mark.parametrize("comma", [False, True])
def test_a_plain_trace_is_segmented_by_first_words(tmp_path, comma):
    imported = read(
        tmp_path, "ezreader-trace", trace(*PLAIN, *PLAIN[:2], (None, "90.0", "2.0", 0, "We"), comma=comma)
    )
    assert [(p.sentence_id, p.predicted, p.sample) for p in imported.predictions] == [
        ("x1", (0, 1), 0), ("x2", (0, 3), 0), ("x1", (0, 1), 1), ("x2", (0,), 1),
    ]  # fmt: skip
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


@pytest.mark.parametrize("kind", ["swift-sequence", "baseline-pickle", "baseline-table"])
def test_a_base_is_taken_only_where_it_is_used(tmp_path, kind):
    with pytest.raises(ScandlError, match=f"--index-base goes with ezreader-trace alone: {kind} says what"):
        read(tmp_path, kind, "", index_base=1)
    with pytest.raises(DataError, match="column 'sent': found fixations without a sentence number"):
        read(tmp_path, "ezreader-trace", trace(*PLAIN), index_base=1)


def test_a_landing_at_the_end_labelled_word_0_is_on_the_last_word(tmp_path):
    rows = [PLAIN[0], (None, "150.0", "19.0", 0, "Sally"), PLAIN[2]]
    imported = read(tmp_path, "ezreader-trace", trace(*rows))
    assert imported.predictions[0].predicted == (0, 2)
    assert imported.notes == ["repaired on import: word 0 at the end of the sentence 1×"]


def test_a_trace_with_sentence_numbers(tmp_path):
    rows = [(1, "200.0", "2.0", 0, "We"), (1, "200.0", "4.4", 1, "met"), (0, "210.0", "3.5", 0, "Sally")]
    imported = read(tmp_path, "ezreader-trace", trace(*rows))
    assert [(p.sentence_id, p.predicted) for p in imported.predictions] == [("x2", (0, 1)), ("x1", (0,))]


def test_sentence_numbers_that_could_count_from_0_or_1_are_asked_for(tmp_path):
    corpus = Corpus(Card(name="three"), SENTENCES | {"x3": Sentence("x3", "So it is.")}, ())
    path = tmp_path / "three.txt"
    path.write_text(trace((1, "200.0", "2.0", 0, "We"), (2, "200.0", "2.0", 0, "So")))
    with pytest.raises(DataError, match="a count from 0 and from 1, expected --index-base 0 or 1"):
        import_baseline("ezreader-trace", path, corpus)
    imported = import_baseline("ezreader-trace", path, corpus, index_base=0)
    assert [p.sentence_id for p in imported.predictions] == ["x2", "x3"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dur: 210 word: 0 Sally\n", r"out\.txt:1: column 'pos': found 'dur: 210 word: 0 Sally'"),
        ("dur: x pos: 3.5 word: 0 Sally\n", r"out\.txt:1: column 'dur': found 'x', expected a number"),
        (trace(PLAIN[1]), r"out\.txt:1: column 'pos': found 9\.2, expected the centre of the first word"),
        (trace(*PLAIN[:2]), r"found 1 readings that start .* expected a multiple of the corpus's 2 sentences"),
        (trace(PLAIN[0], (None, "1.0", "9.2", 2, "home."), PLAIN[2]), r":2: column 'pos': found 9\.2, expected 13\.\.19"),
        (trace(PLAIN[0], (None, "1.0", "9.2", 7, "home."), PLAIN[2]), r":2: column 'word': found 7, expected a position 0\.\.2"),
        ("", "an empty file"),
    ],
)  # fmt: skip
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


SEQUENCE = """1 1 3.5 210 20 1
1 2 2.1 180 19 0
1 3 4.0 250 0 2
2 1 2 199 21 1
2 5 1 150 0 2
"""


def test_a_swift_sequence(tmp_path):
    imported = read(tmp_path, "swift-sequence", SEQUENCE, model="SWIFT", setting="ns", fold="2")
    first, second = imported.predictions
    assert (first.sentence_id, first.predicted, first.durations) == ("x1", (0, 1, 2), (210, 180, 250))
    assert (second.sentence_id, second.predicted) == ("x2", (0, 4))
    assert (first.model, first.setting, first.fold) == ("SWIFT", "ns", "2")
    assert imported.notes == []


def test_repeated_seeds_are_noticed(tmp_path):
    imported = read(tmp_path, "swift-sequence", SEQUENCE * 3)
    assert [p.sample for p in imported.predictions] == [0, 0, 1, 1, 2, 2]
    assert imported.notes[0].startswith(
        "2 of 6 trials repeat an earlier trial of the sentence to the millisecond"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1 3.5 210 20\n", r":1: found 5 columns, expected six: sentence, word, letter"),
        ("1 0 3.5 210 20 1\n", r":1: column 'word': found 0, expected a position 1\.\.3"),
        ("3 1 3.5 210 20 1\n", r":1: column 'sentence': found '3', expected 1\.\.2"),
        ("1 1 3.5 210 20 0\n", r":1: column 'flag': found '0', expected 1 first"),
        (
            "1 1 3.5 210 20 1\n2 1 3.5 210 20 2\n",
            r":2: column 'sentence': found '2', expected the same sentence",
        ),
        ("1 1 3.5 -5 20 1\n", r":1: column 'fixation_ms': found '-5', expected milliseconds from 0"),
        ("\n", "an empty file"),
    ],
)
def test_broken_sequences_name_the_place(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, "swift-sequence", text)


def write_pickle(tmp_path, table, protocol=4):
    path = tmp_path / "ez.pickle"
    path.write_bytes(pickle.dumps(table, protocol))
    return path


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_pickle_of_the_released_baselines(tmp_path, protocol):
    table = {
        "predicted_sp_ids": [[0, 1, 3, 50], np.array([0, 2, 2, 5, 50])],
        "predicted_sp_words": [["[CLS]", "Sally"], ["…"]],
        "original_sn": ["Sally walked home.", "We met an old man."],
        "reader_ids": ["r1", np.int64(7)],
        "sn_ids": ["x1", "x2"],
    }
    imported = import_baseline("baseline-pickle", write_pickle(tmp_path, table, protocol), CORPUS)
    first, second = imported.predictions
    assert (first.predicted, first.reader_id) == ((0, 2), "r1")
    assert (second.predicted, second.reader_id) == ((1, 1, 4), "7")
    assert imported.notes == []


def test_repairs_of_a_pickle_are_told(tmp_path):
    table = {"predicted_sp_ids": [[1, 9, 2]], "reader_ids": ["r"], "sn_ids": ["x1"]}
    imported = import_baseline("baseline-pickle", write_pickle(tmp_path, table), CORPUS)
    assert imported.predictions[0].predicted == (0, 1)
    assert imported.notes == ["repaired on import: no CLS 1×, no SEP 1×, not a word 1×"]


class Harmful:
    def __reduce__(self):
        return (print, ("this must never be printed",))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (Harmful(), r"found the object builtins\.print, expected a pickle of plain lists"),
        (OrderedDict(a=1), r"found the object collections\.OrderedDict,"),
        ([1, 2], "found a list, expected lists named predicted_sp_ids"),
        ({"predicted_sp_ids": []}, "column 'reader_ids': found no list of this name,"),
        ({"predicted_sp_ids": [[0]], "reader_ids": [], "sn_ids": ["x1"]}, "found 0 entries, expected 1 as in"),
        ({"predicted_sp_ids": [[0]], "reader_ids": ["r"], "sn_ids": ["x9"]}, "found 'x9', expected a sentence of corpus 'two'"),
        ({"predicted_sp_ids": [["a"]], "reader_ids": ["r"], "sn_ids": ["x1"]}, "expected a list of ids"),
    ],
)  # fmt: skip
def test_other_pickles_are_refused(tmp_path, capsys, table, message):
    with pytest.raises(DataError, match=message):
        import_baseline("baseline-pickle", write_pickle(tmp_path, table), CORPUS)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("content", [b"", b"not a pickle", b"\x80\x04\x95", b"(dp0\nI1\nI2\nR."])
def test_files_that_are_no_pickles_are_refused(tmp_path, content):
    path = tmp_path / "broken.pickle"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"broken\.pickle: found"):
        import_baseline("baseline-pickle", path, CORPUS)


HEADER = "sn_id\treader_id\tinstance_idx\tfixation_index\tfixation_duration\tword_id\tword\n"


def test_a_table_of_scandl_2_baselines(tmp_path):
    rows = "x1\tr1\t0\t1\tinf\t2\twalked\nx1\tr1\t0\t0\t200\t1\tSally\nx1\tr1\t1\t0\t190\t3\thome.\n"
    imported = read(tmp_path, "baseline-table", HEADER + rows, infinite_ms=2000.0)
    assert [(p.reader_id, p.predicted, p.sample, p.durations) for p in imported.predictions] == [
        ("r1", (0, 1), 0, (200, 2000)), ("r1", (2,), 1, (190,)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x1\tr\t0\t0\t200\t0\tSally\n", r":2: column 'word_id': found 0, expected a position 1\.\.3"),
        (
            "x7\tr\t0\t0\t200\t1\tSally\n",
            ":2: column 'sn_id': found 'x7', expected a sentence of corpus 'two'",
        ),
        ("x1\tr\t0\t0\t200\t1\ta\nx1\tr\t0\t0\t200\t1\ta\n", "found a number twice in instance 0,"),
    ],
)
def test_broken_tables_name_the_place(tmp_path, row, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, "baseline-table", HEADER + row)


def test_an_unknown_kind_says_what_there_is(tmp_path):
    with pytest.raises(ScandlError, match="no importer 'swift-sequences'; did you mean 'swift-sequence'?"):
        read(tmp_path, "swift-sequences", "")


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises((DataError, OSError)):
        import_baseline("ezreader-trace", tmp_path / "none.txt", CORPUS)
