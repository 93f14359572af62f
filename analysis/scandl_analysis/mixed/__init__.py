"""Mixed models in milliseconds: what a thousand simulated experiments are analysed with."""
