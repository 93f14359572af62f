"""Effective draws per CPU second of the regression engines, side by side on the same data.

Without arguments: ``hmc`` against bambi with nutpie, default and tuned, at 10,000 human rows; with
``bernoulli``, ``poisson``, ``lognormal`` or ``gaussian``, that family only. With ``paper``: the 28 fits of a
table of the published size (119,000 human rows, six models of 24,000).
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import convergence
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.reference import bambi_model
from scandl_analysis.glm.spec import FAMILIES, Family, Fit, Glm, Problem, Sampling, family_of, paper_glm

ROUNDS = 2
PREDICTORS = ("word_length", "frequency", "surprisal")
TRUTH = {
    "sr": (-0.6, -0.95, 0.07, -0.23),
    "fpr": (-1.6, 0.35, -0.11, -0.04),
    "ffc": (-0.15, 0.21, -0.07, 0.08),
    "tfc": (0.1, 0.24, -0.12, 0.10),
    "FPRT": (5.45, 0.05, -0.05, 0.03),
}
"""Intercept and slopes of about the published size; of log gaze durations, those of schilling."""
MEASURES = {"bernoulli": "sr", "poisson": "tfc", "lognormal": "FPRT", "gaussian": "FPRT"}


def made_words(
    n_readers: int, n_sentences: int, *, sd: float = 0.4, n_words: int = 11, seed: int = 1
) -> pd.DataFrame:
    """Return words read by readers, half of the sentences shared by all, with outcomes of all measures."""
    rng = np.random.default_rng(seed)
    root = np.linalg.cholesky([[1, -0.5, 0.4], [-0.5, 1, -0.5], [0.4, -0.5, 1]])
    shared = n_sentences // 2
    tokens = shared + n_readers * (n_sentences - shared)
    x = rng.normal(size=(tokens, n_words, 3)) @ root.T
    rows = [
        np.r_[:shared, shared + r * (n_sentences - shared) + np.arange(n_sentences - shared)]
        for r in range(n_readers)
    ]
    sentence = np.repeat(np.concatenate(rows), n_words)
    frame = pd.DataFrame(x[np.concatenate(rows)].reshape(-1, 3), columns=list(PREDICTORS))
    reader = np.repeat(np.arange(n_readers), n_sentences * n_words)
    frame["reader_id"], frame["sentence_id"] = reader.astype(str), sentence.astype(str)
    for measure, (intercept, *slopes) in TRUTH.items():
        eta = intercept + frame[list(PREDICTORS)].to_numpy() @ slopes + rng.normal(0, sd, n_readers)[reader]
        family = family_of(measure)
        if family == "bernoulli":
            frame[measure] = rng.binomial(1, 1 / (1 + np.exp(-eta)))
        else:
            frame[measure] = rng.poisson(np.exp(eta)) if family == "poisson" else rng.lognormal(eta, 0.45)
    return frame


def compare(family: Family) -> None:
    """Print min bulk and tail ESS per CPU second of each engine, and the ratios to default nutpie."""
    frame, glm = made_words(69, 14), Glm(MEASURES[family], family, groups=("reader_id",))
    engines: dict[str, Callable[[int], Any]] = {
        "bambi + nutpie, default": lambda seed: by_nutpie(frame, glm, seed, tuned=False),
        "bambi + nutpie, tuned": lambda seed: by_nutpie(frame, glm, seed, tuned=True),
        "hmc": lambda seed: fit(frame, glm, sampling=Sampling(seed=seed)),
    }
    fit(frame, glm, sampling=Sampling(draws=20))  # compiled kernels are kept on disk
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in engines}
    for seed in range(ROUNDS):
        for name, run in engines.items():
            started = time.process_time()
            draws = run(seed)
            seconds = time.process_time() - started
            bulk, tail, rhat = worst(draws.draws if isinstance(draws, Fit) else draws)
            rates[name].append((bulk / seconds, tail / seconds))
            print(
                f"  {name:26} {seconds:7.1f} CPU s  bulk {bulk:6.0f}  tail {tail:6.0f}  R-hat {rhat:.4f}",
                flush=True,
            )
    base = np.mean(rates["bambi + nutpie, default"], axis=0)
    print(f"{family}, {len(frame):,} rows: min ESS per CPU second (bulk, tail) and ratio to the first")
    for name, found in rates.items():
        bulk, tail = np.mean(found, axis=0)
        print(
            f"  {name:26} {bulk:8.1f} {tail:8.1f}   {bulk / base[0]:6.1f} × {tail / base[1]:6.1f} ×",
            flush=True,
        )


def by_nutpie(frame: pd.DataFrame, glm: Glm, seed: int, *, tuned: bool) -> dict[str, Any]:
    """Return the draws of bambi's model from nutpie: as it comes, or centred with a low-rank metric."""
    import nutpie

    design = build_design(frame, glm)
    model = bambi_model(Problem(glm, frame, design, resolve("brms", glm, design)), noncentered=not tuned)
    compiled = nutpie.compile_pymc_model(model.backend.model)
    trace = nutpie.sample(
        compiled,
        draws=1000,
        tune=400,
        chains=4,
        cores=1,
        seed=seed,
        progress_bar=False,
        low_rank_modified_mass_matrix=tuned,
    )
    names = ["Intercept", *PREDICTORS, "1|reader_id_sigma", "1|reader_id"]
    return {name: trace.posterior[name].values for name in names}


def worst(draws: Any) -> tuple[float, float, float]:
    """Return the smallest bulk and tail ESS and the largest R-hat over all parameters."""
    columns = [d.reshape(*d.shape[:2], -1) for d in draws.values()]
    found = np.array([convergence(c[..., k]) for c in columns for k in range(c.shape[2])])
    return float(found[:, 1].min()), float(found[:, 2].min()), float(found[:, 0].max())


def paper_table(engine: str) -> None:
    """Fit 7 sources × 4 measures at the published size and print CPU time and the worst diagnostics."""
    total, bulk, tail, rhat = 0.0, np.inf, np.inf, 0.0
    for k, source in enumerate(("human", *(f"model {k}" for k in range(1, 7))), start=1):
        frame = made_words(69, 156) if source == "human" else made_words(14, 156, sd=0.0, seed=k)
        for measure in FAMILIES:
            started = time.process_time()
            found = fit(frame, paper_glm(measure, source), engine=engine, sampling=Sampling(seed=k))
            seconds = time.process_time() - started
            ess_bulk, ess_tail, r = worst(found.draws)
            total, bulk, tail, rhat = total + seconds, min(bulk, ess_bulk), min(tail, ess_tail), max(rhat, r)
            print(
                f"  {source:8} {measure:3} {len(frame):7,} rows {seconds:6.1f} CPU s  bulk {ess_bulk:6.0f}"
                f"  tail {ess_tail:6.0f}  R-hat {r:.4f}",
                flush=True,
            )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    found = f"bulk ≥ {bulk:.0f}, tail ≥ {tail:.0f}, R-hat ≤ {rhat:.4f}"
    print(f"{engine}: 28 fits in {total:.0f} CPU s; {found}; {memory:.1f} GB")


def main() -> None:
    if sys.argv[1:2] == ["paper"]:
        paper_table(sys.argv[2] if len(sys.argv) > 2 else "hmc")
        return
    for family in sys.argv[1:] or ("bernoulli", "poisson"):
        compare(family)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
