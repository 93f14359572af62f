"""``scandl generate`` and its neighbours: what they print and write, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from scandl.cli import main
from scandl.files.prediction_files import read_predictions
from scandl.files.symbol_repair import clean, joined

Refused = Callable[[list[str]], str]

STEPS = ["--steps", "5"]


def test_a_text_is_read_on_the_terminal(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--model", str(checkpoint), "--text", "The cat sat.", *STEPS]) == 0
    printed = capsys.readouterr().out
    assert "The cat sat." in " ".join(printed.split())  # above the numbers of fixations, with room for them
    assert "1 scanpath; repaired: " in printed


def test_the_test_items_of_a_fold(
    checkpoint: Path, corpus_folder: Path, tmp_path: Path, refused: Refused
) -> None:
    out = tmp_path / "preds.csv"
    command = ["generate", "--model", str(checkpoint), "--corpus", str(corpus_folder), "--setting", "ns"]
    assert main([*command, "--fold", "0", "--samples", "2", "--out", str(out), *STEPS]) == 0
    predictions = read_predictions(out, index_base=0)
    assert len(predictions) % 12 == 0  # six readers, two samples
    assert {(p.setting, p.fold) for p in predictions} == {("ns", "0")}  # as scandl-eval run names folds
    assert {p.extra["encoder"] for p in predictions} == {"lexical/3"}
    assert all(p.human is not None for p in predictions)
    line = refused([*command, "--fold", "1", "--out", str(out), *STEPS])
    assert "the checkpoint of fold ns-0 was trained on sentence" in line


def test_a_figure_and_lines_of_a_file(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("\ufeffOne line.\n\nAnother line here.\n", encoding="utf-8")
    command = ["generate", "--model", str(checkpoint), "--text-file", str(tmp_path / "text.txt")]
    assert (
        main([*command, "--plot", str(tmp_path / "path.svg"), "--out", str(tmp_path / "p.csv"), *STEPS]) == 0
    )
    assert [p.text for p in read_predictions(tmp_path / "p.csv")] == ["One line.", "Another line here."]
    assert (tmp_path / "path.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--text", "word " * 200], "sentence 't1' has 200 words; seq_len 128 has ids for at most 125"),
        (["--text", "  "], "the text is empty: there is nothing to read"),
        (["--text", "a b", "--samples", "0"], "--samples 0: expected at least 1"),
        (["--text", "a b", "--steps", "1"], "sampling steps: found 1, expected 2..20"),
        (["--text", "a b", "--text-file", "x"], "give one of --text and --text-file"),
        (["--corpus", "demo"], "--corpus without texts needs --setting, --fold and --out"),
        (
            ["--text", "a b", "--setting", "nr", "--fold", "3"],
            "--setting goes with --corpus alone: a text has no folds",
        ),
        (
            ["--text", "a b", "--split-seed", "1"],
            "--split-seed goes with --corpus alone: a text has no folds",
        ),
        (["--text", "a b", "--device", "foo"], "--device foo: expected cpu or cuda"),
        (["--text", "a b", "--task", "part"], "--like and --task: {name} knows no readers"),
    ],
)
def test_what_cannot_be_generated(
    arguments: list[str], expected: str, checkpoint: Path, refused: Refused
) -> None:
    command = ["generate", "--model", str(checkpoint), *STEPS, *arguments]
    assert refused(command) == f"scandl: {expected.format(name=checkpoint.parent.name)}"


@pytest.mark.skipif(torch.cuda.is_available(), reason="CUDA is there")
def test_a_gpu_that_is_not_there(checkpoint: Path, refused: Refused) -> None:
    command = ["generate", "--model", str(checkpoint), "--text", "a b", "--device", "cuda"]
    assert refused(command) == "scandl: --device cuda: no CUDA device is available here"


def test_names_of_files_are_refused_before_a_model_is_opened(tmp_path: Path, refused: Refused) -> None:
    """The checkpoint does not exist: whoever opens it first says so."""
    command = ["generate", "--model", "none.pt", "--text", "a b"]
    assert refused([*command, "--out", "p.txt"]) == (
        "scandl: p.txt: found the ending '.txt', expected a name that ends in .csv, .parquet or .jsonl"
    )
    for plot in ("x.xyz", "x"):
        line = refused([*command, "--plot", plot])
        assert line.startswith(
            f"scandl: {plot}: found the ending '{Path(plot).suffix}', expected a figure: ."
        )
        for ending in (".png", ".svg", ".pdf"):
            assert ending in line
    watched = ["inspect", "--model", "none.pt", "--text", "a b", "--out"]
    assert refused([*watched, "p.txt"]).startswith("scandl: p.txt: found the ending '.txt'")
    assert refused([*watched, "p.csv", "--places", "q.txt"]).startswith("scandl: q.txt: found the ending")
    assert refused([*watched, "p.csv", "--plot", "x.xyz"]).startswith("scandl: x.xyz: found the ending")


def test_a_text_file_in_another_encoding(checkpoint: Path, tmp_path: Path, refused: Refused) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes("Ein schöner Tag.\n".encode("latin-1"))
    line = refused(["generate", "--model", str(checkpoint), "--text-file", str(text)])
    assert line == f"scandl: {text}:1: found byte 0xf6 that is not UTF-8, expected UTF-8 text"


def test_models_without_torch_run_on_the_cpu(checkpoint: Path, tmp_path: Path, refused: Refused) -> None:
    exported = tmp_path / "model.npz"
    assert main(["export", str(checkpoint), "--out", str(exported), "--quiet"]) == 0
    for command in (["generate"], ["generate", "--model", str(exported)]):
        line = refused([*command, "--text", "a b", "--device", "cuda"])
        assert line.startswith(
            "scandl: --device cuda: exported models and that of the package run on the CPU"
        )


def test_quiet_prints_the_result_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "p.csv"
    read = ["generate", "--model", "demo", "--text", "Der Hund bellt laut.", *STEPS]
    assert main([*read, "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == "Der Hund bellt laut."
    assert (len(captured.out.splitlines()), captured.err) == (2, "")
    assert main([*read, "--quiet", "--out", str(out)]) == 0
    assert capsys.readouterr() == ("", "")
    assert main([*read, "--out", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(f"{out}: 1 scanpath of 1 text; repaired: ")
    assert captured.err == (
        "warning: 1 of 1 text (t1): looks German and is read as English: give --language de\n"
    )
    watched = ["inspect", "--text", "The cat sat.", "--samples", "1", "--steps", "5", "--out", str(out)]
    for flags, lines in (([], 4), (["--quiet"], 3)):
        assert main([*watched, *flags]) == 0
        printed = capsys.readouterr().out.splitlines()
        assert len(printed) == lines
        assert printed[-1].startswith("99% of the positions have their final id at step ")


def test_a_setting_that_the_checkpoint_does_not_keep_is_refused(
    checkpoint: Path, corpus_folder: Path, tmp_path: Path, refused: Refused
) -> None:
    """Trained with new sentences; readers are known, and the demo corpus is another."""
    command = ["generate", "--model", str(checkpoint), "--out", str(tmp_path / "p.csv"), "--fold", "0"]
    line = refused([*command, "--corpus", str(corpus_folder), "--setting", "nrns"])
    assert "the checkpoint of fold ns-0 was trained on " in line
    line = refused([*command, "--corpus", "demo", "--setting", "ns"])
    assert line == (
        "scandl: the checkpoint was trained on corpus 'tiny': on 'demo' it is not tested in setting 'ns',"
        " use --setting cross"
    )


def test_checkpoints_that_are_not_ours(checkpoint: Path, tmp_path: Path, refused: Refused) -> None:
    def generate(path: Path) -> str:
        return refused(["generate", "--model", str(path), "--text", "a b"])

    missing, truncated, newer, other = (
        tmp_path / f"{name}.pt" for name in ("missing", "truncated", "newer", "other")
    )
    assert generate(missing) == f"scandl: {missing}: no such model"
    truncated.write_bytes(checkpoint.read_bytes()[:-100])
    assert generate(truncated).startswith(f"scandl: {truncated}: not a whole checkpoint of this program")
    torch.save({"format": 99}, newer)
    assert (
        generate(newer) == f"scandl: {newer}: found checkpoint format 99, expected 1: made by another version"
    )
    torch.save({"format": 1, "config": {}}, other)
    assert generate(other) == f"scandl: {other}: a checkpoint, but not of ScanDL"
    assert refused(["export", str(other), "--out", str(tmp_path / "x.npz")]) == (
        f"scandl: {other}: a checkpoint, but not of ScanDL"
    )
    saved = torch.load(checkpoint, weights_only=True)
    lacking = {key: value for key, value in saved.items() if key != "config"}
    torch.save(lacking, other)
    assert generate(other) == (
        f"scandl: {other}: a checkpoint that lacks parts, or whose parts do not fit (no 'config')"
    )
    nan = {name: weight * float("nan") for name, weight in saved["ema"].items()}
    torch.save(saved | {"ema": nan}, other)
    assert "hold NaN or infinity: nothing can be generated" in generate(other)
    torch.save(saved | {"ema": {}}, other)
    assert "a checkpoint that lacks parts, or whose parts do not fit (Error(s) in loading" in generate(other)
    for content in (b"export A=1\n", b"", b"(lp0\n.", b"\x80\x02]q\x00.", bytes(range(256))):
        other.write_bytes(content)
        assert generate(other).startswith(f"scandl: {other}: ")


def test_symbols_before_the_repair_are_kept(checkpoint: Path, corpus_folder: Path, tmp_path: Path) -> None:
    """What the table says was drawn is what its paths are the repair of, in every form of file."""
    fold = ["--corpus", str(corpus_folder), "--setting", "ns", "--fold", "0"]
    flags = [*STEPS, "--keep-symbols", "--quiet"]
    found = []
    for ending in (".csv", ".jsonl", ".parquet"):
        out = tmp_path / f"p{ending}"
        assert main(["generate", "--model", str(checkpoint), *fold, *flags, "--out", str(out)]) == 0
        found.append(read_predictions(out, index_base=0))
        for p in found[-1]:
            assert p.raw is not None
            words, repairs = clean(p.raw, len((p.text or "").split()))
            assert (words, joined(repairs)) == (p.predicted, p.extra["repairs"])
    assert found[0] == found[1] == found[2]
    text = ["--text", "The cat sat on the mat.", "--out", str(tmp_path / "t.csv")]
    assert main(["generate", "--model", str(checkpoint), *text, *flags]) == 0
    (one,) = read_predictions(tmp_path / "t.csv")
    assert one.raw is not None
    assert clean(one.raw, 6)[0] == one.predicted


def test_raw_weights_are_taken_when_asked_for(checkpoint: Path, tmp_path: Path) -> None:
    """With other raw weights the paths of the moving average stay, and only they."""
    saved, other = torch.load(checkpoint, weights_only=True), tmp_path / "other.pt"
    torch.save(saved | {"weights": {name: -weight for name, weight in saved["weights"].items()}}, other)

    def paths(path: Path, *flags: str) -> list[tuple[int, ...]]:
        out = tmp_path / "p.csv"
        text = ["--text", "The cat sat on the mat.", "--samples", "4", "--out", str(out)]
        assert main(["generate", "--model", str(path), *text, *STEPS, "--quiet", *flags]) == 0
        return [p.predicted for p in read_predictions(out)]

    assert paths(other) == paths(checkpoint)
    assert paths(other, "--raw") != paths(checkpoint, "--raw")


def test_an_unknown_model_is_told_with_those_there_are(refused: Refused) -> None:
    line = refused(["generate", "--model", "dmeo", "--text", "a b"])
    assert line.startswith("scandl: no model 'dmeo'; did you mean 'demo'?")
