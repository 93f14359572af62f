"""Scanpaths drawn: in plain text, as pictures, and moving."""
