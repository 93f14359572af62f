"""The network at work on onnxruntime, without torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scandl.config import from_table
from scandl.errors import ScandlError
from scandl.models.diffusion.onnx_model import open_session
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.runners.runner import Flags, Floats, Ints, Past, ReadText
from scandl.models.pointer.words import IDENTITY

FORMAT = "1"


def load_onnx(path: Path | str) -> PointerModel:
    """Open a file written by ``scandl.models.pointer.runners.pointer_export``."""
    source = Path(path)
    if not source.is_file():
        raise ScandlError(f"{source}: no such model")
    session = open_session(source)
    metadata = session.get_modelmeta().custom_metadata_map
    if metadata.get("scandl-pointer") != FORMAT:
        found = metadata.get("scandl-pointer", "none")
        raise ScandlError(f"{source}: found format {found}, expected a word-pointing model, format {FORMAT}")
    if metadata["words"] != IDENTITY:
        raise ScandlError(f"{source}: trained with word features {metadata['words']}, found {IDENTITY}")
    config = from_table(PointerConfig, json.loads(metadata["config"]))
    conditions = Conditions.from_table(json.loads(metadata["conditions"]))
    return PointerModel(config, conditions, OnnxRunner(session), timed=metadata["timed"] == "True")


class OnnxRunner:
    """A session; implements ``scandl.models.pointer.runners.runner.Runner``."""

    def __init__(self, session: Any) -> None:
        self._session = session
        import onnxruntime

        # The runtime wants all inputs, but is told to compute nothing that no wanted output needs.
        self._options = onnxruntime.RunOptions()
        self._options.only_execute_path_to_fetches = True
        self._nothing = {
            given.name: np.zeros([n if isinstance(n, int) else 1 for n in given.shape], dtype=np.float32)
            for given in session.get_inputs()
        }
        self._past = sorted(name for name in self._nothing if name.startswith("past_keys_"))

    def read(self, features: Floats, inside: Flags) -> ReadText:
        """Read texts."""
        near, keys, by_distance, gist = self._run(
            ("near", "keys", "by_distance", "gist"),
            features=features,
            inside=inside,
            word_distance=_distances(features.shape[1]),
        )
        return ReadText(np.pad(near, ((0, 0), (0, 1), (0, 0))), keys, by_distance, inside, gist)

    def places(
        self, tokens: Floats, condition: Floats, visible: Flags, past: Past | None = None
    ) -> tuple[Floats, Past]:
        """Return what is known at each place, and keys and values for later places."""
        n_layers = len(self._past)
        if past is None:
            _, heads, _, size = self._nothing["past_keys_0"].shape
            past = [(np.zeros((len(tokens), heads, 0, size), np.float32),) * 2] * n_layers
        before = {
            f"past_{part}_{k}": layer[i]
            for k, layer in enumerate(past)
            for i, part in enumerate(("keys", "values"))
        }
        names = [f"{part}_{k}" for k in range(n_layers) for part in ("keys", "values")]
        x, *kept = self._run(
            ("x", *names),
            tokens=tokens,
            condition=condition,
            visible=visible,
            place_distance=_distances(tokens.shape[1], past[0][0].shape[2]),
            **before,
        )
        return x, list(zip(kept[::2], kept[1::2], strict=True))

    def point(self, text: ReadText, x: Floats, references: Ints, counts: Ints) -> Floats:
        """Return the logits of the words and of the end at each place."""
        (logits,) = self._run(
            ("logits",),
            place=x,
            text_keys=text.keys,
            text_by_distance=text.by_distance,
            text_inside=text.inside,
            references=references,
            counts=counts,
        )
        return logits

    def lengths(self, gist: Floats, condition: Floats) -> Floats:
        """Return the parameters of the distribution of fixations per word."""
        return self._run(("lengths",), length_input=np.concatenate([gist, condition], axis=1))[0]

    def durations(self, features: Floats) -> Floats:
        """Return the parameters of the distribution of each duration."""
        return self._run(("durations",), duration_input=features)[0]

    def _run(self, wanted: tuple[str, ...], **given: Any) -> list[Floats]:
        floats = {name: np.ascontiguousarray(value, dtype=np.float32) for name, value in given.items()}
        return self._session.run(list(wanted), self._nothing | floats, self._options)


def _distances(n_places: int, n_past: int = 0) -> Floats:
    """Return how far all places are from the new ones, (T, P + T)."""
    every = np.arange(n_past + n_places, dtype=np.float32)
    return every - every[n_past:, None]
