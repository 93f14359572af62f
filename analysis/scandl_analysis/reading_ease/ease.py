"""How hard texts are to read: what simulated readers do with them, beside what needs no readers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.files.results import Provenance, check_folder, provenance, write_sidecar
from scandl.files.tables import write_frame
from scandl.models.catalogue import open_model
from scandl.models.expected_reading import READERS, WordReadings, expected_readings, ready, usual_task
from scandl.models.pointer.condition import SENTENCE
from scandl.models.readings import prepared, text_corpus
from scandl.models.text_generation import RangeCheck
from scandl.models.trained_model import TrainedModel
from scandl.records import Sentence
from scandl.statistics.clustered import t_quantile
from scandl.text.context import PROSE, open_context
from scandl.text.word_facts import n_characters
from scandl_analysis.reading_ease import judged_ease
from scandl_analysis.reading_ease.group_differences import group_differences
from scandl_analysis.reading_ease.system_differences import differences, in_words
from scandl_analysis.reading_ease.system_texts import SYSTEM, in_language, system_texts

if TYPE_CHECKING:
    from scandl.models.model import Model

Array = NDArray[np.float64]
Line = NDArray[np.float64]
"""Slope and intercept."""

TIMES = ("ms_per_word", "ms_per_text", "ms_per_character", "first_pass", "rereading")
"""Measures of a text in ms; the last two are per word and add up to the first."""
MEASURES = (*TIMES, "skipping", "regressions")
"""What is measured of each reader of a text."""
FILES = ("ease.csv", "words.csv", "differences.csv", "groups.csv")
_TOGETHER = 64  # texts whose surprisal is asked for at once


@dataclass(frozen=True)
class Ease:
    """How hard texts are: tables of texts, of their words and of differences between systems."""

    texts: pd.DataFrame  # a row per text and group of readers
    words: pd.DataFrame  # a row per word, text and group
    differences: pd.DataFrame  # a row per group, measure and pair of systems
    groups: pd.DataFrame  # a row per text and group after the first
    notes: tuple[str, ...]
    provenance: Provenance

    def spans(self, text_id: str, group: str | None = None, n: int = 3) -> list[tuple[str, float]]:
        """Return the hardest spans of a text, with their ms over what words of their length take."""
        own = self.words[self.words["text_id"] == text_id]
        chosen = own["group"].iloc[0] if group is None else group
        own = own[own["group"] == chosen]
        return hardest_spans(own["word"].tolist(), own["excess_ms"].tolist())[:n]

    def sentences(self) -> list[str]:
        """Return in words how systems differ, and which texts are harder for a group than others are."""
        rows = self.differences[self.differences["measure"] == "ms_per_word"]
        several = rows["group"].nunique() > 1
        compared = [
            (f"{row['group']}: " if several else "")
            + in_words({str(name): value for name, value in row.items()})
            for row in rows.to_dict("records")
            if row["n_items"]
        ]
        flagged = [
            f"{row['text_id']} is harder for {row['group']} than for {row['than']}, by {row['percent']:.0f} %"
            f" [{row['low']:.0f}, {row['high']:.0f}] more than other texts: {row['words']}"
            for row in self.groups.to_dict("records")
            if row["flagged"]
        ]
        return compared + flagged

    def write(self, folder: Path | str) -> None:
        """Write the tables and how they were made."""
        check_folder(folder)
        tables = (self.texts, self.words, self.differences, self.groups)
        for name, table in zip(FILES, tables, strict=True):
            if len(table):
                write_frame(Path(folder) / name, table)
                write_sidecar(Path(folder) / name, {}, self.notes, self.provenance)


def ease(
    texts: Path | str | pd.DataFrame | Iterable[str | Sentence],
    *,
    by: str = "",
    groups: Sequence[str] = (),
    model: Model | Path | str | object | None = None,
    readers: int = READERS,
    samples: int = 1,
    task: str = "",
    context: str = "auto",
    language: str = "en",
    seed: int = 1,
) -> Ease:
    """Say how hard texts are to read, and which system's texts are harder.

    Parameters
    ----------
    texts
        A file (a text a line, or a table with a column ``text``), a pandas table, or texts.
    by
        The column that says which system wrote a text, beside ``item_id``; or, with commas, the columns
        that hold the texts of one system each.
    groups
        Groups of readers, such as ``("L1", "L2")``; without any, the model's own choice.
    model
        What :func:`scandl.open_model` takes; it needs fixation durations. By default human readers.
    readers, samples
        Simulated readers, the same for every text, and how often each reads it. From two samples on
        ``noise`` says how much of a mean is chance.
    task
        How texts are read. By default what most of them are, sentences or paragraphs; as sentences where
        groups are compared, because the shipped model's readers of paragraphs are all of one group.
    context
        What tells how expected words are: see :func:`scandl.text.context.context`.
    language
        Of the texts.
    seed
        Of all random numbers.

    Returns
    -------
    Ease
        Tables of texts, words and differences between systems and groups. Intervals of texts are over
        readers, those of systems over readers and items.

    Examples
    --------
    >>> found = ease(["The cat sat.", "Jurisprudence presupposes codification."], readers=4, context="small")
    >>> found.texts["ms_per_word"].is_monotonic_increasing
    True
    """
    found = in_language(system_texts(texts, by), language)
    source = open_context(context, language)
    opened = prepared(open_model(model), text_corpus(found, language), seed=seed)
    chosen = ready(opened, source.name)
    kinds = tuple(dict.fromkeys(groups)) or (
        opened.default_group if isinstance(opened, TrainedModel) else "",
    )
    how = task or (SENTENCE if len(kinds) > 1 else usual_task(found))
    apart = [
        row
        for first in range(0, len(found), _TOGETHER)
        for row in judged_ease.without_readers(
            [text.text for text in found[first : first + _TOGETHER]], source, language
        )
    ]
    rows, words, values = [], [], []
    for group in kinds:
        told: dict[str, Any] = {
            "readers": readers,
            "samples": samples,
            "group": group,
            "task": how,
            "seed": seed,
        }
        line = cost_of_length(expected_readings(chosen, _prose(language), **told))
        for text, reading, other in zip(found, expected_readings(chosen, found, **told), apart, strict=True):
            of_readers = measures(text, reading)
            values.append((group, text, of_readers, other))
            rows.append({**_names(text, group), **_summary(text, reading, of_readers), **other})
            words.append(_word_rows(text, group, reading, line))
    inputs = [texts] if isinstance(texts, Path | str) else []
    notes = (
        f"{len(found)} texts; {readers} simulated readers of {opened.name}, the same in all, task {how}"
        + (f", {samples} times each" if samples > 1 else ""),
        *judged_ease.notes(source, language),
        *_doubts(found, opened),
    )
    by_word = pd.concat(words, ignore_index=True)
    times: dict[str, dict[str, Array]] = {group: {} for group in kinds}
    for group, text, of_readers, _ in values:
        times[group][text.sentence_id] = of_readers["ms_per_word"]
    return Ease(
        pd.DataFrame(rows),
        by_word,
        differences(_by_system(values) if by else {}, TIMES),
        group_differences(times, by_word),
        notes,
        provenance(seed=seed, inputs=inputs),
    )


def measures(text: Sentence, reading: WordReadings) -> dict[str, Array]:
    """Return the measures of a text, one value per reader; NaN where a reader shows none of its kind."""
    n = text.n_words
    total, first_pass = (each.mean(axis=1).sum(axis=1) for each in (reading.total, reading.first_pass))
    n_read = (1.0 - reading.skipped).sum(axis=(1, 2))
    return {
        "ms_per_word": total / n,
        "ms_per_text": total,
        "ms_per_character": total / sum(map(n_characters, text.words)),
        "first_pass": first_pass / n,
        "rereading": (total - first_pass) / n,
        "skipping": reading.skipped.mean(axis=(1, 2)),
        "regressions": reading.regression.sum(axis=(1, 2)) / np.where(n_read > 0, n_read, np.nan),
    }


def noise(reading: WordReadings) -> float:
    """Return the standard error of ms per word for these readers, which is chance alone; NaN: not known."""
    n_readers, n_samples, n_words = reading.total.shape
    if n_samples < 2:
        return math.nan
    within = reading.total.sum(axis=2).var(axis=1, ddof=1) / n_samples
    return float(np.sqrt(within.mean() / n_readers)) / n_words


def cost_of_length(readings: Iterable[WordReadings]) -> Line:
    """Return the line of ms on the length of words, in plain prose that the same readers read."""
    lengths = [n_characters(word) for text in PROSE for word in text.split()]
    ms = np.concatenate([reading.total.mean(axis=(0, 1)) for reading in readings])
    return np.polyfit(lengths, ms, 1)


def hardest_spans(words: Sequence[str], excess: Sequence[float]) -> list[tuple[str, float]]:
    """Return runs of words that all take longer than their length makes one expect, the hardest first.

    >>> hardest_spans(["the", "abstruse", "lemma", "is", "here"], [-9.0, 90.0, 60.0, -5.0, 20.0])
    [('abstruse lemma', 150.0), ('here', 20.0)]
    """
    found = []
    for above, run in groupby(zip(words, excess, strict=True), lambda pair: pair[1] > 0):
        own = list(run)
        if above:
            found.append((" ".join(word for word, _ in own), sum(ms for _, ms in own)))
    return sorted(found, key=lambda span: -span[1])


def _prose(language: str) -> list[Sentence]:
    return [Sentence(f"prose {k}", text, language=language) for k, text in enumerate(PROSE)]


def _names(text: Sentence, group: str) -> dict[str, Any]:
    own = {"text_id": text.sentence_id, "group": group, "n_words": text.n_words}
    return {"item_id": text.item, SYSTEM: text.extra[SYSTEM], **own} if SYSTEM in text.extra else own


def _summary(text: Sentence, reading: WordReadings, of_readers: Mapping[str, Array]) -> dict[str, float]:
    """Return the mean of each measure over readers with its 95 % interval."""
    found: dict[str, float] = {}
    for name, values in of_readers.items():
        known = values[~np.isnan(values)]
        mean = float(known.mean()) if len(known) else math.nan
        reach = math.nan
        if len(known) > 1:
            reach = t_quantile(0.975, len(known) - 1) * float(known.std(ddof=1)) / math.sqrt(len(known))
        found |= {name: mean, f"{name}_low": mean - reach, f"{name}_high": mean + reach}
    return {**found, "noise": noise(reading)}


def _word_rows(text: Sentence, group: str, reading: WordReadings, line: Line) -> pd.DataFrame:
    total = reading.total.mean(axis=(0, 1))
    return pd.DataFrame(
        {
            "text_id": text.sentence_id,
            "group": group,
            "word_index": range(text.n_words),
            "word": text.words,
            "total_ms": total,
            "first_pass_ms": reading.first_pass.mean(axis=(0, 1)),
            "skipping": reading.skipped.mean(axis=(0, 1)),
            "excess_ms": total - np.polyval(line, [n_characters(word) for word in text.words]),
        }
    )


def _by_system(
    values: Sequence[tuple[str, Sentence, Mapping[str, Array], Mapping[str, float]]],
) -> dict[str, dict[str, dict[str, dict[str, Array]]]]:
    """Return values by group, measure, system and item; what needs no reader stands in the group ''."""
    found: dict[str, dict[str, dict[str, dict[str, Array]]]] = {}
    for group, text, of_readers, other in values:
        apart = {name: np.array([value]) for name, value in other.items()}
        apart["n_words"] = np.array([float(text.n_words)])
        for where, own in ((group, of_readers), ("", apart)):
            for name, value in own.items():
                by_system = found.setdefault(where, {}).setdefault(name, {})
                by_system.setdefault(text.extra[SYSTEM], {})[text.item] = value
    return found


def _doubts(texts: Sequence[Sentence], model: Model) -> Iterator[str]:
    """Yield what is doubtful about texts: another language, tags, items that a system lacks."""
    check = RangeCheck(trained=isinstance(model, TrainedModel))
    check.add(check.reasons(texts), len(texts))
    yield from check.lines()
    tagged = [text.sentence_id for text in texts if any(sign in text.text for sign in ("</", "/>", "&nbsp;"))]
    if tagged:
        yield f"{len(tagged)} texts ({tagged[0]} the first) hold HTML tags, which are read as words"
    systems = {text.extra[SYSTEM] for text in texts if SYSTEM in text.extra}
    items: dict[str, int] = {}
    for text in texts if systems else ():
        items[text.item] = items.get(text.item, 0) + 1
    lacking = [item for item, n in items.items() if n < len(systems)]
    if lacking:
        yield f"{len(lacking)} of {len(items)} items ({lacking[0]} the first) lack a text of some system"
