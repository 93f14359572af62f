"""Simplified SWIFT as a generator that is fitted to a training fold."""
