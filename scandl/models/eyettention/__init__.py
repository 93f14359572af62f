"""Eyettention (Deng et al., ETRA 2023), written from its description; ``generator`` is the way in."""
