"""Corpora as hypothesis draws them, and as hand-made folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus, read_corpus, write_corpus
from scandl.records import Scanpath, Sentence

sys.path.insert(0, str(Path(__file__).parent))  # for zuco_files

# Text as it is found in the wild: quotes, commas, line ends, tabs, letters of any script.
# Made of characters that may stand there, not filtered: too many would be thrown away.
_cell = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
_shown = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
_name = st.text(_shown, max_size=8)
_identifier = st.text(_shown, min_size=1, max_size=8).filter(lambda text: text.strip() not in ("", "."))
_letter = st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="\ufffe\uffff")
_word = st.text(_letter | st.characters(min_codepoint=0x86, max_codepoint=0x9F), min_size=1, max_size=8)


@st.composite
def draw_corpora(
    draw: st.DrawFn,
    *,
    identifiers: st.SearchStrategy[str] = _identifier,
    words: st.SearchStrategy[str] = _word,
    with_extras: bool = True,
) -> Corpus:
    names = draw(st.lists(identifiers, min_size=1, max_size=4, unique=True))
    sentences = {}
    for name in names:
        text = " ".join(draw(st.lists(words, min_size=1, max_size=6)))
        item = draw(_name) if with_extras else ""
        sentences[name] = Sentence(name, text, item, {"list": draw(_cell)} if with_extras else {})
    readers = draw(st.lists(identifiers, min_size=1, max_size=3, unique=True))
    paths = []
    for reader in readers:
        for name in draw(st.lists(st.sampled_from(names), min_size=1, unique=True)):
            where = st.integers(0, sentences[name].n_words - 1)
            path = tuple(draw(st.lists(where, min_size=1, max_size=6)))
            # From 5: many durations below would look like seconds.
            ms = draw(st.none() | st.lists(st.integers(5, 9999), min_size=len(path), max_size=len(path)))
            paths.append(Scanpath(reader, name, path, None if ms is None else tuple(map(float, ms))))
    predictors = {}
    if with_extras:
        predictors = {
            "place": {name: tuple(f"{k}" for k in range(s.n_words)) for name, s in sentences.items()}
        }
    covariates = {reader: {"age": draw(_cell)} for reader in readers} if with_extras else {}
    card = Card(name=draw(_identifier), notes=draw(_cell), dropped={"why": draw(st.integers(1, 9))})
    return Corpus(card, sentences, tuple(paths), predictors, covariates)


@pytest.fixture
def corpora() -> Callable[..., st.SearchStrategy[Corpus]]:
    return draw_corpora


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Write a small correct corpus; keyword arguments replace a file, None removes it."""
    right = {
        "corpus.toml": 'name = "toy"\nlanguage = "en"\n',
        "sentences.csv": "sentence_id,text\ns1,The cat sat.\ns2,Dogs bark\n",
        "fixations.csv": "reader_id,sentence_id,fixation_index,word_index,duration_ms\n"
        "01,s1,0,0,200\n01,s1,1,2,180\n1,s1,0,1,\n1,s2,0,1,99\n",
    }

    def write(**other: str | None) -> Path:
        root = tmp_path / "toy"
        root.mkdir(exist_ok=True)
        for name, text in (right | {key.replace("__", "."): text for key, text in other.items()}).items():
            if text is not None:
                (root / name).write_text(text, encoding="utf-8")
        return root

    return write


@pytest.fixture
def installed(folder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write rows as a delimited file without any quoting, which is what Data Viewer does."""

    def file(name: str, header: str, rows: Iterable[Sequence[object]], sep: str = "\t") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [header.replace(" ", sep), *(sep.join(map(str, row)) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return file
