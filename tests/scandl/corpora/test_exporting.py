"""Round trips through the other programs' own readers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import scandl
from scandl.cli import main
from scandl.corpora import Card, Corpus, write_corpus
from scandl.corpora.exporting import export, to_pymovements, word_areas
from scandl.corpora.importers import import_pymovements
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence

TEXTS = {
    "1": Sentence("1", "The “old” man, the boats."),
    "p": Sentence("p", "One line here and another there"),
}
PATHS = (
    Scanpath("r1", "1", (0, 2, 1, 4), (200.0, 180.0, 90.0, 333.0)),
    Scanpath("01", "p", (0, 3, 3, 5), (100.0, 101.0, 102.0, 103.0)),
)
LINES = {"line": {"p": ("1", "1", "1", "2", "2", "2")}}


@pytest.fixture
def corpus() -> Corpus:
    return Corpus(Card(name="mine", licence="CC0"), TEXTS, PATHS, LINES)


def test_lines_of_the_display_are_kept(corpus: Corpus) -> None:
    areas = word_areas(corpus)
    assert areas["p"].lines == [[0, 1, 2], [3, 4, 5]]
    assert areas["1"].words == TEXTS["1"].words


def test_pymovements_gives_back_every_fixation(corpus: Corpus) -> None:
    pytest.importorskip("pymovements")
    events, stimulus = to_pymovements(corpus)
    back = import_pymovements(events, stimulus)
    assert back.by_pair == corpus.by_pair
    assert {key: text.text for key, text in back.sentences.items()} == {k: t.text for k, t in TEXTS.items()}


def test_a_dataset_is_opened_like_a_corpus(corpus: Corpus) -> None:
    pymovements = pytest.importorskip("pymovements")
    polars = pytest.importorskip("polars")
    events, stimulus = to_pymovements(corpus)
    dataset = pymovements.Dataset("ToyDataset", path="nowhere")
    dataset.gaze = [
        pymovements.Gaze(events=pymovements.Events(part))
        for part in events.frame.partition_by("reader_id", maintain_order=True)
    ]
    with pytest.raises(ScandlError, match="a dataset without text stimuli"):
        scandl.open_corpus(dataset)
    dataset.stimuli = []
    for part in stimulus.aois.partition_by("sentence_id", maintain_order=True):
        assert isinstance(part, polars.DataFrame)
        names = {f"{edge}_column": edge for edge in ("start_x", "start_y", "end_x", "end_y")}
        text = pymovements.stimulus.TextStimulus(part, aoi_column="word", trial_column="sentence_id", **names)
        dataset.stimuli.append(text)
    assert scandl.open_corpus(dataset).by_pair == corpus.by_pair
    assert scandl.open_corpus(events, stimulus).by_pair == corpus.by_pair


def test_the_files_for_pymovements_are_imported_again(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pymovements")
    write_corpus(corpus, tmp_path / "mine")
    out = tmp_path / "out"
    assert main(["corpus", "export", str(tmp_path / "mine"), "--to", "pymovements", "--out", str(out)]) == 0
    assert f"wrote {out}: 2 scanpaths, 2 sentences" in capsys.readouterr().out
    files = [str(out / "events.csv"), "--areas", str(out / "areas.csv"), "--out", str(tmp_path / "back")]
    assert main(["corpus", "import", "pymovements", *files, "--index-base", "0"]) == 0
    assert scandl.open_corpus(tmp_path / "back").by_pair == corpus.by_pair


def test_eyekit_finds_the_same_words(corpus: Corpus, tmp_path: Path) -> None:
    eyekit = pytest.importorskip("eyekit")
    export(corpus, "eyekit", tmp_path / "c.json")
    found = eyekit.io.load(tmp_path / "c.json")
    for trial, path in zip(found["trials"], PATHS, strict=True):
        block = found["texts"][trial["sentence_id"]]
        assert (trial["reader_id"], trial["sentence_id"]) == (path.reader_id, path.sentence_id)
        assert [fixation.duration for fixation in trial["fixations"]] == list(path.durations or ())
        lines = [["The", "“old”", "man,", "the", "boats."]]
        if path.sentence_id == "p":
            lines = [["One", "line", "here"], ["and", "another", "there"]]
        assert [line.text for line in block.lines()] == [" ".join(words) for words in lines]
        places = [
            (row, len(" ".join([*words[:n], ""])), len(" ".join(words[: n + 1])))
            for row, words in enumerate(lines)
            for n in range(len(words))
        ]
        seen = [[fixation in block[place] for place in places].index(True) for fixation in trial["fixations"]]
        assert tuple(seen) == path.positions
    bare = Corpus(Card(name="x"), TEXTS, (Scanpath("r", "1", (0,)),))
    with pytest.raises(ScandlError, match="eyekit needs the duration of each fixation: reader 'r'"):
        export(bare, "eyekit", tmp_path / "d.json")
    assert not (tmp_path / "d.json").exists()


def test_studio_has_its_columns(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, "studio", tmp_path / "s")
    with (tmp_path / "s" / "fixations.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["word_id"] for row in rows if row["trial_id"] == "r1_1"] == ["0", "2", "1", "4"]
    assert [row["timestamp_ms"] for row in rows[:3]] == ["0.0", "200.0", "380.0"]
    needed = {"participant_id", "trial_id", "text_id", "x", "y", "duration_ms", "timestamp_ms", "fixation_id"}
    assert needed < set(rows[0])
    with (tmp_path / "s" / "words.csv").open(encoding="utf-8", newline="") as stream:
        words = list(csv.DictReader(stream))
    assert [row["word"] for row in words if row["text_id"] == "1"] == list(TEXTS["1"].words)


def test_json_has_everything(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, "json", tmp_path / "c.json")
    found = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    back = [
        Scanpath(p["reader_id"], p["sentence_id"], tuple(p["positions"]), tuple(p["durations"]))
        for p in found["scanpaths"]
    ]
    assert tuple(back) == PATHS
    assert [len(text["areas"]) for text in found["texts"]] == [5, 6]
    with pytest.raises(ScandlError, match="no export 'jsno'; known: pymovements, studio, eyekit, json"):
        export(corpus, "jsno", tmp_path / "x")
