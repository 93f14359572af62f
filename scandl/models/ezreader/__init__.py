"""E-Z Reader 10.2, simulated natively."""
