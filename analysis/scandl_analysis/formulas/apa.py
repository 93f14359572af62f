"""A regression in the words of a paper: names people read, a table, a sentence per effect, the methods."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scandl.files.results import write_text
from scandl.files.tabular import latex_table, latex_text
from scandl.measures.measure_names import SYNONYMS
from scandl.version import __version__

if TYPE_CHECKING:
    from scandl_analysis.formulas.regression import Regression

HEADER = ("Parameter", "b", "SD", "95% CrI", "P(direction)")
FAMILIES = {
    "bernoulli": "logistic",
    "poisson": "Poisson",
    "negativebinomial": "negative binomial",
    "conwaymaxwell": "Conway–Maxwell–Poisson",
    "gaussian": "linear",
    "lognormal": "log-normal",
}


def human_name(parameter: str) -> str:
    """Return a parameter's name as a reader of a paper takes it.

    >>> human_name("scale(word_length):cond[hard-easy]"), human_name("scale(word_length)|reader_sigma")
    ('Word length (z) × cond: hard − easy', 'Reader (SD of slope: word length (z))')
    >>> human_name("1|item_sigma"), human_name("sigma"), human_name("ns(x, 3)[2]")
    ('Item (SD of intercept)', 'Residual (SD)', 'X (spline 2)')
    """
    if parameter in ("sigma", "alpha", "nu"):
        return "Residual (SD)" if parameter == "sigma" else "Shape"
    group = re.fullmatch(r"(.+)\|([^|]+)_sigma", parameter)
    if group is not None:
        of = "intercept" if group[1] == "1" else f"slope: {_lower(human_name(group[1]))}"
        return f"{_plain(group[2])} (SD of {of})"
    return " × ".join(map(_atom_name, parameter.split(":")))


def _atom_name(atom: str) -> str:
    function = re.fullmatch(r"(\w+)\((.+?)(?:, [\d.]+)?\)(?:\[(\d+)\])?", atom)
    if function is None:
        factor = re.fullmatch(r"(.+)\[(.+)\]", atom)
        if factor is None:
            return _plain(atom)
        return f"{factor[1]}: {factor[2].removeprefix('S.').replace('-', ' − ')}"
    name, inner, k = function.groups()
    if name == "C":
        return f"{inner}: {k}"
    kinds = {
        "scale": "z",
        "center": "centred",
        "poly": f"power {k}",
        "ns": f"spline {k}",
        "bs": f"spline {k}",
    }
    return f"{_plain(inner)} ({kinds.get(name, name)})"


def _plain(name: str) -> str:
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def rows(found: Regression) -> list[tuple[str, ...]]:
    """Return the rows of the table; numbers are those of ``summary.csv``, rounded."""
    table = found.summary()
    cells: list[tuple[str, ...]] = []
    for name, row in zip(map(str, table.index), table.to_dict("records"), strict=True):
        drawn = found.fit.flat(name)
        direction = _probability(drawn) if name in found.effects else ""
        interval = f"[{_number(row['ci_low'])}, {_number(row['ci_high'])}]"
        cells.append((human_name(name), _number(row["mean"]), _number(row["sd"]), interval, direction))
    return cells


def note(found: Regression) -> str:
    """Return the line below the table."""
    scales = {"bernoulli": "log odds", "gaussian": "units of the outcome"}
    scale = scales.get(found.fit.glm.family, "the log scale")
    return (
        f"Note. N = {found.fit.n_rows:,} observations. b = posterior mean in {scale}; SD = posterior "
        "standard deviation; CrI = equal-tailed credible interval; P(direction) = posterior probability "
        "of the sign of b."
    )


def markdown(found: Regression) -> str:
    """Return the table in Markdown, with its note."""
    lines = [HEADER, ("---",) * len(HEADER), *rows(found)]
    table = "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)
    said = note(found).replace("Note.", "*Note.*", 1)
    return f"{table}\n\n{said}\n"


def latex(found: Regression) -> str:
    """Return the table in LaTeX for booktabs, with its note."""
    table = latex_table(HEADER, rows(found), align="lrrrr")
    said = latex_text(note(found)).replace("Note.", r"\textit{Note.}", 1)
    return f"{table}\n\n\\smallskip\n{said}\n"


def sentences(found: Regression) -> list[str]:
    """Return one sentence per effect, one per mean and one per contrast of means."""
    outcome = outcome_name(found)
    table = found.summary()
    said = []
    for name, row in zip(map(str, table.index), table.to_dict("records"), strict=True):
        if name not in found.effects:
            continue
        interval = f"[{_number(row['ci_low'])}, {_number(row['ci_high'])}]"
        direction = _equals(_probability(found.fit.flat(name)))
        numbers = f"b = {_number(row['mean'])}, 95% CrI {interval}, P(direction) {direction}"
        way = f"the data leave the sign of the effect on {outcome} open"
        if row["ci_low"] * row["ci_high"] > 0:
            way = f"{outcome} {'increased' if row['mean'] > 0 else 'decreased'}"
        said.append(f"{human_name(name)}: {way}, {numbers}.")
    means = found.means()
    if means is not None:
        cells = [", ".join(cell) for cell in means.draws]
        lines = means.table().to_dict("records") + means.contrasts().to_dict("records")
        for name, row in zip(
            [*cells, *(each["contrast"] for each in lines[len(cells) :])], lines, strict=True
        ):
            ends = f"[{_number(row['ci_low'], 1)}, {_number(row['ci_high'], 1)}]"
            said.append(f"{name}: {_number(row['mean'], 1)} {row['unit']}, 95% CrI {ends}.")
    return said


def outcome_name(found: Regression) -> str:
    """Return what the literature calls the outcome."""
    known = {names.ours: names.concept for names in SYNONYMS}
    response = found.formula.response
    return known.get(response, response.replace("_", " "))


def methods(found: Regression) -> str:
    """Return a paragraph for the methods: model, data, priors, sampling, what was left out."""
    fit, glm = found.fit, found.fit.glm
    levels = [
        f"{len(fit.levels[name])} levels of {name.split('|')[1]}"
        for name in fit.levels
        if name.startswith("1|")
    ]
    chains, draws = fit.draws["Intercept"].shape
    rhat = float(np.nanmax(found.summary()["rhat"])) if fit.has_chains else np.nan
    parts = [
        f"We analysed {outcome_name(found)} with a Bayesian {FAMILIES[glm.family]} mixed model",
        f"({found.formula}) of {fit.n_rows:,} observations" + (f" ({', '.join(levels)})." if levels else "."),
        "Priors: " + "; ".join(f"{name}: {prior}" for name, prior in fit.prior_table.items()) + ".",
        f"The model was fitted with scandl {__version__} (engine {fit.engine}; {_versions()}),",
        f"{chains} chains of {draws:,} draws" + (f", largest R-hat {rhat:.3f}." if rhat == rhat else "."),
    ]
    coding = "; ".join(f"{name}: {contrast}" for name, contrast in found.words.contrasts.items())
    parts += [f"Contrasts: {coding}."] if coding else []
    left_out = [line for line in found.about_words if "left out" in line]
    left_out += [f"{found.words.n_dropped:,} rows without a value"] * bool(found.words.n_dropped)
    parts += [f"Left out: {'; '.join(left_out)}."] if left_out else []
    return " ".join(parts)


def paper_text(found: Regression) -> str:
    """Return everything in Markdown: table, results, methods."""
    results = "\n".join(f"- {line}" for line in sentences(found))
    return f"{markdown(found)}\n## Results\n\n{results}\n\n## Methods\n\n{methods(found)}\n"


def write_paper(found: Regression, folder: Path) -> list[Path]:
    """Write ``apa.md`` and ``apa.tex`` and return their paths."""
    texts = {folder / "apa.md": paper_text(found), folder / "apa.tex": latex(found)}
    for path, text in texts.items():
        write_text(path, text)
    return list(texts)


def _number(value: float, digits: int | None = None) -> str:
    """Return a number with a true minus sign: three digits behind the point, fewer of large ones.

    >>> _number(-0.03141), _number(251.26)
    ('−0.031', '251.3')
    """
    if digits is None:
        digits = 3 if abs(value) < 10 else 2 if abs(value) < 100 else 1
    return f"{value:.{digits}f}".replace("-", "−")


def _probability(drawn: Sequence[float] | np.ndarray) -> str:
    """Return the probability of direction as APA prints what cannot exceed 1.

    >>> _probability([1.0] * 999 + [-1.0]), _probability([1.0, 1.0, -1.0, 1.0])
    ('.999', '.750')
    """
    values = np.asarray(drawn)
    share = float(max((values > 0).mean(), (values < 0).mean()))
    return "> .999" if share >= 0.9995 else f"{share:.3f}".lstrip("0")


def _equals(probability: str) -> str:
    return probability if probability.startswith(">") else f"= {probability}"


def _versions() -> str:
    found = []
    for package in ("numpy", "scipy"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
