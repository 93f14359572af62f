"""How hard texts are to read: what simulated readers do with them, beside what needs no readers.

Texts are read a block at a time. Finished blocks are kept on disk until all are there, so memory does not
grow with the number of texts, and a killed command goes on where it stopped.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.errors import ScandlError, StoppedError
from scandl.files.results import Provenance, check_folder, locked, provenance, write_sidecar
from scandl.files.tables import write_frame
from scandl.models.catalogue import open_model
from scandl.models.expected_reading import (
    READERS,
    ready,
    usual_task,
)
from scandl.models.pointer.condition import SENTENCE
from scandl.models.readings import prepared, text_corpus
from scandl.models.streamed_generation import BlockFiles, PackedModel, TextBlock, encoded
from scandl.models.text_generation import RangeCheck
from scandl.models.trained_model import TrainedModel
from scandl.records import Sentence
from scandl.text.context import open_context
from scandl.workers import track
from scandl_analysis.reading_ease import judged_ease
from scandl_analysis.reading_ease.differences import differences, group_differences, in_words, system_means
from scandl_analysis.reading_ease.system_texts import SYSTEM, system_texts
from scandl_analysis.reading_ease.text_measures import BLOCKS, MEASURES, TIMES, EaseJob, hardest_spans

if TYPE_CHECKING:
    from scandl.models.model import Model

Array = NDArray[np.float64]
Tables = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]
"""Of texts, words and readers."""

COMPARED = ("systems.csv", "differences.csv", "groups.csv")
_TOGETHER = 64  # texts of a block
_ROWS = 10_000  # of a table that are looked at at once
_NAMES = ("item_id", SYSTEM, "text_id", "group", "reader", "word")
"""Columns that are no numbers."""
_WHOLE = ("n_words", "word_index", "samples")


@dataclass(frozen=True)
class Ease:
    """How hard texts are: tables of texts, of their words, of readers and of differences."""

    texts: pd.DataFrame  # a row per text and group of readers
    words: pd.DataFrame  # a row per word, text and group
    readers: pd.DataFrame  # a row per reader, text and group
    systems: pd.DataFrame  # a row per group and system, that which takes longest first
    differences: pd.DataFrame  # a row per group, measure and pair of systems
    groups: pd.DataFrame  # a row per text and group after the first
    notes: tuple[str, ...]
    provenance: Provenance
    n_texts: int

    def spans(self, text_id: str, group: str | None = None, n: int = 3) -> list[tuple[str, float]]:
        """Return the hardest spans of a text, with their ms over what words of their length take."""
        own = self.words[self.words["text_id"] == text_id]
        chosen = own["group"].iloc[0] if group is None else group
        own = own[own["group"] == chosen]
        return hardest_spans(own["word"].tolist(), own["excess_ms"].tolist())[:n]

    def compared(self) -> list[str]:
        """Return in words how systems differ."""
        rows = self.differences[self.differences["measure"] == "ms_per_word"]
        several = rows["group"].nunique() > 1
        return [
            (f"{row['group']}: " if several else "")
            + in_words({str(name): value for name, value in row.items()})
            for row in rows.to_dict("records")
            if row["n_items"]
        ]

    def flagged(self) -> list[str]:
        """Return in words which texts are harder for a group than others are."""
        return [
            f"{row['text_id']} is harder for {row['group']} than for {row['than']}, by {row['percent']:.0f} %"
            f" [{row['low']:.0f}, {row['high']:.0f}] more than other texts: {row['words']}"
            for row in self.groups.to_dict("records")
            if row["flagged"]
        ]


def ease(
    texts: Path | str | pd.DataFrame | Iterable[str | Sentence],
    *,
    by: str = "",
    groups: Sequence[str] = (),
    model: Model | Path | str | object | None = None,
    readers: int = READERS,
    samples: int = 1,
    precision: float | None = None,
    task: str = "",
    context: str = "auto",
    language: str = "en",
    seed: int = 1,
    out: Path | str | None = None,
    most: int | None = None,
    quiet: bool = True,
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
    precision
        Draw further samples of a text until ``noise`` is at most this share of its ms per word, such as
        0.01.
    task
        How texts are read. By default what most of them are, sentences or paragraphs; as sentences where
        groups are compared, because the shipped model's readers of paragraphs are all of one group.
    context
        What tells how expected words are: see :func:`scandl.text.context.context`.
    language
        Of the texts.
    seed
        Of all random numbers.
    out
        A folder for the tables. The same call goes on where an earlier one stopped.
    most
        The result has only so many texts, those that take longest per word; the files have all of them.
    quiet
        Whether to show no progress.

    Returns
    -------
    Ease
        Tables of texts, words, readers and differences between systems and groups. Intervals of texts are
        over readers, those of systems over readers and items.

    Examples
    --------
    >>> found = ease(["The cat sat.", "Jurisprudence presupposes codification."], readers=4, context="small")
    >>> found.texts["ms_per_word"].is_monotonic_increasing
    True
    """
    if precision is not None and not 0 < precision < 1:
        raise ScandlError(f"precision: found {precision}, expected a share such as 0.01")
    check_folder(out)
    found = system_texts(texts, by)
    source = open_context(context, language)
    opened = prepared(open_model(model), text_corpus((), language), seed=seed)
    kinds = tuple(dict.fromkeys(groups)) or (
        opened.default_group if isinstance(opened, TrainedModel) else "",
    )
    job = EaseJob(
        ready(opened, source.name),
        _identity(model),
        kinds,
        readers,
        samples if precision is None else max(samples, 2),
        precision,
        task or (SENTENCE if len(kinds) > 1 else usual_task(found())),
        source,
        language,
        seed,
    )
    doubts = list(_doubts(job.in_language(found()), opened))
    with ExitStack() as stack:
        folder = Path(out or stack.enter_context(tempfile.TemporaryDirectory(prefix="scandl-")))
        n_texts = _write_blocks(job, found(), folder, quiet=quiet)
        rows = _longest(folder, most)
        compared = _compared(folder, systems=bool(by), groups=len(kinds) > 1)
        notes = (job.about(n_texts, opened.name), *judged_ease.notes(source, language), *doubts)
        files = [texts] if isinstance(texts, Path | str) and Path(texts).is_file() else []
        made_by = provenance(seed=seed, inputs=files)
        if out:
            _finish(folder, dict(zip(COMPARED, compared, strict=True)), notes, made_by)
    return Ease(*rows, *compared, notes, made_by, n_texts)


def _identity(model: Model | Path | str | object | None) -> str:
    """Return what another process knows a model by; an object is known to nobody else."""
    if model is None or isinstance(model, str | Path):
        packed = PackedModel.of(None if model is None else str(model))
        return f"{packed.source} {packed.sha256}"
    return secrets.token_hex()


def _write_blocks(job: EaseJob, texts: Iterable[Sentence], folder: Path, *, quiet: bool) -> int:
    """Write the tables that are made block by block; return the number of texts."""
    files = {name: BlockFiles(folder / name) for name in BLOCKS}
    names, n_texts, rest = [], 0, iter(texts)
    blocks = iter(lambda: tuple(islice(rest, _TOGETHER)), ())
    kept = files[BLOCKS[0]].folder
    try:
        with locked(kept):
            for number, own in enumerate(track(blocks, f"ease: blocks of {_TOGETHER} texts", quiet=quiet)):
                names.append(TextBlock(number, own).name(job.digest))
                n_texts += len(own)
                if not all(each.has(names[-1]) for each in files.values()):
                    for name, columns in job.block(own).items():
                        files[name].write(names[-1], encoded(columns, ".csv"))
            for each in files.values():
                each.join(names)
    except KeyboardInterrupt:
        raise StoppedError(f"interrupted; what is finished is kept in {kept}, run again to go on") from None
    finally:
        files[BLOCKS[0]].drop_if_empty()
    return n_texts


def _longest(folder: Path, most: int | None) -> Tables:
    """Return the tables, of all texts or of those that take longest per word."""
    longest = pd.Series(dtype=float)
    for part in _parts(folder / BLOCKS[0]) if most is not None else ():
        both = pd.concat([longest, part.set_index("text_id")["ms_per_word"]])
        longest = both.groupby(level=0, sort=False).max().nlargest(most)
    texts, words, readers = (
        pd.concat(
            [part if most is None else part[part["text_id"].isin(longest.index)] for part in _parts(path)],
            ignore_index=True,
        )
        for path in (folder / name for name in BLOCKS)
    )
    return texts, words, readers


def _parts(path: Path) -> Iterator[pd.DataFrame]:
    """Yield the rows of a table that was written here, some at a time, with the numbers that were written."""
    for part in pd.read_csv(path, dtype=str, keep_default_na=False, chunksize=_ROWS):
        numbers: dict[str, list[float]] = {
            str(name): [int(cell) for cell in part[name]]
            if name in _WHOLE
            else [float(cell or "nan") for cell in part[name]]
            for name in part
            if name not in _NAMES
        }
        yield part.assign(**numbers)


def _compared(folder: Path, *, systems: bool, groups: bool) -> Tables:
    """Return systems and the differences between them and between groups; they need all texts at once."""
    by_system: dict[str, dict[str, dict[str, dict[str, Array]]]] = {}
    times: dict[str, dict[str, Array]] = {"": {}}
    words = pd.DataFrame()
    if systems or groups:
        texts, words, readers = _longest(folder, None)
        by_system = _by_system(readers, texts) if systems else {}
        times = {str(group): {} for group in dict.fromkeys(texts["group"])}
        for (group, text), own in readers.groupby(["group", "text_id"], sort=False):
            times[str(group)][str(text)] = own["ms_per_word"].to_numpy()
    return system_means(by_system), differences(by_system, TIMES), group_differences(times, words)


def _by_system(
    readers: pd.DataFrame, texts: pd.DataFrame
) -> dict[str, dict[str, dict[str, dict[str, Array]]]]:
    """Return values by group, measure, system and item; what needs no reader stands in the group ''."""
    found: dict[str, dict[str, dict[str, dict[str, Array]]]] = {}
    apart = texts[texts["group"] == texts["group"].iloc[0]].assign(group="")
    for table, kinds in ((readers, MEASURES), (apart, (*judged_ease.NAMES, "n_words"))):
        for place, own in table.groupby(["group", SYSTEM, "item_id"], sort=False):
            group, system, item = map(str, place)
            for name in kinds:
                values = own[name].to_numpy(dtype=float)
                found.setdefault(group, {}).setdefault(name, {}).setdefault(system, {})[item] = values
    return found


def _finish(
    folder: Path, compared: Mapping[str, pd.DataFrame], notes: tuple[str, ...], made_by: Provenance
) -> None:
    """Write the tables of differences, and beside each table how it was made."""
    for name, table in compared.items():
        if len(table):
            write_frame(folder / name, table)
    for name in (*BLOCKS, *(name for name, table in compared.items() if len(table))):
        write_sidecar(folder / name, {}, notes, made_by)


def _doubts(texts: Iterable[Sentence], model: Model) -> Iterator[str]:
    """Yield what is doubtful about texts: another language, tags, items that a system lacks."""
    check = RangeCheck(trained=isinstance(model, TrainedModel))
    tagged: list[str] = []
    n_tagged, systems = 0, set()
    items: dict[str, int] = {}
    for text in texts:
        check.add(check.reasons([text]), 1)
        if any(sign in text.text for sign in ("</", "/>", "&nbsp;")):
            n_tagged += 1
            tagged = tagged or [text.sentence_id]
        if SYSTEM in text.extra:
            systems.add(text.extra[SYSTEM])
            items[text.item] = items.get(text.item, 0) + 1
    yield from check.lines()
    if tagged:
        yield f"texts with HTML tags, which are read as words: {n_tagged} ({tagged[0]} the first)"
    lacking = [item for item, n in items.items() if n < len(systems)]
    if lacking:
        yield f"{len(lacking)} of {len(items)} items ({lacking[0]} the first) lack a text of some system"
