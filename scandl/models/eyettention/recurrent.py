"""LSTMs over packed sequences, with a backward pass of their own.

The weights are those of ``torch.nn.LSTM`` and so are the results. What differs is the work: on a CPU, torch
differentiates every operation of every step and adds up the gradient of the recurrent weights step by step.
Here all that does not depend on the step is done once for all elements, and of a step only matrix products
and the logistic function are torch's.

What a cell does to each unit between two matrix products is machine code. Blocks are (directions, elements,
units), four times the units for the gates, in torch's order: input, forget, candidate, output. A step works
on ``size`` elements from ``first`` on; the states before theirs begin at ``at`` in ``before``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from scandl.extras import compiled
from scandl.models.eyettention.eyettention_inputs import Packing

Floats: TypeAlias = NDArray[np.floating[Any]]

ONE = np.float32(1)  # a Python number would make doubles of single floats
State = tuple[Tensor, Tensor]
"""Hidden and cell state of one layer, (elements, units) each."""


@compiled
def update_cell(
    gates: Floats, cell: Floats, twice: Floats, before: Floats, at: int, first: int, size: int
) -> None:
    """Write the cell states, and ``twice`` their values.

    tanh(x) is 2σ(2x) − 1, so that all gates were one call of the logistic function: the candidate
    comes as that of twice its input, and becomes its tanh here.
    """
    directions, _, units = cell.shape
    for d in range(directions):
        for n in range(size):
            e, b = first + n, at + n
            for k in range(units):
                logistic = gates[d, e, 2 * units + k]
                g = logistic + logistic - ONE
                c = gates[d, e, k] * g + gates[d, e, units + k] * before[d, b, k]
                gates[d, e, 2 * units + k] = g
                cell[d, e, k] = c
                twice[d, e, k] = c + c


@compiled
def update_hidden(gates: Floats, hidden: Floats, squashed: Floats, first: int, size: int) -> None:
    """Write the hidden states; ``squashed`` is σ of twice the cell states and becomes their tanh."""
    directions, _, units = hidden.shape
    for d in range(directions):
        for e in range(first, first + size):
            for k in range(units):
                s = squashed[d, e, k] + squashed[d, e, k] - ONE
                squashed[d, e, k] = s
                hidden[d, e, k] = gates[d, e, 3 * units + k] * s


@compiled
def backpropagate(
    d_hidden: Floats,
    d_cell: Floats,
    d_gates: Floats,
    gates: Floats,
    squashed: Floats,
    before: Floats,
    at: int,
    first: int,
    size: int,
) -> None:
    """Write the gradient of the inputs of the gates.

    ``d_cell``, (directions, sequences, units), is that of the cell states as the next step left it, and
    is left as that of the states before.
    """
    directions, _, units = d_cell.shape
    for d in range(directions):
        for n in range(size):
            e, b = first + n, at + n
            for k in range(units):
                i, f = gates[d, e, k], gates[d, e, units + k]
                g, o = gates[d, e, 2 * units + k], gates[d, e, 3 * units + k]
                s, d_h = squashed[d, e, k], d_hidden[d, e, k]
                d_c = d_cell[d, n, k] + d_h * o * (ONE - s * s)
                d_gates[d, e, k] = d_c * g * i * (ONE - i)
                d_gates[d, e, units + k] = d_c * before[d, b, k] * f * (ONE - f)
                d_gates[d, e, 2 * units + k] = d_c * i * (ONE - g * g)
                d_gates[d, e, 3 * units + k] = d_h * s * o * (ONE - o)
                d_cell[d, n, k] = d_c * f


def run_lstm(
    lstm: nn.LSTM, data: Tensor, packing: Packing, before: Sequence[State] | None = None
) -> tuple[Tensor, list[State]]:
    """Return the output of each element, (N, directions · units), and its state in each layer.

    ``before`` holds the states that an LSTM of one direction goes on from, one for each sequence:
    for generating, there is no gradient then.
    """
    directions = 2 if lstm.bidirectional else 1
    backwards = packing.backwards() if lstm.bidirectional else None
    states: list[State] = []
    for layer in range(lstm.num_layers):
        names = [f"_l{layer}", f"_l{layer}_reverse"][:directions]
        w_in, w_hh, b_in, b_hh = (
            [getattr(lstm, part + name) for name in names]
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        start = None if before is None else (before[layer][0][None], before[layer][1][None])
        weights = torch.cat(w_in), torch.stack(w_hh), torch.cat(b_in) + torch.cat(b_hh)
        data, hidden, cell = _Layer.apply(data, *weights, packing, backwards, start)  # type: ignore[no-untyped-call]
        states.append((hidden[0], cell[0]))
        if layer < lstm.num_layers - 1:
            data = functional.dropout(data, lstm.dropout, lstm.training)
    return data, states


def _apart(data: Tensor, backwards: Tensor | None) -> Tensor:
    """Return one block for each direction, the second one read from the end: (N, D·k) → (D, N, k)."""
    if backwards is None:
        return data[None]
    ahead, back = data.chunk(2, dim=1)
    return torch.stack([ahead, back.index_select(0, backwards)])


def _together(parts: Tensor, backwards: Tensor | None) -> Tensor:
    """Return what ``_apart`` took apart, (D, N, k) → (N, D·k); to turn twice is not to turn."""
    if backwards is None:
        return parts[0]
    return torch.cat([parts[0], parts[1].index_select(0, backwards)], dim=1)


def _steps(data: Tensor, sizes: Sequence[int]) -> tuple[Tensor, ...]:
    """Return the elements of each time, (D, size, k) each; views, made at once because slicing is slow."""
    return torch.split_with_sizes(data, list(sizes), dim=1)


def _before(data: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return what precedes every element that is not the first of its sequence, (D, N − sequences, k)."""
    steps = _steps(data, sizes)
    return torch.cat(
        [data[:, :0], *(step[:, :size] for step, size in zip(steps, sizes[1:], strict=False))], 1
    )


class _Layer(torch.autograd.Function):
    """One layer, D directions at once: (N, inputs) → outputs (N, D·units) and both states (D, N, units)."""

    @staticmethod
    def forward(
        ctx: Any,
        data: Tensor,
        w_in: Tensor,
        w_hh: Tensor,
        bias: Tensor,
        packing: Packing,
        backwards: Tensor | None,
        start: State | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        units, sizes = w_hh.shape[2], packing.sizes
        candidate = slice(2 * units, 3 * units)  # twice its input: see update_cell
        gates = _apart(torch.addmm(bias, data, w_in.t()), backwards)
        gates[:, :, candidate] *= 2
        weight = w_hh.transpose(1, 2).clone()
        weight[:, :, candidate] *= 2
        hidden, cell, squashed = (gates.new_empty(*gates.shape[:2], units) for _ in range(3))
        zeros = gates.new_zeros(gates.shape[0], sizes[0], units)
        h_before, c_before = (None, zeros) if start is None else start
        before, at, first = c_before.numpy(), 0, 0
        in_gates, in_hidden, in_cell, in_squashed = (p.numpy() for p in (gates, hidden, cell, squashed))
        of_steps = [_steps(part, sizes) for part in (gates, squashed, hidden)]
        for size, step, s, h in zip(sizes, *of_steps, strict=True):
            if h_before is not None:
                step.baddbmm_(h_before[:, :size], weight)
            step.sigmoid_()
            update_cell(in_gates, in_cell, in_squashed, before, at, first, size)
            s.sigmoid_()
            update_hidden(in_gates, in_hidden, in_squashed, first, size)
            h_before, before, at, first = h, in_cell, first, first + size
        ctx.sizes, ctx.backwards, ctx.started = sizes, backwards, start is not None
        ctx.save_for_backward(data, w_in, w_hh, gates, hidden, cell, squashed)
        ctx.mark_non_differentiable(hidden, cell)
        ctx.set_materialize_grads(False)
        return _together(hidden, backwards), hidden, cell

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor | None, *_: Tensor | None) -> tuple[Tensor | None, ...]:
        if ctx.started:
            raise RuntimeError("an LSTM that goes on from given states has no gradient")
        if d_out is None:  # nothing depends on the output
            return (None,) * 7
        data, w_in, w_hh, gates, hidden, cell, squashed = ctx.saved_tensors
        sizes = ctx.sizes
        d_gates = _backward_steps(_apart(d_out, ctx.backwards), w_hh, gates, cell, squashed, sizes)
        d_w_hh = d_gates[:, sizes[0] :].transpose(1, 2) @ _before(hidden, sizes)
        d_inputs = _together(d_gates, ctx.backwards)  # (N, D·4·units)
        d_data = d_inputs @ w_in if ctx.needs_input_grad[0] else None
        return d_data, d_inputs.t() @ data, d_w_hh, d_inputs.sum(dim=0), None, None, None


def _backward_steps(
    d_out: Tensor, w_hh: Tensor, gates: Tensor, cell: Tensor, squashed: Tensor, sizes: Sequence[int]
) -> Tensor:
    """Return the gradient of the inputs of the gates, (D, N, 4·units)."""
    d_hidden, d_gates = d_out.clone(memory_format=torch.contiguous_format), torch.empty_like(gates)
    zeros = torch.zeros_like(cell[:, : sizes[0]])  # the cell states before the first
    d_cell = torch.zeros_like(zeros)
    arrays = d_hidden.numpy(), d_cell.numpy(), d_gates.numpy(), gates.numpy(), squashed.numpy()
    of_hidden, of_gates = _steps(d_hidden, sizes), _steps(d_gates, sizes)
    first = cell.shape[1]
    for t in range(len(sizes) - 1, 0, -1):
        first -= sizes[t]
        backpropagate(*arrays, cell.numpy(), first - sizes[t - 1], first, sizes[t])
        of_hidden[t - 1][:, : sizes[t]].baddbmm_(of_gates[t], w_hh)
    backpropagate(*arrays, zeros.numpy(), 0, 0, sizes[0])
    return d_gates
