"""The network at work on torch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.runners.runner import Flags, Floats, Ints, Past, ReadText


class TorchRunner:
    """A network in evaluation mode; implements ``scandl.models.pointer.runners.runner.Runner``."""

    def __init__(self, network: PointerNetwork) -> None:
        self.network = network.eval()

    def read(self, features: Floats, inside: Flags) -> ReadText:
        """Read texts."""
        with torch.inference_mode():
            text = self.network.read(_tensor(features), _tensor(inside))
        parts = (text.near, text.keys, text.by_distance, text.inside, text.gist)
        return ReadText(*(part.numpy() for part in parts))

    def places(
        self, tokens: Floats, condition: Floats, visible: Flags, past: Past | None = None
    ) -> tuple[Floats, Past]:
        """Return what is known at each place, and keys and values for later places."""
        before = None if past is None else [(_tensor(keys), _tensor(values)) for keys, values in past]
        with torch.inference_mode():
            x, kept = self.network.places(_tensor(tokens), _tensor(condition), _tensor(visible), before)
        return x.numpy(), [(keys.numpy(), values.numpy()) for keys, values in kept]

    def point(self, text: ReadText, x: Floats, references: Ints, counts: Ints) -> Floats:
        """Return the logits of the words and of the end at each place."""
        parts = (text.near, text.keys, text.by_distance, text.inside, text.gist)
        with torch.inference_mode():
            logits = self.network.point(
                ReadText(*map(_tensor, parts)), _tensor(x), _tensor(references), _tensor(counts)
            )
        return logits.numpy()

    def lengths(self, gist: Floats, condition: Floats) -> Floats:
        """Return the parameters of the distribution of fixations per word."""
        with torch.inference_mode():
            return self.network.lengths(_tensor(gist), _tensor(condition)).numpy()

    def durations(self, features: Floats) -> Floats:
        """Return the parameters of the distribution of each duration."""
        with torch.inference_mode():
            return self.network.durations(_tensor(features)).numpy()


def _tensor(array: Any) -> Tensor:
    return torch.from_numpy(array)
