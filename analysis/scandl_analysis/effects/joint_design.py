"""The joint design: all sources in one model, but those that have no estimate by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scandl_analysis.effects.effect_table import Effects, not_estimable
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.spec import Glm
from scandl_analysis.words.readings import HUMAN

if TYPE_CHECKING:
    import pandas as pd


def left_out(
    frame: pd.DataFrame, glms: Sequence[Glm], *, setting: str, engine: str, priors: str, named: str
) -> dict[str, dict[str, Effects]]:
    """Return what is said of the sources that cannot enter the joint model, by measure.

    One source without an estimate would take it from all others, so each is looked at alone first.
    Without humans there is nothing to compare with, and nobody enters. ``named`` is what the table
    calls the priors.
    """
    quick = "mle" if engine.startswith("mle") else "laplace"
    parts = {str(source): part for source, part in frame.groupby("source", sort=False)}
    found: dict[str, dict[str, Effects]] = {}
    for glm in glms:
        reasons = {}
        for source, part in parts.items():
            try:
                fit(part, glm, engine=quick, priors=priors, sampling=Sampling(draws=2))
            except NotEstimableError as error:
                reasons[source] = error
        if (human := reasons.get(HUMAN)) is not None:
            why = str(human).removeprefix("not estimable: ")
            nobody = NotEstimableError(f"not estimable beside humans: {why}")
            reasons = {source: reasons.get(source, nobody) for source in parts}
        n_rows = {source: len(parts[source].dropna(subset=list(glm.columns))) for source in reasons}
        found[glm.measure] = {
            source: not_estimable(
                error, glm, setting, source, n_rows=n_rows[source], engine=engine, priors=named
            )
            for source, error in reasons.items()
        }
    return found


def joint_rows(frame: pd.DataFrame, absent: Iterable[str]) -> pd.DataFrame:
    """Return rows for one model of all sources but those absent."""
    rows = frame[~frame["source"].isin(list(absent))].copy()
    # Readers are nested in sources: a path generated "for" a reader is not that reader's.
    rows["reader_id"] = rows["source"].astype(str) + ":" + rows["reader_id"].astype(str)
    return rows
