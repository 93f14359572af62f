"""E-Z Reader 10.2, event by event in plain Python: slow, and written without a look at the fast one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scandl.models.cognitive.word_inputs import Stimulus
from scandl.models.ezreader.ezreader_parameters import EZReaderParameters


class ScalarReader:
    """One reading of one sentence."""

    def __init__(self, stimulus: Stimulus, p: EZReaderParameters, rng: np.random.Generator) -> None:
        self.p, self.rng, self.stimulus = p, rng, stimulus
        self.first_letter, self.after_last = [], []
        at = 0
        for length in stimulus.lengths:
            self.first_letter.append(at + 1)
            self.after_last.append(at + 1 + length)
            at += 1 + length
        self.centre = [(a + b) / 2 for a, b in zip(self.first_letter, self.after_last, strict=True)]
        self.eye, self.on_fixation, self.attended = self.centre[0], 0.0, 0
        self.rate = 1.0
        self.stages: dict[str, tuple[float, int, float]] = {}  # name -> (ms left, word, saccade length)
        self.m1_as_drawn = 0.0
        self.failed: set[int] = set()
        self.fixations: list[tuple[int, float, float]] = []  # word, position, duration

    def gamma(self, mean: float) -> float:
        return mean if math.isinf(self.p.shape) else self.rng.gamma(self.p.shape, mean / self.p.shape)

    def eccentricity(self, word: int) -> float:
        edges = range(self.first_letter[word], self.after_last[word] + 1)
        return self.p.epsilon ** (sum(abs(e - self.eye) for e in edges) / self.stimulus.lengths[word])

    def difficulty(self, word: int) -> float:
        f, c = self.stimulus.frequencies[word], self.stimulus.cloze[word]
        integrating = self.stages.get("I")
        blocked = word == 0 or (integrating is not None and integrating[1] == word - 1)
        return self.p.alpha1 - self.p.alpha2 * math.log(f) - (0 if blocked else self.p.alpha3 * c)

    def start_l1(self, word: int) -> None:
        self.attended, self.rate = word, self.eccentricity(word)
        guessed = self.rng.random() < self.stimulus.cloze[word]
        self.stages["L1"] = (0.0 if guessed else self.gamma(self.difficulty(word)) * self.rate, word, 0.0)

    def start_m1(self, word: int) -> None:
        drawn = self.gamma(self.p.labile)
        duration = drawn
        if "M1" in self.stages:
            spent = self.m1_as_drawn - self.stages["M1"][0]
            duration -= min(spent, self.p.xi * drawn)
        self.m1_as_drawn = drawn
        self.stages["M1"] = (duration, word, self.centre[word] - self.eye)

    def regress(self, word: int) -> None:
        self.failed.add(word)
        self.attended = word
        self.stages["A"] = (self.gamma(self.p.attention), word, 0.0)
        self.start_m1(word)

    def store(self) -> None:
        word = next(i for i, end in enumerate(self.after_last) if self.eye < end)
        self.fixations.append((word, self.eye, self.on_fixation))

    def read(self) -> list[tuple[int, float, float]]:
        self.start_l1(0)
        while True:
            name = min(self.stages, key=lambda stage: self.stages[stage][0])
            passed, word, length = self.stages.pop(name)
            self.stages = {k: (left - passed, w, d) for k, (left, w, d) in self.stages.items()}
            if name != "S":
                self.on_fixation += passed
            if self.finish(name, word, length):
                self.store()
                return self.fixations

    def finish(self, name: str, word: int, length: float) -> bool:
        p, last = self.p, len(self.stimulus.lengths) - 1
        if name == "V" and "L1" in self.stages:
            left, attended, _ = self.stages["L1"]
            new = self.eccentricity(attended)
            self.stages["L1"] = (left * new / self.rate, attended, 0.0)
            self.rate = new
        elif name == "L1":
            self.stages["L2"] = (self.gamma(p.delta * self.difficulty(word)), word, 0.0)
            if word != last:
                self.start_m1(word + 1)
        elif name == "L2":
            pending = self.stages.pop("I", None)
            if pending is not None and pending[1] > 0 and pending[1] not in self.failed:
                self.regress(pending[1])
            else:
                self.stages["I"] = (self.gamma(p.integration), word, 0.0)
                if word != last:
                    self.stages["A"] = (self.gamma(p.attention), word + 1, 0.0)
        elif name == "I":
            if self.rng.random() < p.p_failure and word not in self.failed and self.attended > 0:
                for stage in ("A", "L1", "L2"):
                    self.stages.pop(stage, None)
                self.regress(word)
            else:
                return word == last
        elif name == "A":
            self.start_l1(word)
        elif name == "M1":
            range_error = (p.psi - abs(length)) * (p.omega1 - math.log(max(1.0, self.on_fixation))) / p.omega2
            noise = self.rng.normal(0.0, p.eta1 + p.eta2 * abs(length))
            actual = length + np.sign(length) * range_error + noise
            self.stages["M2"] = (self.gamma(p.nonlabile), word, actual)
        elif name == "M2":
            self.stages["S"] = (p.saccade, word, length)
        elif name == "S":
            self.store()
            self.eye = min(max(0.0, self.eye + length), self.after_last[-1] - 1e-9)
            self.on_fixation = 0.0
            self.stages["V"] = (p.vision, 0, 0.0)
            if self.rng.random() < p.refixation * abs(self.centre[word] - self.eye):
                self.start_m1(word)
        return False


def simulate(
    stimuli: Sequence[Stimulus], runs: int, p: EZReaderParameters, seed: int
) -> list[list[tuple[int, float, float]]]:
    """Return the fixations (word, position, duration) of each reading, run by run."""
    rng = np.random.default_rng(seed)
    return [ScalarReader(stimulus, p, rng).read() for _ in range(runs) for stimulus in stimuli]
