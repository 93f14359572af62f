"""Chapters of reports on an analysis."""
