"""Our LSTM beside torch's: the same outputs, states and gradients."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from scandl.models.eyettention.packing import Packing
from scandl.models.eyettention.recurrent import run_lstm


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("lengths", [[3, 1, 7, 7, 2], [4], [1, 1, 1], [2, 5]])
def test_outputs_and_gradients_are_those_of_torch(lengths, bidirectional):
    torch.manual_seed(1)
    lstm = nn.LSTM(4, 3, num_layers=3, bidirectional=bidirectional).double()
    data = torch.randn(len(lengths), max(lengths), 4, dtype=torch.float64)
    theirs, _ = lstm(pack_padded_sequence(data, lengths, batch_first=True, enforce_sorted=False))
    packing = Packing.of(lengths)
    inputs = data[packing.member, packing.time].requires_grad_()
    ours, _ = run_lstm(lstm, inputs, packing)
    torch.testing.assert_close(ours, theirs.data, rtol=1e-12, atol=1e-14)
    weight = torch.randn_like(ours)
    parameters = list(lstm.parameters())
    own = torch.autograd.grad((ours * weight).sum(), [*parameters, inputs])
    reference = torch.autograd.grad((theirs.data * weight).sum(), parameters)
    for found, expected in zip(own, reference, strict=False):
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-13)
    assert torch.autograd.gradcheck(lambda x: run_lstm(lstm, x, packing)[0], [inputs])


def test_going_on_from_a_state_is_running_through():
    torch.manual_seed(2)
    lstm = nn.LSTM(4, 3, num_layers=2).double()
    data = torch.randn(6, 4, dtype=torch.float64)
    with torch.no_grad():
        through, _ = run_lstm(lstm, data, Packing.of([3, 3]))
        states, steps = None, []
        for t in range(3):
            out, states = run_lstm(lstm, data[2 * t : 2 * t + 2], Packing.of([1, 1]), states)
            steps.append(out)
    torch.testing.assert_close(torch.cat(steps), through, rtol=1e-12, atol=1e-14)


def test_single_precision_stays_single_and_near():
    torch.manual_seed(3)
    lstm, packing = nn.LSTM(4, 16, num_layers=2, bidirectional=True), Packing.of([5, 2, 9])
    data = torch.randn(16, 4)
    single, _ = run_lstm(lstm, data, packing)
    gradient = torch.autograd.grad(single.sum(), list(lstm.parameters()))
    double = lstm.double()
    exact, _ = run_lstm(double, data.double(), packing)
    assert {t.dtype for t in (single, *gradient)} == {torch.float32}
    torch.testing.assert_close(single.double(), exact, rtol=0, atol=1e-6)
    for found, expected in zip(
        gradient, torch.autograd.grad(exact.sum(), list(double.parameters())), strict=True
    ):
        torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-5)


def test_given_states_have_no_gradient():
    lstm, packing = nn.LSTM(4, 3), Packing.of([1, 1])
    _, states = run_lstm(lstm, torch.ones(2, 4), packing)
    out, _ = run_lstm(lstm, torch.ones(2, 4), packing, states)
    with pytest.raises(RuntimeError, match="goes on from given states has no gradient"):
        out.sum().backward()


def test_dropout_falls_between_the_layers_and_only_in_training():
    lstm = nn.LSTM(2, 8, num_layers=2, dropout=0.5)
    data, packing = torch.ones(1, 2), Packing.of([1])
    first, second = (run_lstm(lstm.train(), data, packing)[0] for _ in range(2))
    assert not torch.equal(first, second)
    assert (first != 0).all()  # what the last layer says is whole
    first, second = (run_lstm(lstm.eval(), data, packing)[0] for _ in range(2))
    assert torch.equal(first, second)


def test_mirrored_elements():
    packing = Packing.of([2, 4, 1])
    data = [(m, t) for m, t in zip(packing.member.tolist(), packing.time.tolist(), strict=True)]
    lengths = {0: 2, 1: 4, 2: 1}
    assert [data[i] for i in packing.backwards()] == [(m, lengths[m] - 1 - t) for m, t in data]
