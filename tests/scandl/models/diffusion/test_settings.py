"""The bounds of every setting: what cannot be is one line that names it, before anything else happens."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scandl.config import TrainingConfig
from scandl.errors import ConfigError
from scandl.models.diffusion.settings import PRESETS, DiffusionConfig, ModelConfig, ScandlConfig, preset

IMPOSSIBLE = {
    "model.layers": (["0", "-1"], "at least 1"),
    "model.heads": (["0"], "at least 1"),
    "model.dim": (["0"], "at least 1"),
    "model.feed_forward": (["0"], "at least 1"),
    "model.dropout": (["1.0", "-0.1", "nan"], "at least 0 and below 1"),
    "model.seq_len": (["3"], "at least 4"),
    "model.reserve": (["-0.5", "inf", "nan"], "at least 0"),
    "diffusion.steps": (["1"], "at least 2"),
    "diffusion.history": (["0"], "at least 1"),
    "diffusion.bins": (["-1"], "at least 0"),
    "training.steps": (["0"], "at least 1"),
    "training.batch": (["0"], "at least 1"),
    "training.lr": (["0", "-1e-3", "inf", "nan"], "a number above 0"),
    "training.weight_decay": (["-1.0", "inf"], "at least 0"),
    "training.warmup": (["-1"], "at least 0"),
    "training.ema_decay": (["1.0", "-0.5", "nan"], "at least 0 and below 1"),
    "training.clip_norm": (["0", "-1.0", "nan"], "a number above 0"),
    "training.seed": (["-1"], "at least 0"),
    "training.save_every": (["0"], "at least 1"),
    "training.log_every": (["0"], "at least 1"),
    "training.accumulate": (["0"], "at least 1"),
    "training.validation_seed": (["-1"], "at least 0"),
    "training.validation_share": (["0", "1", "nan"], "above 0 and below 1"),
    "training.validation_paths": (["0"], "at least 1"),
    "training.validation_steps": (["1"], "at least 2"),
    "training.validate_every": (["0"], "at least 1"),
    "training.patience": (["0"], "at least 1"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_number_that_cannot_be_is_named(name: str) -> None:
    values, expected = IMPOSSIBLE[name]
    for value in values:
        with pytest.raises(ConfigError, match=f"^setting '{name}': found .*, expected {expected}$"):
            preset("small", [f"{name}={value}"])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("model.layers=99999999999", "at most 1,000"),
        ("model.seq_len=99999999", "at most 100,000"),
        ("training.batch=1000000", "at most 100,000"),
        ("model.dim=960000", "at most 100,000"),
        ("diffusion.steps=2000000", "at most 1,000,000"),
    ],
)
def test_a_size_that_no_machine_holds_is_refused(change: str, expected: str) -> None:
    name, _, value = change.partition("=")
    with pytest.raises(ConfigError, match=f"^setting '{name}': found {value}, expected {expected}$"):
        preset("small", [change])


def test_every_number_has_bounds() -> None:
    groups = {"model": ModelConfig, "diffusion": DiffusionConfig, "training": TrainingConfig}
    numbers = {
        f"{group}.{field.name}"
        for group, cls in groups.items()
        for field in fields(cls)  # type: ignore[arg-type]
        if field.type in ("int", "float", "int | None", "float | None")
    }
    assert numbers == set(IMPOSSIBLE)


@pytest.mark.parametrize("buckets", ["[]", "[2, 8]", "[0]", "[-4, 8]", "[8, 8]", "[16, 8]", "[200000]"])
def test_buckets_rise_and_hold_two_ends_and_a_pad(buckets: str) -> None:
    with pytest.raises(
        ConfigError, match=r"model.buckets: found \[.*\], expected rising lengths up to 100,000, none below 3"
    ):
        preset("small", [f"model.buckets={buckets}"])


def test_bounds_hold_what_was_always_possible() -> None:
    for name in PRESETS:
        preset(name)
    edge = [
        "training.ema_decay=0",
        "model.dropout=0",
        "diffusion.bins=0",
        "model.buckets=[3]",
        "training.seed=0",
    ]
    assert preset("small", edge).model.buckets == (3,)


def test_the_paper_preset_is_what_was_published() -> None:
    """The specification's table of network, process and training, value by value."""
    found = preset("paper")
    assert found == ScandlConfig()
    model, diffusion, training = found.model, found.diffusion, found.training
    assert (model.layers, model.heads, model.dim, model.feed_forward, model.dropout) == (
        12,
        8,
        256,
        3072,
        0.1,
    )
    assert (model.seq_len, model.buckets, model.encoder) == (128, (128,), "bert-base-cased")
    assert model.sentence_condition
    assert model.text_and_position
    assert (diffusion.steps, diffusion.schedule, diffusion.loss) == (2000, "sqrt", "released")
    assert diffusion.count_sentence
    assert diffusion.count_padding
    assert (diffusion.timesteps, diffusion.history, diffusion.bins) == ("second-moment", 10, 0)
    assert (training.steps, training.batch, training.lr, training.weight_decay) == (80_000, 64, 1e-4, 0.0)
    assert (training.lr_schedule, training.warmup, training.clip_norm) == ("linear", 0, None)
    assert (training.ema_decay, training.ema_warmup, training.save_every) == (0.9999, False, 5_000)
    assert (training.precision, training.seed) == ("no", 101)
    assert (training.validation, training.validation_share, training.validation_seed) == ("loss", 0.1, 77)
    assert not training.chooses
    assert training.patience is None
