"""What the words of a chapter on effects mean, which depends on how the regressions were fitted."""

from __future__ import annotations

from collections.abc import Iterable

from scandl_analysis.glm.fit import QUICK_LOOKS
from scandl_reports.document import Term

SAMPLED = "sampled"
MAXIMUM = "the maximum-likelihood estimate without reader terms, a quick look"
EFFECT = {
    SAMPLED: "the posterior mean of a Bayesian regression",
    "laplace": "the mean of a Laplace approximation to a Bayesian posterior, a quick look",
    "mle": MAXIMUM,
    "mle-robust": MAXIMUM,
}
SIMULATED = "of differences, that of draws simulated from estimates and errors"
INTERVAL = {
    SAMPLED: "the 95 % equal-tailed interval of the posterior draws",
    "laplace": "the 95 % equal-tailed interval of draws from the approximation",
    "mle": f"the estimate ± 1.96 standard errors; {SIMULATED}",
    "mle-robust": "the estimate ± its standard error, clustered, times the quantile of a t distribution with "
    f"one degree of freedom less than clusters; {SIMULATED}",
}
MEASURES = (
    Term("sr", "Skipping rate: whether a word was not fixated in first pass."),
    Term("fpr", "First-pass regression: whether the eyes left the word to the left after its first run of "
         "fixations."),
    Term("ffc", "First-pass fixation count: fixations of the first run on the word."),
    Term("tfc", "Total fixation count: all fixations of the word."),
)  # fmt: skip
RECOVERY = (
    Term("readers − model", "Difference of the two effects, draw by draw: 0 where the model shows the effect "
         "of the readers."),
    Term("same sign", "Effects of the model with the sign of the readers', of those that both have."),
    Term("mean |readers − model|", "Mean absolute difference over all effects, its mean over the draws, to "
         "which the interval belongs. Noise adds to every absolute difference, so both lie above the "
         "difference of the means where effects are known poorly. For scale, two halves of the readers "
         "stand in the same table: a bound they are not, because each half knows its effects worse than all "
         "readers together."),
    Term("no effects", "A reader on whom no property of words has any effect: all its slopes are 0, so its "
         "differences are the effects of the readers themselves. To show these by this measure, a model has "
         "to be separably nearer than this reader."),
    Term("less the nearest", "95 % interval of the mean absolute difference less that of the nearest model, "
         "draw by draw with the same draws of the readers, on effects that all models compared have. A "
         "model is separable from the nearest where it leaves out 0. Not given for models with fewer effects "
         "than others, for halves of the readers, and for quick looks, which have no posterior draws."),
    Term("of the means", "Mean absolute difference of the effects as printed, without regard to how well "
         "they are known; so is the RMSE. Published tables allow no other."),
)  # fmt: skip
CLEAR = Term(
    "clear",
    "The same sign, of those effects only whose 95 % interval for the readers leaves out 0: the sign of "
    "the others is not known.",
)
R_HAT = Term(
    "R-hat",
    "Whether the chains agree (Vehtari et al., 2021): 1 when they do; above 1.01 the numbers are not to be "
    "used, and what rests on them is marked as not sampled well. Quick looks have no chains.",
)
K_HAT = Term(
    "k-hat",
    "Pareto's k of the importance ratios between the posterior and the approximation that the engine imh "
    "proposes from (Vehtari et al., 2024): the lower, the better it proposes; from 0.7 on the fit is sampled "
    "by nuts instead.",
)


def effect_terms(
    engines: Iterable[str], notes: Iterable[str] = (), *, clear: bool = False
) -> tuple[Term, ...]:
    """Return the definitions for fits by these engines; of what only ``notes`` mention, where they do.

    ``clear``: signs were counted where they are known, too.

    >>> effect_terms(["mle"])[1].definition.split(";")[0]
    'For an effect, with mle, the estimate ± 1.96 standard errors'
    """
    kinds = {engine if engine in QUICK_LOOKS else SAMPLED: None for engine in engines}
    scale = "On the logit scale for sr and fpr, on the log scale for ffc and tfc."
    return (
        Term("effect", f"Slope of a standardised predictor: {_told(kinds, EFFECT)}. {scale}"),
        Term("95 % (regression)", f"For an effect, {_told(kinds, INTERVAL)}."),
        *MEASURES, R_HAT, *([K_HAT] if any("k-hat" in note for note in notes) else []), *RECOVERY,
        *([CLEAR] if clear else []),
    )  # fmt: skip


def _told(kinds: Iterable[str], said: dict[str, str]) -> str:
    """Return what is said of each kind, named where it is no posterior."""
    return "; ".join(said[kind] if kind == SAMPLED else f"with {kind}, {said[kind]}" for kind in kinds)
