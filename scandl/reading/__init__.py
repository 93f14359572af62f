"""What a reading of a sentence is like: word visits, word frequency, drawings of a scanpath."""
