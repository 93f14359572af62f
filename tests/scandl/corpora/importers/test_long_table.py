from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora import read_corpus
from scandl.corpora.importers import Filters, import_csv
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "s.csv"
    path.write_text("text_id,sentence,level\n01,The cat sat.,easy\n02,No,hard\n", encoding="utf-8")
    return path


def test_our_own_name_counts_from_0(write: Write, sentences: Path) -> None:
    table = write(
        "f.csv", "subject text_id word_index duration", [("r", "01", 0, 200), ("r", "01", 2, 90)], ","
    )
    corpus = import_csv(table, sentences)
    assert corpus.scanpaths == (Scanpath("r", "01", (0, 2), (200.0, 90.0)),)
    assert corpus.sentences["01"].extra == {"level": "easy"}


def test_any_other_name_is_asked_for(write: Write, sentences: Path) -> None:
    table = write("f.csv", "subject text_id word_id", [("r", "01", 1)], ",")
    with pytest.raises(ScandlError, match="expected --index-base 0 or 1"):
        import_csv(table, sentences)
    assert import_csv(table, sentences, index_base=1).scanpaths[0].positions == (0,)


def test_our_own_name_with_labels_from_1_is_noticed(write: Write, sentences: Path) -> None:
    table = write(
        "f.csv", "subject text_id word_index word", [("r", "01", 1, "The"), ("r", "01", 2, "cat")], ","
    )
    with pytest.raises(ScandlError, match="--index-base 0 contradicts the labels"):
        import_csv(table, sentences)


def test_published_simulations_are_read_as_they_are(shared: Callable[[str], Path]) -> None:
    folder = shared("mertzen")
    corpus = import_csv(folder / "simulated_swift.csv", folder / "sentences.csv")
    assert (len(corpus.scanpaths), sum(p.n_fixations for p in corpus.scanpaths)) == (768, 13_079)
    human = import_csv(folder / "fixations.csv", folder / "sentences.csv")
    assert human.scanpaths == read_corpus(folder).scanpaths


@pytest.mark.parametrize("durations", [(210, "", 30), ("", "", "")])
def test_durations_are_counted_when_lost_and_needed_by_a_filter(
    write: Write, sentences: Path, durations: tuple[object, ...]
) -> None:
    rows = [("r", "01", n, ms) for n, ms in enumerate(durations)] + [("q", "01", 1, 250)]
    table = write("f.csv", "subject text_id word_index duration", rows, ",")
    corpus = import_csv(table, sentences)
    assert [path.durations for path in corpus.scanpaths] == [None, (250.0,)]
    lost = sum(ms != "" for ms in durations)
    assert corpus.card.dropped.get("durations of trials in which another fixation has none", 0) == lost
    with pytest.raises(
        ScandlError, match="below 50 ms needs the duration of each .* reader 'r' lacks one on"
    ):
        import_csv(table, sentences, filters=Filters(min_duration=50))


def test_a_header_alone_is_not_asked_for_its_base(write: Write, sentences: Path) -> None:
    with pytest.raises(DataError, match="found a header and no rows"):
        import_csv(write("f.csv", "subject text_id word_id", [], ","), sentences)
