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
        inputs = functional.linear(data, _joined(w_in), _joined(b_in) + _joined(b_hh))
        parts = [_turned(part, backwards, n) for n, part in enumerate(inputs.chunk(directions, 1))]
        start = None if before is None else (before[layer][0][None], before[layer][1][None])
        hidden, cell = _Layer.apply(_stacked(parts), _stacked(w_hh), packing, start)  # type: ignore[no-untyped-call]
        data = _joined([_turned(part, backwards, n) for n, part in enumerate(hidden)], dim=1)
        states.append((hidden[0], cell[0]))
        if layer < lstm.num_layers - 1:
            data = functional.dropout(data, lstm.dropout, lstm.training)
    return data, states


def _turned(data: Tensor, backwards: Tensor | None, direction: int) -> Tensor:
    return data if backwards is None or direction == 0 else data[backwards]


def _joined(parts: list[Tensor], dim: int = 0) -> Tensor:
    """Concatenate; of one part no copy is made."""
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=dim)


def _stacked(parts: list[Tensor]) -> Tensor:
    return parts[0][None] if len(parts) == 1 else torch.stack(parts)


class _Layer(torch.autograd.Function):
    """One layer, D directions at once: gates of the inputs (D, N, 4·units) → hidden states (D, N, units)."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, w_hh: Tensor, packing: Packing, start: State | None) -> State:
        gates = gates.clone()
        units = w_hh.shape[2]
        hidden, cell, squashed = (gates.new_empty(*gates.shape[:2], units) for _ in range(3))
        zeros = gates.new_zeros(gates.shape[0], packing.n_sequences, units)
        h, c = start or (zeros, zeros)
        weight, first = w_hh.transpose(1, 2), 0
        for size in packing.sizes:
            now = slice(first, first + size)
            step = gates[:, now].baddbmm_(h[:, :size], weight)
            step[..., : 2 * units].sigmoid_()
            step[..., 2 * units : 3 * units].tanh_()
            step[..., 3 * units :].sigmoid_()
            i, f, g, o = step.chunk(4, dim=2)
            c = torch.mul(f, c[:, :size], out=cell[:, now]).addcmul_(i, g)
            h = torch.mul(o, torch.tanh(c, out=squashed[:, now]), out=hidden[:, now])
            first += size
        ctx.packing = packing
        ctx.save_for_backward(gates, w_hh, hidden, cell, squashed)
        ctx.mark_non_differentiable(cell)
        return hidden, cell

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_hidden: Tensor, _d_cell: Tensor) -> tuple[Tensor, Tensor, None, None]:
        gates, w_hh, hidden, cell, squashed = ctx.saved_tensors
        n_first, previous = ctx.packing.n_sequences, ctx.packing.previous()
        i, f, g, o = gates.chunk(4, dim=2)
        cell_before, hidden_before = torch.zeros_like(cell), torch.zeros_like(hidden)
        cell_before[:, n_first:] = cell[:, previous]
        hidden_before[:, n_first:] = hidden[:, previous]
        # What each gate's input changes: of the cell state for i, f, g, of the hidden state for o.
        change = torch.stack(
            [g * i * (1 - i), cell_before * f * (1 - f), i * (1 - g * g), squashed * o * (1 - o)], dim=2
        )  # (D, N, 4, units)
        through_cell = o * (1 - squashed * squashed)
        d_h, d_c = (torch.zeros_like(hidden[:, :n_first]) for _ in range(2))
        end = hidden.shape[1]
        for size in reversed(ctx.packing.sizes):
            now = slice(end - size, end)
            d_here = d_hidden[:, now] + d_h[:, :size]
            d_cell = torch.addcmul(d_c[:, :size], d_here, through_cell[:, now])
            change[:, now, :3] *= d_cell[:, :, None]
            change[:, now, 3] *= d_here
            torch.mul(d_cell, f[:, now], out=d_c[:, :size])
            torch.bmm(change[:, now].flatten(2), w_hh, out=d_h[:, :size])
            end -= size
        d_gates = change.flatten(2)  # (D, N, 4·units)
        return d_gates, d_gates.transpose(1, 2) @ hidden_before, None, None
