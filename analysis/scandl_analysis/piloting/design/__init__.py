"""What is shown to readers: stimuli, conditions, lists, and what else differs between them."""
