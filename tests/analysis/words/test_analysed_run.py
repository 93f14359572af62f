"""Which run is analysed, and what is said about it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.files.manifest import MANIFEST, write_manifest
from scandl.records import Prediction
from scandl_analysis.words.analysed_run import (
    Reading,
    demo_run,
    human_readings,
    model_readings,
    newest_run,
    open_predictions,
    open_run,
    paired_readings,
)


def make_run(folder: Path, age: int, setting: str = "nrns") -> Path:
    (folder / "predictions" / "m").mkdir(parents=True)
    (folder / "predictions" / "m" / f"{setting}.csv").write_text("sentence_id,predicted,model\ns01,0 1,m\n")
    (folder / "run.toml").write_text('corpus = "demo"\n')
    sealed(folder)
    os.utime(folder / MANIFEST, (age, age))
    return folder


def sealed(folder: Path) -> Path:
    write_manifest(folder, [folder / "run.toml"], {})
    return folder


def test_the_newest_run_with_the_setting_is_taken(tmp_path: Path) -> None:
    make_run(tmp_path / "old", 100)
    newest = make_run(tmp_path / "new", 200)
    make_run(tmp_path / "other", 300, setting="ns")
    (make_run(tmp_path / "stopped", 400) / MANIFEST).unlink()
    assert newest_run(tmp_path, "nrns") == newest
    run = open_run(None, "nrns", runs=tmp_path)
    assert run.folder == newest
    assert run.note.startswith("no run given: the newest below")
    assert list(run.predictions) == ["m"]


def test_without_any_run_the_demo_is_and_says_so(tmp_path: Path) -> None:
    run = open_run(None, "nrns", runs=tmp_path)
    assert run.folder == demo_run()
    assert "embedded demo" in run.note
    assert run.corpus.card.kind == "simulated"
    # The packaged predictions fit the packaged corpus: each names a scanpath that exists.
    for predictions in run.predictions.values():
        assert len(predictions) > 100
        assert {(p.reader_id, p.sentence_id) for p in predictions} <= set(run.corpus.by_pair)


def test_faults_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match=r"found 'no run\.toml', expected the folder of a benchmark run"):
        open_run(tmp_path, "nrns")
    run = make_run(tmp_path / "r", 1)
    with pytest.raises(ScandlError, match="no predictions for setting 'ns'; it has: nrns"):
        open_run(run, "ns")
    with pytest.raises(ScandlError, match="no predictions for setting 'cross'; it has: nrns"):
        open_run(run, "cross")
    (run / "predictions" / "m" / "cross.csv").write_text("sentence_id,predicted,model\ns01,0 1,m\n")
    with pytest.raises(ScandlError, match="column 'test_corpus': found None, expected the name or folder"):
        open_run(sealed(run), "cross")
    (run / "predictions" / "m" / "nrns.csv").write_text("sentence_id,predicted,model\n")
    with pytest.raises(ScandlError, match=r"nrns.csv: found no predictions, expected at least one row"):
        open_run(sealed(run), "nrns")
    (run / "run.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ScandlError, match="expected well-formed TOML"):
        open_run(sealed(run), "nrns")
    (run / "run.toml").write_text("corpus = [")
    with pytest.raises(ScandlError, match="expected well-formed TOML"):
        open_run(sealed(run), "nrns")
    (run / "run.toml").write_text("")
    with pytest.raises(ScandlError, match="expected the name or folder of a corpus"):
        open_run(sealed(run), "nrns")


def test_a_truncated_table_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(demo_run(), run)
    table = run / "predictions" / "uniform" / "nrns.csv"
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(lines[: len(lines) // 3]))
    with pytest.raises(ScandlError) as caught:
        open_run(run, "nrns")
    assert str(caught.value) == (
        f"{table}: found other content than its checksum, expected what the run wrote: the same "
        "'scandl-eval run' writes it again"
    )
    shutil.copy(demo_run() / "predictions" / "uniform" / "nrns.csv", table)
    assert len(open_run(run, "nrns").predictions) == 4
    shutil.copytree(table.parent, run / "predictions" / "mine")
    with pytest.raises(ScandlError, match=r"mine/nrns.csv: found a table that is not the run's"):
        open_run(run, "nrns")


def write(path: Path, *rows: str, header: str = "reader_id,sentence_id,predicted") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_prediction_files_and_a_corpus_are_as_good_as_a_run(tmp_path: Path) -> None:
    one = write(tmp_path / "one.csv", "r01,s01,0 1", "r02,s01,0")
    # Without a reader each row brings its own human path, and both count.
    unnamed = "sentence_id,predicted,human"
    two = write(tmp_path / "two.csv", "s01,0,0 1", "s01,1,0 2", header=unnamed)
    run = open_predictions([one, two], "demo")
    assert (run.folder, run.setting, run.corpus.name) == (None, "all", "demo")
    assert {name: len(found) for name, found in run.predictions.items()} == {"one": 2, "two": 2}
    assert run.title == "prediction files, all: demo and one, two"
    assert run.first_lines == (run.title, "corpus 'demo': its readers are simulated")


def test_models_that_share_a_file_name_are_told_apart(tmp_path: Path) -> None:
    files = [write(tmp_path / folder / "preds.csv", "r01,s01,0 1") for folder in "ab"]
    assert list(open_predictions(files, "demo").predictions) == [str(file) for file in files]


def test_faults_of_prediction_files_are_named(tmp_path: Path) -> None:
    named = "reader_id,sentence_id,predicted,model,setting"
    one = write(tmp_path / "one.csv", "r01,s01,0,m,ns", "r01,s02,0,m,nr", header=named)
    with pytest.raises(
        ScandlError, match=r"one.csv: column 'setting': found the settings nr, ns, expected one"
    ):
        open_predictions([one], "demo")
    assert len(open_predictions([one], "demo", "nr").predictions["m"]) == 1
    with pytest.raises(ScandlError, match=r"found the settings nr, ns, expected 'nrns'"):
        open_predictions([one], "demo", "nrns")
    two = write(tmp_path / "two.csv", "r01,s01,0 1,m,ns", header=named)
    with pytest.raises(
        ScandlError,
        match=r"two.csv: column 'model': found sentence 's01' of reader 'r01', sample 0, that .*one.csv has too",
    ):
        open_predictions([one, two], "demo")
    with pytest.raises(ScandlError, match="found no predictions, expected at least one row"):
        open_predictions([write(tmp_path / "empty.csv")], "demo")


def test_humans_of_a_corpus(small_corpus: Corpus) -> None:
    first, second = human_readings(small_corpus)
    assert (first.source, first.reader_id, first.words) == ("human", "r1", ["The", "old", "dog", "slept."])
    assert first.durations == (200.0, 100.0, 80.0, 60.0, 90.0)
    assert second.durations is None


def test_models_take_the_corpus_text_before_their_own(small_corpus: Corpus) -> None:
    prediction = Prediction("s1", (0, 1), model="m", setting="nrns", fold="2", sample=3, text="A b c d")
    (reading,) = model_readings([prediction], small_corpus)
    assert reading == Reading("m", "s1", "The old dog slept.", (0, 1), None, "", "nrns", "2", 3)
    assert model_readings([prediction])[0].text == "A b c d"


def test_a_model_without_words_is_an_error() -> None:
    with pytest.raises(ScandlError, match=r"sentence 's1': its words are not known; give the corpus"):
        model_readings([Prediction("s1", (0,))])


def test_a_human_path_that_a_file_repeats_is_one_reading() -> None:
    def row(model: str, sample: int, reader: str | None) -> Prediction:
        return Prediction("s1", (0,), human=(1,), reader_id=reader, model=model, sample=sample, text="a b")

    named = [row(model, sample, "r1") for model in "ab" for sample in range(2)]
    assert len(paired_readings(named)) == 1
    unnamed = [row(model, sample, None) for model in "ab" for sample in range(2)]
    assert len(paired_readings(unnamed)) == 1
    assert paired_readings([Prediction("s1", (0,), text="a")]) == []
