"""Who reads: simulated readers keep their style, groups are kept apart, and likeness is what a file shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import scandl
from scandl.corpora.corpus_folder import write_corpus
from scandl.errors import LeftOutWarning, ScandlError
from scandl.files.prediction_files import write_predictions
from scandl.models.model import Request
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.style import styles_of
from scandl.models.reading_models import ReadingModel, load_model
from scandl.models.simulated_readers import WhoReads, styles_in
from scandl.records import Prediction, Sentence

from .conftest import few_readers

CAT = Sentence("t1", "The cat sat on the mat.")
DOG = Sentence("t3", "A dog slept.")
LONG = Sentence("t2", "He came. " + "word " * 30 + "end.")


@pytest.fixture(scope="module")
def model(pointer_file: Path) -> ReadingModel:
    return load_model(pointer_file)


def test_a_reader_is_the_same_in_all_texts_of_a_task_and_whatever_their_number(model: ReadingModel) -> None:
    few, many = (
        {
            (r.reader_id, r.style, r.group)
            for text in (CAT, DOG)
            for r in WhoReads(n).requests(text, 2, 1, model.conditions)
        }
        for n in (2, 4)
    )
    assert len(few) == 2
    assert few < many
    assert len({style for _, style, _ in many}) == 4  # nobody twice before everybody once
    other = {(r.reader_id, r.style) for r in WhoReads(4).requests(CAT, 1, 2, model.conditions)}
    assert other != {(name, style) for name, style, _ in many}
    styles = {name: style for name, style, _ in many}
    paragraph = {r.reader_id: r.style for r in WhoReads(4).requests(LONG, 1, 1, model.conditions)}
    assert not set(paragraph.values()) & set(styles.values())  # other people read paragraphs


def test_a_simulated_reader_is_the_one_the_benchmark_knows_by_that_name(model: ReadingModel) -> None:
    assert isinstance(model.network, PointerModel)
    for wanted in WhoReads(4, "L2").requests(CAT, 1, 3, model.conditions):
        asked = Request(CAT, wanted.reader_id, group="L2", task="sentence")
        assert model.network.reader_of(asked, 3)[0] == wanted.style


def test_readers_are_of_the_group_and_do_the_task(model: ReadingModel) -> None:
    wanted = WhoReads(6, "L2").requests(CAT, 1, 1, model.conditions)
    styles = styles_of(few_readers())
    assert {r.style for r in wanted} == {styles[f"r{n}"] for n in (5, 7)}  # who read sentences
    assert {(r.group, r.task) for r in wanted} == {("L2", "sentence")}
    assert {r.task for r in WhoReads().requests(LONG, 3, 1, model.conditions)} == {"paragraph"}
    assert {r.task for r in WhoReads(task="sentence").requests(LONG, 3, 1, model.conditions)} == {"sentence"}


def test_nameless_paths_are_of_many_readers(model: ReadingModel) -> None:
    wanted = [
        r for n in range(40) for r in WhoReads().requests(Sentence(f"t{n}", "A."), 1, 1, model.conditions)
    ]
    assert len({r.style for r in wanted}) == 4
    assert {r.reader_id for r in wanted} == {""}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_styles_are_those_of_the_file(suffix: str, tmp_path: Path) -> None:
    corpus = few_readers()
    expected = styles_of(corpus)
    predictions = [
        Prediction(
            p.sentence_id,
            p.words,
            reader_id=p.reader_id,
            durations=p.durations,
            text=corpus.sentences[p.sentence_id].text,
        )
        for p in corpus.scanpaths
    ]
    write_predictions(tmp_path / f"reader{suffix}", predictions)
    write_corpus(corpus, tmp_path / "few")
    for path in (tmp_path / f"reader{suffix}", tmp_path / "few" / "fixations.csv"):
        found = styles_in(path)
        assert list(found) == list(expected)
        for name, style in expected.items():
            assert found[name].values == pytest.approx(style.values)
            assert found[name].n_paths == style.n_paths


def test_a_row_without_a_human_path_is_not_the_models(tmp_path: Path) -> None:
    file = tmp_path / "both.csv"
    rows = ["r1,s1,0,0 1 2,A cat sat.", "r1,s2,2 1 0,0 2,A cat sat.", "r1,s3,2,,A cat sat."]
    header = "reader_id,sentence_id,predicted,human,text"
    file.write_text("\n".join([header, *rows]) + "\n")
    with pytest.warns(LeftOutWarning, match="both.csv: no human scanpath in 1 of 3 rows, left out"):
        found = styles_in(file)
    file.write_text("\n".join([header, *rows[:2]]) + "\n")
    assert repr(found) == repr(styles_in(file))  # NaN is not NaN


def test_paths_are_those_of_the_readers_of_the_file(pointer_file: Path, tmp_path: Path) -> None:
    write_corpus(few_readers(), tmp_path / "few")
    like = tmp_path / "few" / "fixations.csv"
    paths = scandl.generate(CAT.text, model=pointer_file, like=like, samples=2)
    assert [p.reader_id for p in paths] == [f"r{n}" for n in range(8) for _ in range(2)]
    alone = scandl.generate(CAT.text, model=pointer_file, like={"r3": styles_in(like)["r3"]}, samples=2)
    assert alone == paths[6:8]


def test_what_cannot_be(pointer_file: Path, tmp_path: Path, refused: Callable[[list[str]], str]) -> None:
    def line(*flags: str) -> str:
        return refused(["generate", "--checkpoint", str(pointer_file), "--text", "A cat.", *flags])

    assert line("--group", "L3") == ("scandl: --group L3: no such group of readers; known: L1, L2")
    assert line("--readers", "2", "--like", "x.csv").startswith("scandl: give one of --readers and --like")
    (tmp_path / "x.csv").write_text("reader_id,sentence_id,predicted\nr,s1,0 1\n")
    assert line("--like", str(tmp_path / "x.csv")) == (
        f"scandl: {tmp_path}/x.csv: column 'text': found none for sentence 's1', expected the text of each"
        " sentence: a column of this name, or sentences.csv beside the file"
    )
    (tmp_path / "x.csv").write_text("reader_id,sentence_id,predicted,text\nr,s1,,A cat.\n")
    assert line("--like", str(tmp_path / "x.csv")).endswith(
        "a reader's style needs at least one scanpath with a fixation"
    )
    with pytest.raises(ScandlError, match="this model knows no readers"):
        scandl.generate("A cat.", model="demo", readers=2)
    with pytest.raises(ScandlError, match="--group L1: this model knows no groups of readers"):
        scandl.generate("A cat.", model="demo", group="L1")
