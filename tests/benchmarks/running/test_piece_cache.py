from __future__ import annotations

from dataclasses import replace

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_digest import corpus_digest
from scandl.records import Scanpath, Sentence
from scandl_eval.models.generator_catalogue import find_generator
from scandl_eval.running.piece_cache import Pieces, code_digest

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


def test_outdated_pieces_go(tmp_path):
    pieces = Pieces(tmp_path)
    current = pieces.path("markov/ns-0", "a" * 64, ".csv")
    for path in (
        current,
        pieces.path("markov/ns-0", "b" * 64, ".csv"),
        pieces.path("gone/ns-0", "c" * 64, ".csv"),
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    pieces.drop_outdated({current})
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [current]
