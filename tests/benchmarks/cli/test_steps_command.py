from __future__ import annotations

import pytest

from scandl_eval.cli import main, parser
from scandl_eval.scoring.few_steps import KINDS, AtSteps

FOLD = ["--corpus", "demo", "--setting", "ns", "--fold", "0"]


@pytest.fixture
def curve(monkeypatch):
    """A model that is not there, at the steps that were asked for; fewer steps are farther from readers."""
    asked = {}

    def steps_curve(model, corpus, fold, steps, **given):
        asked.update(given, corpus=corpus.name, fold=fold.fold_id)
        return [
            AtSteps(k, 10, 0.6, None, 1 / k, (0.0, 0.06), 1.0, None, 0.0, dict.fromkeys(KINDS, 0.0))
            for k in steps
        ]

    monkeypatch.setattr("scandl.models.diffusion.trained_models.open_model", lambda *_, **__: object())
    monkeypatch.setattr("scandl_eval.scoring.few_steps.steps_curve", steps_curve)
    return asked


def test_the_fewest_steps_that_will_do_are_named(curve, tmp_path, capsys):
    out = tmp_path / "steps.csv"
    command = [
        "steps",
        "--checkpoint",
        "m.pt",
        *FOLD,
        "--steps",
        "5,20,100",
        "--out",
        str(out),
        "--samples",
        "2",
    ]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "fewest steps whose energy distance lies inside the interval of 100: 20" in printed
    assert (curve["corpus"], curve["fold"], curve["samples"]) == ("demo", "ns-0", 2)
    assert len(out.read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--steps", "10,x"], "found '10,x', expected numbers such as 10,50,2000"),
        (["--samples", "0"], "--samples 0: expected at least 1"),
    ],
)
def test_numbers_that_cannot_be_are_refused(curve, flags, message, capsys):
    with_flags = ["steps", "--checkpoint", "m.pt", *FOLD, *flags]
    try:
        code = main(with_flags)
    except SystemExit as left:
        code = left.code
    assert code == 2
    assert message in capsys.readouterr().err


def test_the_published_number_of_steps_is_among_the_defaults():
    args = parser().parse_args(["steps", "--checkpoint", "m.pt", *FOLD])
    assert args.steps[-1] == 2000
