"""SWIFT 3, transition by transition in plain Python: slow, and written without a look at the fast one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import gammainc, gammaincinv

from scandl.models.cognitive.word_inputs import Stimulus
from scandl.models.swift.swift_parameters import SaccadeError, SwiftParameters


class ScalarReader:
    """One reading of one sentence."""

    def __init__(self, stimulus: Stimulus, p: SwiftParameters, rng: np.random.Generator) -> None:
        self.p, self.rng = p, rng
        self.lengths, self.cloze = stimulus.lengths, stimulus.cloze
        self.n_words = len(self.lengths)
        self.right = [sum(self.lengths[: i + 1]) + i + 1 for i in range(self.n_words)]
        self.centre = [b - length / 2 for b, length in zip(self.right, self.lengths, strict=True)]
        self.needed = [
            math.ceil(p.order_word * (1 - p.beta * max(0.0, math.log(f) / math.log(p.max_frequency))))
            for f in stimulus.frequencies
        ]
        self.n = [0] * self.n_words
        self.state = ["lexical"] * self.n_words
        self.timer = self.labile = self.nonlabile = self.flight = 0
        self.labile_on, self.nonlabile_on, self.flying = True, False, False
        self.gaze, self.word, self.target = self.centre[0], 0, 0
        self.mislocated = self.refixated = False
        self.look()

    def look(self) -> None:
        p, a = self.p, self.n[self.word] / self.p.order_word
        right, left = p.delta0 + p.delta1 * (1 - a), p.delta0 * p.asymmetry
        c0 = 1.5 / (left + right)
        self.span = []
        for centre, length, cloze in zip(self.centre, self.lengths, self.cloze, strict=True):
            total = 0.0
            for letter in range(1, length + 1):
                e = centre - length / 2 + letter - 0.5 - self.gaze
                delta = left if e < 0 else right
                total += c0 * (1 - (e / delta) ** 2) if abs(e) < delta else 0.0
            self.span.append(length**-p.eta * math.exp(p.theta * cloze * cloze) * total)

    def rates(self) -> list[float]:
        p = self.p
        a = [n / p.order_word for n in self.n]
        inhibition = 1 + p.h * a[self.word] + p.h1 * sum(a[self.word + 1 :])
        q = p.M if self.mislocated else p.R if self.refixated else 1.0
        d = self.centre[self.target] - self.gaze
        stages = [
            p.order_timer / (100 * p.t_sac) / inhibition,
            q * p.order_labile / (100 * p.tau_l) * (self.labile_on and self.labile < p.order_labile),
            p.order_nonlabile
            / (100 * p.tau_n)
            / (1 + p.kappa0 * math.exp(-p.kappa1 * d * d))
            * self.nonlabile_on,
            p.order_saccade / (100 * p.tau_x) * self.flying,
        ]
        words = []
        for j in range(self.n_words):
            rate = self.span[j] * math.exp(-p.p * sum(a[:j]))
            if self.state[j] == "post-lexical":
                rate = max(p.proc * rate, p.decay)
            elif self.state[j] == "done" or self.flying:
                rate = 0.0
            words.append(p.alpha * rate)
        return stages + words

    def move(self, k: int) -> None:
        if k == 0:
            self.timer += 1
        elif k == 1:
            self.labile += 1
        elif k == 2:
            self.nonlabile += 1
        elif k == 3:
            self.flight += 1
        else:
            j = k - 4
            if self.state[j] == "lexical":
                self.n[j] += 1
                self.state[j] = "post-lexical" if self.n[j] >= self.needed[j] else "lexical"
            else:
                self.n[j] -= 1
                self.state[j] = "done" if self.n[j] <= 0 else "post-lexical"

    def restart(self) -> None:
        self.timer = self.labile = 0
        self.labile_on = True

    def select(self) -> int:
        unread = next((j for j, state in enumerate(self.state) if state != "done"), self.n_words - 1)
        weights = np.array(
            [
                (self.n[j] / self.p.order_word + math.exp(self.p.min_activation * max(1, abs(j - unread))))
                ** self.p.gamma
                for j in range(self.n_words)
            ]
        )
        return int(self.rng.choice(self.n_words, p=weights / weights.sum()))

    def length(self, error: SaccadeError, sign: int) -> tuple[float, float]:
        """Return shape and scale of a saccade's length."""
        d = abs(self.centre[self.target] - self.gaze)
        mean = max(0.5, sign * (self.centre[self.target] + error.s1 - error.s2 * d - self.gaze))
        sd = error.o1 + error.o2 * d
        return (mean / sd) ** 2, sd**2 / mean

    def truncated(self, error: SaccadeError, sign: int, limit: float) -> float:
        shape, scale = self.length(error, sign)
        u = self.rng.random() * gammainc(shape, limit / scale)
        return self.gaze + sign * scale * float(gammaincinv(shape, u))

    def landing(self) -> float:
        p, end = self.p, self.right[-1] - self.gaze
        if self.target == self.word + 1:
            return self.truncated(p.forward, 1, end)
        if self.target > self.word:
            return self.truncated(p.skip, 1, end)
        if self.target < self.word:
            return self.truncated(p.regression, -1, self.gaze)
        width = self.lengths[self.word] + 1
        progress = (self.gaze - (self.right[self.word] - width)) / width
        back, forth = self.length(p.refixation_backward, -1), self.length(p.refixation_forward, 1)
        backward = progress * gammainc(back[0], self.gaze / back[1])
        forward = (1 - progress) * gammainc(forth[0], end / forth[1])
        if self.rng.random() < backward / (backward + forward):
            return self.truncated(p.refixation_backward, -1, self.gaze)
        return self.truncated(p.refixation_forward, 1, end)

    def read(self) -> list[tuple[int, float, float]]:
        fixations: list[tuple[int, float, float]] = []
        p, now, began = self.p, 0.0, 0.0
        while True:
            if p.delta1 and not self.flying:
                self.look()
            rates = np.array(self.rates())
            now += self.rng.exponential(1 / rates.sum())
            self.move(int(np.searchsorted(np.cumsum(rates), self.rng.random() * rates.sum(), side="right")))
            if self.timer >= p.order_timer:
                self.restart()
            if self.labile_on and self.labile >= p.order_labile and not (self.nonlabile_on or self.flying):
                self.target = self.select()
                self.labile_on, self.nonlabile_on, self.nonlabile = False, True, 0
            if self.nonlabile_on and self.nonlabile >= p.order_nonlabile:
                fixations.append((self.word, self.gaze, now - began))
                self.nonlabile_on, self.flying, self.flight = False, True, 0
                if len(fixations) >= 2 and all(state == "done" for state in self.state):
                    return fixations
            if self.flying and self.flight >= p.order_saccade:
                self.gaze, previous = self.landing(), self.word
                self.word = next(i for i, b in enumerate(self.right) if self.gaze <= b)
                self.mislocated, self.refixated = self.word != self.target, self.word == previous
                self.flying, began = False, now
                if self.mislocated or self.refixated:
                    self.restart()
                self.look()


def simulate(
    stimuli: Sequence[Stimulus], runs: int, p: SwiftParameters, seed: int
) -> list[list[tuple[int, float, float]]]:
    """Return the fixations (word, position, duration) of each reading, run by run."""
    rng = np.random.default_rng(seed)
    return [ScalarReader(stimulus, p, rng).read() for _ in range(runs) for stimulus in stimuli]
