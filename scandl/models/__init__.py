"""Every generator that models are compared with, and the catalogue that finds them by name."""
