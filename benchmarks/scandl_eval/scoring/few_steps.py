"""How few denoising steps will do: one trained model, scored at several numbers of steps.

NLD hardly moves when steps are saved; the distribution does. So the rule looks at energy distance:
the smallest number of steps whose energy distance lies inside the interval of the most steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
from scandl.files.tables import write_table
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.readings import readings
from scandl.models.trained_model import TrainedModel
from scandl.pairing import pair
from scandl.records import Prediction
from scandl.splits import Fold
from scandl.workers import track
from scandl_eval.scoring.engine import known_metric, score_predictions
from scandl_eval.scoring.evaluation import DEFAULT
from scandl_eval.scoring.rows import Row, number, span, summary_rows, text_table
from scandl_eval.scoring.scoring_spec import Spec

Interval = tuple[float, float] | None
STEPS = "steps"
"""The name under which a model is scored here."""
KINDS = ("no CLS", "inner CLS", "no SEP", "after SEP", "not a word", "empty")


@dataclass(frozen=True, slots=True)
class AtSteps:
    """The scores of a model that takes so many steps, with 95 % intervals over readers and sentences."""

    steps: int
    n: int
    nld: float
    nld_ci95: Interval
    energy: float
    energy_ci95: Interval
    diversity: float
    diversity_ci95: Interval
    repaired: float  # share of paths that needed any repair
    by_kind: dict[str, float]  # share of paths that needed each kind

    def cells(self) -> dict[str, Any]:
        """Return the row of ``steps.csv``."""
        found: dict[str, Any] = {"steps": self.steps, "n": self.n}
        for name in ("nld", "energy", "diversity"):
            low, high = getattr(self, f"{name}_ci95") or ("", "")
            found |= {name: getattr(self, name), f"{name}_low": low, f"{name}_high": high}
        shares = {kind.replace(" ", "_").lower(): self.by_kind[kind] for kind in KINDS}
        return found | {"repaired": self.repaired} | shares


def steps_curve(
    model: TrainedModel,
    corpus: Corpus,
    fold: Fold,
    steps: Sequence[int],
    *,
    samples: int = 1,
    seed: int = 1,
    quiet: bool = True,
) -> list[AtSteps]:
    """Generate for the test part of a fold with each number of steps, and score each time."""
    drawn = {k: Denoising(steps=k) for k in sorted(set(steps))}
    network = model.for_fold(fold, corpus).diffusion()
    for each in drawn.values():
        network.chosen(each)  # refuses a number before any work is done
    tested = corpus.restricted_to(fold.test)
    return [
        _scored(k, readings(model.with_sampling(each), tested, samples=samples, seed=seed), seed)
        for k, each in track(list(drawn.items()), "steps", quiet=quiet)
    ]


def enough_steps(curve: Sequence[AtSteps]) -> AtSteps:
    """Return the fewest steps whose energy distance lies inside the interval of the most steps."""
    most = max(curve, key=lambda row: row.steps)
    if most.energy_ci95 is None:
        raise ScandlError("the interval of energy distance needs two readers or two sentences")
    low, high = most.energy_ci95
    inside = [row for row in curve if low <= row.energy <= high]
    return min([*inside, most], key=lambda row: row.steps)


def write_steps(path: Path | str, curve: Sequence[AtSteps]) -> None:
    """Write one row per number of steps."""
    rows = [row.cells() for row in curve]
    write_table(path, {name: [_cell(row[name]) for row in rows] for name in rows[0]})


def curve_lines(curve: Sequence[AtSteps]) -> list[str]:
    """Return the table for the terminal."""
    header = ["steps", "NLD", "95 %", "energy", "95 %", "diversity", "95 %", "repaired"]
    cells = [
        [
            str(row.steps),
            number(row.nld),
            span(row.nld_ci95),
            number(row.energy),
            span(row.energy_ci95),
            number(row.diversity),
            span(row.diversity_ci95),
            _shares(row),
        ]
        for row in curve
    ]
    return text_table(header, cells)


def _shares(row: AtSteps) -> str:
    kinds = ", ".join(f"{kind} {share:.1%}" for kind, share in row.by_kind.items() if share)
    return f"{row.repaired:.1%}" + (f" ({kinds})" if kinds else "")


def _cell(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def _scored(k: int, made: Sequence[Prediction], seed: int) -> AtSteps:
    predictions = [replace(prediction, model=STEPS) for prediction in made]
    spec = Spec()
    metrics = {name: known_metric(name, spec) for name in DEFAULT}
    (found,) = score_predictions(pair(predictions), None, spec, metrics, trivial=False, seed=seed).settings
    rows = {
        name: summary_rows(name, found.setting, found.estimates[name])[0]
        for name in DEFAULT
        if STEPS in found.estimates[name].models
    }
    told = [prediction.extra[REPAIR_COLUMN] for prediction in made]
    counts = repaired_paths(told)
    return AtSteps(
        steps=k,
        n=len(made),
        nld=_mean(rows.get("nld")),
        nld_ci95=_ci95(rows.get("nld")),
        energy=_mean(rows.get("energy")),
        energy_ci95=_ci95(rows.get("energy")),
        diversity=_mean(rows.get("diversity")),
        diversity_ci95=_ci95(rows.get("diversity")),
        repaired=sum(map(bool, told)) / len(made),
        by_kind={kind: counts[kind] / len(made) for kind in KINDS},
    )


def _mean(row: Row | None) -> float:
    return math.nan if row is None or row.mean is None else row.mean


def _ci95(row: Row | None) -> Interval:
    return None if row is None else row.ci95
