"""Simplified SWIFT (Engbert & Rabe 2024): the simulation and the likelihood of a path."""
