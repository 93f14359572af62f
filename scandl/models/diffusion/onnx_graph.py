"""The denoiser as an ONNX graph, written node by node: the file depends on the weights and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scandl.extras import need
from scandl.models.diffusion.settings import ModelConfig

OPSET = 20  # the first with Gelu
IR_VERSION = 9
EPSILON = 1e-12
TIME_WIDTH = 128  # as scandl.models.diffusion.denoiser has it, which this module does without
Array = NDArray[np.float32]


class Graph:
    """Nodes, named by their outputs, and the constants they use."""

    def __init__(self) -> None:
        self._onnx = need("onnx", "model")
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Add a constant and return its name."""
        self.constants[name] = self._onnx.numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(self, kind: str, *inputs: str, output: str = "", n_outputs: int = 1, **attributes: Any) -> Any:
        """Add a node and return the name of its output, or the names if there are several."""
        stem = output or f"{kind.lower()}_{len(self.nodes)}"
        names = [stem] if n_outputs == 1 else [f"{stem}_{k}" for k in range(n_outputs)]
        self.nodes.append(self._onnx.helper.make_node(kind, inputs, names, **attributes))
        return names[0] if n_outputs == 1 else names

    def linear(self, x: str, name: str, weights: Mapping[str, Array]) -> str:
        """Add x Wᵀ + b for the weight and bias called ``name``."""
        weight = self.constant(f"{name}.weight", weights[f"{name}.weight"].T)
        bias = self.constant(f"{name}.bias", weights[f"{name}.bias"])
        return str(self.node("Add", self.node("MatMul", x, weight), bias))

    def norm(self, x: str, name: str, weights: Mapping[str, Array]) -> str:
        """Add a layer normalisation."""
        parts = [self.constant(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return str(self.node("LayerNormalization", x, *parts, axis=-1, epsilon=EPSILON))

    def model(
        self,
        inputs: Mapping[str, Sequence[int | str]],
        outputs: Mapping[str, Sequence[int | str]],
        metadata: Mapping[str, str],
    ) -> Any:
        """Return the checked model; a dimension that is a word may have any size."""
        helper, kind = self._onnx.helper, self._onnx.TensorProto.FLOAT
        described = [
            [helper.make_tensor_value_info(name, kind, list(shape)) for name, shape in side.items()]
            for side in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, "scandl", *described, list(self.constants.values()))
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
        )
        helper.set_model_props(model, dict(metadata))
        self._onnx.checker.check_model(model)
        return model


def denoiser_model(
    config: ModelConfig,
    trained_steps: int,
    weights: Mapping[str, Array],
    tables: Mapping[str, Array],
    metadata: Mapping[str, str],
) -> Any:
    """Return f(z, t, condition) → z_0 as a model.

    ``tables`` are outputs too: what the sampler needs besides the network travels in the file.
    """
    graph = Graph()
    time = graph.linear(
        _silu(graph, graph.linear(_sinusoid(graph, trained_steps), "time.0", weights)), "time.2", weights
    )
    x = graph.node("Add", graph.node("Add", "z", "condition"), time)
    x = graph.norm(x, "norm", weights)
    for k in range(config.layers):
        x = _layer(graph, x, config, f"layers.{k}", weights)
    graph.node("Identity", x, output="z_0")
    for name, table in tables.items():
        graph.node("Identity", graph.constant(f"{name}.table", table), output=name)
    state = ("batch", "length", config.dim)
    return graph.model(
        {"z": state, "t": (1,), "condition": state},
        {"z_0": state, **{name: table.shape for name, table in tables.items()}},
        metadata,
    )


def _layer(graph: Graph, x: str, config: ModelConfig, name: str, weights: Mapping[str, Array]) -> str:
    """Add one post-norm encoder layer."""
    attended = graph.linear(_attention(graph, x, config, name, weights), f"{name}.attended", weights)
    x = graph.norm(graph.node("Add", x, attended), f"{name}.attention_norm", weights)
    wide = graph.node("Gelu", graph.linear(x, f"{name}.wide", weights))
    narrow = graph.linear(wide, f"{name}.narrow", weights)
    return graph.norm(graph.node("Add", x, narrow), f"{name}.output_norm", weights)


def _attention(graph: Graph, x: str, config: ModelConfig, name: str, weights: Mapping[str, Array]) -> str:
    """Add attention over all positions, heads side by side, (B, L, d)."""
    size = config.dim // config.heads
    apart = graph.constant("apart", np.array([0, 0, config.heads, size], dtype=np.int64))
    together = graph.constant("together", np.array([0, 0, config.dim], dtype=np.int64))
    scale = graph.constant("scale", np.array(1.0 / math.sqrt(size), dtype=np.float32))
    parts = graph.node(
        "Split", graph.linear(x, f"{name}.query_key_value", weights), n_outputs=3, axis=-1, num_outputs=3
    )
    query, key, value = (
        graph.node("Transpose", graph.node("Reshape", part, apart), perm=order)
        for part, order in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True)
    )
    scores = graph.node("Softmax", graph.node("Mul", graph.node("MatMul", query, key), scale), axis=-1)
    mixed = graph.node("Transpose", graph.node("MatMul", scores, value), perm=[0, 2, 1, 3])
    return str(graph.node("Reshape", mixed, together))


def _sinusoid(graph: Graph, trained_steps: int) -> str:
    """Add [cos(s ω), sin(s ω)] for s = 1000 t / T, (1, 128)."""
    half = TIME_WIDTH // 2
    omega = np.exp(-math.log(10000.0) * np.arange(half, dtype=np.float32) / half).astype(np.float32)
    scale = graph.constant("time.scale", np.array([[1000.0 / trained_steps]], dtype=np.float32))
    angle = graph.node("Mul", graph.node("Mul", "t", scale), graph.constant("time.omega", omega))
    return str(graph.node("Concat", graph.node("Cos", angle), graph.node("Sin", angle), axis=-1))


def _silu(graph: Graph, x: str) -> str:
    return str(graph.node("Mul", x, graph.node("Sigmoid", x)))
