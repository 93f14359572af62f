"""CPU time of surprisal: batched against one by one, the trigram model, and a second call from disk."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scandl.corpora.corpus_folder import open_corpus
from scandl.text import smollm2
from scandl.text.surprisal import Provider, Trigram, surprisal

ROUNDS = 2
SENTENCES = 40


def main() -> None:
    texts = [sentence.text for sentence in open_corpus("demo").sentences.values()]
    if smollm2.installed():
        batching(texts[:SENTENCES])
        from_disk(texts[:SENTENCES])
    else:
        print(f"language model: not measured, {smollm2.INSTALL}")
    trigram(texts)


def batching(texts: list[str]) -> None:
    models = {size: smollm2.smollm2(batch_size=size) for size in (1, 8, 32)}
    for model in models.values():
        model.nats(texts[:1])  # loading is not the question here
    seconds = dict.fromkeys(models, 0.0)
    for _ in range(ROUNDS):
        for size, model in models.items():
            seconds[size] += cpu(lambda model=model: model.nats(texts))  # type: ignore[misc]
    words = ROUNDS * sum(len(text.split()) for text in texts)
    for size, spent in seconds.items():
        row(f"SmolLM2, batches of {size}", words / spent, seconds[1] / spent)


def from_disk(texts: list[str]) -> None:
    words = sum(len(text.split()) for text in texts)
    with tempfile.TemporaryDirectory() as folder:
        model: Provider = smollm2.smollm2()
        cold = cpu(lambda: surprisal(texts, model, cache=Path(folder)))
        warm = cpu(lambda: surprisal(texts, smollm2.smollm2(), cache=Path(folder)))
    row("SmolLM2, with loading", words / cold, 1.0)
    row("the same from disk", words / warm, cold / warm)


def trigram(texts: list[str]) -> None:
    model = Trigram()
    model.nats(texts)
    many = texts * 100
    spent = cpu(lambda: model.nats(many))
    row("trigram", sum(len(text.split()) for text in many) / spent, None)


def cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def row(what: str, words_per_second: float, ratio: float | None) -> None:
    shown = "" if ratio is None else f"{ratio:8.1f} ×"
    print(f"{what:<26}{words_per_second:>12,.0f} words per CPU second{shown}")


if __name__ == "__main__":
    main()
