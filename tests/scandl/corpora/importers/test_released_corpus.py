from __future__ import annotations

import json
from pathlib import Path

import pytest

from scandl.corpora import read_corpus
from scandl.corpora.importers import import_scandl_json
from scandl.errors import DataError
from scandl.files.other_forms import write_json
from scandl.records import Prediction, Scanpath


def entry(**other: object) -> dict[str, object]:
    return {
        "predicted_sp_ids": [0, 1, 4, 127],
        "original_sp_ids": [0, 1, 3, 2, 4, 127],
        "original_sn": "[CLS] The cat sat. [SEP]",
        "sn_ids": "en_1",
        "reader_ids": 13,
    } | other


def save(path: Path, *entries: dict[str, object]) -> Path:
    path.write_text(json.dumps({key: [e[key] for e in entries] for key in entry()}), encoding="utf-8")
    return path


def test_human_paths_and_sentences(tmp_path: Path) -> None:
    fold = save(tmp_path / "a.json", entry(), entry(reader_ids=1, original_sp_ids=[0, 4, 127]))
    again = save(tmp_path / "b.json", entry(predicted_sp_ids=[0, 2, 4]))
    corpus = import_scandl_json([fold, again])
    assert corpus.scanpaths == (Scanpath("13", "en_1", (0, 2, 1)),)
    assert corpus.sentences["en_1"].text == "The cat sat."
    assert corpus.card.dropped == {"trials without a fixation on a word": 1}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            {"original_sn": "The dog sat."},
            "a.json:2: column 'original_sn': found another text of sentence 'en_1'",
        ),
        (
            {"original_sp_ids": [0, 1, 4]},
            "a.json:2: column 'original_sp_ids': found another path of reader '13'",
        ),
        (
            {"sn_ids": "x", "original_sn": "[CLS] [SEP]"},
            "a.json:2: column 'original_sn': found '[CLS] [SEP]', expected the sentence",
        ),
    ],
)
def test_contradictions_are_refused(tmp_path: Path, other: dict[str, object], message: str) -> None:
    with pytest.raises(DataError) as caught:
        import_scandl_json([save(tmp_path / "a.json", entry(), entry(**other))])
    assert message in str(caught.value)


def test_a_corpus_written_in_that_form_comes_back(shared, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    corpus = read_corpus(shared("schilling"))
    write_json(
        tmp_path / "s.json",
        [
            Prediction(
                p.sentence_id,
                p.positions,
                p.positions,
                p.reader_id,
                text=corpus.sentences[p.sentence_id].text,
            )
            for p in corpus.scanpaths
        ],
    )
    back = import_scandl_json([tmp_path / "s.json"])
    assert [(p.reader_id, p.sentence_id, p.positions) for p in back.scanpaths] == [
        (p.reader_id, p.sentence_id, p.positions) for p in corpus.scanpaths
    ]
