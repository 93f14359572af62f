"""The leak guard: what was learned from, in any form, is not tested on."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.leak_guard import fold_record, refuse_leak, whole_record
from scandl.records import Scanpath, Sentence
from scandl.splits import make_folds

# Sentences s0 and s1 are two versions of one item, and so on.
SENTENCES = {f"s{n}": Sentence(f"s{n}", f"The cat {n} sat.", item_id=f"i{n // 2}") for n in range(12)}
CORPUS = Corpus(
    Card(name="c"), SENTENCES, tuple(Scanpath(f"r{r}", s, (0, 1)) for s in SENTENCES for r in range(6))
)


def test_what_was_learned_is_refused() -> None:
    fold = {"fold_id": "ns-0", "setting": "ns", "train": [["r1", "s1"], ["r2", "s2"]]}
    refuse_leak(fold, [("r1", "s3")], "c")
    with pytest.raises(ScandlError, match="the checkpoint of fold ns-0 was trained on sentence 's2'"):
        refuse_leak(fold, [("r1", "s3"), ("r9", "s2")], "c")
    with pytest.raises(ScandlError, match="was trained on reader 'r1'"):
        refuse_leak({**fold, "setting": "nr"}, [("r1", "s3")], "c")
    crossed = {"setting": "cross", "corpus": "c"}
    refuse_leak(crossed, [("r1", "s3")], "another", "cross")
    with pytest.raises(ScandlError, match="was trained on corpus 'c', which it is asked to be tested on"):
        refuse_leak(crossed, [("r1", "s3")], "c")


@pytest.mark.parametrize(
    ("own", "setting", "reason"),
    [
        ("nr", "nrns", "was trained on sentence 's1'"),
        ("nr", "ns", "was trained on sentence 's1'"),
        ("ns", "nrns", "was trained on reader 'r1'"),
        ("ns", "nr", "was trained on reader 'r1'"),
        ("ns", "cross", "was trained on corpus 'c', which it is asked to be tested on"),
    ],
)
def test_what_the_requested_setting_calls_new_must_be_new(own: str, setting: str, reason: str) -> None:
    fold = {"fold_id": f"{own}-0", "setting": own, "corpus": "c", "train": [["r1", "s1"]]}
    pair = ("r2", "s1") if own == "nr" else ("r1", "s2")
    refuse_leak(fold, [pair], "c", own)
    with pytest.raises(ScandlError, match=reason):
        refuse_leak(fold, [pair], "c", setting)


def test_ids_of_another_corpus_are_others_and_its_setting_is_cross() -> None:
    fold = {"fold_id": "nrns-0", "setting": "nrns", "corpus": "c", "train": [["r1", "s1"]]}
    refuse_leak(fold, [("r1", "s1")], "another", "cross")
    for setting in ("ns", "nr", "nrns"):
        with pytest.raises(
            ScandlError,
            match=f"trained on corpus 'c': on 'another' .* in setting '{setting}', use --setting cross",
        ):
            refuse_leak(fold, [("r9", "s9")], "another", setting)


def test_a_checkpoint_that_says_nothing_is_not_tested() -> None:
    with pytest.raises(ScandlError, match="does not say what it was trained on"):
        refuse_leak({}, [("r1", "s1")], "c", "ns")


@pytest.mark.parametrize("setting", ["ns", "nr", "nrns"])
def test_a_fold_takes_its_own_test_part_and_no_other(setting: str) -> None:
    folds = make_folds(CORPUS, setting)
    for own in folds:
        record = fold_record(own, CORPUS)
        for fold in folds:
            if fold == own:
                refuse_leak(record, fold.test, "c", setting)
            else:
                with pytest.raises(ScandlError, match=f"of fold {own.fold_id} was trained on"):
                    refuse_leak(record, fold.test, "c", setting)


def test_another_version_of_a_sentence_is_no_new_sentence() -> None:
    half = CORPUS.restricted_to({("r0", "s0"), ("r0", "s4")})
    record = whole_record(Corpus(half.card, SENTENCES, half.scanpaths))
    refuse_leak(record, [("r9", "s6")], "c", "ns")
    with pytest.raises(ScandlError, match="was trained on sentence 's1'"):
        refuse_leak(record, [("r9", "s1")], "c", "ns")


def test_a_training_without_a_fold_refuses_the_very_paths_it_learned() -> None:
    record = whole_record(CORPUS.restricted_to({("r0", "s0")}))
    refuse_leak(record, [("r1", "s0")], "c")
    with pytest.raises(ScandlError, match="was trained on reader 'r0' in sentence 's0'"):
        refuse_leak(record, [("r0", "s0")], "c")
