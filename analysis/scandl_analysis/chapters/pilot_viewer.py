"""Example scanpaths of a pilot: some items in all conditions, read by every model."""

from __future__ import annotations

from collections.abc import Sequence

from scandl_analysis.piloting.pilot_result import PilotResult
from scandl_analysis.piloting.simulated_readers import open_readers
from scandl_reports.document import Reading, ReadSentence, Viewer
from scandl_reports.figures.chart import looks

ITEMS, READERS = 3, 2


def example_viewer(found: PilotResult) -> Viewer:
    """Let the first readers of each model read some items again: the same seed gives the same paths."""
    stimuli = found.stimuli
    items = _spread(stimuli.items, ITEMS)
    chosen = [stimuli.by_cell[item, condition] for item in items for condition in stimuli.conditions]
    every = tuple(stimulus.sentence for stimulus in stimuli.every)
    wanted = tuple(stimulus.sentence for stimulus in chosen)
    readings: dict[str, list[Reading]] = {sentence.sentence_id: [] for sentence in wanted}
    for model in found.options.models:
        readers = open_readers(model, every, found.surprisals, found.options.language)
        paths = readers.read(wanted, 0, READERS, seed=found.options.seed)
        for k, path in enumerate(paths):
            name = f"{_short(model)} {k // len(wanted) + 1}"
            durations = tuple(round(ms) for ms in path.durations) if path.durations is not None else None
            readings[path.sentence_id].append(Reading(name, path.words, durations))
    return Viewer(
        "Example scanpaths per condition",
        tuple(
            ReadSentence(
                f"item {s.item_id}", s.condition, tuple(s.words), tuple(readings[s.sentence.sentence_id])
            )
            for s in chosen
        ),
        "",
        f"{len(items)} items in every condition, {READERS} simulated readers of each model; a dot is a"
        " fixation, larger where it lasts longer.",
        {name: look.colour for name, look in looks(found.options.models).items()},
    )


def _spread(items: Sequence[str], n: int) -> list[str]:
    """Return some items, spread over all.

    >>> _spread("abcdefg", 3)
    ['a', 'd', 'g']
    """
    if len(items) <= n:
        return list(items)
    return [items[round(k * (len(items) - 1) / (n - 1))] for k in range(n)]


def _short(model: str) -> str:
    return model.rsplit("/", 1)[-1]
