"""E-Z Reader 10.2 and SWIFT 3: cognitive models of eye movements in reading, simulated natively."""
