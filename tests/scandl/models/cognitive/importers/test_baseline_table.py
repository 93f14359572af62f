"""Tables of the ScanDL 2 baselines."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError
from scandl.models.cognitive.importers import import_baseline
from scandl.records import Sentence

SENTENCES = {
    "x1": Sentence("x1", "Sally walked home."),  # centres 3.5, 10, 16; ends at 19
    "x2": Sentence("x2", "We met an old man."),
}

CORPUS = Corpus(Card(name="two"), SENTENCES, ())


def read(tmp_path, kind, text, **options):
    path = tmp_path / "out.txt"
    path.write_text(text)
    return import_baseline(kind, path, CORPUS, **options)


HEADER = "sn_id\treader_id\tinstance_idx\tfixation_index\tfixation_duration\tword_id\tword\n"


def test_a_table_of_scandl_2_baselines(tmp_path):
    rows = "x1\tr1\t0\t1\tinf\t2\twalked\nx1\tr1\t0\t0\t200\t1\tSally\nx1\tr1\t1\t0\t190\t3\thome.\n"
    imported = read(tmp_path, "baseline-table", HEADER + rows, infinite_ms=2000.0)
    assert [(p.reader_id, p.predicted, p.sample, p.durations) for p in imported.predictions] == [
        ("r1", (0, 1), 0, (200, 2000)),
        ("r1", (2,), 1, (190,)),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x1\tr\t0\t0\t200\t0\tSally\n", r":2: column 'word_id': found 0, expected a position 1\.\.3"),
        (
            "x7\tr\t0\t0\t200\t1\tSally\n",
            ":2: column 'sn_id': found 'x7', expected a sentence of corpus 'two'",
        ),
        ("x1\tr\t0\t0\t200\t1\ta\nx1\tr\t0\t0\t200\t1\ta\n", "found a number twice in instance 0,"),
    ],
)
def test_broken_tables_name_the_place(tmp_path, row, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, "baseline-table", HEADER + row)
