"""The playground's model: what the shipped model and its word lists hold, packed for the browser.

MkDocs calls ``on_post_build``, which writes two scripts beside the page: the one that moves scanpaths, and
``model.js`` with the source of the worker and the packed data as text, because a page opened from disk may
load scripts and nothing else.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scandl.extras import need
from scandl.files.results import write_text
from scandl.models.pointer import condition, drawing, mixtures, path_batch, pointer_network, states
from scandl.models.pointer.people import FILE
from scandl.text import small_surprisal, word_facts, word_pairs
from scandl.training.weight_files import read_weights

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

SOURCES = Path(__file__).parents[1] / "playground" / "worker"
PARTS = ("random.js", "words.js", "network.js", "people.js", "worker.js")
Arrays = Mapping[str, NDArray[Any]]


def on_post_build(config: MkDocsConfig) -> None:
    """Write what the page loads."""
    write_page_scripts(Path(config.site_dir) / "playground")


def write_page_scripts(folder: Path) -> None:
    """Write the model, and the script of moving scanpaths, beside the page."""
    moving = resources.files("scandl.drawings") / "moving.js"
    write_text(folder / "moving.js", moving.read_text(encoding="utf-8"))
    write_text(folder / "model.js", model_script())


def model_script() -> str:
    """Return a script that defines the source of the worker and the data it needs."""
    told = json.dumps({"worker": worker_source(), "packed": packed()}, ensure_ascii=False)
    return f"const playgroundModel = {told};\n"


def worker_source(*, parts: tuple[str, ...] = PARTS) -> str:
    """Return the scripts of the worker as one."""
    return "\n".join((SOURCES / part).read_text(encoding="utf-8") for part in parts)


@cache
def packed() -> str:
    """Return facts and arrays, compressed, in base 64: the length of the head, the head, the arrays."""
    known, weights = read_weights(FILE)
    found = {**word_arrays(), **{f"weight/{name}": array for name, array in weights.items()}}
    places, body = {}, bytearray()
    for name, array in found.items():
        places[name] = {"kind": array.dtype.name, "shape": array.shape, "start": len(body)}
        body += array.astype(array.dtype.newbyteorder("<")).tobytes()
    head = json.dumps({"facts": facts(known), "arrays": places}, allow_nan=False).encode()
    content = len(head).to_bytes(4, "little") + head + bytes(body)
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


def word_arrays() -> dict[str, NDArray[Any]]:
    """Return the lists of words: frequencies, a line for each hundredth of a Zipf unit; pairs; trees."""
    buckets = need("wordfreq", "all").get_frequency_list("en")
    listed = "\n".join(" ".join(bucket) for bucket in buckets).encode()
    arrays = {"frequencies": np.frombuffer(listed, np.uint8)}
    with np.load(word_pairs.FILE) as held:
        arrays |= {f"pairs_{name}": held[name] for name in held}
    with np.load(small_surprisal.FILE) as held:
        arrays |= {name: held[name] for name in held if held[name].ndim}
    return arrays


def facts(known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers that the Python modules have, so that each has one home."""
    numbers = need("wordfreq.numbers", "all")
    config, small = known["config"], small_surprisal.small()
    return {
        "conditions": _without_nan(known["conditions"]),
        "heads": config["network"]["heads"],
        "gain": config["sampling"]["gain"],
        "largest_deviation": condition._LARGEST,
        # words
        "closing": word_facts._CLOSING,
        "clause": word_facts._CLAUSE,
        "sentence": word_facts._SENTENCE,
        "marks": path_batch._AROUND_A_WORD,
        "of_marks": path_batch._OF_MARKS,
        "classes": path_batch._CLASSES.tolist(),
        "fading": path_batch.FADING,
        "typical_nats": path_batch._TYPICAL_NATS,
        "sd_nats": path_batch._SD_NATS,
        "vowels": need("wordfreq.tokens", "all").INITIAL_VOWEL_EXPR,
        "digits": numbers.DIGIT_FREQS,
        "years": {
            "peak": numbers.YEAR_LOG_PEAK,
            "now": numbers.REFERENCE_YEAR,
            "plateau": numbers.PLATEAU_WIDTH,
            "other": numbers.NOT_YEAR_PROB,
        },
        "of_parts": word_facts.OF_PARTS,
        "zipf_floor": word_facts.ZIPF_FLOOR,
        "nats_floor": word_facts.NEGLOG2_FLOOR,
        "least_nats": small_surprisal._LEAST,
        "far": small_surprisal._FAR,
        "longest_place": small_surprisal._LONGEST,
        "small": {
            "gain": small.gain,
            "starts": {name: getattr(small, name).start for name in small_surprisal._FORESTS},
            "names": {
                "whole": small_surprisal.COLUMNS,
                "plain": small_surprisal.PLAIN,
                "entropy": small_surprisal.BEFORE,
            },
        },
        # network
        "far_distance": pointer_network.FAR,
        "horizon": pointer_network.HORIZON,
        "lines": pointer_network.LINES,
        "behind": drawing._BEHIND,
        "ahead": drawing._AHEAD,
        "leap": drawing._LEAP,
        "most_per_word": path_batch._MOST_PER_WORD,
        "saccades": path_batch.SACCADES,
        "window": states.WINDOW.tolist(),
        "most_visits": states.MOST_VISITS,
        "lengths": {
            "of_text": path_batch.OF_TEXT,
            "long": mixtures._LONG,
            "typical": mixtures.TYPICAL_LENGTH_SD,
            "least": mixtures.LEAST_LENGTH_SD,
            "most": mixtures.MOST_LENGTH_SD,
        },
        "timing": {
            "around": mixtures._AROUND,
            "typical": mixtures.TYPICAL,
            "least": mixtures.LEAST_LOG_SD,
            "most": mixtures.MOST_LOG_SD,
        },
    }


def _without_nan(table: Any) -> Any:
    """Return a table whose numbers JSON knows: what is not known is null."""
    if isinstance(table, dict):
        return {key: _without_nan(value) for key, value in table.items()}
    if isinstance(table, list):
        return [_without_nan(value) for value in table]
    return None if isinstance(table, float) and math.isnan(table) else table
