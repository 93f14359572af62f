"""The English trigrams of CMU Sphinx, which pocketsphinx brings: where they are, and how they count."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from scandl.extras import need

STEP = math.log(1.0001)  # the model counts log-probability in whole steps of this size
UNKNOWN = -(2**29)  # what it answers for a word that is not in its vocabulary
START, END = "<s>", "</s>"
MODEL = Path("model", "en-us", "en-us.lm.bin")  # in the package pocketsphinx


def model_file() -> Path:
    """Return the file of the language model."""
    return Path(str(need("pocketsphinx", "trigram").__file__)).parent / MODEL


def open_model() -> Any:
    """Return the language model; ``prob`` takes a word and the words before it, the newest first."""
    return need("pocketsphinx", "trigram").NGramModel.readfile(str(model_file()))
