"""What is known of a word before anyone reads it: length, frequency, surprisal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.moved import old_names

if not TYPE_CHECKING:
    __getattr__ = old_names("scandl_analysis.predictors", "scandl_analysis.predictors.word_predictors")
