"""A trained ScanDL that runs on onnxruntime, without torch."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scandl.config import from_table
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import Sampling, ScanpathModel
from scandl.models.diffusion.noise import Noise
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.samplers import Watch, denoise
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import Tokens
from scandl.models.diffusion.valid_sequences import best_sequences
from scandl.text.folded import Folded
from scandl.training.checksums import onnx_is_whole

FORMAT = "1"
Array = NDArray[np.float32]
Ids = NDArray[np.int64]


class OnnxScandl(ScanpathModel):
    """The network in a session of onnxruntime, and the tables that came with it."""

    def __init__(self, session: Any, metadata: Mapping[str, str], tables: Mapping[str, Array]) -> None:
        config = from_table(ScandlConfig, json.loads(metadata["config"]))
        folded = Folded(
            name=metadata["encoder_name"],
            identity=metadata["encoder_identity"],
            tokenizer=metadata.get("encoder_tokenizer", ""),
            table=tables["text_table"],
            bias=tables["text_bias"],
        )
        super().__init__(config, folded.open(), json.loads(metadata["fold"]))
        self.about = metadata.get("about", "")
        self._session = session
        self._tables = tables

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Open a file written by ``scandl export``."""
        source = Path(path)
        if not source.is_file():
            raise ScandlError(f"{source}: no such model")
        session = open_session(source)
        metadata = session.get_modelmeta().custom_metadata_map
        if metadata.get("scandl") != FORMAT:
            found = metadata.get("scandl", "none")
            raise ScandlError(f"{source}: found format {found}, expected {FORMAT}: made by another version")
        return cls(session, metadata, _tables(session))

    def sample(
        self,
        inputs: Sequence[Tokens],
        streams: Sequence[np.random.Generator],
        process: Process,
        sampling: Sampling,
        watch: Watch | None,
    ) -> list[list[int]]:
        """Return the generated ids of inputs of one length."""
        network = OnnxNetwork(self._session, self._tables, inputs, streams)
        ids = denoise(network, process, sampler=sampling.sampler, options=sampling.options, watch=watch)
        return ids.tolist()


class OnnxNetwork:
    """A session with the sentences it reads; implements ``scandl.models.diffusion.samplers.Network``."""

    def __init__(
        self,
        session: Any,
        tables: Mapping[str, Array],
        inputs: Sequence[Tokens],
        streams: Sequence[np.random.Generator],
    ) -> None:
        self._session = session
        self._table = tables["ids"]
        self._head_bias = tables["head_bias"]
        self._row_norms = np.square(self._table).sum(-1)
        self._clean = self._table[np.stack([tokens.ids for tokens in inputs])]  # (B, L, d)
        self._noised = np.stack([tokens.noised for tokens in inputs])[..., None]
        self._n_words = np.array([tokens.n_words for tokens in inputs])
        self._condition = _condition(tables, inputs, self._clean.shape)
        self._noise = Noise(streams, self._clean.shape[1:])

    def predict(self, z: Array, t: int) -> Array:
        """Return the predicted z_0."""
        given = {"z": z, "t": np.array([t], dtype=np.float32), "condition": self._condition}
        (z_0,) = self._session.run(["z_0"], given)
        return z_0

    def nearest(self, z: Array, valid: bool = False) -> Ids:
        """Return the nearest ids; ‖z‖² is the same for every row and left out."""
        nearness = 2.0 * (z @ self._table.T) - self._row_norms
        return self._valid(nearness) if valid else nearness.argmax(-1)

    def embed(self, ids: Ids) -> Array:
        """Return the rows of the id table."""
        return self._table[ids]

    def anchored(self, z: Array) -> Array:
        """Put the clean sentence back."""
        return np.where(self._noised, z, self._clean)

    def noise(self, largest: float) -> Array:
        """Return the next noise of every instance."""
        return self._noise.draw(largest)

    def final(self, z: Array, valid: bool = False) -> Ids:
        """Return the ids of the tied head."""
        logits = z @ self._table.T + self._head_bias
        return self._valid(logits) if valid else logits.argmax(-1)

    def _valid(self, scores: Array) -> Ids:
        return best_sequences(scores, self._noised.squeeze(-1), self._n_words)


def _condition(tables: Mapping[str, Array], inputs: Sequence[Tokens], shape: tuple[int, ...]) -> Array:
    """Return position and text embeddings, (B, L, d)."""
    total = np.zeros(shape, dtype=np.float32)
    if "positions" in tables:
        total += tables["positions"][np.stack([tokens.positions for tokens in inputs])]
    if tables["text_bias"].size:  # a model that does not read the text has a table without columns
        total += np.stack([tokens.text for tokens in inputs])
    return total


def open_session(path: Path) -> Any:
    """Open a sealed model with onnxruntime on the CPU."""
    content = path.read_bytes()
    if not onnx_is_whole(content):
        raise ScandlError(
            f"{path}: not a whole ONNX model made by scandl export (truncated, changed, something else)"
        )
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # The variable that torch and numpy heed; waiting threads must not burn what others could use.
    threads = os.environ.get("OMP_NUM_THREADS", "")
    options.intra_op_num_threads = int(threads) if threads.isdigit() else 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def _tables(session: Any) -> dict[str, Array]:
    """Return the tables; the runtime wants inputs, but computes nothing from them for these outputs."""
    dim = session.get_inputs()[0].shape[-1]
    state = np.zeros((1, 1, dim), dtype=np.float32)
    given = {"z": state, "t": np.zeros(1, dtype=np.float32), "condition": state}
    names = [output.name for output in session.get_outputs() if output.name != "z_0"]
    return dict(zip(names, session.run(names, given), strict=True))
