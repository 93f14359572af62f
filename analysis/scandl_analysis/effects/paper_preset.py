"""The analysis of Bolliger et al. (2023) as one preset, what everybody else gets, and how the two differ."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scandl.extras import is_installed
from scandl.text import smollm2
from scandl.text.pretrained import local_copy

if TYPE_CHECKING:
    from scandl_analysis.effects.designs import Options

PAPER: Mapping[str, Any] = MappingProxyType(
    {
        "measures": ("sr", "fpr", "ffc", "tfc"),
        "variant": "paper",  # an unfixated word counts as one without a regression
        "frequency": "proportion",
        "surprisal": "gpt2-xl",
        "alignment": "scandl-v1",  # the slip of the released code, on which the printed effects rest
        "scaling": "separate",  # each source by itself
        "draws": 3000,  # of each of 4 chains: 12,000
        "drop": (),  # first and last words are kept
    }
)
"""What ``--design paper`` chooses where nothing else was asked for."""
FAIR: Mapping[str, Any] = MappingProxyType(
    {
        "variant": "firstpass",
        "frequency": "zipf",
        "surprisal": "auto",
        "alignment": "offsets",
        "scaling": "human",
        "draws": 1000,
    }
)
"""What every other design chooses: definitions and scales on which effects can be compared."""
SHARED: Mapping[str, Any] = MappingProxyType(
    {"priors": "brms", "counts": "poisson", "chains": 4, "unit": "nats", "bow": False, "punctuation": True}
)
"""What the paper chose and every design chooses too."""
WORDS_ALONE = ("small", "trigram", "unigram")
"""Sources of surprisal that know no tokens, so that nothing can be aligned."""


def chosen(options: Options, design: str, language: str) -> dict[str, Any]:
    """Return the options that were left open, as the design chooses them."""
    preset = PAPER if design == "paper" else FAIR
    values = {name: value for name, value in preset.items() if getattr(options, name) is None}
    if design != "paper":
        return values
    if "surprisal" in values:
        values["surprisal"] = nearest_surprisal(language)
    source = values.get("surprisal", options.surprisal)
    if "alignment" in values and source in WORDS_ALONE:
        values["alignment"] = FAIR["alignment"]
    return values


def nearest_surprisal(language: str) -> str:
    """Return the source of surprisal that is here and nearest to the paper's; nothing is downloaded."""
    if language != "en":
        return "unigram"
    if not is_installed("torch", "transformers"):
        return "trigram" if is_installed("pocketsphinx") else "unigram"
    if local_copy(PAPER["surprisal"]) is not None:
        return str(PAPER["surprisal"])
    return "smollm2" if smollm2.installed() else "trigram" if is_installed("pocketsphinx") else "unigram"


def deviations(options: Options, *, corpus: str) -> list[str]:
    """Return how an analysis by the preset differs from the published one, and why, one line each."""
    said = []
    for name, published in {**PAPER, **SHARED}.items():
        value = getattr(options, name)
        if value != published:
            said.append(f"{name} {value} instead of {published}{_why(name, options)}")
    said += [
        f"corpus {corpus}; the paper's is CELER",
        f"engine {options.engine} instead of brms: {_engine(options.engine)}",
        "the two halves of the readers and the marginal effects are added",
    ]
    return [f"differs from the paper: {line}" for line in said]


def _why(name: str, options: Options) -> str:
    if name == "surprisal" and options.surprisal != PAPER["surprisal"]:
        return f" (ask for it with --surprisal {PAPER['surprisal']}: a download of 6 GB)"
    if name == "alignment" and options.surprisal in WORDS_ALONE:
        return f" (surprisal {options.surprisal} has no tokens)"
    return " (asked for)"


def _engine(engine: str) -> str:
    if engine == "laplace":
        return "an approximation of the same posterior"
    return "the same posterior, other random numbers"
