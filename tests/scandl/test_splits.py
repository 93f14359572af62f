"""Folds: nothing of a test fold was seen in training, for any corpus, made or loaded."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.model_selection import GroupKFold

from scandl.cli import main
from scandl.corpora import Card, Corpus, read_corpus
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath, Sentence
from scandl.splits import (
    Fold,
    FoldSpread,
    fold_spread,
    fold_table,
    group_folds,
    make_cross,
    make_folds,
    paired_t,
    read_fold,
    write_folds,
)


def corpus(pairs: list[tuple[str, str]], items: dict[str, str] | None = None, name: str = "toy") -> Corpus:
    sentences = {s: Sentence(s, "a b c", (items or {}).get(s, "")) for _, s in pairs}
    return Corpus(Card(name=name), sentences, tuple(Scanpath(r, s, (0,)) for r, s in pairs))


FULL = corpus([(f"r{r}", f"s{s}") for r in range(10) for s in range(15)])

pairs_of_a_corpus = st.lists(
    st.tuples(st.integers(0, 11).map(str), st.integers(0, 20).map(str)),
    min_size=40,
    max_size=160,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(
    pairs=pairs_of_a_corpus,
    setting=st.sampled_from(["ns", "nr", "nrns"]),
    scheme=st.sampled_from(["paper", "shuffled"]),
    seed=st.integers(0, 99),
)
def test_folds_are_disjoint_and_complete(
    pairs: list[tuple[str, str]], setting: str, scheme: str, seed: int
) -> None:
    items = {str(s): f"item{s // 2}" for s in range(21)}
    toy = corpus(pairs, items)
    try:
        folds = make_folds(toy, setting, scheme=scheme, seed=seed, n_folds=3)
    except ScandlError as error:
        # A sparse corpus may have no pair of a new reader and a new sentence: refused, and rightly so.
        assume(not any(words in str(error) for words in ("has no test", "has no training", "need more")))
        raise
    for fold in folds:
        train_items, test_items = ({items[s] for _, s in part} for part in (fold.train, fold.test))
        train_readers, test_readers = ({r for r, _ in part} for part in (fold.train, fold.test))
        if setting != "nr":
            assert not train_items & test_items
        if setting != "ns":
            assert not train_readers & test_readers
        assert set(fold.train) | set(fold.test) <= set(pairs)
    tested = Counter(pair for fold in folds for pair in fold.test)
    if setting == "nrns":
        assert max(tested.values()) == 1
    else:
        assert tested == Counter(pairs)  # every scanpath is tested once, and trained on otherwise
        assert all(len(fold.train) + len(fold.test) == len(pairs) for fold in folds)


def test_nrns_discards_what_shares_only_one_side() -> None:
    fold = make_folds(FULL, "nrns", seed=3)[0]
    assert (len(fold.train), len(fold.test)) == (8 * 12, 2 * 3)
    assert fold_table([fold])[0]["test sentences in training"] == 0
    assert fold_table(make_folds(FULL, "nr"))[0]["test sentences in training"] == 15


@pytest.mark.parametrize("seed", range(5))
def test_paper_scheme_is_the_librarys_unshuffled_group_fold(seed: int) -> None:
    """Hold against GroupKFold; group sizes differ, because it breaks ties by an unstable sort."""
    sizes = np.random.default_rng(seed).permutation(np.arange(1, 24))
    names = [f"g{i:02}" for i in range(len(sizes))]
    groups = np.repeat(names, sizes)
    mine = group_folds(zip(names, sizes.tolist(), strict=True), 5)
    for k, (_, test) in enumerate(GroupKFold(5).split(groups, groups=groups)):
        assert set(groups[test]) == {name for name, part in mine.items() if part == k}


def test_shuffling_depends_on_the_seed_alone() -> None:
    assert make_folds(FULL, "ns", seed=5) == make_folds(FULL, "ns", seed=5)
    assert make_folds(FULL, "ns", seed=5) != make_folds(FULL, "ns", seed=6)
    assert [f.test for f in make_folds(FULL, "ns", scheme="paper", seed=5)] == [
        f.test for f in make_folds(FULL, "ns", scheme="paper", seed=6)
    ]


def test_versions_of_one_item_stay_together_in_mertzen(shared: object) -> None:
    mertzen = read_corpus(shared("mertzen"))  # type: ignore[operator]
    for fold in make_folds(mertzen, "ns"):
        sides = [{mertzen.sentences[s].item for _, s in part} for part in (fold.train, fold.test)]
        assert not sides[0] & sides[1]
        assert len(sides[1]) == 8


def test_the_published_tenth_has_its_own_seed() -> None:
    other = replace(FULL, card=Card(name="other"))
    published, mine = (make_cross(FULL, other, scheme=scheme, seed=5) for scheme in ("paper", "shuffled"))
    assert (published.seed, published.scheme, mine.seed) == (77, "paper", 5)
    assert published.train == make_cross(FULL, other, seed=77).train != mine.train


def test_cross_keeps_a_tenth_for_validation() -> None:
    other = corpus([("r0", "x1"), ("r1", "x1")], name="other")
    fold = make_cross(FULL, other)
    assert (len(fold.train), len(fold.validation), len(fold.test)) == (135, 15, 2)
    assert not set(fold.train) & set(fold.validation)
    with pytest.raises(ScandlError, match="tests on its own training corpus 'toy'"):
        make_cross(FULL, FULL)


def test_shared_only_leaves_out_sentences_of_one_reader() -> None:
    toy = corpus([*[(f"r{r}", f"s{s}") for r in range(5) for s in range(4)], ("r0", "alone")])
    tested = {s for fold in make_folds(toy, "nr", shared_only=True) for _, s in fold.test}
    assert tested == {"s0", "s1", "s2", "s3"}


def test_folds_come_back_from_disk(tmp_path: Path) -> None:
    folds = make_folds(FULL, "nrns")
    paths = write_folds(folds, tmp_path)
    assert [path.name for path in paths] == [f"nrns-{k}.json" for k in range(5)]
    assert [read_fold(path, FULL) for path in paths] == folds


def test_a_leaking_file_is_refused_when_loaded(tmp_path: Path) -> None:
    (path,) = write_folds([make_folds(FULL, "nr")[0]], tmp_path)
    table = json.loads(path.read_text())
    table["train"].append(table["test"][0])
    path.write_text(json.dumps(table))
    with pytest.raises(
        ScandlError, match=r"fold nr-0 of corpus 'toy' leaks: reader 'r\d' is in training and test"
    ):
        read_fold(path)


def test_an_item_that_leaks_is_refused_with_the_corpus_at_hand(tmp_path: Path) -> None:
    toy = corpus([("r1", "a"), ("r1", "b")], {"a": "one", "b": "one"})
    fold = Fold(
        setting="ns",
        number=0,
        scheme="paper",
        seed=1,
        corpus="toy",
        train=(("r1", "a"),),
        test=(("r1", "b"),),
    )
    (path,) = write_folds([fold], tmp_path)
    assert read_fold(path) == fold
    with pytest.raises(ScandlError, match="leaks: item 'one'"):
        read_fold(path, toy)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ns-0.json"
    path.write_text('{"train": 3}')
    with pytest.raises(
        DataError, match=r"ns-0.json: found TypeError.*expected a fold written by 'scandl split'"
    ):
        read_fold(path)


def test_too_few_readers_and_unknown_names_say_so() -> None:
    with pytest.raises(ScandlError, match=r"corpus 'toy' has 1 readers; 5 folds of 'nr' need more"):
        make_folds(corpus([("r1", f"s{s}") for s in range(9)]), "nr")
    with pytest.raises(ScandlError, match=r"no setting 'nrn'; did you mean 'nrns'\?"):
        make_folds(FULL, "nrn")
    with pytest.raises(ScandlError, match="no scheme 'random'"):
        make_folds(FULL, "ns", scheme="random")
    with pytest.raises(ScandlError, match="needs two corpora"):
        make_folds(FULL, "cross")


def test_command_writes_folds_and_prints_their_sizes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["split", "--corpus", "demo", "--setting", "nrns", "--out", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["train", "train"]
    assert lines[1].split()[:3] == ["fold", "scanpaths", "readers"]
    assert [line.split()[0] for line in lines[2:]] == [f"nrns-{k}" for k in range(5)]
    fold = read_fold(tmp_path / "nrns-0.json")
    assert lines[2].split()[1:3] == [str(len(fold.train)), str(len({r for r, _ in fold.train}))]


def test_command_refuses_cross_without_a_second_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["split", "--corpus", "demo", "--setting", "cross", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "scandl: --test-corpus goes with --setting cross, and only with it\n"


def test_fold_number_and_setting_make_its_name() -> None:
    assert replace(make_folds(FULL, "ns")[0], number=4).fold_id == "ns-4"


def test_command_takes_no_flag_that_would_do_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cross = [
        "split",
        "--corpus",
        "demo",
        "--setting",
        "cross",
        "--test-corpus",
        "demo",
        "--out",
        str(tmp_path),
    ]
    for flag in (["--folds", "3"], ["--shared-only"]):
        assert main([*cross, *flag]) == 2
        assert "do not go with --setting cross" in capsys.readouterr().err


def test_older_folds_of_the_setting_do_not_stay_beside_the_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split = ["split", "--corpus", "demo", "--out", str(tmp_path), "--setting"]
    for argv in (["ns"], ["nrns"], ["ns", "--folds", "3", "--seed", "9"]):
        assert main([*split, *argv]) == 0
    (tmp_path / "ns-notes.json").write_text("mine")
    assert main([*split, "ns", "--folds", "3", "--seed", "9"]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        *(f"ns-{k}.json" for k in range(3)),
        *(f"nrns-{k}.json" for k in range(5)),
        "ns-notes.json",
    }
    tested = [pair for k in range(3) for pair in read_fold(tmp_path / f"ns-{k}.json").test]
    assert len(tested) == len(set(tested))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_fold_spread_agrees_with_numpy(means):
    spread = FoldSpread({str(i): mean for i, mean in enumerate(means)})
    assert spread.sd == pytest.approx(np.std(means), abs=1e-12)
    assert spread.se == pytest.approx(stats.sem(means), abs=1e-12)


def test_one_fold_has_no_spread():
    spread = fold_spread(np.array([0.1, 0.3]), ["0", "0"])
    assert (spread.mean, spread.sd, spread.se) == (0.2, None, None)


def test_paired_t_agrees_with_scipy():
    rng = np.random.default_rng(5)
    a, b = rng.random(5), rng.random(5)
    folds = [FoldSpread({str(i): float(v) for i, v in enumerate(x)}) for x in (a, b)]
    test = paired_t(*folds)
    expected = stats.ttest_rel(a, b)
    assert (test.t, test.df, test.p) == pytest.approx((expected.statistic, 4, expected.pvalue))


def test_paired_t_needs_two_shared_folds_and_survives_equal_ones():
    a = FoldSpread({"0": 0.5, "1": 0.6})
    assert paired_t(a, FoldSpread({"1": 0.5, "2": 0.6})) is None
    same = paired_t(a, a)
    assert (same.t, same.p) == (None, 1.0)
    shifted = paired_t(a, FoldSpread({"0": 0.25, "1": 0.35}))
    assert (shifted.t, shifted.p) == (None, 0.0)
