"""Columns without a known meaning: kept with sentences or readers, or named as left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.corpora import read_corpus
from scandl.corpora.importers.long_table import import_csv, import_dataviewer
from scandl.errors import DataError

Write = Callable[..., Path]

HEADER = (
    "RECORDING_SESSION_LABEL",
    "sentence_id",
    "CURRENT_FIX_INDEX",
    "CURRENT_FIX_INTEREST_AREA_ID",
    "CURRENT_FIX_INTEREST_AREA_LABEL",
    "CURRENT_FIX_DURATION",
    "condition",
    "group",
    "list_order",
    "CURRENT_FIX_X",
    "EYE_USED",
)
TEXTS = {"s1": "The cat sat.", "s2": "Dogs bark."}


def reports(folder: Path) -> tuple[Path, Path]:
    """Write a fixation report of two readers and two sentences, and their interest areas."""
    rows = [
        (reader, sentence, n, n, word, 200 + n, condition, group, order, 10 * n + len(reader), "RIGHT")
        for reader, group, orders in (("r1", "young", (1, 2)), ("r2", "old", (2, 1)))
        for (sentence, condition), order in zip((("s1", "easy"), ("s2", "hard")), orders, strict=True)
        for n, word in enumerate(TEXTS[sentence].split(), start=1)
    ]
    fixations, areas = folder / "fix.tsv", folder / "areas.tsv"
    fixations.write_text("\n".join("\t".join(map(str, row)) for row in (HEADER, *rows)) + "\n")
    words = [(s, n, word) for s, text in TEXTS.items() for n, word in enumerate(text.split(), start=1)]
    areas.write_text(
        "\n".join("\t".join(map(str, row)) for row in (("sentence_id", "IA_ID", "IA_LABEL"), *words)) + "\n"
    )
    return fixations, areas


def test_conditions_and_groups_are_kept_and_the_rest_is_named(tmp_path: Path) -> None:
    corpus = import_dataviewer(*reports(tmp_path))
    assert {key: s.extra for key, s in corpus.sentences.items()} == {
        "s1": {"condition": "easy"},
        "s2": {"condition": "hard"},
    }
    assert corpus.readers == {"r1": {"group": "young"}, "r2": {"group": "old"}}
    assert corpus.card.notes.startswith(
        "columns kept with sentences: condition; columns kept with readers: group; columns left out, "
        "different between trials of a sentence and of a reader: list_order; columns left out, different "
        "between fixations: CURRENT_FIX_X; columns left out, the same in every row: EYE_USED; word numbers"
    )


def test_they_are_in_the_corpus_that_the_command_writes(tmp_path: Path) -> None:
    fixations, areas = reports(tmp_path)
    out = tmp_path / "corpus"
    assert main(["corpus", "import", "dataviewer", str(fixations), str(areas), "--out", str(out)]) == 0
    corpus = read_corpus(out)
    assert corpus.sentences["s2"].extra == {"condition": "hard"}
    assert corpus.readers["r2"] == {"group": "old"}
    assert "list_order" in corpus.card.notes


def test_a_text_that_a_reader_read_in_two_trials_is_not_one_reading(write: Write) -> None:
    rows = [("A", 1, 1, 1), ("A", 1, 7, 2), ("B", 1, 3, 1)]
    table = write("f.csv", "Subject Item Trial WordID", rows, ",")
    texts = write("s.csv", "item text", [(1, "Yes indeed.")], ",")
    with pytest.raises(DataError) as caught:
        import_csv(table, texts, index_base=1)
    assert str(caught.value) == (
        f"{table}:3: column 'Trial': found reader 'A' on text '1' in trial 7 as in another, expected one"
        " reading (two texts: --column sentence_id=Item+Trial)"
    )
    texts = write("s.csv", "item text", [("1_1", "Yes."), ("1_7", "Yes indeed."), ("1_3", "Yes.")], ",")
    corpus = import_csv(table, texts, columns={"sentence_id": "Item+Trial"}, index_base=1)
    assert sorted(corpus.by_pair) == [("A", "1_1"), ("A", "1_7"), ("B", "1_3")]
