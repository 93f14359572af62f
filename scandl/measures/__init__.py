"""Everything that is measured of words, paths, pairs of paths and distributions of paths."""
