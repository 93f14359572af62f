"""Lost fixations filled in: what is known stays, what was lost is marked, lost time is filled."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.cli import main
from scandl.corpora.corpus_check import check_corpus
from scandl.corpora.corpus_folder import GAP, IMPUTED, LOST, SUMMARY, open_corpus, read_corpus, write_corpus
from scandl.errors import DataError, ScandlError
from scandl.models.imputation import (
    SACCADE,
    impute,
    is_imputed,
    n_in_gap,
    open_imputed,
    read_incomplete,
)

ROWS = [  # reader, index, word, ms
    ("r1", 0, "0", "200"),
    ("r1", 1, "NA", "180"),
    ("r1", 2, "3", "220"),
    ("r1", 3, "NA", ""),
    ("r1", 4, "GAP", "700"),
    ("r1", 5, "6", "240"),
    ("r2", 0, "1", "210"),
    ("r2", 1, "2", "190"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two readers of one sentence; of one of them something was lost."""
    (tmp_path / "corpus.toml").write_text('name = "lost"\nlanguage = "en"\n')
    (tmp_path / "sentences.csv").write_text("sentence_id,text\ns1,The old man the boats of the town\n")
    _write(tmp_path, ROWS)
    return tmp_path


def _write(folder: Path, rows: list[tuple[str, int, str, str]]) -> None:
    with (folder / "fixations.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["reader_id", "sentence_id", "fixation_index", "word_index", "duration_ms"])
        writer.writerows([reader, "s1", index, word, ms] for reader, index, word, ms in rows)


def test_marks_are_read_as_what_they_are(folder: Path) -> None:
    lost, whole = read_incomplete(folder).scanpaths
    assert lost.positions == (0, LOST, 3, LOST, GAP, 6)
    assert [math.isnan(ms) for ms in lost.durations or ()] == [False, False, False, True, False, False]
    assert whole.positions == (1, 2)


def test_elsewhere_they_are_refused_and_the_way_out_is_named(folder: Path) -> None:
    with pytest.raises(
        DataError, match=r"fixations\.csv:3: column 'word_index': found 'NA'.*scandl corpus impute"
    ):
        open_corpus(folder)


def test_what_is_known_stays_and_what_was_lost_is_marked(folder: Path, tmp_path: Path) -> None:
    done = impute(folder, versions=4, seed=3)
    assert (done.n_lost, done.n_gaps) == (2, 1)
    for corpus in done.corpora:
        path, whole = corpus.scanpaths
        flags = [flag == "1" for flag in path.extra[IMPUTED].split()]
        durations = path.durations or ()
        n = path.n_fixations
        assert [path.positions[k] for k in (0, 2, n - 1)] == [0, 3, 6]
        assert [durations[k] for k in (0, 1, 2, n - 1)] == [200.0, 180.0, 220.0, 240.0]
        assert flags == [False, True, False, *[True] * (n - 4), False]
        assert all(0 <= word < 8 for word in path.positions)
        in_gap = durations[4 : n - 1]
        assert sum(in_gap) + SACCADE * (len(in_gap) + 1) == pytest.approx(700.0)
        assert IMPUTED not in whole.extra
        assert "were filled in by model people" in corpus.card.notes
    assert len({corpus.scanpaths[0].positions for corpus in done.corpora}) > 1


def test_files_pass_the_check_and_hold_the_marks(folder: Path, tmp_path: Path) -> None:
    impute(folder, versions=2).write(tmp_path / "out")
    for k in ("1", "2"):
        assert check_corpus(tmp_path / "out" / k).problems == ()
    with (tmp_path / "out" / "1" / "fixations.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["imputed"] for row in rows if row["reader_id"] == "r2"] == ["0", "0"]
    assert [row["imputed"] for row in rows[:4]] == ["0", "1", "0", "1"]
    told = (tmp_path / "out" / SUMMARY).read_text()
    assert "versions = 2" in told
    assert "lost_fixations = 2" in told
    assert "gaps = 1" in told


def test_what_is_written_is_opened_again(folder: Path, tmp_path: Path) -> None:
    done, out = impute(folder, versions=3), tmp_path / "out"
    done.write(out)
    again = open_imputed(out)
    assert is_imputed(out)
    with pytest.raises(
        DataError, match=r"found versions of a corpus, .*, expected one of them, such as .*/out/1 "
    ):
        open_corpus(out)
    assert (again.model, again.seed, again.n_lost, again.n_gaps) == ("people", 1, 2, 1)
    assert again.share == pytest.approx(done.share, abs=1e-6)
    for corpus, before in zip(again.corpora, done.corpora, strict=True):
        assert [p.positions for p in corpus.scanpaths] == [p.positions for p in before.scanpaths]
        assert [p.extra for p in corpus.scanpaths] == [p.extra for p in before.scanpaths]


def test_a_folder_of_another_kind_and_a_broken_mark_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found no imputation.toml, expected a folder that scandl corpus"):
        open_imputed(folder)
    impute(folder, versions=2).write(tmp_path / "out")
    table = tmp_path / "out" / "2" / "fixations.csv"
    table.write_text(table.read_text().replace(",1\n", ",yes\n", 1))
    with pytest.raises(DataError, match=r"fixations\.csv:3: column 'imputed': found 'yes', expected 1 where"):
        open_imputed(tmp_path / "out")


def test_the_same_seed_gives_the_same_versions_in_any_order_of_rows(folder: Path) -> None:
    first = impute(folder, versions=2, seed=5).corpora
    _write(folder, ROWS[6:] + ROWS[:6])
    second = impute(folder, versions=2, seed=5).corpora
    for a, b in zip(first, second, strict=True):
        assert {p.reader_id: p for p in a.scanpaths} == {p.reader_id: p for p in b.scanpaths}


@given(st.floats(0, 3000), st.lists(st.floats(60, 600), min_size=1, max_size=9), st.integers(0, 99))
def test_lost_time_is_filled_to_the_millisecond(ms: float, pool: list[float], seed: int) -> None:
    found = n_in_gap(ms, pool, np.random.default_rng(seed))
    if found:
        assert sum(found) + SACCADE * (len(found) + 1) == pytest.approx(ms)
    assert all(duration > 0 for duration in found)
    # One more or one fewer of typical length would not come nearer.
    assert abs(len(found) - (ms - SACCADE) / (np.mean(pool) + SACCADE)) <= 1 + ms / min(pool)


def test_faults_are_named(folder: Path) -> None:
    with pytest.raises(ScandlError, match="cannot complete a path: expected a model that points at words"):
        impute(folder, model="left-to-right")
    with pytest.raises(ScandlError, match="versions 1: expected at least 2"):
        impute(folder, versions=1)
    _write(folder, [("r1", 0, "GAP", "")])
    with pytest.raises(DataError, match="found a GAP without a duration, reader 'r1', sentence 's1'"):
        impute(folder)
    _write(folder, ROWS[6:])
    with pytest.raises(
        ScandlError, match="lost: found no lost fixation, expected word_index NA or GAP somewhere"
    ):
        impute(folder)


def test_corpora_without_lost_fixations_are_written_as_before(folder: Path, tmp_path: Path) -> None:
    _write(folder, ROWS[6:])
    write_corpus(read_corpus(folder), tmp_path / "again")
    assert "imputed" not in (tmp_path / "again" / "fixations.csv").read_text()


def test_the_command_says_what_it_filled_in(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "filled"
    assert main(["corpus", "impute", str(folder), "--versions", "2", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{out}: 2 versions; 2 lost fixations and 1 gaps filled in, ")
    assert told.endswith(" of all fixations (model people)\n")
    assert main(["corpus", "impute", str(folder), "--out", str(out)]) == 2
    assert "found something there, expected a new folder" in capsys.readouterr().err
