from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus import corpus_digest
from scandl.models.fold_predictions import find_generator
from scandl.piece_cache import CHECKSUMS, Pieces, code_digest
from scandl.records import Scanpath, Sentence

CORPUS = Corpus(
    Card(name="tiny"),
    {"s1": Sentence("s1", "one two three")},
    (Scanpath("r1", "s1", (0, 1), (200.0, 180.0)),),
    {"cloze": {"s1": ("0", ".5", ".2")}},
)


def test_corpus_digest_depends_on_content_alone():
    same = replace(CORPUS, card=Card(name="another name", notes="moved"))
    assert corpus_digest(same) == corpus_digest(CORPUS)
    changed = [
        replace(CORPUS, scanpaths=(Scanpath("r1", "s1", (0, 2), (200.0, 180.0)),)),
        replace(CORPUS, scanpaths=(Scanpath("r1", "s1", (0, 1), (200.0, 181.0)),)),
        replace(CORPUS, sentences={"s1": Sentence("s1", "one two four")}),
        replace(CORPUS, words={"cloze": {"s1": ("0", ".5", ".3")}}),
    ]
    assert len({corpus_digest(corpus) for corpus in [CORPUS, *changed]}) == 5


def test_code_digest_covers_a_strangers_file(tmp_path, monkeypatch):
    module = tmp_path / "stranger.py"
    monkeypatch.syspath_prepend(tmp_path)
    digests = []
    for n in (1, 2):
        module.write_text(f"class Reader:\n    pace = {n}\n")
        stranger = __import__("stranger")
        digests.append(code_digest(stranger.Reader))
    assert len({*digests, code_digest()}) == 3
    assert code_digest(find_generator("markov")) == code_digest()


def made(pieces, name, key, text="x"):
    path = pieces.path(name, key * 64, ".csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    pieces.seal(path)
    return path


def test_other_versions_of_a_piece_go_and_other_work_stays(tmp_path):
    pieces = Pieces(tmp_path)
    current, old = made(pieces, "markov/ns-0", "a"), made(pieces, "markov/ns-0", "b")
    other_fold, other_model = made(pieces, "markov/ns-1", "c"), made(pieces, "gone/ns-0", "d")
    half_written = tmp_path / "markov" / ".ns-0-x.csv"
    half_written.touch()
    pieces.drop_outdated({current})
    assert not old.exists()
    assert not half_written.exists()
    again = Pieces(tmp_path)
    assert [
        again.path(*task, ".csv").exists()
        for task in (
            ("markov/ns-0", "a" * 64),
            ("markov/ns-1", "c" * 64),
            ("gone/ns-0", "d" * 64),
        )
    ] == [True, True, True]
    assert other_fold.exists()
    assert other_model.exists()


@pytest.mark.parametrize("damage", ["", "reader,path\n", "reader,path\nr,0 1\nq,1 3\n"])
def test_a_piece_that_is_not_what_was_written_is_made_again(tmp_path, damage):
    path = made(Pieces(tmp_path), "markov/ns-0", "a", "reader,path\nr,0 1\nq,1 2\n")
    path.write_text(damage)
    assert not Pieces(tmp_path).path("markov/ns-0", "a" * 64, ".csv").exists()


def test_the_list_is_what_sha256sum_reads_and_a_torn_line_costs_one_piece(tmp_path):
    pieces = Pieces(tmp_path)
    first, second = made(pieces, "markov/ns-0", "a"), made(pieces, "markov/ns-1", "b")
    sums = tmp_path / CHECKSUMS
    expected = [f"{hashlib.sha256(b'x').hexdigest()}  {p.relative_to(tmp_path)}" for p in (first, second)]
    assert sums.read_text().splitlines() == expected
    sums.write_text(sums.read_text()[:-5])
    torn = Pieces(tmp_path)
    assert [torn.path(f"markov/ns-{n}", key * 64, ".csv").exists() for n, key in enumerate("ab")] == [
        True,
        False,
    ]
