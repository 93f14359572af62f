"""LSTMs over packed sequences, with a backward pass of their own.

The weights are those of ``torch.nn.LSTM`` and so are the results. What differs is the work: on a
CPU, torch differentiates every operation of every step and adds up the gradient of the recurrent
weights step by step. Here all that does not depend on the step is done once for all elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from scandl_eval.eyettention.packing import Packing

State = tuple[Tensor, Tensor]
"""Hidden and cell state of one layer, (elements, units) each."""


def run_lstm(
    lstm: nn.LSTM, data: Tensor, packing: Packing, before: Sequence[State] | None = None
) -> tuple[Tensor, list[State]]:
    """Return the output of each element, (N, directions · units), and its state in each layer.

    ``before`` holds the states that an LSTM of one direction goes on from, one for each sequence;
    they are not differentiated.
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
        ctx: Any, data: Tensor, w_in: Tensor, w_hh: Tensor, bias: Tensor, packing: Packing,
        backwards: Tensor | None, start: State | None,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        gates = _apart(torch.addmm(bias, data, w_in.t()), backwards)
        hidden, cell, squashed = (gates.new_empty(*gates.shape[:2], w_hh.shape[2]) for _ in range(3))
        of_steps = [_steps(part, packing.sizes) for part in (gates, hidden, cell, squashed)]
        first_two = _steps(gates.chunk(2, dim=2)[0], packing.sizes)
        of_gates = [_steps(part, packing.sizes) for part in gates.chunk(4, dim=2)]
        weight, before = w_hh.transpose(1, 2), start
        for step, h, c, s, i_and_f, i, f, g, o in zip(*of_steps, first_two, *of_gates, strict=True):
            if before is not None:
                step.baddbmm_(before[0][:, : step.shape[1]], weight)
            i_and_f.sigmoid_()
            torch.mul(i, g.tanh_(), out=c)
            if before is not None:
                c.addcmul_(f, before[1][:, : step.shape[1]])
            torch.mul(o.sigmoid_(), torch.tanh(c, out=s), out=h)
            before = h, c
        ctx.sizes, ctx.backwards = packing.sizes, backwards
        ctx.save_for_backward(data, w_in, w_hh, gates, hidden, cell, squashed)
        ctx.mark_non_differentiable(hidden, cell)
        ctx.set_materialize_grads(False)
        return _together(hidden, backwards), hidden, cell

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor | None, *_: Tensor | None) -> tuple[Tensor | None, ...]:
        if d_out is None:  # nothing depends on the output
            return (None,) * 7
        data, w_in, w_hh, gates, hidden, cell, squashed = ctx.saved_tensors
        sizes = ctx.sizes
        d_hidden = _apart(d_out, ctx.backwards).clone()
        d_gates = _backward_steps(d_hidden, w_hh, gates, _before(cell, sizes), squashed, sizes)
        d_w_hh = d_gates[:, sizes[0] :].transpose(1, 2) @ _before(hidden, sizes)
        d_inputs = _together(d_gates, ctx.backwards)  # (N, D·4·units)
        d_data = d_inputs @ w_in if ctx.needs_input_grad[0] else None
        return d_data, d_inputs.t() @ data, d_w_hh, d_inputs.sum(dim=0), None, None, None


def _backward_steps(
    d_hidden: Tensor, w_hh: Tensor, gates: Tensor, cell_before: Tensor, squashed: Tensor, sizes: Sequence[int]
) -> Tensor:
    """Return the gradient of the inputs of the gates, (D, N, 4·units); ``d_hidden`` is used up."""
    change = _changes(gates, cell_before, squashed)  # (D, N, 4, units)
    _, forget, _, out = gates.chunk(4, dim=2)
    through_cell = out * (1 - squashed * squashed)
    d_steps = _steps(d_hidden, sizes)
    parts = change.flatten(2), change[:, :, :3], change[:, :, 3], through_cell, forget
    steps = zip(d_steps, *(_steps(part, sizes) for part in parts), strict=True)
    d_later: Tensor | None = None  # of the cell state, from the step behind
    for t, (d_h, d_gates, by_cell, by_hidden, through, f) in reversed(list(enumerate(steps))):
        d_cell = d_h * through
        if d_later is not None:
            d_cell[:, : d_later.shape[1]].add_(d_later)
        by_cell.mul_(d_cell[:, :, None])
        by_hidden.mul_(d_h)
        if t > 0:
            d_steps[t - 1][:, : sizes[t]].baddbmm_(d_gates, w_hh)
            d_later = d_cell.mul_(f)
    return change.flatten(2)


def _changes(gates: Tensor, cell_before: Tensor, squashed: Tensor) -> Tensor:
    """Return what each gate's input changes: of the cell state for i, f, g, of the hidden state for o."""
    i, _, g, _ = gates.chunk(4, dim=2)
    n_first = gates.shape[1] - cell_before.shape[1]
    change = (gates * (1 - gates)).view(*gates.shape[:2], 4, -1)  # (D, N, 4, units)
    change[:, :, 0] *= g
    change[:, :n_first, 1] = 0  # there is no cell state before the first element
    change[:, n_first:, 1] *= cell_before
    torch.mul(i, 1 - g * g, out=change[:, :, 2])
    change[:, :, 3] *= squashed
    return change
