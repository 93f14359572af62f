"""How models behave: variability of their scanpaths, and what goes with a high NLD."""
