"""Raw recordings become the corpus that they were made from, by every way in."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.corpora import read_corpus
from scandl.corpora.importers import import_recordings
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

pytest.importorskip("pymovements", reason="scandl[recordings] is not installed")
pytest.importorskip("eyekit", reason="scandl[recordings] is not installed")

LAYOUT = "100,300,14,60"
Row = tuple[str, str, float, float, int, int]


def fixation_table(folder: Path, rows: list[Row]) -> Path:
    path = folder / "fixations.csv"
    lines = [f"{r},{s},{x},{y},{on},{ms},{'old' if r == 'r1' else 'young'}" for r, s, x, y, on, ms in rows]
    path.write_text("\n".join(["subject,item,x,y,onset,duration,group", *lines]) + "\n", encoding="utf-8")
    return path


def asc_files(folder: Path, rows: list[Row], step: int = 2) -> list[Path]:
    """Write the recording as edf2asc does, 500 samples a second, with a saccade after each fixation."""
    paths = []
    for reader, own in groupby(rows, key=lambda row: row[0]):
        lines = [
            "** CONVERTED FROM x.edf using edfapi 3.1",
            "** SOURCE: EYELINK CL",
            "** EYELINK II CL v5.12",
        ]
        clock = 100_000
        for text, trial in groupby(own, key=lambda row: row[1]):
            lines += [f"MSG\t{clock} TRIALID {text}", f"START\t{clock} \tRIGHT\tSAMPLES\tEVENTS"]
            lines += [f"{kind}\tGAZE\tRIGHT\tRATE\t500.00\tTRACKING\tCR" for kind in ("EVENTS", "SAMPLES")]
            for _, _, x, y, _, ms in trial:
                ms += ms % 2  # samples come every 2 ms
                start, end = clock + 2, clock + ms
                lines.append(f"SFIX R   {start}")
                lines += [f"{t}\t  {x}\t  {y}\t  900.0\t..." for t in range(start, end + 1, step)]
                lines.append(f"EFIX R   {start}\t{end}\t{ms}\t  {x}\t  {y}\t    900")
                lines += [f"SSACC R  {end + 2}", f"{end + 2}\t  5.0\t  5.0\t  900.0\t..."]
                lines.append(
                    f"ESACC R  {end + 2}\t{end + 2}\t2\t  {x}\t  {y}\t  5.0\t  5.0\t   1.0\t     100"
                )
                clock = end + 4
            lines += [
                f"MSG\t{clock} TRIAL_RESULT 0",
                f"END\t{clock} \tSAMPLES\tEVENTS\tRES\t  38.00\t  31.00",
            ]
            # Between trials the eyes rest on a point that belongs to no text.
            lines += [f"SFIX R   {clock + 2}", f"{clock + 2}\t  9.0\t  9.0\t  900.0\t..."]
            lines += [f"EFIX R   {clock + 2}\t{clock + 2}\t2\t  9.0\t  9.0\t    900"]
            clock += 1000
        paths.append(folder / f"{reader}.asc")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="ascii")
    return paths


def even(path: Scanpath) -> Scanpath:
    ms = tuple(d + d % 2 for d in path.durations or ())
    return Scanpath(path.reader_id, path.sentence_id, path.positions, ms)


def test_fixations_in_pixels_by_areas_layout_and_stimulus(
    tmp_path: Path, rows: list[Row], truth: list[Scanpath], area_table: Path, text_table: Path
) -> None:
    pm = pytest.importorskip("pymovements")
    pl = pytest.importorskip("polars")
    table = fixation_table(tmp_path, rows)
    by_areas = import_recordings([table], area_table)
    assert list(by_areas.scanpaths) == truth
    assert by_areas.readers == {"r1": {"group": "old"}, "r2": {"group": "young"}}
    assert by_areas.card.dropped == {}
    assert "lines by eyekit's slice, Glandorf & Schroeder (2021)" in by_areas.card.notes
    assert import_recordings([table], text_table, layout=LAYOUT) == by_areas
    names = {"start_x": "IA_LEFT", "start_y": "IA_TOP", "end_x": "IA_RIGHT", "end_y": "IA_BOTTOM"}
    stimulus = pm.stimulus.TextStimulus(
        pl.read_csv(area_table),
        aoi_column="IA_LABEL",
        trial_column="item",
        **{f"{key}_column": name for key, name in names.items()},
    )
    assert import_recordings([table], stimulus) == by_areas


def test_without_lines_the_drift_puts_fixations_on_the_line_below(
    tmp_path: Path, rows: list[Row], truth: list[Scanpath], area_table: Path
) -> None:
    corpus = import_recordings([fixation_table(tmp_path, rows)], area_table, lines="none")
    one_line = [path for path in truth if path.sentence_id == "s2"]
    assert [path for path in corpus.scanpaths if path.sentence_id == "s2"] == one_line
    assert [path for path in corpus.scanpaths if path.sentence_id == "s1"] != truth[::2]
    assert corpus.card.dropped["fixations outside every word"] > 0


@pytest.mark.filterwarnings("ignore")
def test_asc_files_become_the_corpus_by_one_command(
    tmp_path: Path,
    rows: list[Row],
    truth: list[Scanpath],
    area_table: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [str(path) for path in asc_files(tmp_path, rows)]
    out = tmp_path / "corpus"
    assert (
        main(["corpus", "import", "recordings", *files, "--areas", str(area_table), "--out", str(out)]) == 0
    )
    assert set(read_corpus(out).scanpaths) == set(map(even, truth))
    assert "left out: 4 fixations outside every trial" in capsys.readouterr().out


def test_samples_become_fixations(
    tmp_path: Path, rows: list[Row], truth: list[Scanpath], area_table: Path
) -> None:
    lines = ["subject,item,time,x,y"]
    for reader, text, x, y, onset, ms in rows:
        ms += ms % 2
        lines += [f"{reader},{text},{t},{x},{y}" for t in range(onset, onset + ms, 2)]
        lines += [f"{reader},{text},{onset + ms + t},NA,NA" for t in range(0, 1000 - ms, 2)]  # a blink
    (tmp_path / "samples.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    corpus = import_recordings([tmp_path / "samples.csv"], area_table, dispersion=20)
    assert [path.positions for path in corpus.scanpaths] == [path.positions for path in truth]
    for path, true in zip(corpus.scanpaths, truth, strict=True):
        assert path.durations == pytest.approx(true.durations, abs=3)  # to a sample


def test_what_is_far_from_the_text_is_counted_and_not_moved_onto_it(
    tmp_path: Path, rows: list[Row], truth: list[Scanpath], area_table: Path
) -> None:
    far: Row = ("r1", "s1", 400.0, 1000.0, 999_999, 300)
    practice: Row = ("r1", "p", 400.0, 330.0, 0, 300)
    corpus = import_recordings([fixation_table(tmp_path, [*rows, far, practice])], area_table)
    assert list(corpus.scanpaths) == truth
    assert corpus.card.dropped == {
        "fixations more than a line away from the text": 1,
        "fixations in texts without words": 1,
    }


def test_faults_are_one_line(tmp_path: Path, rows: list[Row], area_table: Path, text_table: Path) -> None:
    table = fixation_table(tmp_path, rows)
    with pytest.raises(ScandlError, match=r"--layout '1,2': expected left,top,character,line"):
        import_recordings([table], text_table, layout="1,2")
    with pytest.raises(
        DataError, match=r"texts.csv:1: .*--column left=NAME --column top=NAME --column right"
    ):
        import_recordings([table], text_table)
    with pytest.raises(ScandlError, match="reader 'r1' read sentence 's1' in two files"):
        import_recordings([table, table], area_table)
    (tmp_path / "no.asc").write_text("nothing\n", encoding="ascii")
    with pytest.raises(DataError, match=r"no\.asc: found .*expected"):
        import_recordings([tmp_path / "no.asc"], area_table)
