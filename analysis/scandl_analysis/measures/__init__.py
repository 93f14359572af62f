"""Reading measures of words and of whole scanpaths, one pure function each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.moved import old_names

# The function hides the module of its name, on purpose: it is what one wants from this package.
from scandl_analysis.measures.word_measures import word_measures

if not TYPE_CHECKING:
    __getattr__ = old_names("scandl_analysis.measures", "scandl_analysis.measures.word_measures")

__all__ = ["word_measures"]
