"""Flags of sampling: the defaults are those of Python, and shares are shares."""

from __future__ import annotations

import argparse

import pytest

from scandl.cli.sampling_flags import add_sampling, sampling_of
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import PUBLISHED, Sampling
from scandl.models.diffusion.samplers import SamplerOptions


def asked(*flags: str, steps: int = 10) -> Sampling:
    parser = argparse.ArgumentParser()
    add_sampling(parser)
    return sampling_of(parser.parse_args(flags), steps)


def test_the_defaults_are_those_of_python() -> None:
    assert asked() == Sampling()


def test_the_published_way_can_be_asked_for() -> None:
    assert asked("--late", "1", "--round-below", "1", "--rounding", "published", steps=2000) == PUBLISHED
    assert asked("--sampler", "ddim").options == SamplerOptions(round_below=0.9, valid=True)


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (("--late", "0"), "--late 0.0: expected a number above 0"),
        (("--round-below", "-0.1"), "--round-below -0.1: expected a share from 0 to 1"),
        (("--sampler", "ddmp"), "no sampler 'ddmp'; did you mean 'ddpm'? known: ddim, ddpm"),
    ],
)
def test_what_cannot_be(flags: tuple[str, ...], text: str) -> None:
    with pytest.raises(ScandlError) as caught:
        asked(*flags)
    assert str(caught.value) == text
