"""Training on a fold: the task, the loop, validation, tuning."""
