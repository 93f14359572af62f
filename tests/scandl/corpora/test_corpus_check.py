"""The check of a corpus names every fault; installed corpora are listed with their sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scandl.corpora.corpus_check import check_corpus, list_corpora
from scandl.corpora.corpus_folder import open_corpus

Folder = Callable[..., Path]


def test_a_check_finds_all_problems(folder: Folder) -> None:
    assert check_corpus(folder()).problems == ()
    head = "reader_id,sentence_id,fixation_index,word_index\n"
    faulty = check_corpus(folder(fixations__csv=head + "r,s1,0,9\nr,s3,0,0\n"))
    assert [problem.row for problem in faulty.problems] == [2, 3]
    assert faulty.as_dict()["statistics"] is None
    empty = check_corpus(folder(fixations__csv=head))
    assert [str(problem.expected) for problem in empty.problems] == ["at least one scanpath"]
    stranger = check_corpus(folder(fixations__csv=head + "r,s1,0,0\n", readers__csv="reader_id,age\nq,3\n"))
    assert "readers without a fixation: q" in str(stranger.problems[0])


def test_what_models_would_refuse_of_words_is_a_problem(folder: Folder) -> None:
    for cell in ("x", "2", "-1", "nan", "1_0", "٣"):
        words = f"sentence_id,word_index,cloze\ns2,0,\ns2,1,{cell}\n"
        (problem,) = check_corpus(folder(words__csv=words)).problems
        assert str(problem).endswith(
            f"words.csv:3: column 'cloze': found {cell!r}, expected a probability from 0 to 1, or nothing"
            " where it is not known"
        )
    words = "sentence_id,word_index,frequency_per_million\ns2,0,3\ns2,1,0\n"
    (problem,) = check_corpus(folder(words__csv=words)).problems
    assert "column 'frequency_per_million': found '0', expected occurrences per million, above 0" in str(
        problem
    )


def test_what_breaks_no_rule_is_remarked(folder: Folder) -> None:
    assert check_corpus(folder()).remarks == ()
    head = "reader_id,sentence_id,fixation_index,word_index,duration_ms\n"
    root = folder(fixations__csv=head + "r,s1,0,0,210\nr,s1,1,1,\nr,s1,2,2,30\nq,s1,0,1,\nq,s2,0,1,90\n")
    found = check_corpus(root)
    assert found.problems == ()
    assert found.remarks == ("2 durations are not used: another fixation of their scanpath has none",)
    assert found.as_dict()["remarks"] == list(found.remarks)


def test_a_language_without_frequencies_is_remarked_unless_the_corpus_has_its_own(folder: Folder) -> None:
    card = 'name = "toy"\nlanguage = "klingon"\n'
    (remark,) = check_corpus(folder(corpus__toml=card)).remarks
    assert remark.startswith("no word frequencies for language 'klingon': expected the code")
    words = "sentence_id,word_index,frequency_per_million\ns2,0,3\ns2,1,4\n"
    assert check_corpus(folder(corpus__toml=card, words__csv=words)).remarks == ()


def test_unreadable_sentences_are_one_fault(folder: Folder) -> None:
    found = check_corpus(folder(sentences__csv="id,text\ns1,The cat sat.\n"))
    assert [str(problem.path.name) for problem in found.problems] == ["sentences.csv"]
    assert found.as_dict()["statistics"] is None
    head = "reader_id,sentence_id,fixation_index,word_index\n"
    worse = check_corpus(folder(sentences__csv="id,text\n", fixations__csv=head + "r,s1,0,0\nr,s1,x,0\n"))
    assert [(problem.path.name, problem.row) for problem in worse.problems] == [
        ("sentences.csv", 1),
        ("fixations.csv", 3),
    ]


def test_sizes_are_those_of_the_whole_corpus(installed: Path) -> None:
    entries = {entry.name: entry for entry in list_corpora()}
    assert list(entries) == ["demo", "mine", "toy"]
    for name, entry in entries.items():
        corpus = open_corpus(name)
        assert (entry.readers, entry.sentences, entry.scanpaths, entry.kind) == (
            len(corpus.reader_ids),
            len(corpus.sentences),
            len(corpus.scanpaths),
            corpus.card.kind,
        )


def test_a_broken_corpus_is_listed_with_its_fault(installed: Path) -> None:
    (installed / "b" / "toy" / "fixations.csv").unlink()
    (installed / "a" / "toy" / "corpus.toml").unlink()
    broken = next(entry for entry in list_corpora() if entry.name == "toy")
    assert "fixations.csv: found no file" in broken.problem
