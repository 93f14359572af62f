"""The word-pointing network as an ONNX graph: five functions in one file, each with inputs of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from scandl.models.diffusion.onnx_graph import Array, Graph
from scandl.models.pointer.durations import N_PARAMETERS as DURATION_PARAMETERS
from scandl.models.pointer.pointer_network import FAR, N_BINS
from scandl.models.pointer.pointer_settings import NetworkConfig
from scandl.models.pointer.processes.length import N_PARAMETERS as LENGTH_PARAMETERS
from scandl.models.pointer.states import N_REFERENCES

EPSILON = 1e-5  # of torch's layer normalisation

Weights = Mapping[str, Array]


def pointer_model(config: NetworkConfig, weights: Weights, metadata: Mapping[str, str]) -> Any:
    """Return the checked model; all inputs are floats, so that one kind of description does."""
    graph = PointerGraph(config, weights)
    graph.read()
    graph.places()
    graph.point()
    for output, given, name in (
        ("lengths", "length_input", "length"),
        ("durations", "duration_input", "duration"),
    ):
        graph.node("Identity", graph.perceptron(given, name), output=output)
    return graph.model(*_signature(config, weights), metadata)


def _signature(config: NetworkConfig, weights: Weights) -> tuple[dict[str, Any], dict[str, Any]]:
    d, size = config.width, config.width // config.heads
    n_near = len(weights["near.bias"])
    columns = N_REFERENCES * N_BINS
    # The runtime takes dimensions of one name for equal, so each function has names of its own.
    inputs: dict[str, Any] = {
        "features": ("texts", "words", weights["words.weight"].shape[1]),
        "inside": ("texts", "words"),
        "word_distance": ("words", "words"),
        "tokens": ("paths", "places", weights["tokens.weight"].shape[1]),
        "condition": ("paths", weights["condition.weight"].shape[1]),
        "place_distance": ("places", "all_places"),
        "visible": ("paths_or_1", "places_or_1", "all_places"),
        "place": ("pointing", "points", d),
        "text_keys": ("pointing", "targets", d),
        "text_by_distance": ("pointing", "targets", columns),
        "text_inside": ("pointing", "targets"),
        "references": ("pointing", "points", N_REFERENCES),
        "counts": ("pointing", "points", "targets"),
        "length_input": ("lengths", weights["length.0.weight"].shape[1]),
        "duration_input": ("fixations", weights["duration.0.weight"].shape[1]),
    }
    outputs: dict[str, Any] = {
        "near": ("texts", "words", n_near),
        "keys": ("texts", "words", d),
        "by_distance": ("texts", "words", columns),
        "gist": ("texts", d),
        "x": ("paths", "places", d),
        "logits": ("pointing", "points", "targets_and_end"),
        "lengths": ("lengths", LENGTH_PARAMETERS),
        "durations": ("fixations", DURATION_PARAMETERS),
    }
    for k in range(config.path_layers):
        for part in ("keys", "values"):
            inputs[f"past_{part}_{k}"] = ("paths", config.heads, "past_places", size)
            outputs[f"{part}_{k}"] = ("paths", config.heads, "all_places", size)
    return inputs, outputs


class PointerGraph(Graph):
    """A graph with the network's weights at hand."""

    def __init__(self, config: NetworkConfig, weights: Weights) -> None:
        super().__init__()
        self.config = config
        self.weights = weights

    def read(self) -> None:
        """Add the word encoder."""
        x = self.linear("features", "words", self.weights)
        visible = self.node("Unsqueeze", "inside", self._axes(1))
        for k in range(self.config.word_layers):
            x, _, _ = self.block(x, f"word_blocks.{k}", "word_distance", visible)
        x = self.norm(x, "word_norm", self.weights)
        column = self.node("Unsqueeze", "inside", self._axes(2))
        self.node("Mul", self.linear(x, "near", self.weights), column, output="near")
        for name in ("keys", "by_distance"):
            self.node("Identity", self.linear(x, name, self.weights), output=name)
        total = self.node("ReduceSum", self.node("Mul", x, column), self._axes(1), keepdims=0)
        self.node("Div", total, self.node("ReduceSum", "inside", self._axes(1), keepdims=1), output="gist")

    def places(self) -> None:
        """Add the path decoder."""
        told = self.node("Unsqueeze", self.linear("condition", "condition", self.weights), self._axes(1))
        x = self.node("Add", self.linear("tokens", "tokens", self.weights), told)
        for k in range(self.config.path_layers):
            past = (f"past_keys_{k}", f"past_values_{k}")
            x, keys, values = self.block(x, f"path_blocks.{k}", "place_distance", "visible", past)
            self.node("Identity", keys, output=f"keys_{k}")
            self.node("Identity", values, output=f"values_{k}")
        self.node("Identity", self.norm(x, "path_norm", self.weights), output="x")

    def point(self) -> None:
        """Add the pointer head."""
        index = self.node(
            "CumSum", self.node("Add", self._like("text_inside", 0.0), self._one()), self._scalar(1)
        )
        index = self.node("Unsqueeze", self.node("Sub", index, self._one()), self._axes(1, 2))  # (B, 1, 1, M)
        distance = self.node(
            "Sub", index, self.node("Unsqueeze", "references", self._axes(3))
        )  # (B, T, 3, M)
        offsets = np.arange(N_REFERENCES)[:, None] * N_BINS
        column = self.node("Add", self.bins(distance), self.constant("offsets", offsets.astype(np.int64)))
        shape = self.node("Shape", distance)
        of_place = self.node(
            "GatherElements",
            self.linear("place", "query_by_distance", self.weights),
            self.node("Reshape", column, self._shape("flat_words", 0, 0, -1)),
            axis=2,
        )
        batch, words = (self.node("Slice", shape, self._axes(k), self._axes(k + 1)) for k in (0, 3))
        together = self.node("Concat", batch, self._axes(-1), words, axis=0)  # (B, T · 3, M)
        of_word = self.node(
            "GatherElements",
            self.node("Transpose", "text_by_distance", perm=[0, 2, 1]),
            self.node("Reshape", column, together),
            axis=1,
        )
        bias = self.node("Add", *(self.node("Reshape", part, shape) for part in (of_place, of_word)))
        slope = _softplus(self.weights["slope"])[:, :, None]
        bias = self.node("Sub", bias, self.falls(distance, slope[:, 0], slope[:, 1], "pointer"))
        scale = self.constant("pointer_scale", np.array(1.0 / math.sqrt(self.config.width), dtype=np.float32))
        keys = self.node("Transpose", "text_keys", perm=[0, 2, 1])
        content = self.node(
            "Mul", self.node("MatMul", self.linear("place", "queries", self.weights), keys), scale
        )
        visits = self.node(
            "GatherElements",
            self.linear("place", "query_by_visits", self.weights),
            self.node("Cast", "counts", to=7),
            axis=2,
        )
        logits = self.node("Add", content, self.node("ReduceSum", bias, self._axes(2), keepdims=0))
        logits = self.masked(
            self.node("Add", logits, visits), self.node("Unsqueeze", "text_inside", self._axes(1))
        )
        self.node("Concat", logits, self._end(), axis=2, output="logits")

    def _end(self) -> str:
        """Add the logit of the end, (B, T, 1)."""
        n_words = self.node("ReduceSum", "text_inside", self._axes(1), keepdims=1)
        ahead = self.node("Sub", self.node("Unsqueeze", n_words, self._axes(2)), "references")  # (B, T, 3)
        # Each reference has a column of the table; the flat table is looked up with an offset.
        table = self.weights["end_relative.table"].T.reshape(-1)
        offsets = self.constant("end_offsets", (np.arange(N_REFERENCES) * N_BINS).astype(np.int64))
        found = self.node(
            "Gather", self.constant("end_table", table), self.node("Add", self.bins(ahead), offsets)
        )
        slope = _softplus(self.weights["end_relative.slope"])
        relative = self.node("Sub", found, self.falls(ahead, slope[0], slope[1], "end"))
        total = self.node("ReduceSum", relative, self._axes(2), keepdims=1)
        return str(self.node("Add", self.linear("place", "end", self.weights), total))

    def block(
        self, x: str, name: str, distance: str, visible: str, past: tuple[str, str] | None = None
    ) -> tuple[str, str, str]:
        """Add one layer; return its output, keys and values."""
        config, size = self.config, self.config.width // self.config.heads
        apart = self._shape("apart", 0, 0, config.heads, size)
        normed = self.norm(x, f"{name}.attention_norm", self.weights)
        parts = self.node(
            "Split",
            self.linear(normed, f"{name}.query_key_value", self.weights),
            n_outputs=3,
            axis=-1,
            num_outputs=3,
        )
        query, key, value = (
            self.node("Transpose", self.node("Reshape", part, apart), perm=[0, 2, 1, 3]) for part in parts
        )
        if past is not None:
            key, value = (
                self.node("Concat", before, now, axis=2)
                for before, now in zip(past, (key, value), strict=True)
            )
        scale = self.constant("scale", np.array(1.0 / math.sqrt(size), dtype=np.float32))
        turned = self.node("Transpose", key, perm=[0, 1, 3, 2])
        scores = self.node("Mul", self.node("MatMul", query, turned), scale)
        bias = self.node("Transpose", self.relative(distance, f"{name}.relative"), perm=[2, 0, 1])
        scores = self.masked(self.node("Add", scores, bias), self.node("Unsqueeze", visible, self._axes(1)))
        mixed = self.node("MatMul", self.node("Softmax", scores, axis=-1), value)
        joined = self.node(
            "Reshape",
            self.node("Transpose", mixed, perm=[0, 2, 1, 3]),
            self._shape("joined", 0, 0, config.width),
        )
        x = self.node("Add", x, self.linear(joined, f"{name}.attended", self.weights))
        wide = self.linear(self.norm(x, f"{name}.forward_norm", self.weights), f"{name}.wide", self.weights)
        narrow = self.linear(self.node("Gelu", wide), f"{name}.narrow", self.weights)
        return str(self.node("Add", x, narrow)), str(key), str(value)

    def relative(self, distance: str, name: str) -> str:
        """Add the biases of distances (T, P + T), (T, P + T, heads)."""
        table = self.constant(f"{name}.table", self.weights[f"{name}.table"])
        slope = _softplus(self.weights[f"{name}.slope"])
        column = self.node("Unsqueeze", distance, self._axes(2))
        return str(
            self.node(
                "Sub",
                self.node("Gather", table, self.bins(distance)),
                self.falls(column, slope[0], slope[1], name),
            )
        )

    def bins(self, distance: str) -> str:
        """Add the class of each distance."""
        least, most = (self.constant(f"bin_{k}", np.array(k * (FAR + 1), dtype=np.float32)) for k in (-1, 1))
        return str(self.node("Cast", self.node("Add", self.node("Clip", distance, least, most), most), to=7))

    def falls(self, distance: str, left: Array, right: Array, name: str) -> str:
        """Add how much far distances lose: the slope of their side times the excess of the logarithm."""
        far = self.constant("far", np.array(FAR + 1, dtype=np.float32))
        tail = self.node("Log", self.node("Div", self.node("Max", self.node("Abs", distance), far), far))
        sides = [self.constant(f"{name}.{side}", value) for side, value in (("right", right), ("left", left))]
        positive = self.node("Greater", distance, self.constant("zero", np.array(0.0, dtype=np.float32)))
        return str(self.node("Mul", tail, self.node("Where", positive, *sides)))

    def masked(self, scores: str, visible: str) -> str:
        """Add minus infinity where ``visible`` is 0."""
        shown = self.node("Greater", visible, self.constant("half", np.array(0.5, dtype=np.float32)))
        return str(
            self.node("Where", shown, scores, self.constant("never", np.array(-np.inf, dtype=np.float32)))
        )

    def perceptron(self, x: str, name: str) -> str:
        """Add three linear layers with two activations between them."""
        for layer in (0, 3):
            x = self.node("Gelu", self.linear(x, f"{name}.{layer}", self.weights))
        return self.linear(x, f"{name}.5", self.weights)

    def norm(self, x: str, name: str, weights: Weights) -> str:
        """Add a layer normalisation."""
        parts = [self.constant(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return str(self.node("LayerNormalization", x, *parts, axis=-1, epsilon=EPSILON))

    def _like(self, name: str, value: float) -> str:
        return str(self.node("Mul", name, self.constant(f"times_{value}", np.array(value, dtype=np.float32))))

    def _one(self) -> str:
        return self.constant("one", np.array(1.0, dtype=np.float32))

    def _scalar(self, value: int) -> str:
        return self.constant(f"scalar_{value}", np.array(value, dtype=np.int64))

    def _axes(self, *axes: int) -> str:
        return self.constant(f"axes_{'_'.join(map(str, axes))}", np.array(axes, dtype=np.int64))

    def _shape(self, name: str, *sizes: int) -> str:
        return self.constant(name, np.array(sizes, dtype=np.int64))


def _softplus(x: Array) -> Array:
    return np.logaddexp(0.0, x).astype(np.float32)
