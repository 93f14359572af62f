"""The saccade classes: every step within a sentence of ``max_words``, and END.

With CLS and SEP among 24 words these are −21 … 22 and END, the 45 classes of the paper and of
``scandl.models.baselines.step_walks``; in general there are 2·max_words − 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from scandl.models.baselines.step_walks import LAPSE


@dataclass(frozen=True, slots=True)
class SaccadeClasses:
    """The alphabet of one model; positions count from CLS = 0, words from 1."""

    max_words: int = 24

    @property
    def longest_back(self) -> int:
        """The step from the last word to the first.

        >>> SaccadeClasses(24).longest_back, SaccadeClasses(24).longest_forward
        (-21, 22)
        """
        return 3 - self.max_words

    @property
    def longest_forward(self) -> int:
        """The step from CLS to the last word."""
        return self.max_words - 2

    @property
    def end(self) -> int:
        """The class of the end."""
        return self.longest_forward - self.longest_back + 1

    def __len__(self) -> int:
        """Return the number of classes.

        >>> len(SaccadeClasses(24))
        45
        """
        return self.end + 1

    def of_steps(self, steps: Tensor) -> Tensor:
        """Return the class of each step; longer ones count as the longest.

        >>> SaccadeClasses(24).of_steps(torch.tensor([-40, 0, 22, 40])).tolist()
        [0, 21, 43, 43]
        """
        return steps.clamp(self.longest_back, self.longest_forward) - self.longest_back

    def landings(self, at: Tensor, n_words: Tensor) -> Tensor:
        """Return where each class leads from each position, (N,) → (N, classes).

        A step before the first word lands on it; one beyond the last word ends the path, as END
        does, and leads to SEP = n_words + 1.

        >>> SaccadeClasses(4).landings(torch.tensor([1]), torch.tensor([2])).tolist()  # −1, 0, 1, 2, END
        [[1, 1, 2, 3, 3]]
        """
        steps = torch.arange(len(self), device=at.device) + self.longest_back
        steps[self.end] = n_words.max() + 1 if len(n_words) else 0
        sep = n_words[:, None] + 1
        return torch.minimum((at[:, None] + steps).clamp(min=1), sep)

    def outcome_log_probs(self, log_probs: Tensor, at: Tensor, to: Tensor, n_words: Tensor) -> Tensor:
        """Return the log-probability of going from ``at`` to ``to``, (N,).

        All classes that lead there count, and so does the lapse to any word or the end that the
        baselines' walks have too: without it a longer saccade than the longest were impossible.
        """
        leads_there = self.landings(at, n_words) == to[:, None]
        share = log_probs.exp().where(leads_there, 0.0).sum(dim=1)
        lapse = LAPSE / (n_words + 1).to(share.dtype)
        return (lapse + (1 - LAPSE) * share).log()

    def thresholds(self, probs: Tensor) -> Tensor:
        """Return the number up to which a random number means each class, (N, classes)."""
        return LAPSE + (1 - LAPSE) * probs.double().cumsum(dim=1)

    def draw(self, thresholds: Tensor, at: Tensor, n_words: Tensor, u: Tensor) -> Tensor:
        """Return where each walk goes, SEP for the end, by one uniform number each, (N,)."""
        drawn = torch.searchsorted(thresholds, u[:, None].contiguous(), right=True).clamp(max=self.end)
        reached = self.landings(at, n_words).gather(1, drawn).squeeze(1)
        lapsed = (u / LAPSE * (n_words + 1)).long() + 1
        return torch.where(u < LAPSE, lapsed, reached)
