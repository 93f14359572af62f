"""Baselines fitted in seconds or not at all, one per file."""
