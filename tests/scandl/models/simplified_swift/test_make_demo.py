"""The demo corpus: it can be made again, and it is what its card says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from scandl.corpora import read_corpus
from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.corpora.demo import FOLDER
from scandl.models.simplified_swift import make_demo as make
from scandl.models.simplified_swift.simulation import Parameters
from scandl.text.word_facts import frequency_per_million


@pytest.fixture(scope="module")
def demo():
    return read_corpus(FOLDER)


def test_is_made_again_byte_for_byte(tmp_path: Path) -> None:
    make.make(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(make.FILES)
    for name in make.FILES:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_a_check_finds_a_changed_duration(tmp_path: Path) -> None:
    for name in make.FILES:
        shutil.copyfile(FOLDER / name, tmp_path / name)
    table = tmp_path / "fixations.csv"
    table.write_text(re.sub(r"\d+\n$", "1\n", table.read_text()))
    assert make.check(tmp_path) == ["fixations.csv"]


def test_says_that_readers_are_simulated(demo) -> None:
    assert demo.card.kind == "simulated"
    assert "simulated, not human" in demo.card.notes


def test_stays_small() -> None:
    assert sum((FOLDER / name).stat().st_size for name in make.FILES) < 700_000


def test_sentences_are_varied(demo) -> None:
    texts = [sentence.text for sentence in demo.sentences.values()]
    assert len(set(texts)) == 80
    assert {len(text.split()) for text in texts} <= set(range(5, 21))
    for sign in ("?", '"', "'", ";", "6", "é"):
        assert any(sign in text for text in texts), sign
    assert sum(text.startswith("The ") for text in texts) < 10


def test_reads_like_reading(demo) -> None:
    facts = corpus_statistics(demo)
    assert facts.readers == 30
    assert 0.87 < facts.scanpaths / (30 * 80) < 0.93
    assert 0.30 < facts.skipping_rate < 0.45
    assert 0.05 < facts.regressive_saccades < 0.20
    assert 0.05 < facts.refixations < 0.20
    assert 200 < facts.duration_mean < 250


def test_frequencies_are_those_of_the_words(demo) -> None:
    for key, values in demo.word_numbers("frequency_per_million").items():
        expected = [frequency_per_million(word) for word in demo.sentences[key].words]
        assert values == pytest.approx(expected, rel=0.02)


def test_readers_table_holds_the_parameters_used(demo) -> None:
    for n, row in enumerate(demo.readers.values(), start=1):
        assert Parameters(**{name: float(value) for name, value in row.items()}) == make.draw_reader(n)


def test_every_path_ends_with_the_first_fixation_of_the_last_word(demo) -> None:
    for path in demo.scanpaths:
        last = demo.sentences[path.sentence_id].n_words - 1
        assert path.positions[0] == 0
        assert path.positions.index(last) == path.n_fixations - 1


def test_command_exits_with_1_on_a_difference(monkeypatch, capsys) -> None:
    monkeypatch.setattr(make, "SEED", make.SEED + 1)
    assert make.main(["--check"]) == 1
    assert "differs: readers.csv, fixations.csv" in capsys.readouterr().out
