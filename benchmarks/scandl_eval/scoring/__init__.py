"""The scoring engine: predictions in, a table of scores with their uncertainty out."""
