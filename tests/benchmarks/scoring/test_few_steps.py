"""Few-step curves: scores against their definitions, and the rule that chooses the steps."""

from __future__ import annotations

from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.symbol_repair import frame
from scandl.files.tables import read_table
from scandl.models.diffusion.diffusion_model import Denoising, ScanpathModel
from scandl.models.diffusion.settings import preset
from scandl.models.model import Request
from scandl.models.trained_model import TrainedModel
from scandl.splits import make_folds
from scandl.statistics.distances import nld
from scandl.text.encoder import Lexical
from scandl_eval.cli import main
from scandl_eval.scoring.few_steps import AtSteps, curve_lines, enough_steps, steps_curve, write_steps

DEMO = open_corpus("demo")
FOLD = make_folds(DEMO, "ns", seed=1)[0]


class Reader(ScanpathModel):
    """Reads left to right, skips words at random, and forgets SEP when it takes fewer than 10 steps."""

    def __init__(self) -> None:
        super().__init__(preset("small"), Lexical(), {"fold_id": "none", "setting": "ns", "train": []})

    def sample(self, inputs, streams, process, sampling, watch):
        rows = []
        for tokens, rng in zip(inputs, streams, strict=True):
            words = tuple(int(w) for w in np.flatnonzero(rng.random(tokens.n_words) < 0.7))
            path = list(frame(words, tokens.n_words))
            if sampling.steps < 10:
                path = path[:-1]
            row = [*tokens.ids[: tokens.n_sentence], *path]
            rows.append([*row, *[self.pad] * (len(tokens.ids) - len(row))])
        return rows


def row(steps: int, energy: float, ci95: tuple[float, float] | None) -> AtSteps:
    return AtSteps(steps, 10, 0.6, None, energy, ci95, 1.0, None, 0.0, {})


def test_the_scores_follow_their_definitions() -> None:
    few, many = steps_curve(TrainedModel(Reader(), "reader"), DEMO, FOLD, [20, 5, 20], seed=3)
    assert (few.steps, many.steps, few.n) == (5, 20, len(FOLD.test))
    paths = Reader().read(
        [Request(DEMO.sentences[sentence], reader) for reader, sentence in FOLD.test],
        seed=3,
        sampling=Denoising(steps=20),
    )
    humans = [DEMO.by_pair[pair] for pair in FOLD.test]
    distances = [nld(h.positions, p.positions) for h, p in zip(humans, paths, strict=True)]
    assert many.nld == pytest.approx(np.mean(distances), abs=1e-12)
    by_sentence = []
    for sentence in dict.fromkeys(human.sentence_id for human in humans):
        x, y = ([p for p in side if p.sentence_id == sentence] for side in (humans, paths))
        between, *within = (
            np.mean([nld(a.positions, b.positions) for a, b in product(*sides) if a.reader_id != b.reader_id])
            for sides in ((x, y), (x, x), (y, y))
        )
        by_sentence.append(2 * between - sum(within))
    assert many.energy == pytest.approx(np.mean(by_sentence), abs=1e-12)
    assert many.nld_ci95 is not None
    assert many.nld_ci95[0] < many.nld < many.nld_ci95[1]
    assert many.energy_ci95 is not None
    assert many.energy_ci95[0] < many.energy < many.energy_ci95[1]
    # The paths are the same; only the end symbol is missing from those of few steps.
    assert (few.nld, few.energy) == (many.nld, many.energy)
    assert few.by_kind["no SEP"] == few.repaired == 1.0
    assert many.by_kind["no SEP"] == 0.0


def test_the_fewest_steps_inside_the_interval_of_the_most() -> None:
    curve = [row(10, 0.2, None), row(20, 0.12, None), row(50, 0.09, None), row(100, 0.1, (0.08, 0.11))]
    assert enough_steps(curve).steps == 50
    assert enough_steps(curve[:2] + curve[3:]).steps == 100
    with pytest.raises(ScandlError, match="needs two readers or two sentences"):
        enough_steps([row(10, 0.2, None)])


def test_the_table_can_be_read_back(tmp_path: Path) -> None:
    curve = steps_curve(TrainedModel(Reader(), "reader"), DEMO, FOLD, [5, 20])
    write_steps(tmp_path / "steps.csv", curve)
    table = read_table(tmp_path / "steps.csv")
    assert table.columns["steps"] == ["5", "20"]
    assert float(table.columns["energy"][1]) == pytest.approx(curve[1].energy, abs=1e-6)
    assert float(table.columns["no_sep"][0]) == 1.0
    assert any("no SEP 100.0%" in line for line in curve_lines(curve))


def test_steps_are_refused_before_any_work() -> None:
    with pytest.raises(ScandlError, match=r"sampling steps: found 1, expected 2..2000"):
        steps_curve(TrainedModel(Reader(), "reader"), DEMO, FOLD, [50, 1])


def test_the_command_names_the_fewest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = TrainedModel(Reader(), "reader")
    monkeypatch.setattr("scandl.models.trained_model.open_trained", lambda path, options: opened)
    command = ["steps", "--model", "x.pt", "--corpus", "demo", "--setting", "ns", "--quiet"]
    assert main([*command, "--fold", "0", "--steps", "5,20", "--out", str(tmp_path / "steps.csv")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("steps | NLD")
    assert printed[-1] == "fewest steps whose energy distance lies inside the interval of 20: 5"
    with pytest.raises(SystemExit, match="2"):
        main([*command, "--fold", "0", "--steps", "2,x"])
    assert "found '2,x', expected numbers such as 10,50,2000" in capsys.readouterr().err
    assert main([*command, "--fold", "9"]) == 2
    assert "no fold 9" in capsys.readouterr().err
    assert main(command) == 2
    assert "--setting ns needs --fold, from 0" in capsys.readouterr().err


def test_a_model_of_the_whole_corpus_is_not_tested_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    model = str(files("scandl.models.shipped").joinpath("demo.npz"))
    assert main(["steps", "--model", model, "--corpus", "demo", "--setting", "ns", "--fold", "0"]) == 2
    assert "was trained on corpus 'demo', which it is asked to be tested on" in capsys.readouterr().err
