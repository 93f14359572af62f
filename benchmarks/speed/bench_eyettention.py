"""How fast Eyettention trains and generates, beside the same network run step by step and unpacked.

The plain way is that of most published code: every sentence and every path is padded to the limit of
the model, every path encodes its sentence for itself, and a Python loop runs the LSTM cells step by
step. Both ways use the same weights, without dropout, and their losses are compared before they are timed.
Interleaved in one run, CPU time, the median of the rounds: ``python benchmarks/speed/bench_eyettention.py``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from copy import deepcopy

import torch
from torch import Tensor, nn

from scandl.corpora import read_corpus
from scandl.corpora.corpus import Pair
from scandl.corpora.demo import FOLDER
from scandl.models.eyettention.eyettention_inputs import (
    InputMaker,
    PathInput,
    collate,
    collate_sentences,
)
from scandl.models.eyettention.eyettention_likelihood import class_losses, per_path
from scandl.models.eyettention.eyettention_network import EyettentionNetwork
from scandl.models.eyettention.eyettention_sampling import Sampler
from scandl.models.eyettention.eyettention_settings import LearningConfig, NetworkConfig
from scandl.models.eyettention.saccade_classes import SaccadeClasses
from scandl.models.eyettention.scales import Scales
from scandl.seeds import stream
from scandl.splits import make_folds
from scandl.text.encoder import find_encoder

ROUNDS = 5
SAMPLES = 4  # paths generated for each human path; distances between distributions need several
TRAIN_STEPS, SAMPLE_STEPS = 52, 59  # the limits of the published model
CONFIG = NetworkConfig(input_dropout=0.0, dropout=0.0)
CLASSES = SaccadeClasses(CONFIG.max_words)


def cells(lstm: nn.LSTM, direction: str = "") -> list[nn.LSTMCell]:
    """Return the layers of an LSTM as cells with its weights."""
    made = []
    for k in range(lstm.num_layers):
        width = getattr(lstm, f"weight_ih_l{k}").shape[1]
        cell = nn.LSTMCell(width, lstm.hidden_size)
        for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            setattr(cell, part, getattr(lstm, f"{part}_l{k}{direction}"))
        made.append(cell)
    return made


def unrolled(cell: nn.LSTMCell, data: Tensor) -> Tensor:
    """Return the output of each step, (sequences, steps, units)."""
    state = (data.new_zeros(len(data), cell.hidden_size), data.new_zeros(len(data), cell.hidden_size))
    steps = []
    for x in data.unbind(dim=1):
        state = cell(x, state)
        steps.append(state[0])
    return torch.stack(steps, dim=1)


class Plain:
    """The network's weights, used one step after the other."""

    def __init__(self, network: EyettentionNetwork) -> None:
        self.network = network
        self.cells = cells(network.fixations.lstm)
        self.word_cells = list(
            zip(*(cells(network.words.lstm, way) for way in ("", "_reverse")), strict=True)
        )

    def read(self, paths: list[PathInput]) -> tuple[Tensor, Tensor, Tensor]:
        """Encode the sentence of every path, whether or not another path has it too."""
        sentences = collate_sentences([path.sentence for path in paths], torch.float32)
        shown = sentences.context.new_zeros(len(paths), CONFIG.max_words, sentences.context.shape[1])
        shown[sentences.packing.member, sentences.packing.time] = sentences.context
        places = torch.arange(CONFIG.max_words)
        mirrored = torch.where(places <= sentences.last[:, None], sentences.last[:, None] - places, places)
        rows = torch.arange(len(paths))[:, None]
        for ahead, back in self.word_cells:
            shown = torch.cat(
                [unrolled(ahead, shown), unrolled(back, shown[rows, mirrored])[rows, mirrored]], 2
            )
        length = nn.functional.pad(
            sentences.inverse_length, (0, CONFIG.max_words - sentences.inverse_length.shape[1])
        )
        return torch.cat([shown, length[..., None]], dim=2), sentences.static, sentences.last

    def step(
        self, read: Tensor, static: Tensor, last: Tensor, at: Tensor, state: list[tuple[Tensor, Tensor]]
    ) -> Tensor:
        """Return the logits of one step of all paths, and move the states on."""
        rows = torch.arange(len(at))
        encoder = self.network.fixations
        x = torch.cat([encoder.norm(static[rows, at] + encoder.position(at)), torch.zeros(len(at), 2)], dim=1)
        for k, cell in enumerate(self.cells):
            state[k] = cell(x, state[k])
            x = state[k][0]
        context = self.network.attention(x, read, rows, at, last)
        return self.network.decoder(torch.cat([context, x], dim=1))

    def start(self, n: int) -> list[tuple[Tensor, Tensor]]:
        """Return the states before the first step."""
        return [(torch.zeros(n, c.hidden_size), torch.zeros(n, c.hidden_size)) for c in self.cells]

    def loss(self, paths: list[PathInput]) -> Tensor:
        """Return the mean loss of a path, all paths padded to the limit."""
        read, static, last = self.read(paths)
        at = torch.zeros(len(paths), TRAIN_STEPS, dtype=torch.long)
        following = torch.zeros_like(at)
        length = torch.tensor([len(path.at) for path in paths])
        for n, path in enumerate(paths):
            at[n, : length[n]] = torch.from_numpy(path.at)
            following[n, : length[n]] = torch.from_numpy(path.following)
        state = self.start(len(paths))
        logits = torch.stack(
            [self.step(read, static, last, at[:, t], state) for t in range(TRAIN_STEPS)], dim=1
        )
        target = torch.where(following >= last[:, None], CLASSES.end, CLASSES.of_steps(following - at))
        losses = nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="none")
        counts = torch.arange(TRAIN_STEPS) < length[:, None]
        return (losses.view(counts.shape) * counts).sum() / len(paths)

    @torch.no_grad()
    def sample(self, paths: list[PathInput], uniforms: Tensor) -> list[tuple[int, ...]]:
        """Draw scanpaths; every path takes all 59 steps, and what follows its end is cut off."""
        read, static, last = self.read(paths)
        at, state, steps = torch.zeros(len(paths), dtype=torch.long), self.start(len(paths)), []
        for t in range(SAMPLE_STEPS):
            probs = self.step(read, static, last, at.minimum(last), state).softmax(dim=1)
            at = CLASSES.draw(CLASSES.thresholds(probs), at.minimum(last), last - 1, uniforms[:, t])
            steps.append(at)
        walks = torch.stack(steps, dim=1).tolist()
        ends = [
            walk.index(int(n)) if int(n) in walk else SAMPLE_STEPS
            for walk, n in zip(walks, last, strict=True)
        ]
        return [tuple(word - 1 for word in walk[:end]) for walk, end in zip(walks, ends, strict=True)]


def cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def human_like(network: EyettentionNetwork) -> None:
    """Let an untrained network prefer the saccades of readers, so that its paths have their lengths."""
    with torch.no_grad():
        network.decoder[-1].bias[CLASSES.of_steps(torch.tensor([-1, 0, 1, 2]))] += torch.tensor(
            [4.0, 5.0, 7.0, 6.0]
        )


def workload(maker: InputMaker) -> tuple[list[PathInput], list[PathInput]]:
    """Return a random batch of a training fold, and the test part: new sentences, all their readers."""
    corpus = read_corpus(FOLDER)
    fold = make_folds(corpus, "ns", seed=1)[0]

    def paths(pairs: Sequence[Pair]) -> list[PathInput]:
        return [maker.path(corpus.sentences[pair[1]], corpus.by_pair[pair], gaze=False) for pair in pairs]

    drawn = stream(1, "bench").choice(len(fold.train), LearningConfig().batch, replace=False)
    return paths([fold.train[i] for i in drawn]), paths(fold.test) * SAMPLES


def main() -> None:
    torch.manual_seed(1)
    lexical = find_encoder("lexical")
    batch, tested = workload(InputMaker(lexical, lexical, Scales()))
    network = EyettentionNetwork(CONFIG, lexical.dim, lexical.dim)
    human_like(network)
    plain, sampler = Plain(network), Sampler(network, deepcopy(network).double(), CLASSES)
    uniforms = torch.rand(len(tested), SAMPLE_STEPS, dtype=torch.float64)

    def packed_loss() -> Tensor:
        packed = collate(batch)
        return per_path(class_losses(network(packed), packed, CLASSES), packed).mean()

    def packed_sample() -> list[tuple[int, ...]]:
        return sampler.sample([path.sentence for path in tested], [0] * len(tested), uniforms)

    drawn = packed_sample()
    same = sum(a == b for a, b in zip(drawn, plain.sample(tested, uniforms), strict=True))
    print(
        f"loss of {len(batch)} paths: packed {packed_loss().item():.6f}, plain {plain.loss(batch).item():.6f}"
    )
    print(f"paths drawn {len(drawn)}, mean length {statistics.fmean(map(len, drawn)):.1f}, the same {same}")
    work: dict[str, tuple[int, Callable[[], object], Callable[[], object]]] = {
        "training step": (len(batch), lambda: plain.loss(batch).backward(), lambda: packed_loss().backward()),
        "generation": (len(tested), lambda: plain.sample(tested, uniforms), packed_sample),
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, (_, slow, fast) in work.items():
            times[name].append((cpu(slow), cpu(fast)))
    print(f"{'scanpaths per CPU second':<26}{'plain':>9}{'packed':>9}{'ratio':>8}")
    for name, rounds in times.items():
        slow, fast = (statistics.median(column) for column in zip(*rounds, strict=True))
        n = work[name][0]
        print(f"{name:<26}{n / slow:>9.1f}{n / fast:>9.1f}{slow / fast:>8.1f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
