from __future__ import annotations

from collections.abc import Callable

import pytest

from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.runners.pointer_graph import pointer_model

onnx = pytest.importorskip("onnx", reason="the extra that writes ONNX is not installed")


def test_the_graph_holds_five_functions_and_its_facts(make_model: Callable[..., PointerModel]) -> None:
    model = make_model("absorbing")
    network = model.runner.network  # type: ignore[attr-defined]
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    graph = pointer_model(model.config.network, weights, {"about": "nothing learned"})
    onnx.checker.check_model(graph)
    inputs = {one.name for one in graph.graph.input}
    assert {"features", "tokens", "place", "length_input", "duration_input"} <= inputs
    outputs = {one.name for one in graph.graph.output}
    assert {"near", "lengths", "durations"} <= outputs
    assert {entry.key: entry.value for entry in graph.metadata_props}["about"] == "nothing learned"
