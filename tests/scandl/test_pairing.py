from __future__ import annotations

import re

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.pairing import (
    REFERENCES,
    UNNAMED,
    disagreements,
    is_named,
    lacking,
    pair,
    reader_ids,
    reference_readers,
)
from scandl.records import Prediction, Scanpath, Sentence


@pytest.fixture
def corpus():
    """Three readers of one sentence, one of another."""
    paths = (
        Scanpath("a", "s1", (0, 2), (200.0, 180.0)),
        Scanpath("b", "s1", (1,)),
        Scanpath("c", "s1", (0, 1, 2)),
        Scanpath("a", "s2", (0,)),
    )
    sentences = {"s1": Sentence("s1", "one two three"), "s2": Sentence("s2", "four five")}
    return Corpus(Card(name="toy"), sentences, paths)


def met(found):
    return [(i.reader_id, i.prediction.sentence_id, i.human) for i in found.instances]


def test_the_path_beside_a_prediction_is_the_one_it_meets(corpus):
    given = Prediction("s1", (0,), human=(2, 2), reader_id="a")
    for known in (None, corpus):
        found = pair([given], known)
        assert met(found) == [("a", "s1", (2, 2))]
        assert found.rule == "given"


def test_without_a_path_the_corpus_gives_that_of_the_reader(corpus):
    found = pair([Prediction("s1", (0,), reader_id="a"), Prediction("s1", (0,), reader_id="b")], corpus)
    assert met(found) == [("a", "s1", (0, 2)), ("b", "s1", (1,))]
    assert found.rule == "same reader"
    assert [i.human_durations for i in found.instances] == [(200.0, 180.0), None]


def test_a_prediction_for_nobody_meets_every_reader_of_its_sentence(corpus):
    found = pair([Prediction("s1", (0,)), Prediction("s2", (0,))], corpus)
    assert met(found) == [("a", "s1", (0, 2)), ("b", "s1", (1,)), ("c", "s1", (0, 1, 2)), ("a", "s2", (0,))]
    assert found.rule == "all readers"


def test_rules_that_were_used_are_named_together(corpus):
    mixed = [
        Prediction("s1", (0,), human=(1,), reader_id="b"),
        Prediction("s1", (0,), reader_id="a"),
        Prediction("s2", (0,)),
    ]
    assert pair(mixed, corpus).rule == "all readers and given and same reader"
    assert pair([]).rule == "none"


def test_what_nobody_read_is_kept_apart(corpus):
    lost = [Prediction("s2", (0,), reader_id="b"), Prediction("s9", (0,))]
    found = pair([Prediction("s1", (0,), reader_id="a"), *lost], corpus)
    assert found.without_human == lost
    assert len(found.instances) == 1
    assert pair(lost).without_human == lost  # without a corpus nobody has read anything


def test_durations_of_the_corpus_belong_to_its_own_path_only(corpus):
    same, other = (
        pair([Prediction("s1", (0,), human=human, reader_id="a")], corpus).instances[0]
        for human in ((0, 2), (0, 1))
    )
    assert same.human_durations == (200.0, 180.0)
    assert other.human_durations is None


def test_the_text_is_that_of_the_corpus_where_it_has_one(corpus):
    given = Prediction("s1", (0,), human=(0,), reader_id="a", text="one  two three")
    assert pair([given], corpus).instances[0].text == "one two three"
    (alone,) = pair([given]).instances
    assert (alone.text, alone.n_words) == ("one  two three", 3)
    (without,) = pair([Prediction("s1", (0,), human=(0,))]).instances
    assert (without.text, without.n_words) == (None, None)


def test_paths_that_are_not_those_of_the_corpus_are_counted(corpus):
    predictions = [
        Prediction("s1", (0,), human=(0, 2), reader_id="a"),
        Prediction("s1", (0,), human=(2, 1), reader_id="b"),
        Prediction("s1", (0,), human=(5,)),  # nobody is named: it may be anyone's
        Prediction("s1", (0,), human=(0,), reader_id="guest"),  # the corpus does not know the reader
        Prediction("s2", (0,), reader_id="a"),
    ]
    found = pair(predictions, corpus)
    assert found.other_humans == [predictions[1]]
    assert disagreements(found, len(predictions), corpus) == [
        "1 of 5 human scanpaths are not those of corpus 'toy' for the same reader and sentence; "
        "the file's are used: sentence 's1' of reader 'b'"
    ]
    assert disagreements(pair(predictions), 5, None) == []
    assert disagreements(pair(predictions[:1], corpus), 1, corpus) == []


def test_a_sentence_with_two_texts_is_refused():
    two = [
        Prediction("s1", (0,), human=(0,), reader_id="a", text="one two"),
        Prediction("s1", (0,), human=(0,), reader_id="b", text="one too"),
    ]
    text = (
        "sentence 's1' has two texts: found 'one two' and 'one too', expected one text for each sentence_id"
    )
    with pytest.raises(ScandlError, match=f"^{re.escape(text)}$"):
        pair(two)
    blank = [two[0], Prediction("s1", (0,), human=(0,), reader_id="b", text="one   two ")]
    assert len(pair(blank).instances) == 2  # the same words
    assert len(pair([two[0], Prediction("s1", (0,), human=(0,), reader_id="b")]).instances) == 2


def test_a_reader_with_two_paths_through_one_sentence_is_refused(corpus):
    two = [
        Prediction("s1", (0,), human=(0, 1), reader_id="a"),
        Prediction("s1", (0,), human=(0, 2), reader_id="a", model="other"),
    ]
    text = "reader 'a', sentence 's1' has two human scanpaths: found '0 1' and '0 2', expected one"
    with pytest.raises(ScandlError, match=f"^{re.escape(text)}$"):
        pair(two)
    half = [two[0], Prediction("s1", (0,), reader_id="a", model="other")]
    with pytest.raises(ScandlError, match=re.escape(text)):
        pair(half, corpus)  # one file brings its own path, the other takes that of the corpus
    unnamed = [Prediction("s1", (0,), human=(0, k)) for k in range(2)]
    assert len(pair(unnamed).instances) == 2


def test_reference_readers_are_those_of_the_items_unless_all_are_asked_for(corpus):
    instances = pair(
        [Prediction("s1", (0,), reader_id="b"), Prediction("s2", (0,), reader_id="a")], corpus
    ).instances
    tested = reference_readers(instances, corpus)
    assert {s: [p.reader_id for p in paths] for s, paths in tested.items()} == {"s1": ["b"], "s2": ["a"]}
    everybody = reference_readers(instances, corpus, "all")
    assert {s: {p.reader_id for p in paths} for s, paths in everybody.items()} == {
        "s1": set("abc"),
        "s2": {"a"},
    }
    assert reference_readers(instances, None, "all") == tested
    assert set(REFERENCES) == {"tested", "all"}


def test_own_paths_stay_when_readers_of_the_corpus_join(corpus):
    own = pair([Prediction("s1", (0,), human=(2, 0), reader_id="a")], corpus).instances
    found = {path.reader_id: path.positions for path in reference_readers(own, corpus, "all")["s1"]}
    assert found == {"a": (2, 0), "b": (1,), "c": (0, 1, 2)}


def test_samples_and_models_do_not_multiply_readers(corpus):
    many = [Prediction("s1", (k,), reader_id="a", model=m, sample=k) for m in "mn" for k in range(3)]
    (paths,) = reference_readers(pair(many, corpus).instances).values()
    assert [(p.reader_id, p.positions, p.durations) for p in paths] == [("a", (0, 2), (200.0, 180.0))]


def test_unnamed_readers_never_meet_a_copy_of_themselves(corpus):
    """One of them may be a reader of the corpus, so those of the corpus do not join."""
    unnamed = [Prediction("s1", (0,), human=(0, 2)), Prediction("s1", (0,), human=(1,))]
    instances = pair(unnamed, corpus).instances
    found = reference_readers(instances, corpus, "all")["s1"]
    assert [path.positions for path in found] == [(0, 2), (1,)]
    assert not any(is_named(path.reader_id) for path in found)


def test_an_unnamed_reader_is_known_by_the_path():
    given = [
        Prediction("s1", (0,), human=(0, 1), model="m"),
        Prediction("s1", (0,), human=(0, 2), model="m"),
        Prediction("s1", (0,), human=(0, 1), model="m", sample=1),  # another draw for the same reading
        Prediction("s1", (0,), human=(0, 1), model="n"),  # another model
        Prediction("s1", (0,), human=(0, 1), model="m"),  # the same path again: somebody else
        Prediction("s1", (0,), human=(0, 1), model="m", reader_id="r"),
    ]
    paired = pair(given).instances
    readers = dict(zip((id(i.prediction) for i in paired), reader_ids(paired), strict=True))
    first, other, sample, model, again, named = (readers[id(p)] for p in given)
    assert first == sample == model
    assert len({first, other, again, named}) == 4
    assert named == "r"
    assert first.startswith(UNNAMED)
    assert not is_named(first)
    assert is_named(named)


def test_what_belongs_to_a_model_is_in_one_order_whatever_that_of_rows_is():
    given = [
        Prediction(s, (k,), (0,), r, model, sample=k)
        for model in ("z", "a")
        for s in ("s1", "s2")
        for r in ("r1", "r2")
        for k in (0, 1)
    ]
    mixed = [*given[12:], *given[:8][::-1], *given[8:12]]
    found = [i.prediction for i in pair(mixed).instances]
    assert found == [*given[8:], *given[:8]]  # models stay as they come
    humans = reference_readers(pair(mixed).instances)
    assert [(s, [p.reader_id for p in paths]) for s, paths in humans.items()] == [
        ("s1", ["r1", "r2"]),
        ("s2", ["r1", "r2"]),
    ]


def test_items_that_a_model_lacks_are_counted_over_all_models():
    given = [Prediction(s, (0,), (0,), "a", "x", "ns") for s in ("s1", "s2", "s3")]
    given += [Prediction("s2", (0,), (0,), "a", "y", "ns")]
    assert lacking(pair(given), None) == [
        "y has no prediction for 2 of the 3 items of setting 'ns': sentence 's1' of reader 'a', sentence 's3' "
        "of reader 'a'"
    ]


def test_a_setting_for_the_whole_corpus_is_held_to_the_whole_corpus(corpus):
    given = [Prediction(s, (0,), reader_id="a") for s in ("s1", "s2")]
    (note,) = lacking(pair(given, corpus), corpus)
    assert "has no prediction for 2 of the 4 items of setting 'all': sentence 's1' of reader 'b'" in note
    part = [Prediction(p.sentence_id, p.predicted, reader_id="a", setting="ns") for p in given]
    assert lacking(pair(part, corpus), corpus) == []
