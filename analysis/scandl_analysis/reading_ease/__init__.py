"""How hard texts are to read: simulated reading, and beside it what predicts how people judge them."""
