"""The table of words for R, and the script that fits a regression to it with lme4 and with brms."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scandl.corpora.corpus_folder import find_corpus, open_corpus
from scandl.errors import ConfigError
from scandl.files.results import provenance, write_sidecar, write_text
from scandl.files.tables import check_ending, write_frame, write_table
from scandl_analysis.formulas.formula import INTERCEPT, Formula, Term, read_formula, with_known_names
from scandl_analysis.formulas.model_frame import ModelFrame, model_frame, used_columns
from scandl_analysis.glm.spec import TIMES, Family
from scandl_analysis.words.codebook import codebook
from scandl_analysis.words.corpus_words import word_table
from scandl_analysis.words.word_files import Written
from scandl_analysis.words.word_table import EDGES

DEFAULT_TERMS = "scale(word_length) + scale(frequency) + scale(surprisal) + (1 | reader) + (1 | sentence)"

CODINGS = {"treatment": "contr.treatment", "sum": "contr.sum", "sdif": "MASS::contr.sdif"}
LME4 = {"bernoulli": "binomial", "poisson": "poisson", "gaussian": "gaussian", "lognormal": "gaussian"}
BRMS = {
    "bernoulli": "bernoulli()",
    "poisson": "poisson()",
    "negativebinomial": "negbinomial()",
    "gaussian": "gaussian()",
    "lognormal": "gaussian()",  # of the logarithms, whose priors are those used here
}
WRITTEN = ("brms", "weak")
"""Priors that the script has too; those of bambi differ from column to column."""


def write_words(
    out: Path | str,
    corpus: Path | str,
    *,
    formula: str | None = None,
    family: Family | None = None,
    contrast: str = "treatment",
    priors: str = "brms",
    keep_edges: bool = False,
    **options: Any,
) -> Written:
    """Write the table of words with its codebook, and with a formula ``analysis.R``.

    An empty formula is a regression of the first-pass reading time, or of skipping where there are no
    durations, on length, frequency and surprisal. Other options are those of ``word_table``.
    """
    target = Path(out)
    if check_ending(target).suffix != ".csv" and formula is not None:
        raise ConfigError("--r: R reads the table as CSV, so --out must end in .csv")
    parsed = read_formula(formula) if formula else None
    words = word_table(open_corpus(corpus), drop=() if keep_edges else EDGES, **options)
    beside = [target.with_suffix(".codebook.csv")]
    script = ""
    if formula is not None:
        measure = "FPRT" if "FPRT" in words else "sr"
        parsed = parsed or read_formula(f"{measure} ~ {DEFAULT_TERMS}")
        parsed = with_known_names(parsed, map(str, words.columns))
        model = model_frame(parsed, words, family=family, contrast=contrast)
        script = r_script(parsed, model, target, contrast=contrast, priors=priors)
        beside.append(target.with_name("analysis.R"))
    write_frame(target, words)
    write_table(beside[0], codebook(words))
    if script:
        write_text(beside[1], script)
    folder = find_corpus(corpus)
    write_sidecar(target, words.attrs["predictors"], words.attrs["notes"], provenance(inputs=[folder]))
    return Written(target, words, tuple(words.attrs["notes"]), tuple(beside))


def r_script(
    formula: Formula,
    model: ModelFrame,
    table: Path,
    *,
    contrast: str,
    priors: str = "brms",
    draws: int = 1000,
    chains: int = 4,
) -> str:
    """Return the script; ``table`` is the CSV file that it reads, beside it.

    Rows without a value are dropped before anything is scaled, as here. In ``(1 + factor || group)`` lme4
    keeps the columns of a factor correlated, so they are written as columns of their own.
    """
    family = model.glm.family
    if family not in BRMS:
        raise ConfigError(f"--r: lme4 and brms have no family {family}; take poisson or negativebinomial")
    columns = used_columns(formula)
    lines = [
        f"# {formula}",
        f"# {family}, {len(model.frame):,} rows; the same as: scandl-analysis fit '{formula}'",
        f"words <- read.csv({_text(table.name)}, na.strings = '', encoding = 'UTF-8')",
        f"words <- words[complete.cases(words[, c({', '.join(map(_text, columns))})]), ]",
        "center <- function(x) x - mean(x)",
    ]
    if "ns(" in str(formula) or "bs(" in str(formula):
        lines.append("library(splines)")
    for factor, levels in model.levels.items():
        lines.append(f"words${factor} <- factor(words${factor}, levels = c({', '.join(map(_text, levels))}))")
        lines.append(f"contrasts(words${factor}) <- {CODINGS[contrast]}({len(levels)})")
    written, own = _groups(formula, model.levels, contrast)
    lines += own
    response = f"log({formula.response})" if family == "lognormal" else formula.response
    common = _r_terms(formula.terms, model.levels)
    whole = " + ".join([f"{response} ~ {common}", *written])
    # Errors of glmer's finite differences can be a fifth too large.
    exact = ", use.hessian = FALSE" if formula.groups and LME4.get(family) != "gaussian" else ""
    lines += ["", *_lme4(whole, family, bool(formula.groups)), f"found <- summary(model{exact})"]
    lines += ["print(found, correlation = FALSE)"]
    lines += ["", "# The same in brms: minutes. install.packages('brms') first.", "if (FALSE) {"]
    lines += [f"  {line}" for line in _brms(whole, model, priors, draws, chains)]
    return "\n".join([*lines, "}", ""])


def _lme4(formula: str, family: Family, grouped: bool) -> list[str]:
    if not grouped and family == "negativebinomial":
        return [f"model <- MASS::glm.nb({formula}, data = words)"]
    if not grouped:
        return [f"model <- glm({formula}, data = words, family = {LME4[family]})"]
    if family == "negativebinomial":
        return ["library(lme4)", f"model <- glmer.nb({formula}, data = words)"]
    if LME4[family] == "gaussian":
        return ["library(lme4)", f"model <- lmer({formula}, data = words)"]
    return ["library(lme4)", f"model <- glmer({formula}, data = words, family = {LME4[family]})"]


def _brms(formula: str, model: ModelFrame, priors: str, draws: int, chains: int) -> list[str]:
    glm = model.glm
    said = f", {_weak(model)}" if priors == "weak" else ""
    note = [] if priors in WRITTEN else [f"# The priors {priors!r} were used here; these are brms's own."]
    return [
        *note,
        "library(brms)",
        f"fit <- brm({formula}, data = words, family = {BRMS[glm.family]},",
        f"           chains = {chains}, iter = {1000 + draws}, warmup = 1000, seed = 1{said})",
        "print(fit)",
    ]


def _weak(model: ModelFrame) -> str:
    """Return the priors of the set ``weak`` as brms reads them."""
    family = model.glm.family
    outcome = model.frame[model.glm.measure].to_numpy(float)
    outcome = np.log(outcome) if family == "lognormal" else outcome
    unit = float(outcome.std()) if family == "gaussian" else 1.0
    centre = float(outcome.mean()) if family in TIMES else 0.0
    classes = {"b": (0.0, unit), "Intercept": (centre, 1.5 * unit)}
    classes |= {"sd": (0.0, unit)} if model.glm.groups or model.glm.slopes else {}
    classes |= {"sigma": (0.0, unit)} if family in TIMES else {}
    parts = [f"prior(normal({mu:.6g}, {sd:.6g}), class = {name})" for name, (mu, sd) in classes.items()]
    return f"prior = c({', '.join(parts)})"


def _groups(
    formula: Formula, levels: Mapping[str, Sequence[str]], contrast: str
) -> tuple[list[str], list[str]]:
    """Return the group terms as lme4 reads them, and the lines that make the columns they need."""
    written, lines = [], []
    for group in formula.groups:
        terms = [term for term in group.terms if term != INTERCEPT]
        if group.correlated or not any(atom in levels for term in terms for atom in term):
            bar = "|" if group.correlated or not terms else "||"
            inner = _r_terms(group.terms, levels)
            written.append(f"({inner} {bar} {group.factor})")
            continue
        names = [f"slope_{n + 1}" for n in range(_width(terms, levels))]
        lines.append(
            f"slopes <- model.matrix(~ {_r_terms((INTERCEPT, *terms), levels)}, words)[, -1, drop = FALSE]"
        )
        lines += [f"words${name} <- slopes[, {n + 1}]" for n, name in enumerate(names)]
        start = "1" if INTERCEPT in group.terms else "0"
        written.append(f"({' + '.join([start, *names])} || {group.factor})")
    return written, lines


def _width(terms: Sequence[Term], levels: Mapping[str, Sequence[str]]) -> int:
    return sum(
        int(np.prod([len(levels[atom]) - 1 if atom in levels else 1 for atom in term])) for term in terms
    )


def _r_terms(terms: Sequence[Term], levels: Mapping[str, Sequence[str]]) -> str:
    start = ["1"] if INTERCEPT in terms else ["0"]
    return " + ".join([*start, *(":".join(map(_r_atom, term)) for term in terms if term != INTERCEPT)])


def _r_atom(atom: str) -> str:
    """Return a column or a function of one as R has it.

    >>> _r_atom("C(block)"), _r_atom("ns(x, 3)")
    ('block', 'ns(x, 3)')
    """
    node = ast.parse(atom, mode="eval").body
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "C":
            return ast.unparse(node.args[0])
        if node.func.id == "bs":
            return re.sub(r", (\d+)\)$", r", df = \1)", atom)
    return atom


def _text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
