"""Scanpaths in reading: corpora, folds, and the ScanDL diffusion model."""
