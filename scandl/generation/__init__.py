"""Scanpaths for texts and folds, with any trained model: one text in Python, a million from a file."""
