"""The options of commands that run cognitive models: where predictability comes from."""

from __future__ import annotations

import argparse

from scandl.options import add_option


def add_words(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add the option for a table of words."""
    add_option(
        parser,
        "words",
        "a table of the corpus's words, such as 'scandl-analysis predictors' writes: columns surprisal "
        "and surprisal_unit, or probability, cloze, frequency_per_million (swift uses only the last)",
        required=required,
    )


def add_predictability(parser: argparse.ArgumentParser) -> None:
    """Add the options for what E-Z Reader is told of predictability; SWIFT 3 does not use it."""
    add_words(parser)
    parser.add_argument(
        "--predictability",
        metavar="SOURCE",
        help="for ezreader: auto (cloze norms, else the language model of --words, else 0; the default), "
        "cloze, surprisal or zero; swift does not use predictability (theta = 0)",
    )
    parser.add_argument(
        "--calibration",
        type=_pair,
        metavar="A,B",
        help="cloze = logistic(A + B logit p) of a language model's p (default 0,1; 'baseline calibrate' "
        "fits them; write --calibration=-1,0.5 when A is negative)",
    )


def _pair(text: str) -> tuple[float, float]:
    try:
        intercept, slope = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected two numbers such as 0,1, found {text!r}") from None
    return intercept, slope
