from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora import read_corpus, write_corpus
from scandl.corpora.catalogue import find_corpus, list_corpora, open_corpus
from scandl.errors import DataError, ScandlError

Folder = Callable[..., Path]


@pytest.fixture
def installed(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put one corpus below ./corpora and two below directories of the variable."""
    toy = read_corpus(folder())
    write_corpus(toy, tmp_path / "here" / "corpora" / "mine")
    write_corpus(toy, tmp_path / "a" / "toy", form="parquet")
    write_corpus(toy, tmp_path / "b" / "toy")
    write_corpus(toy, tmp_path / "b" / "demo")
    (tmp_path / "a" / "not-a-corpus").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv(
        "SCANDL_CORPORA", os.pathsep.join(str(tmp_path / name) for name in ("a", "b", "absent"))
    )
    return tmp_path


def test_names_are_found_in_order(installed: Path) -> None:
    assert find_corpus("mine") == Path("corpora/mine")
    assert find_corpus("toy") == installed / "a" / "toy"
    assert open_corpus("toy").by_pair["01", "s1"].words == (0, 2)
    assert open_corpus(installed / "b" / "toy") == open_corpus("toy")


def test_no_folder_takes_the_name_of_the_demo(installed: Path) -> None:
    write_corpus(open_corpus("toy"), Path("demo"))
    write_corpus(open_corpus("toy"), Path("other"))
    assert open_corpus("demo").card.kind == "simulated"
    assert open_corpus("./demo").name == open_corpus(Path("demo")).name == "toy"
    assert open_corpus("other").name == "toy"


def test_sizes_are_those_of_the_whole_corpus(installed: Path) -> None:
    entries = {entry.name: entry for entry in list_corpora()}
    assert list(entries) == ["demo", "mine", "toy"]
    for name, entry in entries.items():
        corpus = open_corpus(name)
        assert (entry.readers, entry.sentences, entry.scanpaths, entry.kind) == (
            len(corpus.reader_ids), len(corpus.sentences), len(corpus.scanpaths), corpus.card.kind,
        )  # fmt: skip


def test_a_broken_corpus_is_listed_with_its_fault(installed: Path) -> None:
    (installed / "b" / "toy" / "fixations.csv").unlink()
    (installed / "a" / "toy" / "corpus.toml").unlink()
    broken = next(entry for entry in list_corpora() if entry.name == "toy")
    assert "fixations.csv: found no file" in broken.problem


def test_an_unknown_name_says_what_there_is(installed: Path) -> None:
    with pytest.raises(ScandlError) as caught:
        open_corpus("tyo")
    assert str(caught.value) == (
        "no corpus 'tyo'; did you mean 'toy'? known: demo, mine, toy "
        "(folders are found in ./corpora and $SCANDL_CORPORA)"
    )


def test_a_folder_that_is_no_corpus_says_what_it_lacks(installed: Path) -> None:
    with pytest.raises(DataError, match=r"corpus\.toml: found no file"):
        open_corpus(installed / "a" / "not-a-corpus")
    with pytest.raises(DataError, match="found no folder"):
        open_corpus("./absent")
