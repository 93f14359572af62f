"""SWIFT 3, simulated natively."""
