"""The figures: each takes numbers and names, and returns a drawing with the data behind it."""
