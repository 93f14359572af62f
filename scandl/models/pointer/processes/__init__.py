"""Two ways to draw a path from the network: fixation by fixation, or by unmasking."""
