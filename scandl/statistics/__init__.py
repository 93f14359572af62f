"""Distances between scanpaths, and how sure a mean of them is."""
