"""Analyse scanpaths as psycholinguists do: measures, predictors, regressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.extras import lazy_names

if TYPE_CHECKING:
    from scandl.version import __version__
    from scandl_analysis.behaviour.correlations import correlations
    from scandl_analysis.behaviour.variability import variability
    from scandl_analysis.effects.divergence import divergence_point
    from scandl_analysis.effects.predictive_power import predictive_power
    from scandl_analysis.effects.psycholing import psycholing
    from scandl_analysis.formulas.regression import fit
    from scandl_analysis.piloting.pilot import pilot
    from scandl_analysis.reading_ease.ease import ease
    from scandl_analysis.words.corpus_words import reading_measures, word_predictors, word_table
else:
    __getattr__, __dir__ = lazy_names(
        "scandl_analysis",
        {
            "__version__": "scandl.version",
            "correlations": "scandl_analysis.behaviour.correlations",
            "divergence_point": "scandl_analysis.effects.divergence",
            "ease": "scandl_analysis.reading_ease.ease",
            "fit": "scandl_analysis.formulas.regression",
            "pilot": "scandl_analysis.piloting.pilot",
            "predictive_power": "scandl_analysis.effects.predictive_power",
            "psycholing": "scandl_analysis.effects.psycholing",
            "reading_measures": "scandl_analysis.words.corpus_words",
            "variability": "scandl_analysis.behaviour.variability",
            "word_predictors": "scandl_analysis.words.corpus_words",
            "word_table": "scandl_analysis.words.corpus_words",
        },
    )

__all__ = [
    "__version__",
    "correlations",
    "divergence_point",
    "ease",
    "fit",
    "pilot",
    "predictive_power",
    "psycholing",
    "reading_measures",
    "variability",
    "word_predictors",
    "word_table",
]
