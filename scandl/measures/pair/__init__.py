"""Metrics between one human and one generated scanpath."""
