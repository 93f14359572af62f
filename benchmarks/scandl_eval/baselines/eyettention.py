"""Eyettention under its names.

Its classes live with the model, so ``all`` models of a run do not include them: training takes
minutes a fold, the baselines of this package take seconds. They run where they are named.
"""

from __future__ import annotations

from scandl.generators import GENERATORS
from scandl_eval.eyettention.generator import Eyettention, EyettentionSmall

GENERATORS.register("eyettention")(Eyettention)
GENERATORS.register("eyettention-small")(EyettentionSmall)
