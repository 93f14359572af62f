"""The word-pointing network: paths of any length, durations, readers; ``generator`` is the way in."""
