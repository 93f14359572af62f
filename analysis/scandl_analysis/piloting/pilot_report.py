"""The page about a pilot: what a co-author has to know before the experiment is run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scandl_analysis.piloting.expected_effects import HUMAN
from scandl_analysis.piloting.pilot_figures import effect_figures, power_figures, recovery_blocks
from scandl_analysis.piloting.pilot_result import (
    CANNOT_KNOW,
    Cells,
    PilotResult,
    component_cells,
    confound_cells,
    design_cells,
    effect_cells,
    power_cells,
    share,
    signed,
    spread_note,
)
from scandl_analysis.piloting.power import ENOUGH, OWN, curves, smallest
from scandl_analysis.piloting.reading_pool import open_readers
from scandl_analysis.piloting.stimuli import latin_square
from scandl_reports.document import (
    Column,
    Finding,
    Note,
    ReadSentence,
    Report,
    Section,
    ShownReading,
    Table,
    Term,
    Text,
    Viewer,
    provenance_rows,
)
from scandl_reports.figures.chart import looks

TERMS = (
    Term("d", "A difference divided by the standard deviation within conditions, over items."),
    Term("power", "The share of simulated experiments in which the planned regression has p < .05."),
    Term("type S", "Among experiments with p < .05, the share whose effect has the wrong sign."),
    Term("type M", "Among experiments with p < .05, how many times too large the effect is on average."),
    Term("sr", "1 if a region was never fixated, or not before a word to its right."),
    Term("FFD", "First fixation duration of the first pass, ms."),
    Term("FPRT", "First-pass reading time (gaze duration), ms."),
    Term("RPD", "Regression-path duration (go-past time), ms."),
    Term("TFT", "Total fixation time, ms."),
    Term("tfc", "Total fixation count."),
    Term("spill-over", "The word after the critical region."),
)
ITEMS, READERS = 3, 2


def build_pilot_report(found: PilotResult) -> Report:
    """Return the page."""
    n, k = len(found.stimuli.items), len(found.stimuli.conditions)
    return Report(
        f"Pilot: {found.stimuli.path.name}",
        f"{n} items in {k} conditions, read by simulated readers ({', '.join(found.about)})",
        (_confounds_finding(found), *_effect_findings(found), *_power_findings(found)),
        (
            _stimuli_section(found),
            _effects_section(found),
            _power_section(found),
            _preregistration(found),
            _limits(found),
            _every_number(found),
        ),
        TERMS,
        provenance_rows(found.provenance.as_dict()),
    )


def _confounds_finding(found: PilotResult) -> Finding:
    differing = list(dict.fromkeys(each.feature for each in found.confounds if each.notable))
    if not differing:
        return Finding(
            "Confounds", "Length, frequency, surprisal and position do not differ between conditions."
        )
    return Finding(
        "Confounds",
        f"The conditions differ in {_and(differing)}. What of this is not meant is a confound: change the"
        " items, or add it as a predictor.",
    )


def _effect_findings(found: PilotResult) -> list[Finding]:
    """Say what each source expects in the planned regions."""
    said = []
    planned = [e for e in found.effects if e.region in found.options.regions]
    for source in dict.fromkeys(e.source for e in planned):
        clear = [e for e in planned if e.source == source and e.clear]
        told = [
            f"{e.measure} {signed(e.ms, 0) + ' ms' if e.ms is not None else signed(e.effect) + ' ' + e.scale}"
            f" ({e.contrast})"
            for e in clear[:6]
        ]
        more = f" and {len(clear) - 6} more" if len(clear) > 6 else ""
        text = f"{_and(told)}{more}" if told else "no effect whose interval leaves out 0"
        said.append(Finding("People showed" if source == HUMAN else f"{source} expects", f"{text}."))
    return said


def _power_findings(found: PilotResult) -> list[Finding]:
    counted: Counter[str] = Counter()
    enough: Counter[str] = Counter()
    for (place, of), points in curves(found.power).items():
        if of == OWN:
            counted[place[0]] += 1
            enough[place[0]] += smallest(points) is not None
    said = [f"{enough[name]} of {counted[name]} effects of {name}" for name in counted]
    return (
        [Finding("Power", f"A design that was tried reaches {share(ENOUGH)} for {_and(said)}.")]
        if said
        else []
    )


def _stimuli_section(found: PilotResult) -> Section:
    stimuli = found.stimuli
    square = latin_square(len(stimuli.items), len(stimuli.conditions))
    per_list = sorted({int((row == c).sum()) for row in square for c in range(len(stimuli.conditions))})
    each = f"{per_list[0]}" if len(per_list) == 1 else f"{per_list[0]} or {per_list[-1]}"
    return Section(
        "Stimuli and confounds",
        (
            Text(
                f"{len(stimuli.items)} items × {len(stimuli.conditions)} conditions"
                f" ({', '.join(stimuli.conditions)}) make {len(square)} Latin-square lists; every list has"
                f" every item once and {each} items of each condition. The lists are in lists.csv."
            ),
            _table(
                "What differs between conditions",
                confound_cells(found.confounds, stimuli.conditions),
                note="Region: characters, mean Zipf frequency, summed surprisal, position of its first word."
                " Intervals over items; 'differs' where |d| is at least 0.2 or the interval leaves out 0.",
            ),
            *(Note(f"{note}.") for note in found.notes),
            example_viewer(found),
        ),
    )


def _effects_section(found: PilotResult) -> Section:
    agree = [
        (a.one, a.other, f"{a.same_sign} of {a.n}", f"{a.clear_same_sign} of {a.n_clear}")
        for a in found.agreement
    ]
    table = Table(
        "Do the sources agree about signs?",
        tuple(map(Column, ("source", "other source", "same sign", "same sign where both are clear"))),
        tuple(agree),
    )
    return Section(
        "Expected effects",
        (
            Text(
                f"Regression: {found.formula.replace('{measure}', 'measure')}, times on the log scale, terms"
                " with variance 0 left out; estimated from readers who read every version. In ms: difference"
                " of medians."
            ),
            *effect_figures(found),
            *((table,) if agree else ()),
        ),
    )


def _power_section(found: PilotResult) -> Section:
    return Section(
        "Power",
        (
            Text(
                f"{found.options.experiments} experiments of each design. 'resampled' draws readers and items"
                f" from a pool of {found.options.pool_size} simulated readers; a stated effect, or more items"
                " than the file has, is simulated from variance components. Type S and type M are given where"
                " the effect itself is clear."
            ),
            *power_figures(found),
            _table(
                "The smallest design that was tried and reaches 80 %",
                design_cells(found.power),
                note="Where none does, the power of the largest.",
            ),
        ),
    )


def _preregistration(found: PilotResult) -> Section:
    return Section(
        "For the preregistration",
        (
            Note(
                "A model's own effect may be wrong: prefer the sentence about an effect you state.", "warning"
            ),
            *(Text(sentence) for sentence in found.sentences()),
        ),
    )


def _limits(found: PilotResult) -> Section:
    return Section(
        "What this simulation cannot know",
        (
            *(Text(text) for text in CANNOT_KNOW),
            *(Note(f"{name}: {about}.") for name, about in found.about.items()),
            *recovery_blocks(found.options.models),
        ),
    )


def _every_number(found: PilotResult) -> Section:
    return Section(
        "Every number",
        (
            _table(
                "Expected effects, all regions",
                effect_cells(found),
                note="Power: of the largest design.",
            ),
            _table("Power of every design", power_cells(found.power)),
            _table(
                "Standard deviations that power rests on",
                component_cells(found),
                note=spread_note(found),
            ),
        ),
        appendix=True,
    )


def _table(title: str, cells: Cells, note: str = "") -> Table:
    header, rows = cells
    known = {term.name for term in TERMS}
    columns = tuple(Column(name, name if name in known else "") for name in header)
    return Table(title, columns, tuple(tuple(row) for row in rows), note)


def _and(words: list[str]) -> str:
    """Return words as a list in prose.

    >>> _and(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def example_viewer(found: PilotResult) -> Viewer:
    """Let the first readers of each model read some items again: the same seed gives the same paths."""
    stimuli = found.stimuli
    items = _spread(stimuli.items, ITEMS)
    chosen = [stimuli.by_cell[item, condition] for item in items for condition in stimuli.conditions]
    every = tuple(stimulus.sentence for stimulus in stimuli.every)
    wanted = tuple(stimulus.sentence for stimulus in chosen)
    readings: dict[str, list[ShownReading]] = {sentence.sentence_id: [] for sentence in wanted}
    for model in found.options.models:
        readers = open_readers(model, every, found.surprisals, found.options.language, found.options.context)
        paths = readers.read(wanted, 0, READERS, seed=found.options.seed)
        for k, path in enumerate(paths):
            name = f"{_short(model)} {k // len(wanted) + 1}"
            durations = tuple(round(ms) for ms in path.durations) if path.durations is not None else None
            readings[path.sentence_id].append(ShownReading(name, path.positions, durations))
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
