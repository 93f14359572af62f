from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scandl.corpora.check import check_corpus

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
